"""Tablets: a card with a code binds one to a table, and what a tablet's messages do.

The code works once, and a new card unbinds the old tablet.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count, product
from string import ascii_uppercase
from typing import Any

from django.db import OperationalError
from django.utils import timezone

from tournament.access import Actor
from tournament.errors import Conflict, DomainError, Fault, ValidationFailed
from tournament.models import Device, Entry, Event, Game
from tournament.queries.devices import LETTERS, fingerprint, note_heard, plain_code, withdrawn_tablets, writer_of
from tournament.queries.rules import ruleset_at
from tournament.queries.rulings import void_entry
from tournament.queries.scored import active_entries, next_position, scored_game, sheet_code
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.services.entries import lock_bids, take_off_last, write_entry
from tournament.services.rounds import call_director, choose_first_dealer, seat_side, withdraw_call
from tournament.services.signatures import read_sheet, sign_sheet, take_signature_back
from tournament.services.transactions import Shown, announce, in_line, writing
from tournament.site.limits import MANY, limited
from tournament.words.messages import BIDS, CALL, DEALER, HAND, SEAT, SIGN, UNCALL, UNDO, UNSIGN, VOID
from tournament.words.sentences import Reason

CODE_LENGTH = 8
TOKEN_BYTES = 32
# A whole hall shares one address behind its router. The chance that a guess hits one of fifty open cards is one in 17
# billion.
FAILURES_A_MINUTE = 60
# One answer for wrong, used, replaced, and withdrawn codes, so that guessing does not reveal which codes exist.
REFUSED = "This code does not open a table. Check it, or ask the desk for a new card."


def issue_card(actor: Actor, event: Event, table: int) -> str:
    """Issue a new code for a table's card. The table's earlier tablet and card stop working at once."""
    with writing(event, Shown.INSIDE) as event:
        return _issue(actor, event, table)


def issue_cards(actor: Actor, event: Event, tables: list[int]) -> dict[int, str]:
    with writing(event, Shown.INSIDE) as event:
        return {table: _issue(actor, event, table) for table in tables}


def pair_device(actor: Actor, code: str) -> str:
    """Bind the tablet that knows the code to its table and return the tablet's key. The code is then used up.

    Raises ValidationFailed for every code that does not work, and TooMany after sixty of them within a minute from one
    address.
    """
    with limited("pairing", actor.address, FAILURES_A_MINUTE, MANY.format("wrong codes")) as tried:
        known = Device.objects.filter(code_hash=fingerprint(plain_code(code)), revoked_at=None).first()
        token = _bind(actor, known) if known is not None else None
        if token is None:
            raise ValidationFailed([Fault("code", REFUSED)])
        tried.was_right()
    return token


def bind_further(actor: Actor, event: Event, table: int) -> str:
    """Bind a second tablet to a table without a card and return its key.

    It only shows the sheet; another tablet writes.
    """
    with writing(event, Shown.INSIDE) as event:
        there = Device.objects.filter(event=event, table=table, revoked_at=None)
        used = set(there.values_list("letter", flat=True))
        letter = next(one for one in _letters() if one not in used)
        token, now = secrets.token_urlsafe(TOKEN_BYTES), timezone.now()
        device = Device.objects.create(
            event=event,
            table=table,
            token_hash=fingerprint(token),
            letter=letter,
            writes=not there.filter(writes=True).exists(),
            paired_at=now,
            last_seen_at=now,
        )
        said = {"table": table, "letter": letter}
        announce(actor._replace(device=device), event, "pair", "device", device.pk, "here", said)
        return token


def revoke_device(actor: Actor, event: Event, table: int) -> bool:
    """Withdraw a table's tablet and card. Returns whether there was one."""
    with writing(event, Shown.INSIDE) as event:
        gone = _revoke(event, table)
        if gone:
            announce(actor, event, "revoke", "table", table, "withdrawn", {"table": table})
        return gone


def put_back(actor: Actor, event: Event, table: int) -> bool:
    """Allow a table's last withdrawn tablets again, if nothing was issued since.

    Returns whether there was one. An unused card has lost its code and needs a new one.
    """
    with writing(event, Shown.INSIDE) as event:
        back = withdrawn_tablets(event).get(table, [])
        Device.objects.filter(pk__in=back).update(revoked_at=None, last_seen_at=None)
        if back:
            announce(actor, event, "revoke", "table", table, "back", {"table": table})
        return bool(back)


def note_report(device: Device, unsent: int | None = None, battery: int | None = None) -> None:
    """Record that a tablet was heard from and what it reported; written once a minute unless something changed.

    If the database has no room or no time for it, nothing is recorded. The tablet still gets its answer.
    """
    now = timezone.now()
    said = {"unsent": unsent, "battery": battery}
    new = {key: value for key, value in said.items() if value is not None and value != getattr(device, key)}
    if note_heard(device, now) or new:
        with suppress(OperationalError), in_line():
            Device.objects.filter(pk=device.pk).update(last_seen_at=now, **new)


def take_over(actor: Actor, device: Device) -> Device:
    """Let this tablet, and no other, write at its table from now on.

    Anything the others still send is pending.
    """
    with writing(device.event_id, Shown.INSIDE) as event:
        device = Device.objects.get(pk=device.pk)
        if device.revoked_at is not None:
            raise ValidationFailed([Fault("", "This tablet no longer belongs to the table.")])
        if not device.writes:
            old = writer_of(device)
            Device.objects.filter(event=event, table=device.table).update(writes=False)
            device.writes = True
            device.save(update_fields=["writes"])
            said = {"table": device.table, "letter": device.letter, "old": old.letter if old else ""}
            announce(actor, event, "take-over", "device", device.pk, "keeps", said)
        return device


