"""A team joins, leaves, comes back or merges, and the rounds that have not started are seated anew: one act.

It is shown first: the act is done, looked at and taken back. The same seed draws the same tables, so what is announced
is what happens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from tournament.access import Actor
from tournament.models import Event
from tournament.queries.draws import draw_overview, draw_plan
from tournament.queries.roster import Reseating, reseating
from tournament.refusals import Refusal
from tournament.services.draws import draw_rounds
from tournament.services.transactions import writing

DoneT = TypeVar("DoneT")
Act = Callable[[], DoneT]


def announce_change(actor: Actor, event: Event, act: Act[DoneT]) -> Reseating:
    """What an act and the new seating after it would change; nothing is stored."""
    with transaction.atomic():
        before = draw_overview(event)
        _, stands, why_not = _act_and_redraw(actor, event, act)
        after = draw_overview(event)
        transaction.set_rollback(True)
    return reseating(before, after, why_not, can_keep=stands)


def announce_redraw(actor: Actor, event: Event, seed: int | None, by_number: bool) -> Reseating:
    """What drawing again would change; nothing is stored."""
    with transaction.atomic():
        before = draw_overview(event)
        draw_rounds(actor, event, seed=seed, by_number=by_number)
        after = draw_overview(event)
        transaction.set_rollback(True)
    return reseating(before, after, "", can_keep=False)


def change_and_reseat(actor: Actor, event: Event, act: Act[DoneT], *, redraw: bool = True) -> DoneT:
    """Do the act and seat the rounds anew that have not started; rounds that have stay as they are."""
    with writing(event):
        return _act_and_redraw(actor, event, act)[0] if redraw else act()


def has_rounds_to_reseat(event: Event) -> bool:
    """Whether a draw stands that a change of teams would touch."""
    return event.rounds.filter(stage="qualifying", state="planned").exists()


def _act_and_redraw(actor: Actor, event: Event, act: Act[DoneT]) -> tuple[DoneT, bool, str]:
    """What the act gave, whether the draw was left standing by it, and why nothing was drawn anew, if nothing was."""
    drawn = has_rounds_to_reseat(event)
    done = act()
    event = Event.objects.get(pk=event.pk)
    stands = has_rounds_to_reseat(event)
    if not drawn:
        return done, stands, "No drawn round is waiting to start."
    if draw_plan(event).by_hand:
        return done, stands, "The rounds are drawn by hand: seat their tables again on the Draw page."
    try:
        with transaction.atomic():
            draw_rounds(actor, event, seed=event.seed, by_number=event.by_number, in_place=True)
    except Refusal as refusal:
        return done, stands, str(refusal)
    return done, stands, ""
