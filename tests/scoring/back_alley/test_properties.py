"""Laws of Back Alley that hold whatever is played: hypothesis looks for a game that breaks one."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.back_alley.score import GAME
from scoring.back_alley.sheet import CALLS
from scoring.document import find_sheet, print_score, read_document, read_entry, score_document
from tests.scoring.back_alley.games import OPTIONS, SHEETS, random_document
from tests.scoring.spoiled import spoil


def _game(seed: int, sheet: str) -> dict[str, Any]:
    chance = Random(seed)
    name = chance.choice(sorted(OPTIONS[sheet]))
    return random_document(chance, sheet, {name: OPTIONS[sheet][name][0]} if chance.random() < 0.5 else {})


games = st.builds(_game, st.integers(0, 10**9), st.sampled_from(SHEETS))
words = st.sampled_from(
    ["pass", "0", "1", "2", "4", "13", "rainbow", "rainbow+1", "false-rainbow+board", "blind-2", *CALLS]
)
hands = st.fixed_dictionaries(
    {
        "entry": st.just("hand"),
        "bids": st.lists(words, min_size=2, max_size=6),
        "tricks": st.lists(st.integers(-1, 13), max_size=6),
    },
    optional={
        "cards": st.integers(0, 14),
        "first_six": st.booleans(),
        "dealer": st.integers(-1, 6),
        "trump": st.sampled_from(["hearts", "none", "stars"]),
    },
)
voids = st.fixed_dictionaries(
    {"entry": st.just("void"), "rule": st.sampled_from(["", "all-pass", "ba.high_two.redeal", "ba.var.redeal_demand"])}
)
rulings = st.fixed_dictionaries(
    {
        "entry": st.just("ruling"),
        "rule": st.sampled_from(["late", "forfeit", "misdeal", "other", "17"]),
        "choice": st.sampled_from(["award", "both-late", "wait", "", "warning", "adjustment"]),
    },
    optional={"side": st.integers(-1, 5)},
)
others = st.sampled_from(
    [
        {"entry": "time"},
        {"entry": "agreed_stop"},
        {"entry": "award", "rule": "late", "to": 1},
        {"entry": "adjustment", "points": [5, 0], "reason": "shown cards"},
    ]
)


@given(games)
def test_points_are_the_sum_of_the_lines(document: dict[str, Any]) -> None:
    card = score_document(read_document(document))
    total = list(card.document.carry.scores)
    for before, step in zip([card.document.carry, *(step.carry for step in card.steps)], card.steps, strict=False):
        for line in step.lines:
            total[line.side] += line.points
            assert line.rule and line.text
            assert line.points or before.deciding, "only a deciding hand tells what it does not score"
        assert step.carry.scores == tuple(total)


@given(games)
def test_moving_everybody_one_seat_on_moves_the_scores(document: dict[str, Any]) -> None:
    sides = len(document["sides"])
    printed, moved = print_score(document), print_score(move(document))
    assert moved["points"] == [*printed["points"][1:], printed["points"][0]]
    assert moved["winner"] == (None if printed["winner"] is None else (printed["winner"] - 1) % sides)


@given(st.sampled_from(SHEETS), st.integers(0, 26), st.lists(st.one_of(hands, voids, rulings, others), max_size=4))
def test_no_entry_without_problems_raises(sheet: str, deal: int, facts: list[dict[str, Any]]) -> None:
    rules = find_sheet(f"back_alley/{sheet}").rules
    carry = GAME.begin(rules)._replace(hands=deal, deals=deal)
    for each in facts:
        entry, faults = read_entry(GAME, each)
        assert faults == ()
        GAME.next_hand(rules, carry)
        if not GAME.problems(rules, carry, entry):
            carry = GAME.score_entry(rules, carry, entry)[1]


def test_whatever_has_no_problems_is_scored() -> None:
    spoil(games, hands)


def move(document: dict[str, Any]) -> dict[str, Any]:
    scores = document["opening"]["scores"]
    entries = []
    for entry in document["entries"]:
        lists = {key: [*entry[key][1:], entry[key][0]] for key in ("bids", "tricks") if key in entry}
        entries.append(entry | lists)
    opening = document["opening"] | {"scores": [*scores[1:], scores[0]]}
    return document | {"opening": opening, "entries": entries}
