"""Why one team stands before the next: the deciding key, both values, and a sentence for the two teams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scoring.standings.tiebreaks import PLAYOFF, Tiebreak
from scoring.standings.words import team_name
from scoring.words import listed


class Tie(NamedTuple):
    """Two neighbours that are level on the first key. `above` and `below` are team numbers.

    `key` decides between them, with `values` as players count them (above, below); where nothing does they share the
    place: `key` is None and `awaits` names the key that would decide, or "" where the sheet names no more.
    `due` says that a playoff comes before the deciding key in the sheet's order and was not played.
    """

    above: int
    below: int
    key: str | None
    values: tuple[int, int] | None
    awaits: str
    due: bool
    text: str


class Passed(NamedTuple):
    """A key that did not separate two teams: the value both have, or the reason why it decides nothing."""

    by: Tiebreak
    value: int
    silent: str


class Common:
    """What teams share that are level on the same keys: said once for all of them."""

    def __init__(self, passed: tuple[Passed, ...], names: Mapping[int, str]) -> None:
        """Take the keys on which they are level, and the names of all teams by number."""
        self.passed = passed
        self.names = names
        self.due = any(item.by is PLAYOFF for item in passed if item.silent)
        self.said = in_common(passed)

    def decided(self, above: int, below: int, by: Tiebreak, values: tuple[int, int]) -> Tie:
        """Explain two neighbours that a key separates."""
        first, second = team_name(self.names, above), team_name(self.names, below)
        text = f"{first} and {second} {self.said}; {by.decision(first, second, *values)}."
        return Tie(above, below, by.key, values, "", self.due, text)

    def shared(self, above: int, below: int) -> Tie:
        """Explain two neighbours that nothing separates."""
        first, second = team_name(self.names, above), team_name(self.names, below)
        awaited = next((item.by for item in self.passed if item.silent and item.by.awaited), None)
        ending = awaited.awaited if awaited else "the sheet names nothing more, so they share the place"
        text = f"{first} and {second} {in_common(self.passed, awaited)}; still tied: {ending}."
        return Tie(above, below, None, None, awaited.key if awaited else "", self.due, text)


def in_common(passed: tuple[Passed, ...], awaited: Tiebreak | None = None) -> str:
    """Say what two teams share: “both won 4 games and have 21 points”.

    Keys that decide nothing are named with the reason, except the one that is still awaited.
    """
    level = [item.by.level(item.value) for item in passed if not item.silent]
    silent = [item.silent for item in passed if item.silent and item.by is not awaited]
    common = f"both {listed(level)}" if level else "are tied"
    return "; ".join((common, *silent))
