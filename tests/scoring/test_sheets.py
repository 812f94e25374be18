"""A published rule sheet never changes: a new edition is a new sheet beside the old one.

`python -m tests.scoring.test_sheets` adds the hashes of sheets that are new and replaces none. With the name of a game
it replaces those of that game, as a new option asks for.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.document import all_sheets
from scoring.game import CardGame
from scoring.options import EventRules, Option, choose, describe, every_option, read_values

KEPT = Path(__file__).with_name("sheet_hashes.json")
SHEETS = {sheet.key: (game, sheet) for game, sheet in all_sheets()}


@pytest.mark.parametrize("key", SHEETS)
def test_published_sheet_is_unchanged(key: str) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert key in kept, "a new sheet: run python -m tests.scoring.test_sheets"
    assert fingerprint(key) == kept[key], (
        "a published sheet never changes: replace() it and give the new one a key (a new option: CONTRIBUTING.md)"
    )


def test_no_published_sheet_is_missing() -> None:
    assert set(json.loads(KEPT.read_text(encoding="utf-8"))) <= set(SHEETS)


@pytest.mark.parametrize("key", SHEETS)
def test_every_option_of_a_sheet_accepts_its_default_and_says_it_in_words(key: str) -> None:
    rules = SHEETS[key][1].rules
    assert len(describe(rules)) > len(dataclasses.fields(EventRules)) // 2
    for item in describe(rules):
        chosen, problems = choose(rules, {item.key: item.default})
        assert (chosen, problems) == (rules, ())
        assert item.words and item.title


@pytest.mark.parametrize("key", SHEETS)
def test_every_choice_of_an_option_is_accepted_or_refused_with_its_reason(key: str) -> None:
    rules = SHEETS[key][1].rules
    for item in describe(rules):
        for name in item.choices:
            value = [name] if item.type == "list" else name
            chosen, problems = choose(rules, {item.key: value})
            assert problems or getattr(chosen, item.key) in (value, (name,), name == "yes", None)
            assert all(problem.field.startswith("options.") and problem.text for problem in problems)


@pytest.mark.parametrize("key", SHEETS)
def test_every_option_refuses_what_does_not_fit(key: str) -> None:
    rules = SHEETS[key][1].rules
    for item in describe(rules):
        unsure = 1.5 if item.type == "yes-no" else True
        nonsense: tuple[Any, ...] = ("sometimes", 10**9, 1.5, {}, [], ["sometimes"], unsure)
        for wrong in nonsense:
            unchanged, problems = choose(rules, {item.key: wrong})
            assert (unchanged, [problem.field for problem in problems]) == (rules, [f"options.{item.key}"])


@pytest.mark.parametrize("key", SHEETS)
def test_every_option_takes_its_lowest_and_highest_and_refuses_one_beyond(key: str) -> None:
    """The limits of a number; of the others every choice alone, and none that is not among them."""
    game, sheet = SHEETS[key]
    numbers = 0
    for item in every_option(sheet.rules, sheet.rules):
        if item.type != "number":
            taken, refused = values_of(item)
        else:
            numbers += 1
            assert item.low is not None and item.high is not None and item.low < item.high
            taken, refused = [item.low, item.high], [item.low - 1, item.high + 1]
        for value in taken:
            chosen, problems = read_values(sheet.rules, {item.key: value})
            assert (problems, getattr(chosen, item.key)) == ((), tuple(value) if isinstance(value, list) else value)
            if not chosen.conflicts():
                assert can_begin(game, chosen), (item.key, value)
        for value in refused:
            unchanged, problems = choose(sheet.rules, {item.key: value})
            assert (unchanged, [problem.field for problem in problems]) == (sheet.rules, [f"options.{item.key}"])
    assert numbers > 2


def values_of(item: Option) -> tuple[list[Any], list[Any]]:
    """What an option that is no number takes, and what it refuses."""
    if item.type == "yes-no":
        return [True, False], [2, "perhaps"]
    if item.type == "list":
        return [[one] for one in item.choices], [["none of these"], [*item.default, "none of these"]]
    return list(item.choices), ["none of these"]


def can_begin(game: CardGame[Any], rules: Any) -> bool:
    """Return whether a game by these rules has a first hand, with cards and bids."""
    planned, begin = game.hands_planned(rules), game.begin(rules)
    due = game.next_hand(rules, begin)
    return (planned is None or planned >= 1) and due.cards >= 1 and begin.verdict is None


# Options that were added after the sheets were published. At these values games are played as before.
CAME_LATER: dict[str, Any] = {
    "set_limit": None,
    "back_to_back": None,
    "deciding_hand": "nothing",
    "misdeal_dealer": "same",
    "first_hand_least": None,
    "boston_on": "any-bid",
    "boston_bid_set": None,
    "redeal_without_spades": False,
    "redeal_after_a_face": False,
    "renege_price": "adjustment",
    "second_renege": "same",
    "wrong_call": "none",
    "twice_the_bid": "made",
    "blind_boston_points": None,
    "blind_boston_set": None,
}
# These sheets had them when they were published.
HAD = {"bid_whist": {"set_limit"}, "spades": {"back_to_back"}}


def fingerprint(key: str) -> str:
    rules, had = SHEETS[key][1].rules, HAD.get(key.partition("/")[0], set())
    facts = {field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)}
    for name, before in CAME_LATER.items():
        if name not in had and facts.get(name, before) == before:
            facts.pop(name, None)
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def main(*games: str) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    kept = {key: fingerprint(key) for key in SHEETS} | {
        key: value for key, value in kept.items() if key.partition("/")[0] not in games
    }
    KEPT.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
