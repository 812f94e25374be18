"""Random hands of Melds, and a second scorer: what tests of every game ask of this one."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.scoring.drawn import Played, Turn

TRICKS = 12
DRAWN: Played = [("melds/standard", {}), ("melds/standard", {"game_to": 300})]


def hand_of(chance: Random, turn: Turn) -> dict[str, Any]:
    took = chance.randint(0, TRICKS)
    melds = [chance.randrange(0, 110, 10) for _ in range(turn.sides)]
    return {"entry": "hand", "melds": melds, "tricks": [took, TRICKS - took]}


def kept(document: dict[str, Any]) -> dict[str, Any]:
    score, column, winner = [0, 0], [], None
    for entry in document["entries"]:
        for side in (0, 1):
            if entry["tricks"][side]:
                score[side] += entry["melds"][side] + 10 * entry["tricks"][side]
        column.append(list(score))
        if max(score) >= 200 and score[0] != score[1]:
            winner = score.index(max(score))
    return {
        "scores": column,
        "over": winner is not None,
        "winner": winner,
        "how": "points" if winner is not None else None,
    }
