"""The sheet and the scorekeeper with a pencil agree on thousands of random games."""

from __future__ import annotations

import os
import random

import pytest

from scoring.document import print_score
from tests.scoring.spades.games import WAYS, random_document
from tests.scoring.spades.naive import TABLES, keep_score

GAMES = int(os.environ.get("DIFFERENTIAL_GAMES", "300"))


@pytest.mark.parametrize("way", WAYS)
def test_random_games_score_as_with_a_pencil(way: str) -> None:
    sheet, _, changes = WAYS[way]
    pencil = random.Random(f"spades {way}")
    for _ in range(GAMES):
        document = random_document(pencil, way)
        printed = print_score(document)
        assert printed["problems"] == [], document
        expected = {key: [step[key] for step in printed["entries"]] for key in ("scores", "sets", "bags")}
        expected |= {key: printed[key] for key in ("over", "winner", "how", "bostons")}
        start, hands = document["opening"]["scores"], document["opening"]["hands"]
        assert expected == keep_score(TABLES[sheet] | changes, start, hands, document["entries"]), document
