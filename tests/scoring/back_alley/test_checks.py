"""What a Back Alley sheet refuses, and what it asks for next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.back_alley.checks import next_hand
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
from scoring.back_alley.score import GAME
from scoring.back_alley.sheet import FULL, NO_ONE, ORDER, RAISE, plan
from scoring.decisions import Adjustment, Time, Void
from scoring.ledger import BySide, Carry, Problem, start
from scoring.options import choose
from scoring.tricks import TrickHand
from tests.scoring.back_alley.games import with_options
from tests.scoring.examples import told

problems = GAME.problems
FIRST_SIX = with_options(PARTNERSHIP, {"first_six": True})
OTHER_ORDER = f"With this dealer the players bid in another order. {ORDER}"
OFFERED = "the bids are pass, 1 to 4, board, double-board, triple-board and quadruple-board."
RAISES = with_options(PARTNERSHIP, {"partner_double_board": True})


def at(rules: Rules, hands: int) -> Carry:
    return GAME.closed(rules, start(rules.seating().sides)._replace(hands=hands, deals=hands))


def faults(rules: Rules, hands: int, bids: str, tricks: tuple[int, ...], **more: Any) -> list[tuple[str, str, str]]:
    found = problems(rules, at(rules, hands), TrickHand(tuple(bids.split()), tricks, **more))
    return [(problem.field, problem.rule, problem.text) for problem in found]


def test_every_fault_of_a_hand_is_named_at_once() -> None:
    assert faults(PARTNERSHIP, 8, "6 nil 1", (2, 1), cards=14, dealer=4, trump="stars") == [
        ("cards", "ba.partnership.schedule", "The next deal has 5 cards each; 14 cannot be dealt."),
        ("bids", "ba.partnership", f"With 5 cards {OFFERED}"),
        ("bids", "ba.partnership", f"“nil” is not a bid here. With 5 cards {OFFERED}"),
        ("bids", "ba.partnership", "4 bids are needed, one per seat; there are 3."),
        ("tricks", "ba.partnership", "5 tricks were played, but 3 are written down."),
        ("dealer", "ba.partnership", "The dealer is a seat from 0 to 3."),
        ("trump", "ba.partnership", "“stars” is not a suit. Trumps are clubs, diamonds, hearts, spades or none."),
    ]


def test_boards_are_not_compared_where_more_bids_are_written_than_seats() -> None:
    assert faults(PARTNERSHIP, 8, "double-board 1 1 1 1", (5, 0)) == [
        ("bids", "ba.partnership", "4 bids are needed, one per seat; there are 5.")
    ]


def test_board_faults_with_a_seat_beyond_the_table_as_dealer_are_both_named() -> None:
    assert [fault[0] for fault in faults(PARTNERSHIP, 8, "double-board 1 1 1", (5, 0, 0, 0), dealer=9)] == [
        "bids",
        "dealer",
    ]


BOARDS = [
    (PARTNERSHIP, 8, "board board pass pass", None, []),
    (PARTNERSHIP, 8, "board board pass pass", 3, []),
    (PARTNERSHIP, 8, "board pass board pass", None, []),
    (PARTNERSHIP, 8, "board triple-board pass pass", None, [ORDER]),
    (PARTNERSHIP, 8, "board board double-board pass", None, [ORDER]),
    (PARTNERSHIP, 8, "double-board pass board pass", 3, [OTHER_ORDER]),
    (PARTNERSHIP, 8, "double-board pass board pass", 0, []),
    (RAISES, 8, "board pass double-board board", None, []),
    (RAISES, 8, "double-board board pass pass", None, [RAISE]),
    (RAISES, 8, "board pass board pass", None, []),
    (RAISES, 8, "board board board double-board", None, []),
    (RAISES, 8, "double-board pass double-board pass", None, [RAISE]),
    (HIGH_TWO, 0, "board pass pass pass", None, [NO_ONE]),
    (HIGH_TWO, 0, "board pass pass 1", 3, [OTHER_ORDER]),
    (HIGH_TWO, 0, "1 board pass double-board", 3, []),
    (HIGH_TWO, 0, "1 board pass board", None, []),
    (HIGH_TWO, 0, "board pass board 1", None, []),
    (HIGH_TWO, 0, "board pass board 1", 2, []),
    (HIGH_TWO, 0, "1 1 pass pass", 2, []),
    (INDIVIDUAL, 8, "board board 5 pass", None, []),
]


@pytest.mark.parametrize(("rules", "hands", "bids", "dealer", "texts"), BOARDS)
def test_boards_of_a_hand_are_checked_together(
    rules: Rules, hands: int, bids: str, dealer: int | None, texts: list[str]
) -> None:
    cards = plan(rules)[hands]
    found = faults(rules, hands, bids, (cards, 0, 0, 0), dealer=dealer)
    assert [text for _, _, text in found] == texts


SIXES = [
    ("first-six 1 1 1", (6, 1, 1, 1), True, []),
    ("first-six 1 1 1", (5, 2, 1, 1), False, []),
    ("first-six 1 1 1", (4, 3, 1, 1), True, ["The bidders of the first six took fewer than six tricks."]),
    ("first-six 1 1 1", (8, 0, 1, 0), False, ["A side that took every trick took the first six."]),
    ("first-six 1 1 1", (5, 2, 1, 1), None, ["First six bid: were all six won? Yes or no."]),
    ("first-six 1 board 1", (5, 2, 1, 1), False, ["A side bids the first six tricks or a board, not both."]),
    ("first-six first-six 1 1", (6, 1, 1, 1), True, []),
    ("2 1 1 1", (5, 2, 1, 1), True, ["Nobody bid the first six tricks."]),
    ("2 1 1 1", (5, 2, 1, 1), False, []),
]


@pytest.mark.parametrize(("bids", "tricks", "won", "texts"), SIXES)
def test_first_six_fits_tricks_and_bids(bids: str, tricks: tuple[int, ...], won: bool | None, texts: list[str]) -> None:
    found = faults(FIRST_SIX, 4, bids, tricks, first_six=won)
    assert [text for _, _, text in found] == texts


def test_first_six_by_both_sides_with_six_tricks_each_cannot_be_told() -> None:
    found = faults(FIRST_SIX, 1, "first-six first-six 1 1", (6, 6, 0, 0), first_six=True)
    assert [fault[0] for fault in found] == ["first_six"]


@pytest.mark.parametrize("tricks", [(), (0, 0, 0, 0), (0, 0), (4, 3, 3, 3), (7, 6)])
def test_hand_of_passes_needs_no_tricks(tricks: tuple[int, ...]) -> None:
    assert faults(PARTNERSHIP, 0, "pass pass pass pass", tricks) == []


def test_plain_rainbow_beside_four_passes_is_thrown_in() -> None:
    plain = with_options(PARTNERSHIP, {"rainbow_plain": True})
    assert faults(plain, 9, "rainbow pass pass pass", (0, 0, 0, 0)) == []
    lines, after = GAME.score_entry(plain, at(plain, 9), TrickHand(("rainbow", "pass", "pass", "pass"), ()))
    assert (lines, after) == ((), at(plain, 9)._replace(deals=10))


def test_thrown_in_hand_is_dealt_again_by_the_same_player_where_the_sheet_says_so() -> None:
    hand, void = TrickHand(("pass",) * 4, ()), Void("all-pass")
    for entry in (hand, void):
        assert GAME.score_entry(INDIVIDUAL, at(INDIVIDUAL, 3), entry) == ((), at(INDIVIDUAL, 3))
        assert GAME.score_entry(PARTNERSHIP, at(PARTNERSHIP, 3), entry)[1].deals == 4
    assert GAME.score_entry(PARTNERSHIP, at(PARTNERSHIP, 3), Void("misdeal"))[1].deals == 3
    played = GAME.score_entry(PARTNERSHIP, at(PARTNERSHIP, 8), TrickHand(("1", "1", "1", "1"), (3, 2)))[1]
    assert (played.hands, played.deals) == (9, 9)


VOIDS = [
    (with_options(PARTNERSHIP, {"redeal_demand": True}), 7, "redeal_demand", []),
    (with_options(PARTNERSHIP, {"redeal_demand": True}), 8, "Redeal demand", ["ba.var.redeal_demand"]),
    (PARTNERSHIP, 0, "ba.var.redeal_demand", ["ba.var.redeal_demand"]),
    (HIGH_TWO, 6, "ba.high_two.redeal", []),
    (HIGH_TWO, 5, "ba.high_two.redeal", ["ba.high_two.redeal"]),
    (ALL, 0, "ba.high_two.redeal", ["ba.high_two.redeal"]),
    (ALL, 0, "", []),
]


@pytest.mark.parametrize(("rules", "hands", "rule", "cited"), VOIDS)
def test_redeal_needs_the_sheet_and_the_cards(rules: Rules, hands: int, rule: str, cited: list[str]) -> None:
    assert [problem.rule for problem in problems(rules, at(rules, hands), Void(rule))] == cited
    offered = [choice.rule for choice in GAME.void_choices(rules) if choice.rule == "ba.var.redeal_demand"]
    assert len(offered) == rules.redeal_demand


def test_game_carried_on_after_its_last_deal_is_over() -> None:
    carry = GAME.closed(INDIVIDUAL, at(INDIVIDUAL, 13)._replace(hands=14, scores=BySide((1, 2, 3, 4))))
    assert problems(INDIVIDUAL, carry, Time())[0].rule == "ba.individual"
    after = GAME.score_entry(INDIVIDUAL, carry, Adjustment((0, 0, 0, 0), (), "", "none"))[1]
    assert after.verdict is not None and after.verdict.winner == 3


LENGTHS = [
    (PARTNERSHIP, {}, 2, (26, 13, 13)),
    (PARTNERSHIP, {"one_card_deals": 1}, 2, (25, 13, 13)),
    (PARTNERSHIP, {"deals": 25}, 2, (25, 13, 13)),
    (PARTNERSHIP, {"way_back": False}, 2, (13, 13, 1)),
    (PARTNERSHIP, {"reduced": True}, 2, (20, 10, 10)),
    (PARTNERSHIP, {"fixed_deal": 10}, 2, (26, 10, 10)),
    (PARTNERSHIP, {"fixed_deal": 10, "deals": 40}, 2, (40, 10, 10)),
    (PARTNERSHIP, {"deals": 6}, 2, (6, 13, 8)),
    (PARTNERSHIP, {"most_cards": 7}, 2, (14, 7, 7)),
    (PARTNERSHIP, {}, 3, (26, 13, 13)),
    (PARTNERSHIP, {}, 4, (26, 13, 13)),
    (PARTNERSHIP, {}, 5, (20, 10, 10)),
    (PARTNERSHIP, {"players": 6}, 2, (16, 8, 8)),
    (PARTNERSHIP, {"players": 6, "reduced": True}, 3, (12, 6, 6)),
    (ALL, {}, 2, (26, 13, 13)),
    (HIGH_TWO, {}, 2, (26, 1, 1)),
    (INDIVIDUAL, {}, 2, (14, 13, 1)),
    (OH_HELL_18, {}, 3, (18, 9, 9)),
    (KOREAN_WAR_26, {}, 4, (26, 13, 13)),
    (WILD_CARDS, {}, 4, (14, 13, 1)),
]


@pytest.mark.parametrize(("rules", "options", "sides", "length"), LENGTHS)
def test_schedule_has_its_deals(
    rules: Rules, options: dict[str, object], sides: int, length: tuple[int, int, int]
) -> None:
    cards = plan(with_options(GAME.for_sides(rules, sides), options))
    assert (len(cards), cards[0], cards[-1]) == length


def test_games_have_a_planned_number_of_hands() -> None:
    assert [GAME.hands_planned(sheet.rules) for sheet in GAME.sheets] == [26, 26, 26, 14, 18, 26, 14]


SEATS = [
    (PARTNERSHIP, {}, 2, (4, 2)),
    (PARTNERSHIP, {}, 3, (3, 3)),
    (PARTNERSHIP, {}, 4, (4, 4)),
    (PARTNERSHIP, {}, 6, (4, 2)),
    (PARTNERSHIP, {"players": 4}, 2, (4, 2)),
    (PARTNERSHIP, {"players": 4}, 4, (4, 4)),
    (PARTNERSHIP, {"players": 5}, 2, (5, 5)),
    (PARTNERSHIP, {"players": 6}, 2, (6, 2)),
    (PARTNERSHIP, {"players": 6}, 3, (6, 3)),
    (PARTNERSHIP, {"players": 6, "sides": 3}, 2, (6, 3)),
    (PARTNERSHIP, {"sides": 4}, 2, (4, 4)),
    (PARTNERSHIP, {"sides": 3}, 2, (3, 3)),
    (HIGH_TWO, {}, 4, (4, 2)),
    (INDIVIDUAL, {}, 2, (2, 2)),
    (INDIVIDUAL, {}, 5, (4, 4)),
]


@pytest.mark.parametrize(("rules", "options", "sides", "seating"), SEATS)
def test_table_is_seated_by_the_sides_that_are_named(
    rules: Rules, options: dict[str, object], sides: int, seating: tuple[int, int]
) -> None:
    assert GAME.seating(with_options(GAME.for_sides(rules, sides), options)) == seating


@pytest.mark.parametrize(("players", "sides"), [(6, 4), (6, 5), (4, 3), (5, 4), (3, 5)])
def test_players_who_do_not_make_so_many_sides_are_refused(players: int, sides: int) -> None:
    _, refused = choose(PARTNERSHIP, {"players": players, "sides": sides})
    assert refused == (Problem("options.players", "", f"{players} players do not make {sides} sides."),)


@pytest.mark.parametrize(("sides", "players"), [(5, 5), (2, 6), (3, 6)])
def test_fifth_board_at_a_large_table_is_refused(sides: int, players: int) -> None:
    rules = with_options(GAME.for_sides(PARTNERSHIP, sides), {"players": players})
    boards, tricks = "board " * players, (5, *(0,) * (sides - 1))
    full = [("bids", "ba.partnership.board", FULL)]
    assert faults(rules, 3, boards, tricks, cards=5) == full
    assert faults(rules, 3, f"pass {boards[6:]}", tricks, cards=5) == (full if players == 6 else [])


def test_hand_that_all_passed_still_needs_a_bid_of_everybody() -> None:
    assert [fault[0] for fault in faults(PARTNERSHIP, 8, "pass pass pass", ())] == ["bids"]


def test_next_hand_tells_dealer_cards_and_bids() -> None:
    bids = ("pass", "1", "board", "double-board", "triple-board", "quadruple-board")
    carry = at(PARTNERSHIP, 11)._replace(deals=14)
    assert told(next_hand(PARTNERSHIP, carry)) == (12, 2, 2, "seat", (bids,) * 4, "side", "")


@pytest.mark.parametrize(
    ("rules", "hands", "tricks_by"),
    [
        (with_options(PARTNERSHIP, {"rainbow4": True}), 9, "seat"),
        (with_options(PARTNERSHIP, {"rainbow4": True}), 8, "side"),
        (with_options(PARTNERSHIP, {"rainbow_plain": True}), 9, "side"),
        (HIGH_TWO, 5, "seat"),
        (INDIVIDUAL, 5, "seat"),
    ],
)
def test_next_hand_asks_for_own_tricks_where_they_decide(rules: Rules, hands: int, tricks_by: str) -> None:
    assert told(next_hand(rules, at(rules, hands)))[5] == tricks_by


def test_next_hand_says_when_it_is_blind_or_decides() -> None:
    blind = with_options(PARTNERSHIP, {"blind": True})
    assert next_hand(blind, at(blind, 6)).note == "Bid blind: nobody looks at the cards before the bids are written."
    more = replace(PARTNERSHIP, level_end="one-more-hand")
    decider = next_hand(more, at(more, 26))
    assert (decider.number, decider.cards) == (27, 13)
    assert decider.note == "The totals are tied: this hand decides the game and scores nothing."


PASSED = "All passed: the hand is thrown in, and no tricks are played."
NOT_BOTH = "A side bids the first six tricks or a board, not both."


@pytest.mark.parametrize(
    ("rules", "bids", "sentences"),
    [
        (PARTNERSHIP, "1 2 pass 3", []),
        (PARTNERSHIP, "double-board 2 pass 3", [ORDER]),
        (PARTNERSHIP, "pass pass pass pass", [PASSED]),
        (FIRST_SIX, "first-six 1 board 1", [NOT_BOTH]),
        (FIRST_SIX, "first-six 1 2 1", []),
        (RAISES, "board double-board pass 1", [RAISE]),
        (PARTNERSHIP, "nil 2 pass 3", None),
        (PARTNERSHIP, "1 2 3", []),
    ],
)
def test_bids_are_judged_before_a_card_is_played(rules: Any, bids: str, sentences: list[str] | None) -> None:
    facts = {"entry": "hand", "bids": bids.split(), "first_six": True, "tricks": [13, 0]}
    problems = GAME.bid_problems(rules, at(rules, 4), facts)
    assert {problem.field for problem in problems} <= {"bids"}
    assert sentences is None or [problem.text for problem in problems] == sentences
    assert len(problems) == (1 if sentences is None else len(sentences))
