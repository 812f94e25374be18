"""Laws of Spades that hold whatever is played: hypothesis looks for a game that breaks one."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.document import print_score, read_document
from tests.scoring.spades.games import WAYS, random_document
from tests.scoring.spoiled import spoil

games = st.builds(
    lambda seed, way: random_document(Random(seed), way), st.integers(0, 10**9), st.sampled_from(sorted(WAYS))
)
WORDS = ["nil", "0", "blind-nil", "blind-7", "blind-10", "come-out-10", "pass", "", "4", "10", "13", "14", "-1", "Nil"]
SHEETS = ["spades/standard", "spades/jokers", "spades/new-york", "spades/four-hand-tournament"]
wild_hands = st.fixed_dictionaries(
    {"entry": st.just("hand")},
    optional={
        "bids": st.lists(st.sampled_from(WORDS), max_size=5),
        "tricks": st.lists(st.integers(-1, 14), max_size=5) | st.sampled_from([[7, 6], [13, 0], [3, 3, 4, 3]]),
        "cards": st.integers(12, 14),
        "dealer": st.integers(-1, 4),
        "trump": st.sampled_from(["Spades", "hearts", ""]),
        "auction": st.just(["4"]),
        "first_six": st.booleans(),
    },
)


@given(games)
def test_points_are_the_sum_of_the_lines(document: dict[str, Any]) -> None:
    total = list(document["opening"]["scores"])
    for step in print_score(document)["entries"]:
        for line in step["lines"]:
            total[line["side"]] += line["points"]
            assert line["rule"] and line["text"]
        assert step["scores"] == total


@given(games)
def test_swapping_the_sides_swaps_the_scores(document: dict[str, Any]) -> None:
    printed, swapped = print_score(document), print_score(swap(document))
    assert swapped["points"] == printed["points"][::-1]
    assert swapped["bostons"] == printed["bostons"][::-1]
    assert swapped["winner"] == (None if printed["winner"] is None else 1 - printed["winner"])
    for key in ("scores", "sets", "bags"):
        assert [step[key] for step in swapped["entries"]] == [step[key][::-1] for step in printed["entries"]]


@given(games, st.data())
def test_a_correction_leaves_earlier_entries_as_they_were(document: dict[str, Any], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(document["entries"])))
    printed = print_score(document)
    assert print_score(document | {"entries": document["entries"][:cut]})["entries"] == printed["entries"][:cut]


@given(games)
def test_bags_stay_below_the_charge(document: dict[str, Any]) -> None:
    rules = read_document(document).rules
    for step in print_score(document)["entries"]:
        assert all(0 <= bags < (rules.bag_limit or 1) for bags in step["bags"])


def test_whatever_has_no_problems_is_scored() -> None:
    spoil(games, wild_hands)


def swap(document: dict[str, Any]) -> dict[str, Any]:
    """The same game with everybody one seat further on."""
    opening = document["opening"] | {"scores": document["opening"]["scores"][::-1]}
    entries = [
        entry | {key: turn(entry[key]) for key in ("bids", "tricks") if key in entry} for entry in document["entries"]
    ]
    return document | {"opening": opening, "entries": entries}


def turn(values: list[Any]) -> list[Any]:
    return [*values[-1:], *values[:-1]]
