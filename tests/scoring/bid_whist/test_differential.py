"""Two scorers, written apart, agree on random games of every sheet: 300 here, as many as DIFFERENTIAL_GAMES says."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from scoring.document import print_score
from tests.scoring.bid_whist.games import READINGS, SHEETS, random_document
from tests.scoring.bid_whist.naive import play

GAMES = int(os.environ.get("DIFFERENTIAL_GAMES", "300"))


@pytest.mark.parametrize("wild", [False, True], ids=["as printed", "with options"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_both_scorers_agree(sheet: str, wild: bool) -> None:
    chance = Random(f"{sheet} {wild}")
    for _ in range(GAMES // len(SHEETS)):
        document = random_document(chance, sheet, wild)
        assert outcome(print_score(document)) == play(document), document


@pytest.mark.parametrize("option", READINGS)
def test_both_scorers_agree_on_every_option(option: str) -> None:
    chance = Random(option)
    for turn in range(GAMES // len(READINGS)):
        document = random_document(chance, "no-kitty-2021")
        document["options"] = {option: READINGS[option][turn % len(READINGS[option])]}
        printed = print_score(document)
        if not printed["problems"]:
            assert outcome(printed) == play(document), document


def outcome(printed: dict[str, Any]) -> dict[str, Any]:
    entries = [{"scores": step["scores"], "sets": step["sets"]} for step in printed["entries"]]
    return {"entries": entries} | {key: printed[key] for key in ("over", "winner", "how", "points", "bostons")}
