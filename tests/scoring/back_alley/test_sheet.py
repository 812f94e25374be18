"""Bids in players’ words, and which of them a sheet allows on which deal."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.back_alley.rules import (
    ALL,
    HIGH_TWO,
    INDIVIDUAL,
    KOREAN_WAR_26,
    OH_HELL_18,
    PARTNERSHIP,
    WILD_CARDS,
    Rules,
)
from scoring.back_alley.sheet import Bid, bid_problem, legal_bids, parse_bid, read_bid
from scoring.document import print_score
from scoring.options import choose
from tests.scoring.back_alley.games import with_options
from tests.scoring.examples import faults

SPOKEN = {
    "pass": Bid(),
    "4": Bid(4),
    "13": Bid(13),
    "double-board": Bid(0, "double-board"),
    "bort": Bid(0, "bort"),
    "first-six": Bid(0, "first-six"),
    "rainbow": Bid(0, "number", "rainbow"),
    "rainbow+1": Bid(1, "number", "rainbow"),
    "rainbow+board": Bid(0, "board", "rainbow"),
    "false-rainbow+2": Bid(2, "number", "false-rainbow"),
    "blind-3": Bid(3, "number", "", True),
    "blind-pass": Bid(0, "number", "", True),
}


@pytest.mark.parametrize("text", SPOKEN)
def test_bid_is_read_and_said_again(text: str) -> None:
    assert parse_bid(text) == SPOKEN[text]
    assert str(SPOKEN[text]) == text


@pytest.mark.parametrize("text", ["rainbow-+-1", "rainbow-+1", "rainbow+1"])
def test_rainbow_with_spaces_is_the_same_bid(text: str) -> None:
    assert parse_bid(text) == Bid(1, "number", "rainbow")


@pytest.mark.parametrize(
    "text",
    ["", "nil", "-1", "04", "100", "4.0", "rainbow+", "rainbow+-1", "rainbow+first-six", "rainbows", "\n"],
)
def test_what_nobody_says_is_no_bid(text: str) -> None:
    assert parse_bid(text) is None


LEGAL = [
    (PARTNERSHIP, {}, 1, "pass board double-board triple-board quadruple-board"),
    (PARTNERSHIP, {}, 3, "pass 1 2 board double-board triple-board quadruple-board"),
    (PARTNERSHIP, {"partner_double_board": True}, 2, "pass 1 board double-board"),
    (PARTNERSHIP, {"blind": True}, 7, "pass 1 2 3 4 5 6"),
    (PARTNERSHIP, {"blind": True, "most_cards": 3}, 2, "pass 1"),
    (PARTNERSHIP, {"rainbow4": True, "partner_double_board": True}, 4,
     "pass 1 2 3 board double-board rainbow rainbow+1 rainbow+2"),
    (PARTNERSHIP, {"rainbow_plain": True, "partner_double_board": True}, 4,
     "pass 1 2 3 board double-board rainbow rainbow+1 rainbow+2 rainbow+3 rainbow+board rainbow+double-board"),
    (PARTNERSHIP, {"first_six": True, "partner_double_board": True}, 7,
     "pass 1 2 3 4 5 6 board double-board first-six"),
    (ALL, {}, 1, "pass all"),
    (ALL, {}, 6, "pass 1 2 3 4 5"),
    (HIGH_TWO, {}, 1, "pass 1 board double-board triple-board"),
    (HIGH_TWO, {}, 3, "pass 1 2 3"),
    (HIGH_TWO, {"all_cards_bid": "refused"}, 3, "pass 1 2"),
    (INDIVIDUAL, {}, 1, "pass board"),
    (INDIVIDUAL, {}, 3, "pass 1 2 board"),
    (OH_HELL_18, {}, 4, "pass 1 2 3 board rainbow rainbow+1 rainbow+2 rainbow+3 rainbow+board"),
    (KOREAN_WAR_26, {}, 2, "pass 1 2 bort"),
    (KOREAN_WAR_26, {"all_cards_bid": "board"}, 2, "pass 1 bort"),
    (KOREAN_WAR_26, {"all_cards_bid": "board"}, 4,
     "pass 1 2 3 bort rainbow rainbow+1 rainbow+2 rainbow+3 rainbow+bort"
     " false-rainbow false-rainbow+1 false-rainbow+2 false-rainbow+3 false-rainbow+bort"),
    (WILD_CARDS, {}, 2, "pass 1 2"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "options", "cards", "offered"), LEGAL)
def test_legal_bids_are_offered_in_order(rules: Rules, options: dict[str, object], cards: int, offered: str) -> None:
    chosen = with_options(rules, options)
    assert " ".join(str(bid) for bid in legal_bids(chosen, cards)) == offered


READ = [
    (INDIVIDUAL, 3, "3", Bid(0, "board")),
    (INDIVIDUAL, 1, "1", Bid(0, "board")),
    (INDIVIDUAL, 3, "0", Bid()),
    (OH_HELL_18, 4, "rainbow+4", Bid(0, "board", "rainbow")),
    (WILD_CARDS, 3, "3", Bid(3)),
    (HIGH_TWO, 3, "3", Bid(3)),
    (KOREAN_WAR_26, 3, "3", Bid(3)),
    (KOREAN_WAR_26, 3, "board", Bid(0, "bort")),
    (PARTNERSHIP, 3, "0", Bid()),
    (PARTNERSHIP, 3, "3", None),
    (PARTNERSHIP, 7, "blind-3", None),
    (with_options(PARTNERSHIP, {"blind": True}), 7, "blind-3", Bid(3)),
    (with_options(PARTNERSHIP, {"blind": True}), 7, "blind-board", None),
]


@pytest.mark.parametrize(("rules", "cards", "text", "bid"), READ)
def test_bid_is_read_as_the_sheet_understands_it(rules: Rules, cards: int, text: str, bid: Bid | None) -> None:
    assert read_bid(rules, cards, text) == bid


ESCALATING = "the bids are pass, 1, 2, board, double-board, triple-board and quadruple-board"
BLIND_WORDS = "“first-six” cannot be bid blind: only “pass” and numbers can."
NO_RAINBOW = "No rainbow can be announced on this sheet with {} cards."
REFUSED = [
    (PARTNERSHIP, {}, 3, "nil", "ba.partnership", f"“nil” is not a bid here. With 3 cards {ESCALATING}."),
    (ALL, {}, 2, "00", "ba.partnership", "“00” is not a bid here. With 2 cards the bids are pass, 1 and all."),
    (INDIVIDUAL, {}, 1, "nil", "ba.individual", "“nil” is not a bid here. With 1 card the bids are pass and board."),
    (PARTNERSHIP, {}, 6, "blind-3", "ba.var.blind", "Nobody bids blind on a deal of 6 cards."),
    (PARTNERSHIP, {"blind": True}, 7, "first-six", "ba.var.blind", BLIND_WORDS),
    (PARTNERSHIP, {}, 12, "rainbow", "ba.var.rainbow12", NO_RAINBOW.format(12)),
    (PARTNERSHIP, {"rainbow4": True}, 7, "rainbow", "ba.var.rainbow4", NO_RAINBOW.format(7)),
    (HIGH_TWO, {}, 4, "rainbow", "ba.high_two", NO_RAINBOW.format(4)),
    (PARTNERSHIP, {"rainbow4": True, "partner_double_board": True}, 4, "rainbow+3", "ba.var.rainbow4",
     "“rainbow+3” cannot be bid. With 4 cards the bids are pass, 1 to 3, board, double-board, rainbow, rainbow+1"
     " and rainbow+2."),
    (OH_HELL_18, {}, 8, "false-rainbow", "ba.individual.18", "This sheet has no penalty for a false rainbow."),
    (PARTNERSHIP, {}, 9, "first-six", "ba.var.first_six", "The first six tricks cannot be bid on this sheet."),
    (PARTNERSHIP, {"first_six": True}, 6, "first-six", "ba.var.first_six",
     "The first six tricks are bid with 7 cards or more, not with 6 cards."),
    (PARTNERSHIP, {"partner_double_board": True}, 2, "triple-board", "ba.var.partner_double_board",
     "“triple-board” cannot be bid on this sheet. The bids are pass, 1, board and double-board."),
    (INDIVIDUAL, {}, 2, "bort", "ba.individual.board",
     "“bort” cannot be bid on this sheet. The bids are pass, 1 and board."),
    (HIGH_TWO, {}, 2, "3", "ba.high_two", "With 2 cards the bids are pass, 1 and 2."),
    (HIGH_TWO, {"all_cards_bid": "refused"}, 2, "2", "ba.high_two", "With 2 cards the bids are pass and 1."),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "options", "cards", "text", "rule", "why"), REFUSED)
def test_refused_bid_says_why(
    rules: Rules, options: dict[str, object], cards: int, text: str, rule: str, why: str
) -> None:
    chosen = with_options(rules, options)
    assert read_bid(chosen, cards, text) is None
    assert bid_problem(chosen, cards, text) == ("bids", rule, why, None)


MISFITS = [
    ({"most_cards": 14}, "most_cards", "54 cards are not enough for 14 each to 4 players."),
    ({"fixed_deal": 11, "reduced": True}, "fixed_deal", "42 cards are not enough for 11 each to 4 players."),
    (
        {"fixed_deal": 9, "blind": True},
        "blind",
        "There is no halfway deal when every deal has the same number of cards.",
    ),
]


@pytest.mark.parametrize(("options", "field", "why"), MISFITS)
def test_options_that_do_not_go_together_are_refused(options: dict[str, object], field: str, why: str) -> None:
    assert choose(PARTNERSHIP, options)[1] == ((f"options.{field}", "", why, None),)


# What a document of Back Alley may leave out.
RAINBOW = {"entry": "hand", "cards": 8, "bids": ["rainbow+1", "pass", "1", "2"], "tricks": [2, 1, 3, 2]}
SIX = {"entry": "hand", "bids": ["first-six", "1", "1", "1"], "tricks": [9, 4], "first_six": True}


def document(sheet: str, *entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"sheet": f"back_alley/{sheet}", "sides": ["Aces", "Books"], "entries": list(entries)} | more


def four(*entries: dict[str, Any]) -> dict[str, Any]:
    return document("korean-war-26", *entries, sides=["Ann", "Ben", "Cora", "Dan"])


WRITTEN: list[tuple[str, dict[str, Any], dict[str, Any], Any]] = [
    ("partnership", RAINBOW, {"first_six": False}, ([101, 11], [])),
    ("partnership", RAINBOW, {"rainbow8": True}, ([101, 11], [])),
    ("partnership", RAINBOW, {"rainbow4": True}, (None, [("bids", "ba.var.rainbow8")])),
    ("partnership", RAINBOW, {"rainbow_plain": True}, (None, [("bids", "ba.var.rainbow8")])),
    ("partnership", RAINBOW, {"rainbow8": False}, (None, [("bids", "ba.var.rainbow8")])),
    ("high-two", RAINBOW, {}, (None, [("bids", "ba.high_two")])),
    ("partnership", SIX, {"first_six": "no"}, (None, [("bids", "ba.var.first_six")])),
]


@pytest.mark.parametrize(("sheet", "entry", "options", "expected"), WRITTEN)
def test_what_is_written_down_is_played_where_the_options_do_not_forbid_it(
    sheet: str, entry: dict[str, Any], options: dict[str, Any], expected: Any
) -> None:
    printed = print_score(document(sheet, entry, options=options))
    assert (printed.get("points"), faults(printed)) == expected


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
