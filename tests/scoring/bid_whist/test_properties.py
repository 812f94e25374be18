"""Laws of Bid Whist that hold whatever is played: hypothesis looks for a game that breaks one."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.document import print_score
from tests.scoring.bid_whist.games import READINGS, SHEETS, random_document

BONUSES = {"7", "9", "13", "46", "47", "20", "tw.two_sets", "tw.backdoor", "tw.renege", "tw.odd"}
games = st.builds(
    lambda seed, sheet: random_document(Random(seed), sheet), st.integers(0, 10**9), st.sampled_from(SHEETS)
)
tournament = st.builds(lambda seed: random_document(Random(seed), "no-kitty-2021"), st.integers(0, 10**9))


@given(games)
def test_points_are_the_sum_of_the_lines(document: dict[str, Any]) -> None:
    printed = print_score(document)
    total = [0, 0]
    for step in printed["entries"]:
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
    assert [step["scores"] for step in swapped["entries"]] == [step["scores"][::-1] for step in printed["entries"]]


@given(games, st.data())
def test_a_correction_leaves_earlier_entries_as_they_were(document: dict[str, Any], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(document["entries"])))
    printed = print_score(document)
    assert print_score(document | {"entries": document["entries"][:cut]})["entries"] == printed["entries"][:cut]


@given(tournament)
def test_a_bonus_is_paid_at_most_once_in_a_game(document: dict[str, Any]) -> None:
    plain = document | {"options": document.get("options", {}) | {"bonus_points": 5, "rubber_games": 1}}
    printed = print_score(plain)
    paid = [line for step in printed.get("entries", ()) for line in step["lines"] if line["rule"] in BONUSES]
    given_by_hand = [entry for entry in plain["entries"] if entry["entry"] == "adjustment"]
    assert sum(line["points"] == 5 and line["rule"] != "5" for line in paid) <= 1 or given_by_hand


SPOILED = st.one_of(
    st.just({}),
    st.dictionaries(
        st.sampled_from(["entry", "bidder", "bid", "books", "rule", "choice", "side", "points", "to", "seat", "trump"]),
        st.one_of(
            st.sampled_from(
                ["hand", "ruling", "award", "adjustment", "3", "3-no", "31", "32", "41", "set", "game", "x"]
            ),
            st.integers(-2, 15),
            st.none(),
            st.booleans(),
            st.lists(st.integers(-9, 9), max_size=3),
            st.floats(),
        ),
        max_size=2,
    ),
)


def test_whatever_is_typed_is_scored_or_refused() -> None:
    """Sound games, in which at most two fields of one line are spoiled: many of both kinds come of it."""
    count = Counter[bool]()
    optional = {name: st.sampled_from(choices) for name, choices in READINGS.items()}

    @settings(max_examples=4 * settings().max_examples)
    @given(games, st.fixed_dictionaries({}, optional=optional), st.integers(0, 99), SPOILED)
    def typed(document: dict[str, Any], options: dict[str, Any], at: int, spoiled: dict[str, Any]) -> None:
        entries = list(document["entries"])
        if entries:
            entries[at % len(entries)] = entries[at % len(entries)] | spoiled
        printed = print_score(document | {"options": document.get("options", {}) | options, "entries": entries})
        count[bool(printed["problems"])] += 1
        if printed["problems"]:
            assert all(problem["field"] and problem["text"] for problem in printed["problems"])
            assert set(printed) == {"problems"}
        else:
            assert len(printed["entries"]) == len(entries)

    typed()
    assert min(count[True], count[False]) >= 20, count


def swap(document: dict[str, Any]) -> dict[str, Any]:
    return document | {"entries": [swap_entry(entry) for entry in document["entries"]]}


def swap_entry(entry: dict[str, Any]) -> dict[str, Any]:
    swapped = dict(entry)
    for field in ("bidder", "side", "to"):
        if entry.get(field) is not None:
            swapped[field] = 1 - entry[field]
    for field in ("points", "sets"):
        if field in entry:
            swapped[field] = entry[field][::-1]
    return swapped
