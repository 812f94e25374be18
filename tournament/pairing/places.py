"""The final places: what the bracket decided, behind it everybody else as they qualified, ties shared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from tournament.pairing.bracket import FINAL, THIRD_PLACE
from tournament.pairing.progress import MatchState, Progress, finish

# How a team came to its place: by the final, by the match for third place, by going out before it, by the qualifying
# games alone, or by being sent away.
WON_FINAL, LOST_FINAL = "won-final", "lost-final"
WON_THIRD, LOST_THIRD = "won-third", "lost-third"
WENT_OUT, QUALIFIED, DISQUALIFIED = "went-out", "qualified", "disqualified"
WON = {FINAL: WON_FINAL, THIRD_PLACE: WON_THIRD}
LOST = {FINAL: LOST_FINAL, THIRD_PLACE: LOST_THIRD}


class Placed(NamedTuple):
    """A team and its place; a disqualified team has none. `match` is the key of the match that decided it."""

    team: int
    place: int | None
    shared: bool
    ending: str
    match: str = ""


def final_places(
    progress: Progress | None, qualifying: Sequence[Sequence[int]], disqualified: Collection[int] = ()
) -> tuple[Placed, ...]:
    """Return every team its final place, best first.

    `qualifying` are the teams in the order of the standings, those that share a place together; where there were no
    playoffs (no `progress`) they are the final places. A disqualified team stands last, without a place, and those
    behind it move up. Empty while the playoffs have no champion.
    """
    if progress is not None and progress.champion is None:
        return ()
    endings = _endings(progress.states) if progress else {}
    first = finish(progress) if progress else ()
    decided = {team for teams in first for team in teams}
    rest = tuple(tuple(team for team in teams if team not in decided) for teams in qualifying)
    placed: list[Placed] = []
    away: list[Placed] = []
    place = 1
    for teams in (*first, *rest):
        here = [team for team in teams if team not in disqualified]
        for team in here:
            placed.append(Placed(team, place, len(here) > 1, *endings.get(team, (QUALIFIED,))))
        away += [Placed(team, None, False, DISQUALIFIED) for team in teams if team in disqualified]
        place += len(here)
    return (*placed, *away)


def _endings(states: Iterable[MatchState]) -> dict[int, tuple[str, str]]:
    """How the playoffs ended for each of their teams, and in which match: the last one that it lost, or won.

    Where both have gone before the match for third place, they share the place of the round before it.
    """
    endings = {}
    for state in states:
        key, title = state.match.key, state.match.title
        for team in state.went_out if title != THIRD_PLACE or not state.both_out else ():
            endings[team] = (LOST.get(title, WENT_OUT), key)
        if title in WON and state.through is not None:
            endings[state.through] = (WON[title], key)
    return endings
