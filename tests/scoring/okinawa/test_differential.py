"""The sheet and the pencil agree on thousands of random games of Okinawa."""

from __future__ import annotations

import os
import random

import pytest

from scoring.document import print_score
from tests.scoring.okinawa.games import random_document
from tests.scoring.okinawa.naive import keep_score

GAMES = int(os.environ.get("DIFFERENTIAL_GAMES", "300"))


@pytest.mark.parametrize("fails", ["tricks", "tricks-and-bonus"])
@pytest.mark.parametrize("level", ["draw", "one-more"])
def test_random_games_score_as_with_a_pencil(fails: str, level: str) -> None:
    pencil = random.Random(f"okinawa {fails} {level}")
    ways = {"fail_costs_bonus": fails == "tricks-and-bonus", "one_more": level == "one-more"}
    for _ in range(GAMES):
        document = random_document(pencil, fails, level)
        printed = print_score(document)
        assert printed["problems"] == [], document
        expected = {"scores": [step["scores"] for step in printed["entries"]]}
        expected |= {key: printed[key] for key in ("winner", "how", "over")}
        assert expected == keep_score(document["entries"], **ways), document
