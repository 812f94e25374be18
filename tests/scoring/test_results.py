"""Made, set or lost: one word a side and hand, said by scoring for every game."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.decisions import Schedule, close_schedule, decide
from scoring.document import all_sheets, find_game, find_sheet, read_document, score_document
from scoring.game import BAGS, BOSTONS, SETS, Choice, Row, game_points
from scoring.ledger import KINDS, BySide, Carry, Line, Problem, Verdict, required, start
from scoring.options import EventRules, choose
from scoring.tricks import (
    TrickHand,
    by_side,
    charge_sets,
    contract_line,
    read_trick_hand,
    shape_problems,
)
from tests.scoring.examples import values


def results(
    sheet: str, *entries: dict[str, Any], sides: int = 2, opening: Any = None, options: Any = None
) -> tuple[tuple[str, ...], str, str]:
    """The result of the last of some entries."""
    document = read_document(
        {
            "sheet": sheet,
            "sides": list("ABCD"[:sides]),
            "options": options or {},
            "opening": opening,
            "entries": list(entries),
        }
    )
    card = score_document(document)
    carry = card.steps[-2].carry if len(card.steps) > 1 else document.carry
    found = document.game.result(document.rules, carry, card.steps[-1].entry)
    assert {line.kind for step in card.steps for line in step.lines} <= set(KINDS)
    return tuple(found.words), found.note, found.rule


def hand(**facts: Any) -> dict[str, Any]:
    return {"entry": "hand", **facts}


@pytest.mark.parametrize(
    ("sheet", "entry", "words"),
    [
        ("bid_whist/no-kitty-2021", hand(bidder=1, bid="3", books=9), ("", "made")),
        ("bid_whist/no-kitty-2021", hand(bidder=0, bid="3-no", books=8), ("set", "")),
        ("bid_whist/52-card", hand(bidder=0, bid="5", books=6), ("set", "")),
        (
            "bid_whist/no-kitty-2021",
            {"entry": "ruling", "rule": "32", "side": 0, "choice": "set", "bidder": 1, "bid": "2"},
            ("set", ""),
        ),
        (
            "bid_whist/no-kitty-2021",
            {"entry": "ruling", "rule": "35", "side": 1, "choice": "take-points", "bidder": 0, "bid": "2"},
            ("made", ""),
        ),
        (
            "bid_whist/standard",
            {
                "entry": "ruling",
                "rule": "bw.renege",
                "choice": "renege",
                "side": 0,
                "bidder": 0,
                "bid": "4",
                "books": 10,
            },
            ("set", ""),
        ),
        (
            "bid_whist/standard",
            {
                "entry": "ruling",
                "rule": "bw.renege",
                "choice": "renege",
                "side": 1,
                "bidder": 0,
                "bid": "4",
                "books": 8,
            },
            ("made", ""),
        ),
        ("bid_whist/no-kitty-2021", {"entry": "ruling", "rule": "41", "side": 1, "choice": "game"}, ("", "")),
        ("bid_whist/no-kitty-2021", {"entry": "void", "rule": "17"}, ("", "")),
        ("spades/standard", hand(bids=["4", "3", "3", "2"], tricks=[4, 3, 2, 4]), ("set", "made")),
        ("spades/standard", hand(bids=["nil", "4", "4", "3"], tricks=[0, 4, 5, 4]), ("made", "made")),
        ("spades/standard", hand(bids=["nil", "4", "4", "3"], tricks=[2, 4, 4, 3]), ("lost", "made")),
        ("spades/standard", hand(bids=["nil", "4", "4", "3"], tricks=[2, 4, 3, 4]), ("set", "made")),
        ("spades/standard", hand(bids=["nil", "4", "nil", "3"], tricks=[1, 4, 0, 8]), ("lost", "made")),
        ("spades/standard", {"entry": "void", "rule": "misdeal"}, ("", "")),
        ("spades/new-york", hand(bids=[], tricks=[6, 7]), ("", "")),
        ("okinawa/standard", hand(bids=["2", "pass", "1", "pass"], tricks=[3, 2]), ("made", "")),
        ("okinawa/standard", hand(bids=["okinawa", "1", "pass", "2"], tricks=[4, 1]), ("set", "set")),
        ("okinawa/standard", {"entry": "void", "rule": "misdeal"}, ("", "")),
        ("back_alley/partnership", hand(cards=13, bids=["4", "pass", "2", "pass"], tricks=[7, 6]), ("made", "")),
        ("back_alley/partnership", hand(cards=13, bids=["4", "board", "2", "pass"], tricks=[7, 6]), ("made", "set")),
        (
            "back_alley/high-two",
            hand(cards=1, bids=["1", "board", "pass", "pass"], tricks=[0, 0, 1, 0]),
            ("set", "set"),
        ),
        ("back_alley/partnership", {"entry": "void", "rule": "misdeal"}, ("", "")),
    ],
)
def test_a_side_made_or_set_its_bid_or_bid_nothing(sheet: str, entry: dict[str, Any], words: tuple[str, ...]) -> None:
    assert results(sheet, entry) == (words, "", "")


def test_a_side_that_pays_for_its_bags_made_its_bid() -> None:
    entry = hand(bids=["1", "4", "1", "3"], tricks=[4, 4, 2, 3])
    opening = {"scores": [100, 100], "bags": [8, 0], "hands": 3}
    assert results("spades/standard", entry, opening=opening) == (("made", "made"), "", "")


def test_a_rainbow_that_fails_is_lost_and_no_set() -> None:
    entry = hand(cards=4, bids=["rainbow", "1", "pass", "pass"], tricks=[0, 1, 2, 1])
    given: dict[str, Any] = {"options": {"rainbow4": True}, "opening": {"scores": [1, 0], "hands": 9}}
    assert results("back_alley/partnership", entry, **given) == (("lost", "made"), "", "")


def test_a_side_that_passed_blind_bid_nothing() -> None:
    entry = hand(cards=7, bids=["pass", "2", "pass", "2"], tricks=[3, 4])
    given: dict[str, Any] = {"options": {"blind": True}, "opening": {"scores": [1, 0], "hands": 6}}
    assert results("back_alley/partnership", entry, **given) == (("", "made"), "", "")


@pytest.mark.parametrize(
    ("sheet", "sides", "cards", "note", "rule"),
    [
        (
            "back_alley/partnership",
            2,
            13,
            "all passed: thrown in, the next player deals 13 cards",
            "ba.partnership.allpass",
        ),
        (
            "back_alley/individual",
            4,
            13,
            "all passed: thrown in, the same player deals again: 13 cards",
            "ba.individual",
        ),
        ("okinawa/standard", 2, 5, "all passed: thrown in, the next player deals 5 cards", "all-pass"),
    ],
)
def test_a_hand_that_all_passed_says_who_deals_again(sheet: str, sides: int, cards: int, note: str, rule: str) -> None:
    entry = hand(cards=cards, bids=["pass"] * 4)
    assert results(sheet, entry, sides=sides) == (("",) * sides, note, rule)


# The hand of the bid-and-make games: read strictly, written back, counted by side.
FULL = TrickHand(("blind-nil", "3"), (4, 9), 13, False, 0, ("pass", "3"), "no-trump")
FACTS = {
    "entry": "hand",
    "cards": 13,
    "bids": ["Blind Nil", 3],
    "tricks": [4, 9],
    "first_six": False,
    "dealer": 0,
    "auction": [" Pass", "3"],
    "trump": "No_Trump",
}


def test_hand_is_read_in_any_spelling() -> None:
    assert read_trick_hand(FACTS) == (FULL, ())


@pytest.mark.parametrize(
    "facts, fields",
    [
        ({}, ["bids", "tricks"]),
        ({"bids": "3", "tricks": 4}, ["bids", "tricks"]),
        ({"bids": ["3", True], "tricks": [4, 9.5]}, ["bids", "tricks"]),
        ({"bids": ["3"], "tricks": [4], "cards": "x", "first_six": 1, "books": 3}, ["books", "cards", "first_six"]),
    ],
)
def test_hand_with_faults_of_form_names_each_field(facts: dict[str, object], fields: list[str]) -> None:
    hand, problems = read_trick_hand({"entry": "hand"} | facts)
    assert (hand, [problem.field for problem in problems]) == (None, fields)


def test_values_are_added_up_by_side() -> None:
    assert by_side((1, 2, 3, 4), 2) == BySide((4, 6))
    assert by_side((1, 2, 3, 4, 5, 6), 3) == BySide((5, 7, 9))
    assert by_side((7, 6), 2) == BySide((7, 6))


@pytest.mark.parametrize(
    "hand, by_team, own, expected",
    [
        (TrickHand(("1",) * 4, (3, 3, 4, 3), 13), False, True, []),
        (TrickHand(("1",) * 4, (7, 6)), False, False, []),
        (TrickHand(("1",) * 2, (7, 6)), True, False, []),
        (TrickHand(("1",) * 4, (7, 6)), False, True, ["4 numbers of tricks are needed; there are 2."]),
        (TrickHand(("1",) * 2, (7, 6)), False, False, ["4 bids are needed, one per seat; there are 2."]),
        (TrickHand(("1",) * 4, (7, 6)), True, False, ["2 bids are needed, one per side; there are 4."]),
        (TrickHand(("1",) * 4, (13, 0, 0)), False, False, ["2 or 4 numbers of tricks are needed; there are 3."]),
        (TrickHand(("1",) * 4, (7, 6), 12), False, False, ["This deal has 13 cards each, not 12."]),
        (TrickHand(("1",) * 4, (14, -1)), False, False, ["Tricks are counted from 0."]),
        (TrickHand(("1",) * 4, (7, 5)), False, False, ["13 tricks were played, but 12 are written down."]),
    ],
)
def test_shape_of_a_hand(hand: TrickHand, by_team: bool, own: bool, expected: list[str]) -> None:
    found = shape_problems(
        hand, seats=4, sides=2, cards=13, rule="sp.contract", bids_by_side=by_team, tricks_by_seat=own
    )
    assert [problem.text for problem in found] == expected
    assert all(isinstance(problem, Problem) and problem.rule == "sp.contract" for problem in found)


def test_contract_is_paid_or_lost() -> None:
    assert contract_line("r", 0, 5, 7, per_trick=10).points == 52
    assert contract_line("r", 0, 5, 5, per_trick=10, per_over=0).points == 50
    assert contract_line("r", 0, 5, 4, per_trick=10).points == -50
    assert contract_line("r", 0, 0, 3, per_trick=5).points == 3


def test_sets_are_charged_and_rows_end() -> None:
    once = charge_sets(start(2), BySide(("set", "made")))
    assert (once.sets, once.sets_running) == (BySide((1, 0)), BySide((1, 0)))
    twice = charge_sets(once, BySide(("lost", "set")))
    assert (twice.sets, twice.sets_running) == (BySide((1, 1)), BySide((0, 1)))
    nothing_bid = charge_sets(once, BySide(("", "set")))
    assert (nothing_bid.sets, nothing_bid.sets_running) == (BySide((1, 1)), BySide((1, 1)))


# The words all games share: a value per side, the fold, game points.
def test_by_side_is_changed_by_copy() -> None:
    zero = BySide.each(3, 0)
    assert (zero, zero.put(1, 4)) == ((0, 0, 0), (0, 4, 0))
    assert isinstance(zero.put(1, 4), BySide)
    with pytest.raises(IndexError):
        zero.put(3, 1)


def test_what_an_entry_must_have_said() -> None:
    assert required(0) == 0
    with pytest.raises(ValueError, match="cannot be scored"):
        required(None)


@pytest.mark.parametrize(
    ("loser_points", "verdict", "points"),
    [
        ("signed", None, (5, -2, 1)),
        ("winners-only", None, (5, -2, 1)),
        ("signed", Verdict(0, "points", "6", ""), (5, -2, 1)),
        ("zero-at-least", Verdict(0, "points", "6", ""), (5, 0, 1)),
        ("winners-only", Verdict(0, "points", "6", ""), (5, 0, 0)),
        ("zero-at-least", Verdict(1, "two-sets", "8", ""), (5, -2, 1)),
        ("winners-only", Verdict(1, "two-sets", "8", ""), (0, -2, 0)),
        ("winners-only", Verdict(None, "agreed-stop", "43", ""), (5, -2, 1)),
        ("signed", Verdict(None, "no-game", "13", ""), (0, 0, 0)),
    ],
)
def test_game_points_follow_the_option(loser_points: str, verdict: Verdict | None, points: tuple[int, ...]) -> None:
    carry = start(3)._replace(scores=BySide((5, -2, 1)), verdict=verdict)
    assert game_points(EventRules(loser_points=loser_points), carry) == points


# Games of a fixed number of deals end after the last one, or with one hand more.
ENDED = "{side 1} had the highest total after the last hand: 9."
LEVEL = "The totals were tied after the last hand: a draw."
DECIDED = "Tied when time ran out: {side 1} won the deciding hand."


def after(hands: int, *scores: int) -> Carry:
    return start(len(scores))._replace(hands=hands, scores=BySide(scores))


MORE = Schedule(13, "r", one_more=True)


def worth(*points: int) -> tuple[Line, ...]:
    return tuple(Line("r", side, points, "taken", "bid") for side, points in enumerate(points))


def test_schedule_before_the_last_deal_ends_nothing() -> None:
    assert close_schedule(Schedule(13, "r", one_more=False), after(12, 9, 4)) == after(12, 9, 4)


def test_schedule_after_the_last_deal_gives_the_game_to_the_highest_total() -> None:
    carry = close_schedule(MORE, after(13, 4, 9, 9 - 1))
    assert carry.verdict == Verdict(1, "schedule", "r", ENDED)
    assert close_schedule(MORE, carry) == carry


def test_level_schedule_is_a_draw_or_is_decided() -> None:
    drawn = close_schedule(Schedule(13, "r", one_more=False), after(13, 9, 9))
    assert drawn.verdict == Verdict(None, "schedule", "r", LEVEL)
    more = close_schedule(MORE, after(13, 9, 9))
    assert more == after(13, 9, 9)._replace(deciding=True)
    assert close_schedule(MORE, more) == more


def test_deciding_hand_is_won_among_the_leaders_only() -> None:
    carry = after(13, 9, 9, 4)._replace(deciding=True)
    decided = decide(carry, carry, worth(1, 2, 30))
    assert decided.carry == carry._replace(verdict=Verdict(1, "deciding-hand", "time", DECIDED))
    assert [line.text for line in decided.lines][:1] == ["deciding hand, worth +1 but not scored: taken"]
    assert [line.points for line in decided.lines] == [0, 0, 0]
    by_schedule = decide(carry, carry, worth(1, 2, 30), MORE).carry.verdict
    assert by_schedule == Verdict(1, "deciding-hand", "r", DECIDED.replace("when time ran out", "after the last hand"))
    in_time = decide(carry._replace(hands=12), carry, worth(1, 2, 30), MORE).carry.verdict
    assert in_time == Verdict(1, "deciding-hand", "time", DECIDED)


def test_deciding_hand_that_is_level_decides_nothing() -> None:
    carry = after(13, 9, 9, 4)._replace(deciding=True)
    assert decide(carry, carry, worth(2, 2, 30)).carry == carry


# What every sheet asks of its first hands: a field for each thing that is written down, in the order of asking.
SHEETS = {sheet.key: (game, sheet.rules) for game, sheet in all_sheets()}
AUCTION = ("seat", "bid", "books", "trump")
# By game, or by the sheet that differs from it; none of them asks more than this of a first hand.
ASKED = {
    "bid_whist": (*AUCTION, "direction"),
    "bid_whist/boston-parr": AUCTION,
    "bid_whist/rhode-island": AUCTION,
    "bid_whist/hawaii": AUCTION,
    "spades": ("cards", "bids", "tricks"),
    "spades/new-york": ("cards", "tricks"),
    "back_alley": ("cards", "bids", "tricks", "trump"),
    "okinawa": ("cards", "bids", "tricks", "auction", "trump"),
}


@pytest.mark.parametrize("key", SHEETS)
def test_every_sheet_names_the_fields_of_a_hand(key: str) -> None:
    game, rules = SHEETS[key]
    due = game.next_hand(rules, game.begin(rules))
    spades = getattr(rules, "spades_trump", False)
    known = [one for one in ASKED.get(key, ASKED[game.key]) if one != "trump" or not spades]
    assert [field.key for field in due.fields] == known
    assert [field.key for field in due.fields if not field.needed] == [
        key for key in known if key in ("trump", "direction", "auction")
    ]
    seating = game.seating(rules)
    for field in due.fields:
        assert field.label and field.short and field.heading
        assert field.everybody == (field.of in ("side", "seat"))
        assert len(field.choices) in (1, {"side": seating.sides, "seat": seating.seats}.get(field.of, 1))
        assert bool(field.offered()) == (field.layout != "seats")
        assert due.field(field.key) == field
        assert set(due.choices(field.key)) == {one for offered in field.choices for one in offered}
    assert (due.field("melds"), due.choices("melds")) == (None, ())


def test_a_bid_says_from_which_number_of_books_it_is_made() -> None:
    game, rules = SHEETS["bid_whist/no-kitty-2021"]
    bid = game.next_hand(rules, game.begin(rules)).field("bid")
    assert bid is not None
    assert list(bid.rows) == [Row("straight", "Straight"), Row("special", "Special"), Row("no", "No", "×2")]
    four = [choice for choice in bid.offered() if choice.made_from == 10]
    assert four == [
        Choice("4", "4", "4", "straight", made_from=10),
        Choice("4-special", "4-Special", "4\u00a0S", "special", made_from=10),
        Choice("4-no", "4-No", "4\u00a0No", "no", made_from=10),
    ]


@pytest.mark.parametrize(("kitty", "least"), [("bidder", "1"), ("first-trick", "0")])
def test_a_kitty_is_a_book_of_the_bidding_side(kitty: str, least: str) -> None:
    game = find_game("bid_whist")
    rules, refused = choose(find_sheet("bid_whist/standard").rules, {"kitty_goes_to": kitty})
    assert refused == ()
    books = game.next_hand(rules, game.begin(rules)).choices("books")
    assert books[0] == Choice(least, least, least)
    assert books[-1] == Choice("13", "13", "13", note="Boston")


def test_the_first_six_are_asked_for_only_where_they_may_be_bid() -> None:
    game = find_game("back_alley")
    rules, refused = choose(find_sheet("back_alley/partnership").rules, {"first_six": True})
    assert refused == ()
    begin = game.begin(rules)
    six = game.next_hand(rules, begin).field("first_six")
    assert six is not None and (six.of, six.when, values(six)) == ("hand", "first-six", ("yes", "no"))
    assert game.next_hand(rules, begin._replace(hands=8)).field("first_six") is None


def test_no_trump_suit_is_named_where_spades_always_are_or_a_bid_says_so() -> None:
    whist, alley = (find_game(key) for key in ("bid_whist", "back_alley"))
    suits = ("clubs", "diamonds", "hearts", "spades")
    for game, key, offered in (
        (whist, "bid_whist/standard", suits),
        (alley, "back_alley/partnership", (*suits, "none")),
        (find_game("okinawa"), "okinawa/standard", suits),
        (find_game("spades"), "spades/standard", ()),
    ):
        rules = find_sheet(key).rules
        due = game.next_hand(rules, game.begin(rules))
        assert tuple(choice.value for choice in due.choices("trump")) == offered


@pytest.mark.parametrize(
    ("key", "counted"),
    [
        ("bid_whist/standard", ["sets", "bostons"]),
        ("spades/standard", ["sets", "bags"]),
        ("spades/new-york", ["sets", "bostons"]),
        ("back_alley/partnership", ["sets"]),
        ("okinawa/standard", ["sets"]),
    ],
)
def test_a_sheet_says_what_it_counts_beside_the_score(key: str, counted: list[str]) -> None:
    game, rules = SHEETS[key]
    counters = game.counters(rules)
    assert [one.key for one in counters] == counted
    assert all(len(getattr(game.begin(rules), one.key)) == game.seating(rules).sides for one in counters)


def test_a_counter_says_how_many_there_are() -> None:
    assert [SETS.words(count) for count in range(3)] == ["no sets", "1 set", "2 sets"]
    assert [BAGS.words(count) for count in range(3)] == ["", "1 bag", "2 bags"]
    assert [BOSTONS.words(count) for count in range(3)] == ["", "★ Boston", "★ Boston"]


def test_a_sheet_has_room_for_what_its_fullest_hand_asks() -> None:
    for key, kept in (("spades/new-york", ["cards", "bids", "tricks"]), ("bid_whist/hawaii", list(AUCTION))):
        game, rules = SHEETS[key]
        assert [field.key for field in game.columns(rules)] == kept
