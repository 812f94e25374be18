"""Options that mean nothing beside the others: not offered, not printed, and no score depends on them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from scoring.document import all_sheets, find_sheet, print_score
from scoring.options import choose, describe
from tests.scoring.bid_whist import games as bid_whist
from tests.scoring.spades import games as spades

SHEETS = {sheet.key: sheet for _, sheet in all_sheets()}
WITHOUT_POT = {key for key in SHEETS if key.startswith(("back_alley/", "okinawa/"))}
WITHOUT_POT |= {"spades/standard", "spades/jokers"}


@pytest.mark.parametrize(
    ("key", "chosen", "left_out", "offered"),
    [
        ("bid_whist/no-kitty-2021", {}, {"jokers", "kitty_sported", "jokers_at_no"}, {"kitty_goes_to", "odd_scope"}),
        ("bid_whist/no-kitty-2021", {"kitty_goes_to": "bidder"}, {"jokers_at_no"}, {"jokers", "kitty_sported"}),
        ("bid_whist/no-kitty-2021", {"set_limit": None}, {"sets_consecutive"}, {"set_limit", "boston_window"}),
        ("bid_whist/standard", {}, {"odd_scope", "sets_consecutive", "signals"}, {"jokers", "odd_loses"}),
        ("bid_whist/standard", {"kinds": ["straight", "special"]}, {"no_doubled", "jokers_at_no"}, {"kinds"}),
        ("bid_whist/boston-parr", {}, {"special_over_straight", "jokers"}, {"rubber_games"}),
        ("bid_whist/marathon", {}, {"rubber_games", "win_rule", "backdoor_scope"}, {"jokers_at_no", "win_at"}),
        ("spades/standard", {}, {"lowest_blind", "boston_window", "come_out"}, {"nil_points", "bag_penalty"}),
        ("spades/standard", {"nil_points": None, "blind_nil_points": None}, {"failed_nil"}, {"nil_points"}),
        ("spades/jokers", {}, {"nil_points", "blind_nil_points", "failed_nil"}, {"lowest_blind", "blind_set"}),
        ("spades/new-york", {}, {"bag_penalty", "level_at_end"}, {"come_out", "boston_window"}),
    ],
)
def test_what_means_nothing_is_not_offered(
    key: str, chosen: dict[str, Any], left_out: set[str], offered: set[str]
) -> None:
    rules, problems = choose(find_sheet(key).rules, chosen)
    keys = {option.key for option in describe(rules)}
    assert (problems, left_out & keys, offered - keys) == ((), set(), set())


@pytest.mark.parametrize("key", SHEETS)
def test_the_boston_pot_is_offered_where_bostons_are_counted(key: str) -> None:
    keys = {option.key for option in describe(SHEETS[key].rules)}
    assert ("boston_window" in keys, "pot_entry" in keys) == (key not in WITHOUT_POT,) * 2


@pytest.mark.parametrize("key", [key for key in SHEETS if key.startswith(("bid_whist/", "spades/"))])
def test_no_score_depends_on_an_option_that_is_not_offered(key: str) -> None:
    chance = Random(key)
    tried = 0
    for _ in range(settings().max_examples // 4):
        document = _random_document(chance, key)
        rules, _ = choose(find_sheet(key).rules, document.get("options", {}))
        before = print_score(document)
        for option, value in _other_values(rules):
            changed = document | {"options": {**document.get("options", {}), option: value}}
            if choose(find_sheet(key).rules, changed["options"])[1]:
                continue
            tried += 1
            assert print_score(changed) == before, option
    assert tried


def _random_document(chance: Random, key: str) -> dict[str, Any]:
    if key.startswith("bid_whist/"):
        return bid_whist.random_document(chance, key.partition("/")[2])
    way = chance.choice([way for way, (sheet, _, _) in spades.WAYS.items() if sheet == key])
    return spades.random_document(chance, way)


def _other_values(rules: Any) -> Iterator[tuple[str, Any]]:
    """Every moot option with each other choice, or with its limits."""
    for field in dataclasses.fields(rules):
        if field.name not in rules.moot():
            continue
        now, meta = getattr(rules, field.name), field.metadata
        for name in meta["choices"]:
            if name not in ("none", {True: "yes", False: "no"}.get(now, now)):
                yield field.name, name
        yield from ((field.name, limit) for limit in (meta["low"], meta["high"]) if limit is not None)
