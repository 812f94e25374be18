"""How a team came to its final place, in words."""

from __future__ import annotations

from scoring.standings.tiebreaks import BY_KEY
from scoring.standings.words import ordinal
from scoring.words import counted
from tournament.pairing.places import (
    DISQUALIFIED,
    LOST_FINAL,
    LOST_THIRD,
    WENT_OUT,
    WON_FINAL,
    WON_THIRD,
)
from tournament.phrases import result
from tournament.queries.standings import StandingsLine

PLAYS_FOR_THIRD = "plays-for-third"
ENDINGS = {
    WON_FINAL: "Won the final",
    LOST_FINAL: "Lost the final",
    WON_THIRD: "Won the game for third",
    LOST_THIRD: "Lost the game for third",
    PLAYS_FOR_THIRD: "Still to play for third",
    DISQUALIFIED: "Disqualified",
}
SCORED = (WON_FINAL, LOST_FINAL, WON_THIRD, LOST_THIRD)


def how_placed(
    ending: str, where: str, score: tuple[int, ...], line: StandingsLine | None, *, after_playoffs: bool
) -> str:
    """Say how a place was reached. `where` is the title of the match, `score` its result from this team's side."""
    if ending == WENT_OUT:
        return f"Went out in the {where[:1].lower()}{where[1:]}{'s' * where.endswith('final')}"
    if ending in SCORED:
        return f"{ENDINGS[ending]} {_result(score)}"
    if ending in ENDINGS:
        return ENDINGS[ending]
    return _qualified(line, after_playoffs) if line else ""


def _result(score: tuple[int, ...]) -> str:
    """The score of the match; “by default” where no hand decided it."""
    return result(score) if score else "by default"


def _qualified(line: StandingsLine, after_playoffs: bool) -> str:
    figures = f"{counted(line.won, 'game')} won, {counted(line.points, 'point')}"
    if after_playoffs:
        shared = "tied for " if line.label.endswith("=") else ""
        place = f"{shared}{ordinal(line.rank)} in qualifying"
        return f"{place[0].upper()}{place[1:]}: {figures}"
    ahead = BY_KEY[line.decided_by].ahead if line.decided_by else ""
    return f"{figures}; {ahead}" if ahead else figures
