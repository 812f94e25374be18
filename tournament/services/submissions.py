"""Receiving what tablets send, exactly once and in order; what cannot be done is parked for the desk, never dropped.

An answer is made from the stored row alone: the same item again gets the same answer, whoever lost the first one.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from typing import NamedTuple

from django.db import IntegrityError, OperationalError, transaction

from tournament.access import Actor
from tournament.models import Device, Event, Game, Submission
from tournament.models.submission import APPLIED, DISCARDED, PARKED
from tournament.refusals import Busy, Changed, Fault, Invalid, Refusal
from tournament.services.acts import OutOfOrder, carry_out
from tournament.services.items import KIND_WORDS, SCORING, SIGN, TAKES_BACK, WRITTEN, Item
from tournament.services.journal import note
from tournament.services.pins import pin_refusal
from tournament.services.proofs import make_proof, proved_code
from tournament.services.transactions import writing

INVALID = "invalid"
# Why something is parked, in a word for the program; the sentence for people is stored beside it.
FORMER, ELSEWHERE, NO_GAME, CLOSED, SIGNED, LOOKS_ON, WAITING, REFUSED, CHANGED, REUSED, FAULT, PIN, TOO_LATE = (
    "former-device",
    "other-table",
    "no-game",
    "closed",
    "final",
    "not-writer",
    "waiting",
    "refused",
    "changed",
    "uuid-reused",
    "fault",
    "pin",
    "too-late",
)
# What is wrong with its form says nothing to anybody at the table; the body is kept, for whoever looks for the fault.
UNREADABLE = "The tablet sent something this version cannot read. Write the hand on paper."
# Set aside at once, because only the table can act on it: the reason goes back there.
TOLD = frozenset({PIN, TOO_LATE})

CHANGED_BY_TRYING = ("status", "code", "reason", "field", "body")

log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """What became of an item: applied, parked, replaced, discarded; or invalid, where it had not even a uid.

    `proof` stands in for the PIN of a signature, should the server ever lose it.
    """

    uid: str
    status: str
    code: str = ""
    text: str = ""
    field: str = ""
    duplicate: bool = False
    proof: str = ""


class Parked(Exception):
    """The item is kept for the desk."""

    def __init__(self, code: str, text: str, field: str = "") -> None:
        super().__init__(text)
        self.code, self.text, self.field = code, text, field


def receive(actor: Actor, items: Sequence[Item | Fault]) -> list[Answer]:
    """One answer per item, in order, each in a transaction of its own: one bad item never spoils the others.

    Raises Busy where the database is; items that were answered before stay as they are.
    """
    return [
        Answer("", INVALID, REFUSED, one.text, one.field) if isinstance(one, Fault) else _receive(actor, one)
        for one in items
    ]


def answer_of(row: Submission, duplicate: bool = False) -> Answer:
    """The answer to a stored item."""
    if row.status == PARKED or row.code in TOLD:
        return Answer(str(row.uid), row.status, row.code, row.reason, row.field, duplicate)
    return Answer(str(row.uid), row.status, "", row.decision, "", duplicate, _proof_of(row))


def release_waiting(event: Event, uid: uuid.UUID) -> None:
    """What waited for this item is carried out now, and what waited for that, in the order it was written."""
    ready = [uid]
    while ready:
        waiting = Submission.objects.select_related("device", "game__round__event")
        for row in waiting.filter(event=event, status=PARKED, code=WAITING, after__in=ready):
            row.status, row.code, row.reason, row.field = APPLIED, "", "", ""
            _try(Actor(None, row.device), event, row)
            row.save(update_fields=CHANGED_BY_TRYING)
            if row.status == APPLIED:
                ready.append(row.uid)
        ready.pop(0)


def _proof_of(row: Submission) -> str:
    """For a signature that a PIN let through and that was carried out; empty for everything else."""
    if row.kind != SIGN or row.status != APPLIED or row.game is None or row.event.sign_with != "pin":
        return ""
    return make_proof(row.game, row.body["side"], row.body["name"], row.body["code"]) if "code" in row.body else ""


def _receive(actor: Actor, item: Item) -> Answer:
    known = Submission.objects.filter(uid=item.uid).first()
    if known is not None and known.digest == item.digest and known.event_id == actor.device.event_id:
        return answer_of(known, duplicate=True)
    try:
        return _store(actor, item)
    except OperationalError as fault:
        raise Busy("The database is busy. Please send it again in a moment.") from fault


def _store(actor: Actor, item: Item) -> Answer:
    with writing(actor.device.event_id) as event:
        known = Submission.objects.filter(uid=item.uid).first()
        if known is not None and known.digest == item.digest and known.event_id == event.pk:
            return answer_of(known, duplicate=True)
        if known is not None:
            return _store_reused(actor, event, item)
        device = Device.objects.get(pk=actor.device.pk)
        row = _row(event, device, item)
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError:
            return _store_reused(actor, event, item)
        if item.faults:
            _park(row, Parked(REFUSED, UNREADABLE, item.faults[0].field))
        elif item.kind == SIGN and (refused := _signing_refusal(actor, row, item)):
            # The players are asked again: the desk has nothing to decide about it.
            row.status, row.code, row.reason, row.field = DISCARDED, PIN, refused, "pin"
        else:
            _try(actor._replace(device=device), event, row)
        row.save(update_fields=CHANGED_BY_TRYING)
        if row.status == APPLIED:
            release_waiting(event, row.uid)
        elif row.status == PARKED:
            _note_parked(actor, event, row)
        return answer_of(row)


def _signing_refusal(actor: Actor, row: Submission, item: Item) -> str:
    """Why nobody signs with what came beside the signature. One that was given before a restore needs no PIN again."""
    side = item.body["side"]
    code = proved_code(item.proof, row.game, side, item.body["name"]) if row.game is not None else ""
    if not code:
        return pin_refusal(actor, row.game, side, item.pin)
    row.body["code"] = code
    return ""


def _store_reused(actor: Actor, event: Event, item: Item) -> Answer:
    """Another content under a known uid: the first stays as it is, this one goes to the desk under a uid of its own."""
    made = uuid.uuid5(item.uid, item.digest)
    row = Submission.objects.filter(uid=made).first()
    if row is None:
        row = _row(event, actor.device, item)
        row.uid = made
        _park(row, Parked(REUSED, "It has the same number as something received earlier."))
        row.save()
        _note_parked(actor, event, row)
    return answer_of(row)._replace(uid=str(item.uid))


def _row(event: Event, device: Device, item: Item) -> Submission:
    game = Game.objects.select_related("round__event").filter(pk=item.game, round__event=event).first()
    return Submission(
        uid=item.uid,
        digest=item.digest,
        event=event,
        device=device,
        game=game,
        kind=item.kind,
        after=item.after,
        body=dict(item.body),
        claimed_at=item.claimed_at,
        status=APPLIED,
    )


def _try(actor: Actor, event: Event, row: Submission) -> None:
    """Carry an item out, or park it with the reason. A mistake of the program parks it, too."""
    try:
        _must_be_ours(row)
        with transaction.atomic():
            carry_out(actor, row.game, row.kind, row.uid, row.body)
    except Parked as parked:
        _park(row, parked)
    except OutOfOrder as fault:
        _park(row, Parked(fault.code, str(fault)))
    except Invalid as fault:
        _park(row, Parked(REFUSED, str(fault), fault.faults[0].field))
    except Changed as fault:
        _park(row, Parked(CHANGED, str(fault)))
    except (Refusal, OperationalError):
        raise
    except Exception:
        log.exception("A submission could not be carried out: %s", row.uid)
        _park(row, Parked(FAULT, "A program error stopped it. The director decides."))


def _must_be_ours(row: Submission) -> None:
    """The item may come from this tablet, for this game, now; else it is parked with the reason."""
    device, game = row.device, row.game
    if device.revoked_at is not None:
        raise Parked(FORMER, f"It came from a tablet that was taken off table {device.table}.")
    if game is None:
        raise Parked(NO_GAME, "Its game is not in this event: the round was drawn again, or it is another event's.")
    if game.table != device.table:
        raise Parked(ELSEWHERE, f"It is for table {game.table}, and the tablet belongs to table {device.table}.")
    if game.round.state != "running":
        raise Parked(CLOSED, f"{game.round} is no longer in play.")
    if game.state == "final" and row.kind in WRITTEN:
        raise Parked(SIGNED, "Both sides had signed already: the sheet is final.")
    if not device.writes and row.kind in SCORING:
        raise Parked(LOOKS_ON, f"Another tablet was keeping score at table {device.table} when this arrived.")
    if row.after is not None and row.kind in WRITTEN | TAKES_BACK | {SIGN}:
        before = Submission.objects.filter(uid=row.after, event=row.event).first()
        if before is None or before.status == PARKED:
            raise Parked(WAITING, "It waits because an earlier line is still with the director.")


def _park(row: Submission, parked: Parked) -> None:
    too_late = row.kind in TAKES_BACK and parked.code != WAITING
    status, code = (DISCARDED, TOO_LATE) if too_late else (PARKED, parked.code)
    row.status, row.code, row.reason, row.field = status, code, parked.text[:300], parked.field[:40]


def _note_parked(actor: Actor, event: Event, row: Submission) -> None:
    words = KIND_WORDS.get(row.kind, "Something")
    text = f"Table {row.device.table}: {words.lower()} is kept for the desk: {row.reason}"
    note(actor, event, "park", "submission", row.pk, text, after=row.body)
