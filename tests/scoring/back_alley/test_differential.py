"""Two scorers, written apart, agree on random games of every sheet: 300 here, as many as DIFFERENTIAL_GAMES says."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from scoring.document import print_score
from tests.scoring.back_alley.games import OPTIONS, SHEETS, random_document
from tests.scoring.back_alley.naive import play

GAMES = int(os.environ.get("DIFFERENTIAL_GAMES", "300"))
CHOICES = [(sheet, name) for sheet in SHEETS for name in OPTIONS[sheet]]


@pytest.mark.parametrize("sheet", SHEETS)
def test_both_scorers_agree(sheet: str) -> None:
    chance = Random(sheet)
    for _ in range(GAMES):
        compare(random_document(chance, sheet, {}))


@pytest.mark.parametrize(("sheet", "option"), CHOICES)
def test_both_scorers_agree_on_every_option(sheet: str, option: str) -> None:
    chance = Random(f"{sheet} {option}")
    for _ in range(GAMES // 10):
        compare(random_document(chance, sheet, {option: chance.choice(OPTIONS[sheet][option])}))


@pytest.mark.parametrize("sheet", ["partnership", "all"])
def test_both_scorers_agree_on_options_together(sheet: str) -> None:
    chance = Random(f"{sheet} together")
    for _ in range(GAMES):
        names = chance.sample(sorted(OPTIONS[sheet]), chance.randint(2, 5))
        options = {name: chance.choice(OPTIONS[sheet][name]) for name in names}
        if "blind" in options or options.get("players", 0) >= 5:
            options = {name: value for name, value in options.items() if name not in ("fixed_deal", "most_cards")}
        compare(random_document(chance, sheet, options))


def compare(document: dict[str, Any]) -> None:
    printed = print_score(document)
    assert printed["problems"] == [], document
    entries = [{"scores": step["scores"], "sets": step["sets"]} for step in printed["entries"]]
    expected = {"entries": entries} | {key: printed[key] for key in ("over", "winner", "how", "points")}
    assert expected == play(document), document
