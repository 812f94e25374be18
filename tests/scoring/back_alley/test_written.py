"""What a document of Back Alley may leave to the reader."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import print_score

RAINBOW = {"entry": "hand", "cards": 8, "bids": ["rainbow+1", "pass", "1", "2"], "tricks": [2, 1, 3, 2]}
SIX = {"entry": "hand", "bids": ["first-six", "1", "1", "1"], "tricks": [9, 4], "first_six": True}


def document(sheet: str, *entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"sheet": f"back_alley/{sheet}", "sides": ["Aces", "Books"], "entries": list(entries)} | more


def four(*entries: dict[str, Any]) -> dict[str, Any]:
    return document("korean-war-26", *entries, sides=["Ann", "Ben", "Cora", "Dan"])


def faults(printed: dict[str, Any]) -> list[tuple[str, str]]:
    return [(problem["field"], problem["rule"]) for problem in printed["problems"]]


@pytest.mark.parametrize("options", [{}, {"rainbow8": True}, {"first_six": False}])
def test_rainbow_that_is_written_down_is_played_where_the_options_do_not_forbid_it(options: dict[str, Any]) -> None:
    assert print_score(document("partnership", RAINBOW, options=options))["points"] == [101, 11]


@pytest.mark.parametrize(
    "options",
    [
        {"rainbow4": True},
        {"rainbow_plain": True},
        {"rainbow8": False},
    ],
)
def test_rainbow_that_the_options_leave_out_is_refused(options: dict[str, Any]) -> None:
    assert faults(print_score(document("partnership", RAINBOW, options=options))) == [("bids", "ba.var.rainbow8")]


def test_rainbow_of_a_sheet_without_them_is_refused() -> None:
    assert faults(print_score(document("high-two", RAINBOW))) == [("bids", "ba.high_two")]


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ({}, []),
        ({"first_six": "no"}, [("bids", "ba.var.first_six")]),
    ],
)
def test_first_six_that_is_written_down_is_played(options: dict[str, Any], refused: list[Any]) -> None:
    assert faults(print_score(document("partnership", SIX, options=options))) == refused


THREES = {"entry": "hand", "bids": ["3", "3", "pass", "pass", "pass", "pass"], "tricks": [2, 2, 1, 1, 1, 1]}


@pytest.mark.parametrize(
    ("sides", "points"), [(["Aces", "Books"], [16, 16]), (["Aces", "Books", "Clubs"], [15, 15, 2])]
)
def test_six_bids_are_six_players(sides: list[str], points: list[int]) -> None:
    assert print_score(document("partnership", THREES | {"cards": 8}, sides=sides))["points"] == points


@pytest.mark.parametrize(
    ("options", "sides", "fields"),
    [
        ({"players": 4}, 2, ["bids", "tricks", "tricks"]),
        ({"fixed_deal": 13}, 2, ["bids", "tricks", "tricks"]),
        ({}, 4, ["bids", "tricks", "tricks"]),
    ],
)
def test_six_bids_are_too_many_where_six_cannot_play(options: dict[str, Any], sides: int, fields: list[str]) -> None:
    names = ["Aces", "Books", "Clubs", "Deuces"][:sides]
    printed = print_score(document("partnership", THREES, options=options, sides=names))
    assert [problem["field"] for problem in printed["problems"]] == fields


def test_six_bids_beside_four_are_a_mistake() -> None:
    four_bids = {"entry": "hand", "cards": 8, "bids": ["3", "3", "pass", "pass"], "tricks": [4, 4]}
    assert print_score(document("partnership", four_bids, THREES))["problems"][0]["entry"] == 1


def test_entry_that_cannot_be_read_says_nothing_about_the_options() -> None:
    printed = print_score(document("partnership", {"entry": "hand", "bids": 3}, RAINBOW))
    assert {problem["entry"] for problem in printed["problems"]} == {0}


FALSE = {"entry": "hand", "cards": 4, "tricks": [1, 1, 1, 1]}


@pytest.mark.parametrize(
    ("more", "points"),
    [
        ({"bids": ["rainbow+1", "1", "pass", "1"], "false_rainbow": True}, [-35, 5, 1, 5]),
        ({"bids": ["rainbow+1", "1", "pass", "1"], "false_rainbow": False}, [45, 5, 1, 5]),
        ({"bids": ["false-rainbow+1", "1", "pass", "1"]}, [-35, 5, 1, 5]),
    ],
)
def test_false_rainbow_is_written_in_the_bid_or_beside_it(more: dict[str, Any], points: list[int]) -> None:
    assert print_score(four(FALSE | more))["points"] == points


@pytest.mark.parametrize("bids", [["1", "1", "pass", "1"], ["rainbow+1", "rainbow", "pass", "1"]])
def test_false_rainbow_of_nobody_or_of_two_players_is_refused(bids: list[str]) -> None:
    assert faults(print_score(four(FALSE | {"bids": bids, "false_rainbow": True}))) == [("false_rainbow", "")]


def test_fault_of_form_beside_a_false_rainbow_is_named() -> None:
    assert faults(print_score(four({"entry": "hand", "bids": 3, "tricks": [4], "false_rainbow": True}))) == [
        ("bids", "")
    ]
