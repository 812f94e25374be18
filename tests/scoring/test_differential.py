"""Two scorers, written apart, agree on random games of every sheet: 300 here, as many as DIFFERENTIAL_GAMES says."""

from __future__ import annotations

import os
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from scoring.document import print_score
from tests.scoring.back_alley import games as back_alley
from tests.scoring.back_alley.naive import play as play_back_alley
from tests.scoring.bid_whist import games as bid_whist
from tests.scoring.bid_whist.naive import play as play_bid_whist
from tests.scoring.okinawa import games as okinawa
from tests.scoring.okinawa.naive import keep_score as keep_okinawa
from tests.scoring.spades import games as spades
from tests.scoring.spades.naive import TABLES
from tests.scoring.spades.naive import keep_score as keep_spades

GAMES = int(os.environ.get("DIFFERENTIAL_GAMES", "300"))
ENDS = ("over", "winner", "how")
ALLEYS = back_alley.OPTIONS


def printed_of(document: dict[str, Any]) -> dict[str, Any]:
    printed = print_score(document)
    assert printed["problems"] == [], document
    return printed


def rows(printed: dict[str, Any], ends: Iterable[str]) -> dict[str, Any]:
    """Line by line, as one kind of scorer keeps them."""
    entries = [{"scores": step["scores"], "sets": step["sets"]} for step in printed["entries"]]
    return {"entries": entries} | {key: printed[key] for key in ends}


def columns(printed: dict[str, Any], heads: Iterable[str], ends: Iterable[str]) -> dict[str, Any]:
    """Column by column, as the other kind does."""
    return {key: [step[key] for step in printed["entries"]] for key in heads} | {key: printed[key] for key in ends}


def compare_bid_whist(document: dict[str, Any], printed: dict[str, Any]) -> None:
    assert rows(printed, (*ENDS, "points", "bostons")) == play_bid_whist(document), document


@pytest.mark.parametrize("wild", [False, True], ids=["as printed", "with options"])
@pytest.mark.parametrize("sheet", bid_whist.SHEETS)
def test_bid_whist(sheet: str, wild: bool) -> None:
    chance = Random(f"{sheet} {wild}")
    for _ in range(GAMES // len(bid_whist.SHEETS)):
        document = bid_whist.random_document(chance, sheet, wild)
        compare_bid_whist(document, printed_of(document))


@pytest.mark.parametrize("option", bid_whist.READINGS)
def test_every_option_of_bid_whist(option: str) -> None:
    chance, readings = Random(option), bid_whist.READINGS[option]
    for turn in range(GAMES // len(bid_whist.READINGS)):
        document = bid_whist.random_document(chance, "no-kitty-2021")
        document["options"] = {option: readings[turn % len(readings)]}
        printed = print_score(document)
        if not printed["problems"]:
            compare_bid_whist(document, printed)


@pytest.mark.parametrize("way", spades.WAYS)
def test_spades(way: str) -> None:
    sheet, _, changes = spades.WAYS[way]
    chance = Random(f"spades {way}")
    for _ in range(GAMES):
        document = spades.random_document(chance, way)
        expected = columns(printed_of(document), ("scores", "sets", "bags"), (*ENDS, "bostons"))
        start, hands = document["opening"]["scores"], document["opening"]["hands"]
        assert expected == keep_spades(TABLES[sheet] | changes, start, hands, document["entries"]), document


@pytest.mark.parametrize("fails", ["tricks", "tricks-and-bonus"])
@pytest.mark.parametrize("level", ["draw", "one-more"])
def test_okinawa(fails: str, level: str) -> None:
    chance = Random(f"okinawa {fails} {level}")
    ways = {"fail_costs_bonus": fails == "tricks-and-bonus", "one_more": level == "one-more"}
    for _ in range(GAMES):
        document = okinawa.random_document(chance, fails, level)
        assert columns(printed_of(document), ["scores"], ENDS) == keep_okinawa(document["entries"], **ways), document


def compare_back_alley(chance: Random, sheet: str, options: dict[str, Any]) -> None:
    document = back_alley.random_document(chance, sheet, options)
    assert rows(printed_of(document), (*ENDS, "points")) == play_back_alley(document), document


@pytest.mark.parametrize("sheet", back_alley.SHEETS)
def test_back_alley(sheet: str) -> None:
    chance = Random(sheet)
    for _ in range(GAMES):
        compare_back_alley(chance, sheet, {})


@pytest.mark.parametrize(("sheet", "option"), [(sheet, name) for sheet in back_alley.SHEETS for name in ALLEYS[sheet]])
def test_every_option_of_back_alley(sheet: str, option: str) -> None:
    chance = Random(f"{sheet} {option}")
    for _ in range(GAMES // 10):
        compare_back_alley(chance, sheet, {option: chance.choice(ALLEYS[sheet][option])})


@pytest.mark.parametrize("sheet", ["partnership", "all"])
def test_options_of_back_alley_together(sheet: str) -> None:
    chance = Random(f"{sheet} together")
    for _ in range(GAMES):
        names = chance.sample(sorted(ALLEYS[sheet]), chance.randint(2, 5))
        options = {name: chance.choice(ALLEYS[sheet][name]) for name in names}
        if "blind" in options or options.get("players", 0) >= 5:
            options = {name: value for name, value in options.items() if name not in ("fixed_deal", "most_cards")}
        compare_back_alley(chance, sheet, options)
