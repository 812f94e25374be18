"""What an item from a tablet does when it is carried out: the same services as everywhere, nothing of its own."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from tournament.access import Actor
from tournament.models import Entry, Game
from tournament.queries.rules import ruleset_at
from tournament.queries.rulings import void_entry
from tournament.queries.scored import active_entries, next_position, scored_game, sheet_code
from tournament.queries.sheet import sheet_games
from tournament.refusals import Changed, Refusal
from tournament.services.calls import call_director, withdraw_call
from tournament.services.entries import take_off_last, write_entry
from tournament.services.items import CALL, DEALER, HAND, SEAT, SIGN, UNCALL, UNDO, UNSIGN, VOID
from tournament.services.results import read_sheet
from tournament.services.seating import choose_first_dealer, seat_side
from tournament.services.signatures import sign_sheet, take_signature_back
from tournament.words.held import Reason


class OutOfOrder(Refusal):
    """The item belongs to another line of the sheet than the next one. `code` says how: a gap, or a line is there."""

    status = 409

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def carry_out(actor: Actor, game: Game, kind: str, uid: uuid.UUID, body: dict[str, Any], *, here: bool = False) -> None:
    """Do what an item says to a `locked_game`. `here` writes a hand wherever the sheet ends, as the desk decided.

    Raises a Refusal where it cannot be done; nothing is written then.
    """
    ACTS[kind](actor, game, uid, body, here)


def facts_of(game: Game, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """The entry of the game document that a hand or void stands for."""
    if kind == HAND:
        return dict(body["facts"])
    return void_entry(ruleset_at(game), body["rule"])


def _write(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    position = None if here else body["position"]
    entries = list(read_sheet(game).entries.all())
    if position is not None:
        _must_be_next(entries, uid, position)
    facts = facts_of(game, HAND if "facts" in body else VOID, body)
    write_entry(actor, game, facts, position=position, key=uid)


def _must_be_next(entries: Sequence[Entry], uid: uuid.UUID, position: int) -> None:
    due = next_position(entries)
    if position > due:
        raise OutOfOrder("gap", Reason("gap", line=position, due=due))
    if position < due and not any(one.client_key == uid for one in entries):
        raise OutOfOrder("conflict", Reason("recorded", line=position))


def _undo(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    entries = list(read_sheet(game).entries.all())
    active = active_entries(entries)
    known = any(one.client_key == uid for one in entries)
    if not known and (not active or str(active[-1].client_key) != body["of"].lower()):
        raise OutOfOrder("conflict", Reason("line-changed"))
    take_off_last(actor, game, position=body["position"], key=uid)


def _seat(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    seat_side(actor, game, body["side"])


def _dealer(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    choose_first_dealer(actor, game, body["seat"])


def _call(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    call_director(actor, game, body["about"])


def _uncall(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    withdraw_call(actor, game)


def _unsign(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    take_signature_back(actor, game, body["side"])


def _sign(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    """The signature names every line that was seen; it holds for a sheet of exactly these."""
    fresh = sheet_games().get(pk=game.pk)
    active = active_entries(fresh.entries.all())
    if not here and [str(one.client_key) for one in active] != [key.lower() for key in body["lines"]]:
        raise Changed(Reason("sheet-changed"))
    reason = "Signed on the tablet, accepted at the desk" if actor.person is not None else ""
    code = sheet_code(fresh, scored_game(fresh))
    sign_sheet(actor, game, side=body["side"], name=body["name"], code=code, reason=reason)


ACTS: dict[str, Callable[[Actor, Game, uuid.UUID, dict[str, Any], bool], None]] = {
    HAND: _write,
    VOID: _write,
    UNDO: _undo,
    SEAT: _seat,
    DEALER: _dealer,
    CALL: _call,
    UNCALL: _uncall,
    UNSIGN: _unsign,
    SIGN: _sign,
}
