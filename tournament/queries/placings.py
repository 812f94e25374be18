"""What was drawn from results, and what was decided when they changed: the seeds of the bracket above all."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.standings.ranking import Cut
from tournament.models import Event, Placing

SEEDS = "seeds"


def placings(event: Event) -> tuple[Placing, ...]:
    """What was drawn from results, and what was decided when they changed, the latest last."""
    return tuple(Placing.objects.filter(event=event).order_by("number"))


def drawn_seeds(placings: Sequence[Placing]) -> tuple[int, ...]:
    """The seeds with which the bracket was drawn, nothing before: where the cut was made again, the latest."""
    drawn = [placing for placing in placings if placing.kind == "drawn" and placing.source == SEEDS]
    return tuple(drawn[-1].before) if drawn else ()


def seeds_of(at_cut: Cut | None) -> tuple[int, ...]:
    """Team numbers by seed. A place that level teams still play for is a stand-in below zero."""
    if at_cut is None:
        return ()
    stand_ins = range(-1, -1 - at_cut.seats, -1)
    return (*at_cut.advance, *stand_ins)


def decision_on(placings: Sequence[Placing], source: str, before: Sequence[int], after: Sequence[int]) -> str:
    """What was decided last about exactly this change: keep, replay or nothing."""
    decided = [placing for placing in placings if placing.source == source and placing.kind in ("keep", "replay")]
    if not decided:
        return ""
    latest = decided[-1]
    is_about_this = list(latest.before) == list(before) and list(latest.after) == list(after)
    return latest.kind if is_about_this else ""
