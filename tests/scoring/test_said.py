"""What programs look at and what people read: kinds and briefs of lines, marks for names, prices, nils."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.decisions import Ruling
from scoring.document import all_sheets, find_game, find_sheet, print_score
from scoring.ledger import Line, named, seat_name, side_name, signed
from scoring.options import describe


def test_names_stand_where_a_sentence_has_marks() -> None:
    text = f"{seat_name(2)} of {side_name(0)} against {side_name(1)}"
    assert named(text, ("Aces", "{side 0}"), ("Ann", "Bea", "Cal")) == "Cal of Aces against {side 0}"
    assert named(text, ("Aces",)) == "player 3 of Aces against side 2"
    assert named(f"Game to {side_name(0)}.", ("Deb W.",)) == "Game to Deb W."
    assert named(f"Game to {side_name(0)}. It", ("Wait...",)) == "Game to Wait.... It"
    assert [signed(points) for points in (3, 0, -3)] == ["+3", "0", "−3"]


def test_a_line_is_named_and_told_in_short() -> None:
    line = Line("4", 0, 3, "3 bid, 9 books: 3 over six", "bid", "3 over six")
    assert (line.brief, line._replace(short="").brief) == ("3 over six", "3 bid, 9 books: 3 over six")
    told = Line("7", 1, 5, f"Renege by {side_name(0)}", "bonus").name(("Aces", "Books"))
    assert told.text == "Renege by Aces"


def test_prices_without_an_option_are_said() -> None:
    said = {sheet.key: [f"{one.title} {one.words}" for one in game.prices(sheet.rules)] for game, sheet in all_sheets()}
    assert said["bid_whist/standard"] == said["okinawa/standard"] == []
    assert said["spades/standard"][1] == "A bid that is set loses 10 points for each trick bid"
    assert [key for key, lines in said.items() if any("deals of one card" in line for line in lines)] == [
        "back_alley/high-two",
        "back_alley/individual",
        "back_alley/oh-hell-18",
    ]
    assert said["back_alley/korean-war-26"] == [
        "A bid that is made scores 5 points for each trick bid and 1 for each more",
        "A bid that is set loses 5 points for each trick short",
        "A bid of “bort” wins or loses 10 points for each card",
        "A rainbow with 4 cards scores 40 points; a false one loses 40",
    ]


def test_a_sheet_says_how_many_games_decide_a_table_only_where_it_is_more_than_one() -> None:
    rules = find_sheet("bid_whist/boston-parr").rules
    said = {}
    for games in (1, 2, 9):
        (option,) = (one for one in describe(replace(rules, rubber_games=games), rules) if one.key == "rubber_games")
        said[games] = f"{option.title} {option.words}" if option.is_said else ""
    assert said == {
        1: "",
        2: "A side wins the table with 2 games, the best of 3",
        9: "A side wins the table with 9 games, the best of 17",
    }


def test_sheets_say_whether_sets_in_a_row_count() -> None:
    in_a_row = [sheet.key for _, sheet in all_sheets() if sheet.rules.sets_in_a_row]
    assert in_a_row == ["spades/new-york"]


NO_BAGS, HELPS = {"bag_limit": None}, {"failed_nil": "help-partner"}
TWO_NILS, ONE_NIL = ["nil", "4", "nil", "3"], ["nil", "4", "4", "3"]


@pytest.mark.parametrize(
    ("options", "bids", "tricks", "text"),
    [
        ({}, TWO_NILS, [1, 6, 0, 6], "1 trick, which is 1 bag: −100, and 1 for its bag"),
        (NO_BAGS, ONE_NIL, [1, 5, 4, 3], "1 trick, which does not help the partner’s 4: −100, and 1 for its trick"),
        (NO_BAGS, TWO_NILS, [1, 6, 0, 6], "1 trick: −100, and 1 for its trick"),
        (HELPS, ONE_NIL, [1, 5, 4, 3], "1 trick, which helps the partner’s 4"),
        (HELPS, ONE_NIL, [2, 4, 4, 3], "2 tricks, which help the partner’s 4"),
    ],
)
def test_a_failed_nil_says_what_its_tricks_do(options: Any, bids: list[str], tricks: list[int], text: str) -> None:
    entries = [{"entry": "hand", "bids": bids, "tricks": tricks}]
    printed = print_score({"sheet": "spades/standard", "options": options, "sides": ["A", "B"], "entries": entries})
    assert f"nil failed: {text}" in [line["text"] for line in printed["entries"][0]["lines"]]


def test_a_ruling_names_the_bidder_and_where_it_does_not_the_sheet_may_know() -> None:
    for game, sheet in all_sheets():
        assert game.bidder_of(sheet.rules, Ruling("late", "award", side=0, bidder=1)) == 1
    whist = find_sheet("bid_whist/no-kitty-2021")
    # Rule 34 does not ask who won the bid, because only the bidding side can break it.
    assert find_game("bid_whist").bidder_of(whist.rules, Ruling("34", "set", side=0)) == 0


# The sentences of the lines in the games where everybody bids: the bid, the tricks, and what they came to.
SIDES = {"back_alley/individual": list("ABCD")}


def told(sheet: str, *hands: dict[str, Any]) -> list[tuple[int, int, str]]:
    entries = [{"entry": "hand", **hand} for hand in hands]
    printed = print_score({"sheet": sheet, "sides": SIDES.get(sheet, ["A", "B"]), "entries": entries})
    assert printed["problems"] == []
    return [(line["side"], line["points"], line["text"]) for one in printed["entries"] for line in one["lines"]]


@pytest.mark.parametrize(
    ("sheet", "hands", "expected"),
    [
        (
            "spades/standard",
            [
                {"bids": ["4", "nil", "3", "3"], "tricks": [5, 1, 3, 4]},
                {"bids": ["4", "3", "3", "2"], "tricks": [4, 3, 3, 3]},
            ],
            [
                (0, 71, "7 bid, 8 tricks: made, 1 bag"),
                (1, 31, "3 bid, 4 tricks without the nil’s 1: made, 1 bag"),
                (
                    1,
                    -99,
                    "nil failed: 1 trick, which is 1 bag and does not help the partner’s 3: −100, and 1 for its bag",
                ),
                (0, 70, "7 bid, 7 tricks: made"),
                (1, 51, "5 bid, 6 tricks: made, 1 bag"),
            ],
        ),
        (
            "spades/standard",
            [{"bids": ["2", "nil", "2", "3"], "tricks": [2, 2, 2, 7]}],
            [
                (0, 40, "4 bid, 4 tricks: made"),
                (1, 34, "3 bid, 7 tricks without the nil’s 2: made, 4 bags"),
                (
                    1,
                    -98,
                    "nil failed: 2 tricks, which are 2 bags and do not help the partner’s 3: −100, and 2 for its bags",
                ),
            ],
        ),
        (
            "okinawa/standard",
            [{"cards": 5, "bids": ["2", "1", "okinawa", "pass"], "tricks": [5, 0]}],
            [(0, 75, "Okinawa: all 5 tricks: 25, and 50 for the Okinawa"), (1, -5, "1 bid, 0 tricks: set")],
        ),
        (
            "spades/new-york",
            [{"bids": [], "tricks": [6, 7]}, {"bids": ["6", "5"], "tricks": [8, 5]}],
            [
                (0, 60, "first hand, not bid: 6 tricks"),
                (1, 70, "first hand, not bid: 7 tricks"),
                (0, 60, "6 bid, 8 tricks: made, 2 over"),
                (1, 50, "5 bid, 5 tricks: made"),
            ],
        ),
        (
            "back_alley/partnership",
            [
                {"cards": 13, "bids": ["4", "pass", "2", "3"], "tricks": [4, 1, 3, 5]},
                {"cards": 12, "bids": ["board", "pass", "2", "double-board"], "tricks": [12, 0, 0, 0]},
            ],
            [
                (0, 31, "6 bid, 7 tricks: made, 1 over"),
                (1, 18, "3 bid, 6 tricks: made, 3 over"),
                (0, 120, "board with 12 cards: won"),
                (1, -240, "double board with 12 cards: lost"),
            ],
        ),
        (
            "back_alley/individual",
            [
                {"cards": 13, "bids": ["4", "pass", "2", "3"], "tricks": [4, 1, 3, 5]},
                {"cards": 12, "bids": ["board", "pass", "2", "3"], "tricks": [11, 1, 0, 0]},
            ],
            [
                (0, 12, "4 bid, 4 tricks: made"),
                (1, 1, "no bid, 1 trick"),
                (2, 7, "2 bid, 3 tricks: made, 1 over"),
                (3, 11, "3 bid, 5 tricks: made, 2 over"),
                (0, -72, "board with 12 cards: lost"),
                (1, 1, "no bid, 1 trick"),
                (2, -6, "2 bid, 0 tricks: set"),
                (3, -9, "3 bid, 0 tricks: set"),
            ],
        ),
    ],
)
def test_lines_say_what_was_bid_and_taken(
    sheet: str, hands: list[dict[str, Any]], expected: list[tuple[int, int, str]]
) -> None:
    assert told(sheet, *hands) == expected
