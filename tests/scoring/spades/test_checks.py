"""What a Spades sheet refuses, and what it asks for next."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.decisions import Void
from scoring.document import find_sheet, print_score
from scoring.ledger import BySide, Carry
from scoring.options import choose
from scoring.spades.checks import legal_bids, passes_deal_on, said_bids, void_choices
from scoring.spades.score import GAME
from scoring.tricks import TrickHand
from tests.scoring.examples import ended, faults, told

STANDARD, JOKERS = "spades/standard", "spades/jokers"
NEW_YORK, FOUR_HANDS = "spades/new-york", "spades/four-hand-tournament"
NUMBERS = tuple(str(number) for number in range(1, 14))
SAID = {"entry": "hand", "bids": ["3", "1", "4", "4"], "tricks": [7, 6]}


def document(sheet: str, *entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"sheet": sheet, "sides": ["Aces", "Books"], "entries": list(entries)} | more


def hand(bids: Any, tricks: list[int], **more: Any) -> dict[str, Any]:
    return {"entry": "hand", "bids": bids, "tricks": tricks} | more


def carry(*scores: int, **more: Any) -> Carry:
    return GAME.begin(find_sheet(STANDARD).rules)._replace(scores=BySide(scores), **more)


CONTRACT = "sp.contract"
ALL_WRONG = hand(["pass", "blind-nil", "14", "4"], [9, 9], trump="clubs")


@pytest.mark.parametrize(
    "more, expected",
    [
        ({"trump": "hearts"}, [("trump", CONTRACT)]),
        ({"auction": ["3", "1", "4", "4"]}, [("auction", CONTRACT)]),
        ({"first_six": True}, [("first_six", CONTRACT)]),
        ({"dealer": 4}, [("dealer", CONTRACT)]),
        ({"cards": 12}, [("cards", CONTRACT)]),
        ({"tricks": [7, 5]}, [("tricks", CONTRACT)]),
        ({"tricks": [14, -1]}, [("tricks", CONTRACT)]),
        ({"tricks": [7, 3, 3]}, [("tricks", CONTRACT)]),
        ({"bids": None}, [("bids", CONTRACT)]),
        ({"bids": ["3", "1", "4"]}, [("bids", CONTRACT)]),
        ({"bids": ["7", "5"]}, [("bids", CONTRACT)]),
        ({"bids": ["blind-7", "1", "4", "4"]}, [("bids", CONTRACT)]),
        ({"bids": ["come-out-10", "1", "4", "4"]}, [("bids", CONTRACT)]),
        ({"bids": ["04", "1", "4", "4"]}, [("bids", CONTRACT)]),
        ({"bids": ["³", "1", "4", "4"]}, [("bids", CONTRACT)]),
        ({"kitty": 3}, [("kitty", "")]),
        (
            ALL_WRONG,
            [(f, CONTRACT) for f in ("tricks", "tricks", "bids")]
            + [("bids", "sp.blind_nil"), ("bids", CONTRACT), ("trump", CONTRACT)],
        ),
    ],
)
def test_standard_hand_names_all_its_faults(more: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert faults(print_score(document(STANDARD, SAID | more))) == expected


@pytest.mark.parametrize("more", [{"trump": "Spades"}, {"dealer": 3}, {"cards": 13}, {"bids": [3, 1, 4, 4]}])
def test_what_the_table_may_add_changes_no_score(more: dict[str, Any]) -> None:
    assert print_score(document(STANDARD, SAID | more))["points"] == [70, 51]


@pytest.mark.parametrize(
    "bids",
    [None, [], ["", ""], "none", "unbid", ["none", "none"], [None, None], ["", "", "", ""], ["pass", "pass"], [0, 0]],
)
def test_first_hand_of_new_york_without_bids_in_any_spelling(bids: Any) -> None:
    assert print_score(document(NEW_YORK, hand(bids, [9, 4])))["points"] == [90, 40]


def test_bids_that_are_no_list_are_a_fault_of_form() -> None:
    assert faults(print_score(document(NEW_YORK, hand("5", [9, 4])))) == [("bids", "")]


def test_team_total_above_thirteen_may_be_said_and_cannot_be_made() -> None:
    assert print_score(document(STANDARD, hand(["8", "1", "7", "1"], [12, 1])))["points"] == [-150, -20]


@pytest.mark.parametrize(
    "bids", [["4", "0", "4", "0"], ["7", "3", "7", "3"], ["x", "3", "4", "3"], ["4", "3", "4", "nil"]]
)
def test_bids_by_seat_that_do_not_add_up_to_team_bids_are_refused(bids: list[str]) -> None:
    assert {field for field, _ in faults(print_score(document(JOKERS, hand(bids, [7, 6]))))} == {"bids"}


NIL, FROM_FOUR = ("nil", *NUMBERS), NUMBERS[3:10]
BLIND_BEHIND = (NIL, (*NIL, "blind-nil")) * 2
BLIND = ("blind-6", "blind-7", "blind-8", "blind-9", "blind-10")
TO_TEN = ((*FROM_FOUR, *BLIND, "come-out-10"), FROM_FOUR)
TO_NINE = ((*FROM_FOUR[:-1], *BLIND[:-1], "come-out-10"), FROM_FOUR[:-1])
NOT_BID = "The first hand is not bid: 10 points for each trick."
DECIDES = "The score is tied: this hand decides the game and scores nothing."
NO_NIL = {"nil_points": "none", "blind_nil_points": "none"}
ONE_MORE = {"level_at_end": "one-more"}


@pytest.mark.parametrize(
    ("sheet", "options", "before", "due"),
    [
        (STANDARD, {}, carry(0, 0), (1, 0, 13, "seat", (NIL,) * 4, "seat", "")),
        (STANDARD, {}, carry(200, 100, hands=6, deals=6), (7, 2, 13, "seat", BLIND_BEHIND, "seat", "")),
        (STANDARD, NO_NIL, carry(0, 0), (1, 0, 13, "seat", (NUMBERS,) * 4, "side", "")),
        (STANDARD, {"bids_by": "side"}, carry(0, 200, hands=1), (2, 0, 13, "side", (NUMBERS,) * 2, "side", "")),
        (NEW_YORK, {}, carry(0, 0), (1, 0, 13, None, (), "side", NOT_BID)),
        (NEW_YORK, {}, carry(40, 140, hands=1, deals=1), (2, 1, 13, "side", TO_TEN, "side", "")),
        (NEW_YORK, {"highest_bid": 9}, carry(40, 140, hands=1, deals=1), (2, 1, 13, "side", TO_NINE, "side", "")),
        (FOUR_HANDS, ONE_MORE, carry(60, 60, hands=4), (5, 0, 13, "side", (NUMBERS[3:],) * 2, "side", DECIDES)),
    ],
)
def test_next_hand_tells_what_each_may_bid(sheet: str, options: dict[str, Any], before: Carry, due: Any) -> None:
    rules, problems = choose(find_sheet(sheet).rules, options)
    assert (told(GAME.next_hand(rules, GAME.closed(rules, before))), problems) == (due, ())


@pytest.mark.parametrize(
    "sheet, options, field",
    [
        (STANDARD, {"lowest_bid": 5, "highest_bid": 4}, "lowest_bid"),
        (STANDARD, {"first_hand_least": 4}, "first_hand_least"),
        (NEW_YORK, {"boston_bid_set": 200}, "boston_bid_set"),
        (STANDARD, {"set_limit": 2, "back_to_back": 3}, "back_to_back"),
        (STANDARD, {"come_out": True}, "come_out"),
        (NEW_YORK, {"lowest_blind": 11}, "lowest_blind"),
    ],
)
def test_options_that_do_not_go_together_are_refused(sheet: str, options: dict[str, Any], field: str) -> None:
    assert [problem.field for problem in choose(find_sheet(sheet).rules, options)[1]] == [f"options.{field}"]


def test_four_plain_bids_of_partners_who_bid_together_are_added_up() -> None:
    rules, _ = choose(find_sheet(STANDARD).rules, {"bids_by": "side"})
    entry, _ = GAME.read_hand(hand(["10", "0", "1", "2"], [11, 2]))
    assert isinstance(entry, TrickHand) and said_bids(rules, entry) == ("11", "2")


def test_what_may_be_bid_instead_is_said_to_the_last_of_it() -> None:
    [problem, *_] = print_score(document(STANDARD, hand(["99", "1", "4", "4"], [7, 6])))["problems"]
    assert problem["text"].endswith("Each player bids 1 to 13, nil or blind nil.")
    [problem, *_] = print_score(document(NEW_YORK, hand(["99", "4"], [7, 6])))["problems"]
    assert problem["text"].endswith("Each side bids 4 to 10 or blind from 6 up.")


@pytest.mark.parametrize(
    ("bid", "words"),
    [
        ("10", "Aces took all 13 tricks on a bid of 10."),
        ("blind-10", "Aces took all 13 tricks on a blind bid of 10."),
        ("come-out-10", "Aces took all 13 tricks on a 10 that came out of a blind bid."),
    ],
)
def test_boston_that_wins_says_on_what_bid(bid: str, words: str) -> None:
    opening, options = {"scores": [40, 140], "hands": 1}, {"boston_wins": "any-ten"}
    printed = print_score(document(NEW_YORK, hand([bid, "4"], [13, 0]), opening=opening, options=options))
    assert (printed["winner"], printed["text"]) == (0, words)


def test_adjustment_that_reaches_the_winning_score_wins() -> None:
    given = {"entry": "adjustment", "points": [0, 449], "reason": "slip"}
    assert ended(print_score(document(STANDARD, SAID, given))) == (True, 1, "points", "sp.game500", [70, 500])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, []),
        (
            {"redeal_without_spades": True, "redeal_after_a_face": True},
            [
                "A player without spades, before bidding, called for a new deal: the same player deals again",
                "The dealer showed a face card, called before the bids: the same player deals again",
            ],
        ),
        (
            {"redeal_after_a_face": True, "misdeal_dealer": "next"},
            ["The dealer showed a face card, called before the bids: the next player deals"],
        ),
    ],
)
def test_hands_that_are_dealt_again_say_who_deals(options: dict[str, Any], words: list[str]) -> None:
    rules, _ = choose(find_sheet(STANDARD).rules, options)
    assert [choice.words for choice in void_choices(rules)] == words
    dealt = {rule: passes_deal_on(rules, Void(rule)) for rule in ("misdeal", "sp.face_shown", "sp.no_spades")}
    next_deals = rules.misdeal_dealer == "next"
    assert dealt == {"misdeal": next_deals, "sp.face_shown": next_deals, "sp.no_spades": False}


# Bids are judged before a card is played: together, and by the score.
OVERTIME = find_sheet("spades/overtime").rules
TOGETHER = "What did the partner bid? “With partner” stands only beside a blind bid of a number."
FOR_BOTH = "“blind 7” is bid for both partners: the partner’s bid is “With partner”."


@pytest.mark.parametrize(
    ("scores", "bids", "sentences"),
    [
        ((0, 0), ["3", "3", "with-partner", "4"], [TOGETHER]),
        (
            (0, 0),
            ["blind-7", "3", "with-partner", "4"],
            ["A side may bid 7 blind only when it is at least 100 points behind."],
        ),
        ((0, 100), ["blind-7", "3", "with-partner", "4"], []),
        ((0, 100), ["blind-7", "3", "4", "4"], [FOR_BOTH]),
        ((0, 100), ["with-partner", "3", "with-partner", "4"], [TOGETHER]),
        ((0, 0), ["3", "3", "pass", "4"], ["“pass” is not a bid. Each player bids 1 to 13, nil or blind from 6 up."]),
        ((0, 0), ["nil", "nil", "nil", "nil"], []),
    ],
)
def test_bids_are_judged_beside_each_other(scores: tuple[int, int], bids: list[str], sentences: list[str]) -> None:
    problems = GAME.bid_problems(OVERTIME, carry(*scores, hands=1), {"entry": "hand", "bids": bids})
    assert [problem.text for problem in problems] == sentences
    # The check of a whole hand says the same about its bids.
    opening = {"scores": list(scores), "hands": 1}
    played = print_score(document("spades/overtime", hand(bids, [3, 3, 4, 3]), opening=opening))
    assert [problem["text"] for problem in played["problems"] if problem["field"] == "bids"] == sentences


@pytest.mark.parametrize(("scores", "offered"), [((0, 0), False), ((-40, 60), True), ((60, -40), False)])
def test_with_partner_is_offered_to_a_side_that_may_bid_blind(scores: tuple[int, int], offered: bool) -> None:
    bids = legal_bids(OVERTIME, carry(*scores), 0)
    assert ("with-partner" in bids, "blind-6" in bids) == (offered, offered)
