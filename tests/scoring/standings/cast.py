"""Records for the tests of the standings: teams by number, games as won or lost with points."""

from __future__ import annotations

from scoring.standings.tiebreaks import GameRecord, Record

ACES, BOOKS, CROWNS, DEUCES = 1, 2, 3, 4
NAMES = {ACES: "Aces", BOOKS: "Books", CROWNS: "Crowns", DEUCES: "Deuces"}
SHEET_ORDER = ("games-won", "points", "playoff")


def record(team: int, *points: int, bostons: int = 0) -> Record:
    """Return a record of games from their points: five or more is a win. All Bostons are in game 1."""
    games = (
        GameRecord(number, (), score >= 5, score, bostons if number == 1 else 0)
        for number, score in enumerate(points, start=1)
    )
    return Record(team, tuple(games))