def issue_second_card(actor: Actor, event: Event, table: int) -> str:
    """Issue a code for another tablet at a table. It only shows the sheet until somebody takes over on it."""
    with writing(event, Shown.INSIDE) as event:
        used = set(Device.objects.filter(event=event, table=table, revoked_at=None).values_list("letter", flat=True))
        free = [letter for letter in "ABCDEF" if letter not in used]
        if not used or not free:
            raise ValidationFailed(
                [Fault("table", "A second tablet needs a table with one tablet or more, six at most.")]
            )
        return _issue(actor, event, table, letter=free[0])


def _letters() -> Iterator[str]:
    """Letters from A to Z, then AA to ZZ, and so on: they never run out."""
    for length in count(1):
        yield from map("".join, product(ascii_uppercase, repeat=length))


def _issue(actor: Actor, event: Event, table: int, letter: str = "") -> str:
    if table not in range(1, 10000):
        raise ValidationFailed([Fault("table", "Which table is the card for?")])
    replaced = not letter and _revoke(event, table)
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    device = Device.objects.create(
        event=event, table=table, code_hash=fingerprint(code), letter=letter or "A", writes=not letter
    )
    which = "second" if letter else "again" if replaced else "first"
    announce(actor, event, "card", "device", device.pk, which, {"table": table, "letter": letter})
    return code


def _revoke(event: Event, table: int) -> bool:
    found = Device.objects.filter(event=event, table=table, revoked_at=None)
    return found.update(revoked_at=timezone.now(), code_hash="") > 0


def _bind(actor: Actor, known: Device) -> str | None:
    """Use the code up within the event's lock, so that two tablets cannot both use it."""
    with writing(known.event_id, Shown.INSIDE) as event:
        device = Device.objects.filter(pk=known.pk, code_hash=known.code_hash, revoked_at=None).first()
        if device is None:
            return None
        token = secrets.token_urlsafe(TOKEN_BYTES)
        device.code_hash, device.token_hash = "", fingerprint(token)
        device.paired_at = device.last_seen_at = timezone.now()
        if writer_of(device) is None and not device.writes:
            Device.objects.filter(event=event, table=device.table).update(writes=False)
            device.writes = True
        device.save(update_fields=["code_hash", "token_hash", "paired_at", "last_seen_at", "writes"])
        announce(actor._replace(device=device), event, "pair", "device", device.pk, "card", {"table": device.table})
        return token


# Carry out an item from a tablet with the same services as everywhere else.


class OutOfOrder(DomainError):
    """The item does not belong to the next line of the sheet. `code` says why: a gap, or a line is already there."""

    status = 409

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def carry_out(actor: Actor, game: Game, kind: str, uid: uuid.UUID, body: dict[str, Any], *, here: bool = False) -> None:
    """Carry out an item on a `locked_game`. `here` writes a hand at the current end of the sheet, as the desk decided.

    Raises a DomainError if it cannot be done; nothing is written then.
    """
    ACTS[kind](actor, game, uid, body, here)


def facts_of(game: Game, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """The entry of the game document that a hand or void describes."""
    if kind == HAND:
        return dict(body["facts"])
    return void_entry(ruleset_at(game), body["rule"])


def _write(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    position = None if here else body["position"]
    entries = list(read_sheet(game).entries.all())
    if position is not None:
        _must_be_next(game, entries, uid, position)
    facts = facts_of(game, HAND if "facts" in body else VOID, body)
    write_entry(actor, game, facts, position=position, key=uid)


def _must_be_next(game: Game, entries: Sequence[Entry], uid: uuid.UUID, position: int) -> None:
    due = next_position(entries)
    if position > due:
        raise OutOfOrder("gap", Reason("gap", line=position, due=due))
    if position < due and not any(one.client_key == uid for one in entries):
        rows = game_sheet(sheet_games().get(pk=game.pk)).rows
        stands = {row.position: {"by": row.by, "stands": row.written.headed} for row in rows}
        raise OutOfOrder("conflict", Reason("recorded", line=position, **stands.get(position, {})))


def _bids(actor: Actor, game: Game, uid: uuid.UUID, body: dict[str, Any], here: bool) -> None:
    lock_bids(actor, game, body["bids"], position=body["position"], agreed=body["agreed"])


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
    """The signature names every line that was seen. It is valid only for a sheet with exactly these lines."""
    fresh = sheet_games().get(pk=game.pk)
    active = active_entries(fresh.entries.all())
    if not here and [str(one.client_key) for one in active] != [key.lower() for key in body["lines"]]:
        raise Conflict(Reason("sheet-changed"))
    reason = "Signed on the tablet, accepted at the desk" if actor.person is not None else ""
    code = sheet_code(fresh, scored_game(fresh))
    sign_sheet(actor, game, side=body["side"], name=body["name"], code=code, reason=reason)


ACTS: dict[str, Callable[[Actor, Game, uuid.UUID, dict[str, Any], bool], None]] = {
    HAND: _write,
    VOID: _write,
    BIDS: _bids,
    UNDO: _undo,
    SEAT: _seat,
    DEALER: _dealer,
    CALL: _call,
    UNCALL: _uncall,
    UNSIGN: _unsign,
    SIGN: _sign,
}
