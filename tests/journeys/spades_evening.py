"""The demo's Spades evening, played by the program: `python -m tests.journeys.spades_evening`.

It writes `fixtures/demo/spades-night.json`. Its hands come by chance from one seed, from the same player who plays the
other tables of the demo; a test makes the file again and compares.
"""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import django

from tournament.pairing.draw import movement_rounds

FILE = Path(__file__).parents[2] / "fixtures" / "demo" / "spades-night.json"
SHEET = "spades/standard"
SEED, ROUNDS = 500, 4
# The second game is in play: so many hands stand at each table.
IN_PLAY = (5, 3, 6, 4)
TEAMS = (
    ("First Books", "Lena Crews", "Roy Tillman", "Capital Card Club"),
    ("Big Joker", "Marcus Webb", "Tina Oduya", "Near East Spades League"),
    ("Cut Throat", "Alma Reyes", "Curtis Boyd", "Near East Spades League"),
    ("Counting Bags", "June Parrish", "Opal Simms", "Capital Card Club"),
    ("Nil Seekers", "Devon Hairston", "Kim Ashby", "Olde Towne Players"),
    ("Sam and Wade", "Sam Okafor", "Wade Mercer", "Olde Towne Players"),
    ("Ace High", "Nora Pettit", "Joe Lasalle", "Capital Card Club"),
    ("Blind Faith", "Grace Holloway", "Theo Banks", "Near East Spades League"),
)


def evening() -> dict[str, Any]:
    """The event file: one game played, the second in play, two drawn."""
    chance = Random(SEED)
    rounds = []
    for number, draw in enumerate(movement_rounds(range(1, len(TEAMS) + 1), ROUNDS), start=1):
        state = {1: {}, 2: {"state": "running"}}.get(number, {"state": "planned"})
        tables = [_table(chance, number, at, pair) for at, pair in enumerate(draw.tables, start=1)]
        rounds.append({"round": number} | state | {"tables": tables})
    return {
        "version": 1,
        "event": "Spades Night",
        "date": "2026-11-19",
        "place": "Capital Card Club, Columbus",
        "time_zone": "America/New_York",
        "sheet": SHEET,
        "rounds_planned": ROUNDS,
        "movement": "moving",
        "seed": SEED,
        "fee_cents": 1000,
        "cut": 2,
        "stage": "playing",
        "teams": [
            {"number": number, "name": name, "players": [north, south], "city": "Columbus", "club": club, "paid": True}
            for number, (name, north, south, club) in enumerate(TEAMS, start=1)
        ],
        "rounds": rounds,
    }


def _table(chance: Random, number: int, at: int, pair: tuple[int, ...]) -> dict[str, Any]:
    table: dict[str, Any] = {"table": at, "teams": list(pair)}
    if number <= 2:
        sides = [TEAMS[team - 1][0] for team in pair]
        most = 99 if number == 1 else IN_PLAY[at - 1]
        table["game"] = {
            "sheet": SHEET,
            "sides": sides,
            "entries": _hands(chance, most),
        }
    return table


def _hands(chance: Random, most: int) -> list[dict[str, Any]]:
    """Hands until the game is over, or so many."""
    from tests.factories import play_out
    from tournament.queries.rules import ruleset

    return list(islice(play_out(ruleset(SHEET), chance), most))


def written() -> str:
    """The file's text."""
    return json.dumps(evening(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    django.setup()
    FILE.write_text(written(), encoding="utf-8")
