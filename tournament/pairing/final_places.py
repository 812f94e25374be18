"""The final places: first what the bracket decided, then everybody else as they qualified, with ties shared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from tournament.pairing.bracket import SECOND, Bracket, Match, Part
from tournament.pairing.progress import MatchState, Progress

# How a team came to its place: by the final, by the last match of another part, by losing a match before one of these,
# by the qualifying games alone, or by disqualification.
WON_FINAL, LOST_FINAL = "won-final", "lost-final"
WON_PART, LOST_PART = "won-part", "lost-part"
WENT_OUT, QUALIFIED, DISQUALIFIED = "went-out", "qualified", "disqualified"


class Placed(NamedTuple):
    """A team and its place; a disqualified team has none. `match` is the key of the match that decided it."""

    team: int
    rank: int | None
    shared: bool
    ending: str
    match: str = ""


class _Stands(NamedTuple):
    """Where a team stands by a match. `order` says how far ahead: the smallest is the champion."""

    order: tuple[bool, int, bool]
    ending: str
    match: str


def final_places(
    progress: Progress | None, qualifying: Sequence[Sequence[int]], disqualified: Collection[int] = ()
) -> tuple[Placed, ...]:
    """Return every team with its final place, best first.

    `qualifying` are the teams in the order of the standings, those that share a place together; if there were no
    playoffs (no `progress`) they are the final places. A disqualified team comes last, without a place, and those
    behind it move up. Empty while the playoffs have no champion.
    """
    if progress is not None and progress.champion is None:
        return ()
    stands = _stands(progress) if progress else {}
    rest = [[team for team in teams if team not in stands] for teams in qualifying]
    placed: list[Placed] = []
    away: list[Placed] = []
    rank = 1
    for teams in (*_groups(stands), *rest):
        here = [team for team in teams if team not in disqualified]
        for team in here:
            ending, match = stands[team][1:] if team in stands else (QUALIFIED, "")
            placed.append(Placed(team, rank, len(here) > 1, ending, match))
        away += [Placed(team, None, False, DISQUALIFIED) for team in teams if team in disqualified]
        rank += len(here)
    return (*placed, *away)


def finish(progress: Progress) -> tuple[tuple[int, ...], ...]:
    """Return the places that the bracket decided, best first; teams that share one are together, by number.

    Empty while there is no champion. A team is placed by the last match in which it stood: those who lost in the same
    column of a part share a place, and those whose match was not played share the best place that they could still
    reach. The second bracket places its teams when it is decided.
    """
    return _groups(_stands(progress)) if progress.champion is not None else ()


def _groups(stands: Mapping[int, _Stands]) -> tuple[tuple[int, ...], ...]:
    order = sorted(stands, key=lambda team: (stands[team].order, team))
    return tuple(tuple(teams) for _, teams in groupby(order, key=lambda team: stands[team].order))


def _stands(progress: Progress) -> dict[int, _Stands]:
    """Where each team of the bracket stands: by its last match, for every match comes after those it waits for."""
    bracket = progress.bracket
    parts = {part.key: part for part in bracket.parts}
    is_second_over = any(
        state.is_decided and state.match.part == SECOND and state.match.won for state in progress.states
    )
    stands: dict[int, _Stands] = {}
    for state in progress.states:
        part = parts[state.match.part]
        if part.second and not is_second_over:
            continue
        for team in state.teams:
            if team:
                stands[team] = _stands_by(bracket, state, part, team, stands.get(team))
    return stands


def _stands_by(bracket: Bracket, state: MatchState, part: Part, team: int, before: _Stands | None) -> _Stands:
    """Where a team stands by a match; `before` is where it stood without it."""
    match = state.match
    if not state.is_decided:
        return _Stands((part.second, part.best, False), *(before[1:] if before else (WENT_OUT, match.key)))
    if state.both_out:
        # Both left: they are behind everybody who went on to play where the loser of this match would have played.
        worst = _worst_after(bracket, match, team)
        order = (part.second, worst.lost, worst is not match)
        if part.key.startswith("P") and before:
            return _Stands(order, before.ending, before.match)
        return _Stands(order, WENT_OUT, match.key)
    is_final = match.key == bracket.final.key
    if team == state.through:
        place = match.won or part.best
        return _Stands((part.second, place, False), WON_FINAL if is_final else WON_PART, match.key)
    ending = WENT_OUT if match.won is None else LOST_FINAL if is_final else LOST_PART
    return _Stands((part.second, match.lost, False), ending, match.key)


def _worst_after(bracket: Bracket, match: Match, team: int) -> Match:
    """The last match that a team would have played if it had lost this one, and each after it."""
    for later in bracket.matches:
        for slot in later.slots:
            takes_it = slot.seed is None or bracket.teams[slot.seed - 1] == team
            if slot.loser_of == match.key and takes_it:
                return _worst_after(bracket, later, team)
    return match
