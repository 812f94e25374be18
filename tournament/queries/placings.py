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


def seeds_of(at_cut: Cut | None, second: int, drawn: Sequence[int]) -> tuple[int, ...]:
    """Team numbers by seed: those that advance, then those of the second bracket, as many as are left for it.

    A place that level teams still play for is a stand-in below zero. Who was `drawn` into the second bracket stays in
    it after leaving the event.
    """
    if at_cut is None:
        return ()
    stand_ins = range(-1, -1 - len(at_cut.level), -1)
    first = (*at_cut.advance, *stand_ins[: at_cut.seats])
    behind = (*stand_ins[at_cut.seats :], *at_cut.out)[:second]
    drawn_behind = tuple(drawn[len(first) :])
    has_left = not set(drawn_behind) <= {*at_cut.advance, *at_cut.level, *at_cut.out}
    if has_left and not set(drawn_behind) & set(first):
        behind = drawn_behind
    return (*first, *behind) if len(behind) > 1 else first


def kept_seeds(drawn: Sequence[int], seeds: Sequence[int], first: int, *, has_begun: bool) -> tuple[int, ...]:
    """The seeds as they were drawn. Until the first playoff game the second bracket follows the standings.

    So whoever goes home before it is left out, and is not given a loss. `first` is how many play the main bracket.
    """
    return tuple(drawn) if has_begun else (*drawn[:first], *seeds[first:])


def decision_on(placings: Sequence[Placing], source: str, before: Sequence[int], after: Sequence[int]) -> str:
    """What was decided last about exactly this change: keep, replay or nothing."""
    decided = [placing for placing in placings if placing.source == source and placing.kind in ("keep", "replay")]
    if not decided:
        return ""
    latest = decided[-1]
    is_about_this = list(latest.before) == list(before) and list(latest.after) == list(after)
    return latest.kind if is_about_this else ""
