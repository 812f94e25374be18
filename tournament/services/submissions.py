"""What tablets send: received exactly once and in order; what cannot be done waits for the desk's decision.

An answer is built only from the stored row: the same item sent again gets the same answer, even if the first one was
lost.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from typing import NamedTuple

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from tournament.access import Actor
from tournament.errors import Conflict, DomainError, Fault, TooMany, Unavailable, ValidationFailed
from tournament.models import Call, Device, Event, Game, Journal, Submission
from tournament.models.game import APPLIED, DISCARDED, PENDING, REPLACED
from tournament.queries.pending import chained
from tournament.queries.scored import active_entries
from tournament.queries.sitting import others_sit
from tournament.services.corrections import correct_sheet
from tournament.services.devices import ACTS, OutOfOrder, carry_out, facts_of
from tournament.services.transactions import Shown, announce, locked_game, title_of, writing
from tournament.words.messages import (
    CALL,
    DEALER,
    HAND,
    NAMES_WHO,
    SCORING,
    SEAT,
    SIGN,
    TAKES_BACK,
    TOLD_AT_ONCE,
    UNCALL,
    VOID,
    WRITTEN,
    Item,
)
from tournament.words.sentences import Reason, kept

INVALID = "invalid"
# Why something is pending, as a code for the program; the reasons for people are stored next to it.
FORMER, ELSEWHERE, NO_GAME, CLOSED, OTHERS, SIGNED, LOOKS_ON = (
    "former-device",
    "other-table",
    "no-game",
    "closed",
    "others-sit",
    "final",
    "not-writer",
)
WAITING, REFUSED, CHANGED, REUSED, FAULT, PIN, TOO_LATE = (
    "waiting",
    "refused",
    "changed",
    "uuid-reused",
    "fault",
    "pin",
    "too-late",
)
# Set aside at once, because only the table can act on it: the reason goes back there. Earlier versions asked for PINs.
TOLD = frozenset({PIN, TOO_LATE})

# More than a table writes in an evening. A withdrawn tablet might keep sending forever.
MOST_WAITING = 300

CHANGED_BY_TRYING = ("status", "code", "reasons", "field", "body")

log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """What became of an item: applied, pending, replaced, discarded; or invalid if it did not even have a uid."""

    uid: str
    status: str
    code: str = ""
    text: str = ""
    field: str = ""
    duplicate: bool = False


class Pending(Exception):
    """The item is kept for the desk."""

    def __init__(self, code: str, *reasons: str, field: str = "") -> None:
        super().__init__(*reasons)
        self.code, self.reasons, self.field = code, kept(reasons), field


class Again(Exception):
    """The item was received before: nothing is written."""


def receive(actor: Actor, items: Sequence[Item | Fault]) -> list[Answer]:
    """Answer each item, in order, each in its own transaction: a bad item never spoils the others.

    The answers include the version of the tablet's event that contains all of it. Raises Unavailable if the database
    cannot be written; items that were answered before that stay.
    """
    return [
        Answer("", INVALID, REFUSED, one.text, one.field) if isinstance(one, Fault) else _receive(actor, one)
        for one in items
    ]


def answer_of(row: Submission, duplicate: bool = False) -> Answer:
    if row.status == PENDING or row.code in TOLD:
        return Answer(str(row.uid), row.status, row.code, row.reason, row.field, duplicate)
    return Answer(str(row.uid), row.status, "", row.decision, "", duplicate)


def release_waiting(event: Event, uid: uuid.UUID, who: object = None) -> None:
    """Carry out what waited for this item, and then what waited for that, in the order it was written.

    `who` sat there for the item, as the desk has accepted it. This then also holds for what was written on top of it.
    """
    ready = [uid]
    while ready:
        waiting = Submission.objects.select_related("device").filter(event=event, status=PENDING, code=WAITING)
        for row in waiting.filter(after__in=ready):
            row.game, row.status, row.code, row.reasons, row.field = _game(event, row.game_id), APPLIED, "", [], ""
            try:
                game = _must_be_ours(row)
                _must_be_about_those_here(row, game, who)
                with transaction.atomic():
                    _carry_out(Actor(None, row.device), game, row)
            except Pending as pending:
                _set_pending(row, pending)
            row.save(update_fields=CHANGED_BY_TRYING)
            if row.status == APPLIED:
                ready.append(row.uid)
        ready.pop(0)


def _receive(actor: Actor, item: Item) -> Answer:
    try:
        return _take(actor, item)
    except OperationalError as fault:
        raise Unavailable("The database is busy. Please send it again in a moment.") from fault


def _known(actor: Actor, item: Item) -> Answer | None:
    """The answer to an item that was received before; None if it was not."""
    known = Submission.objects.filter(uid=item.uid).first()
    if known is None:
        return None
    event = actor.tablet.event
    if known.digest == item.digest and known.event_id == event.pk:
        event.refresh_from_db(fields=["version"])
        return answer_of(known, duplicate=True)
    with writing(event, Shown.INSIDE) as event:
        return _store_reused(actor, event, item)


def _take(actor: Actor, item: Item) -> Answer:
    """Carry out an item. If it is refused on the way, everything it did is undone and the item is kept for the desk."""
    try:
        try:
            return _apply(actor, item)
        except Pending as pending:
            with writing(actor.tablet.event, Shown.INSIDE) as event:
                return _keep(actor, event, _row(event, actor.tablet, item), pending)
    except (Again, IntegrityError):
        known = _known(actor, item)
        if known is None:
            raise
        return known


def _apply(actor: Actor, item: Item) -> Answer:
    with writing(actor.tablet.event, Shown.INSIDE) as event:
        # As it is now: the page that goes with the answer is built from it.
        actor.tablet.event = event
        row = _row(event, actor.tablet, item)
        waits = Q(event=event, status=PENDING, code=WAITING, after=row.uid)
        near = list(Submission.objects.filter(Q(uid__in=(row.uid, row.after)) | waits).order_by())
        if any(one.uid == row.uid for one in near):
            raise Again
        try:
            if item.faults:
                # A fault in its form means nothing to people at the table. The body is kept for whoever looks for the
                # fault.
                raise Pending(REFUSED, Reason("unreadable"), field=item.faults[0].field)
            game = _must_be_ours(row)
            _must_be_its_turn(row, near)
            _must_be_about_those_here(row, game)
        except Pending as pending:
            # In the same transaction: the item it waits for must not be decided in between.
            return _keep(actor, event, row, pending)
        _carry_out(actor._replace(device=row.device), game, row)
        row.save(force_insert=True)
        if any(one.after == row.uid for one in near):
            release_waiting(event, row.uid)
        return answer_of(row)


def _keep(actor: Actor, event: Event, row: Submission, pending: Pending) -> Answer:
    _set_pending(row, pending)
    # If it is too much for the desk to decide, or to report to the table, it stays on the tablet.
    left = Q(status=PENDING) | Q(code__in=TOLD)
    if Submission.objects.filter(left, device=row.device).count() >= MOST_WAITING:
        raise TooMany("Too much that came from this tablet could not be carried out. The tablet keeps the rest.")
    row.save(force_insert=True)
    if row.status == PENDING:
        facts = {"table": row.device.table, "kind": row.kind, "reasons": row.reasons}
        announce(actor, event, "park", "submission", row.pk, "held", facts, after=row.body)
    return answer_of(row)


def _store_reused(actor: Actor, event: Event, item: Item) -> Answer:
    """Other content under a known uid: the first item stays as it is, this one goes to the desk under a new uid."""
    made = uuid.uuid5(item.uid, item.digest)
    row = Submission.objects.filter(uid=made).first()
    if row is None:
        row = _row(event, actor.tablet, item)
        row.uid = made
        _keep(actor, event, row, Pending(REUSED, Reason("reused")))
    return answer_of(row)._replace(uid=str(item.uid))


def _row(event: Event, device: Device, item: Item) -> Submission:
    """An item as it is stored, with its current tablet and game."""
    return Submission(
        uid=item.uid,
        digest=item.digest,
        event=event,
        device=Device.objects.get(pk=device.pk),
        game=_game(event, item.game),
        kind=item.kind,
        after=item.after,
        body=dict(item.body),
        claimed_at=item.claimed_at,
        status=APPLIED,
    )


def _game(event: Event, pk: int | None) -> Game | None:
    game = Game.objects.select_related("round").filter(pk=pk, round__event=event).order_by("pk").first() if pk else None
    if game is not None:
        game.round.event = event
    return game


def _carry_out(actor: Actor, game: Game, row: Submission) -> None:
    """Carry out an item. Raises Pending with the reason if it cannot be done; an error in the program counts as one."""
    try:
        carry_out(actor, game, row.kind, row.uid, row.body)
    except OutOfOrder as fault:
        raise Pending(fault.code, *fault.texts) from fault
    except ValidationFailed as fault:
        raise Pending(REFUSED, *fault.texts, field=fault.faults[0].field) from fault
    except Conflict as fault:
        raise Pending(CHANGED, *fault.texts) from fault
    except (DomainError, OperationalError):
        raise
    except Exception as fault:
        log.exception("A submission could not be carried out: %s", row.uid)
        raise Pending(FAULT, Reason("fault")) from fault


def _must_be_ours(row: Submission) -> Game:
    """The game of an item, if this tablet may send it now; otherwise the item is pending with the reason.

    A table can call the director from any tablet it ever had.
    """
    device, game = row.device, row.game
    if device.revoked_at is not None and row.kind != CALL and not _takes_its_call_back(row):
        raise Pending(FORMER, Reason("former", table=device.table))
    if game is None:
        raise Pending(NO_GAME, Reason("no-game"))
    if game.table != device.table:
        raise Pending(ELSEWHERE, Reason("elsewhere", table=game.table, own=device.table))
    if game.round.state != "running":
        raise Pending(CLOSED, Reason("closed", round=title_of(game.round)))
    if game.state == "final" and row.kind in WRITTEN:
        raise Pending(SIGNED, Reason("signed"))
    if not device.writes and row.kind in SCORING:
        raise Pending(LOOKS_ON, Reason("looks-on", table=device.table))
    return game


def _takes_its_call_back(row: Submission) -> bool:
    """Whether a tablet withdraws its own call for the director, and not that of the tablet that replaced it."""
    call = Call.objects.filter(game=row.game, answered_at=None).first() if row.kind == UNCALL else None
    acts = Journal.objects.filter(event=row.event, action="call", code="called", device=row.device)
    return call is not None and acts.filter(key=str(call.pk)).exists()


def _must_be_its_turn(row: Submission, near: Sequence[Submission]) -> None:
    """Check that what the tablet wrote just before is on the sheet."""
    if row.after is not None and row.kind in WRITTEN | TAKES_BACK | {SIGN}:
        before = next((one for one in near if one.uid == row.after), None)
        if before is None or before.event_id != row.event_id or before.status == PENDING:
            raise Pending(WAITING, Reason("waiting"))


def _must_be_about_those_here(row: Submission, game: Game, who: object = None) -> None:
    """Check that the people it names still sit there, unless they are those `who` the desk has accepted."""
    others = others_sit(game, row.body) if row.kind in NAMES_WHO and row.body.get("who") != who else None
    if others is not None and not others.then:
        raise Pending(OTHERS, Reason("sides-swapped"))
    if others is not None:
        raise Pending(OTHERS, Reason("others-sit", then=list(others.then), now=list(others.now)))


def _set_pending(row: Submission, pending: Pending) -> None:
    """The reason goes to the players if it comes too late; everything else is for the desk to decide.

    Who is seated and who deals first is asked again of those who sit there now.
    """
    asked_again = pending.code == OTHERS and row.kind in (SEAT, DEALER)
    too_late = (row.kind in TOLD_AT_ONCE and pending.code != WAITING) or asked_again
    row.code = TOO_LATE if too_late else pending.code
    row.status = DISCARDED if row.code in TOLD else PENDING
    row.reasons, row.field = pending.reasons, pending.field[:40]


# The desk decides about a pending item: apply it, put it in a line's place, or discard it.

APPLY, REPLACE, DISCARD = "apply", "replace", "discard"
# The case with everything that waits behind it.
DISCARD_ALL = "discard-all"


def decide(actor: Actor, submission: Submission, choice: str, reason: str) -> Submission:
    """Decide about a pending submission, with a reason. What waited for it is tried in order, or discarded with it.

    Raises Conflict if somebody else decided first or the sheet does not allow it, ValidationFailed if the rules do not.
    """
    if choice not in (APPLY, REPLACE, DISCARD, DISCARD_ALL):
        raise ValidationFailed([Fault("choice", "Add it, use it instead of the line, or discard it?")])
    if not reason.strip():
        raise ValidationFailed([Fault("reason", "A decision needs a reason: people read it later.")])
    with writing(submission.event_id) as event:
        rows = Submission.objects.select_related("device", "game__round__event")
        row = rows.get(pk=submission.pk)
        if row.status != PENDING:
            raise Conflict(f"Somebody else already decided: {row.get_status_display().lower()}.")
        behind = _behind(event, row) if choice == DISCARD_ALL else []
        act = {APPLY: _apply_pending, REPLACE: _replace, DISCARD: _discard, DISCARD_ALL: _discard}[choice]
        _note(actor, event, row, act(actor, event, row, reason), reason)
        for one in behind:
            _note(actor, event, one, DISCARDED, reason)
        counts = row.code == OTHERS and row.status != DISCARDED
        release_waiting(event, row.uid, row.body.get("who") if counts else None)
        return row


def _behind(event: Event, row: Submission) -> list[Submission]:
    """What waits for this decision, in order."""
    waiting = list(Submission.objects.select_related("device").filter(event=event, status=PENDING))
    return next((rest for first, *rest in chained(waiting) if first.pk == row.pk), [])


def _note(actor: Actor, event: Event, row: Submission, status: str, reason: str) -> None:
    row.status = status
    row.decided_by, row.decided_at, row.decision = actor.person, timezone.now(), reason.strip()[:200]
    row.save(update_fields=["status", "decided_by", "decided_at", "decision"])
    said = {"table": row.device.table, "kind": row.kind, "status": row.status, "reason": row.decision}
    announce(actor, event, "decide", "submission", row.pk, "held", said, before=row.code, after=row.body)


def _apply_pending(actor: Actor, event: Event, row: Submission, reason: str) -> str:
    carry_out(actor, _game_of_pending(event, row), row.kind, row.uid, row.body, here=True)
    return APPLIED


def _replace(actor: Actor, event: Event, row: Submission, reason: str) -> str:
    """Replace the line at the position that the hand was meant for."""
    game = _game_of_pending(event, row)
    if row.kind not in (HAND, VOID):
        raise ValidationFailed([Fault("choice", "Only a hand can replace a line.")])
    stands = next((one for one in active_entries(game.entries.all()) if one.position == row.body["position"]), None)
    if stands is None:
        raise Conflict("There is no line in its place: add it to the sheet instead.")
    facts = facts_of(game, row.kind, row.body)
    correct_sheet(actor, game, position=stands.position, revision=stands.revision, facts=facts, reason=reason)
    return REPLACED


def _discard(actor: Actor, event: Event, row: Submission, reason: str) -> str:
    return DISCARDED


def _game_of_pending(event: Event, row: Submission) -> Game:
    if row.game_id is None or row.kind not in ACTS:
        raise Conflict("Its game was deleted, or it cannot be read: it can only be discarded.")
    return locked_game(event, row.game_id)
