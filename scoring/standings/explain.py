"""Why one team stands before the next: the deciding key, both values, and a sentence for the two teams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scoring.standings.words import ordinal, team_name
from scoring.words import counted, listed, number


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

    key: str
    value: int
    silent: str


def explain(
    above: int,
    below: int,
    passed: tuple[Passed, ...],
    key: str | None,
    values: tuple[int, int],
    names: Mapping[int, str],
) -> Tie:
    """Explain a pair of neighbours; `values` are (0, 0) where no key decides."""
    first, second = team_name(names, above), team_name(names, below)
    unplayed = [item.key for item in passed if item.silent]
    due = "playoff" in unplayed
    if key is None:
        awaits = next((item for item in unplayed if item in AWAITED), "")
        ending = AWAITED.get(awaits, "still tied: the sheet names nothing more, so they share the place")
        text = f"{first} and {second} {in_common(passed, awaits)}; {ending}."
        return Tie(above, below, None, None, awaits, due, text)
    shown = _shown(key, values)
    text = f"{first} and {second} {in_common(passed)}; {_decision(key, first, second, shown)}."
    return Tie(above, below, key, shown, "", due, text)


def in_common(passed: tuple[Passed, ...], awaits: str = "") -> str:
    """Say what two teams share: “both won 4 games and have 21 points”.

    Keys that decide nothing are named with the reason, except the one that is still awaited.
    """
    level = [_level(item.key, _shown(item.key, (item.value, 0))[0]) for item in passed if not item.silent]
    silent = [item.silent for item in passed if item.silent and item.key != awaits]
    common = f"both {listed(level)}" if level else "are tied"
    return "; ".join((common, *silent))


AWAITED = {
    "playoff": "still tied: a one-game playoff decides",
    "lots": "still tied: the drawing of lots decides",
}


def _shown(key: str, values: tuple[int, int]) -> tuple[int, int]:
    """Keys where less is better are ordered by their negative; players read the number itself."""
    return (-values[0], -values[1]) if key in {"fewest-sets", "lots", "playoff"} else values


def _level(key: str, value: int) -> str:
    match key:
        case "games-won":
            return f"won {counted(value, 'game')}"
        case "points":
            return f"have {counted(value, 'point')}"
        case "head-to-head":
            return f"won {counted(value, 'game')} in the games between the tied teams"
        case "bostons":
            return f"have {counted(value, 'Boston')}"
        case "fewest-sets":
            return f"have {counted(value, 'set')}"
        case "playoff":
            return "tied in the playoff"
        case _:
            return f"drew lot {value}"


def _decision(key: str, first: str, second: str, values: tuple[int, int]) -> str:
    more, less = values
    match key:
        case "games-won":
            return f"{first} won {counted(more, 'game')} to {number(less)}"
        case "points":
            return f"{first}: {counted(more, 'point')} to {number(less)}"
        case "head-to-head":
            return f"{first} won {counted(more, 'game')} to {less} in the games between the tied teams"
        case "bostons":
            return f"{first}: {counted(more, 'Boston')} to {less}"
        case "fewest-sets":
            return f"{first}: fewer sets, {more} to {less}"
        case "playoff":
            won = "won the playoff" if more == 1 else f"came {ordinal(more)} in the playoff"
            return f"{first} {won}, {second} came {ordinal(less)}"
        case _:
            return f"{first} drew lot {more}, {second} lot {less}"
