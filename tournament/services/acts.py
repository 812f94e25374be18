"""What an item from a tablet does when it is carried out: the same services as everywhere, nothing of its own."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from tournament.access import Actor
from tournament.models import Game
from tournament.queries.asking import void_reasons
from tournament.queries.lines import active_entries, next_position, sheet_code
from tournament.queries.rules import ruleset_at
from tournament.queries.sheet import sheet_games
from tournament.refusals import Changed, Fault, Invalid, Refusal
from tournament.services.calls import call_director
from tournament.services.entries import record_entry, undo_entry
from tournament.services.items import CALL, DEALER, HAND, SEAT, SIGN, UNDO, VOID
from tournament.services.seating import choose_first_dealer, seat_side
from tournament.services.signatures import sign_sheet


class OutOfOrder(Refusal):
    """The item belongs to another line of the sheet than the next one. `code` says how: a gap, or a line is there."""

    status = 409

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def carry_out(actor: Actor, game: Game, kind: str, uid: uuid.UUID, body: dict[str, Any], *, here: bool = False) -> None:
    """Do what an item says. `here` writes a hand wherever the sheet ends, as the desk decided.

    Raises a Refusal where it cannot be done; nothing is written then.
    """
    if kind in (HAND, VOID) and not here:
        _must_be_next(game, uid, body["position"])
    ACTS[kind](actor, game, uid, body, here)


def facts_of(game: Game, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """The entry of the game document that a hand or void stands for."""
    if kind == HAND:
        return dict(body["facts"])
    reason = next((one for one in void_reasons(ruleset_at(game)) if one.rule == body["rule"]), None)
    if reason is None:
        raise Invalid([Fault("rule", "Say why the hand does not count.")])
    return {key: text for key, text in (("entry", "void"), ("rule", reason.rule), ("reason", reason.when)) if text}


def _must_be_next(game: Game, uid: uuid.UUID, position: int) -> None:
    entries = list(game.entries.all())
    due = next_position(entries)
    if position > due:
        raise OutOfOrder("gap", f"It is line {position} of the sheet; line {due} is missing.")
    if position < due and not any(one.client_key == uid for one in entries):
        raise OutOfOrder("conflict", f"Another line {position} stands on the sheet already.")


def _write(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    kind = HAND if "facts" in body else VOID
    record_entry(actor, game, facts_of(game, kind, body), position=None if here else body["position"], client_key=uid)


def _undo(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    entries = list(game.entries.all())
    active = active_entries(entries)
    known = any(one.client_key == uid for one in entries)
    if not known and (not active or str(active[-1].client_key) != body["of"].lower()):
        raise OutOfOrder("conflict", "The line that was undone does not stand last on the sheet.")
    undo_entry(actor, game, position=body["position"], client_key=uid)


def _seat(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    seat_side(actor, game, body["side"])


def _dealer(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    choose_first_dealer(actor, game, body["seat"])


def _call(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    call_director(actor, game, body["about"])


def _sign(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    """The signature names every line that was seen; it holds for a sheet of exactly these.

    The body then names the sheet's code as well; where it does already, under no other one.
    """
    fresh = sheet_games().get(pk=game.pk)
    active = active_entries(fresh.entries.all())
    if not here and [str(one.client_key) for one in active] != [key.lower() for key in body["lines"]]:
        raise Changed("The sheet that was signed is not the one that stands here.")
    reason = "Signed on the tablet, accepted at the desk" if actor.person is not None else ""
    code = sheet_code(fresh, active)
    if not here and body.get("code", code) != code:
        raise Changed("The sheet that was signed is not the one that stands here.")
    sign_sheet(actor, game, side=body["side"], name=body["name"], code=code, reason=reason)
    body["code"] = code


ACTS: dict[str, Callable[[Actor, Game, uuid.UUID, dict[str, Any], bool], None]] = {
    HAND: _write,
    VOID: _write,
    UNDO: _undo,
    SEAT: _seat,
    DEALER: _dealer,
    CALL: _call,
    SIGN: _sign,
}
