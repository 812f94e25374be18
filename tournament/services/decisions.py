"""The desk decides what becomes of something that was parked: apply it, put it in a line's place, discard it."""

from __future__ import annotations

from django.utils import timezone

from tournament.access import Actor
from tournament.models import Event, Game, Submission
from tournament.models.game import APPLIED, DISCARDED, PARKED, REPLACED
from tournament.queries.parked import chained
from tournament.queries.scored import active_entries
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.acts import ACTS, carry_out, facts_of
from tournament.services.corrections import correct_sheet
from tournament.services.items import HAND, VOID
from tournament.services.journal import note
from tournament.services.submissions import release_waiting
from tournament.services.transactions import locked_game, writing

APPLY, REPLACE, DISCARD = "apply", "replace", "discard"
# The case with everything that waits behind it.
DISCARD_ALL = "discard-all"


def decide(actor: Actor, submission: Submission, choice: str, reason: str) -> Submission:
    """Decide about a parked submission, with a reason; what waited for it in order is tried again, or goes with it.

    Raises Changed where somebody else decided first or the sheet does not allow it, Invalid where the rules do not.
    """
    if choice not in (APPLY, REPLACE, DISCARD, DISCARD_ALL):
        raise Invalid([Fault("choice", "Add it, use it instead of the line, or discard it?")])
    if not reason.strip():
        raise Invalid([Fault("reason", "A decision needs a reason: people read it later.")])
    with writing(submission.event_id) as event:
        rows = Submission.objects.select_related("device", "game__round__event")
        row = rows.get(pk=submission.pk)
        if row.status != PARKED:
            raise Changed(f"Somebody else decided meanwhile: {row.get_status_display().lower()}.")
        behind = _behind(event, row) if choice == DISCARD_ALL else []
        act = {APPLY: _apply, REPLACE: _replace, DISCARD: _discard, DISCARD_ALL: _discard}[choice]
        _note(actor, event, row, act(actor, event, row, reason), reason)
        for one in behind:
            _note(actor, event, one, DISCARDED, reason)
        release_waiting(event, row.uid)
        return row


def _behind(event: Event, row: Submission) -> list[Submission]:
    """What waits for this decision, in order."""
    waiting = list(Submission.objects.select_related("device").filter(event=event, status=PARKED))
    return next((rest for first, *rest in chained(waiting) if first.pk == row.pk), [])


def _note(actor: Actor, event: Event, row: Submission, status: str, reason: str) -> None:
    row.status = status
    row.decided_by, row.decided_at, row.decision = actor.person, timezone.now(), reason.strip()[:200]
    row.save(update_fields=["status", "decided_by", "decided_at", "decision"])
    said = {"table": row.device.table, "kind": row.kind, "status": row.status, "reason": row.decision}
    note(actor, event, "decide", "submission", row.pk, "held", said, before=row.code, after=row.body)


def _apply(actor: Actor, event: Event, row: Submission, reason: str) -> str:
    carry_out(actor, _game(event, row), row.kind, row.uid, row.body, here=True)
    return APPLIED


def _replace(actor: Actor, event: Event, row: Submission, reason: str) -> str:
    """Put a hand in the place of the line that stands where it was meant to stand."""
    game = _game(event, row)
    if row.kind not in (HAND, VOID):
        raise Invalid([Fault("choice", "Only a hand can replace a line.")])
    stands = next((one for one in active_entries(game.entries.all()) if one.position == row.body["position"]), None)
    if stands is None:
        raise Changed("There is no line in its place: add it to the sheet instead.")
    facts = facts_of(game, row.kind, row.body)
    correct_sheet(actor, game, position=stands.position, revision=stands.revision, facts=facts, reason=reason)
    return REPLACED


def _discard(actor: Actor, event: Event, row: Submission, reason: str) -> str:
    return DISCARDED


def _game(event: Event, row: Submission) -> Game:
    if row.game_id is None or row.kind not in ACTS:
        raise Changed("Its game was deleted, or it cannot be read: it can only be discarded.")
    return locked_game(event, row.game_id)
