"""Laws of Okinawa that hold whatever is played: hypothesis looks for a game that breaks one."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.document import print_score
from tests.scoring.okinawa.games import random_document
from tests.scoring.spoiled import spoil

games = st.builds(
    lambda seed, fails, level: random_document(Random(seed), fails, level),
    st.integers(0, 10**9),
    st.sampled_from(["tricks", "tricks-and-bonus"]),
    st.sampled_from(["draw", "one-more"]),
)
WORDS = ["pass", "0", "1", "2", "3", "5", "6", "okinawa", "Okinawa", "nil", ""]
wild_hands = st.fixed_dictionaries(
    {"entry": st.just("hand")},
    optional={
        "bids": st.lists(st.sampled_from(WORDS), max_size=5),
        "tricks": st.lists(st.integers(-1, 6), max_size=5) | st.sampled_from([[3, 2], [5, 0], [1, 1, 2, 1], []]),
        "cards": st.integers(4, 6),
        "dealer": st.integers(-1, 4),
        "trump": st.sampled_from(["Spades", "hearts", "none", ""]),
        "auction": st.lists(st.sampled_from(WORDS), max_size=5),
        "first_six": st.booleans(),
    },
)


@given(games)
def test_points_are_the_sum_of_the_lines(document: dict[str, Any]) -> None:
    total = [0, 0]
    for step in print_score(document)["entries"]:
        for line in step["lines"]:
            total[line["side"]] += line["points"]
            assert line["rule"] and line["text"]
        assert step["scores"] == total


@given(games)
def test_swapping_the_sides_swaps_the_scores(document: dict[str, Any]) -> None:
    printed, swapped = print_score(document), print_score(swap(document))
    assert swapped["winner"] == (None if printed["winner"] is None else 1 - printed["winner"])
    for key in ("scores", "sets"):
        assert [step[key] for step in swapped["entries"]] == [step[key][::-1] for step in printed["entries"]]


def test_whatever_has_no_problems_is_scored() -> None:
    spoil(games, wild_hands)


def swap(document: dict[str, Any]) -> dict[str, Any]:
    """The same game with everybody one seat further on."""
    entries = [
        entry | {key: turn(entry[key]) for key in ("bids", "tricks") if key in entry} for entry in document["entries"]
    ]
    return document | {"entries": entries}


def turn(values: list[Any]) -> list[Any]:
    return [*values[-1:], *values[:-1]]
