"""Made, set or lost: scoring gives one word for each side and hand, in every game."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from scoring.document import all_sheets, find_game, find_sheet, read_document, score_document
from scoring.game import BAGS, BOSTONS, SETS, Choice
from scoring.ledger import KINDS, BySide, HandResult, Problem, required, start
from scoring.options import choose, describe
from scoring.tricks import (
    TrickHand,
    charge_sets,
    read_trick_hand,
    shape_problems,
)
from tests.scoring.examples import values


def results(
    sheet: str, *entries: dict[str, Any], sides: int = 2, opening: Any = None, options: Any = None
) -> tuple[tuple[str, ...], str, str]:
    """Return the result of the last entry."""
    facts = {"sheet": sheet, "sides": list("ABCD"[:sides]), "options": options or {}, "opening": opening}
    document = read_document(facts | {"entries": list(entries)})
    card = score_document(document)
    carry = card.steps[-2].carry if len(card.steps) > 1 else document.carry
    nothing = HandResult(BySide.each(sides, ""))
    found = document.game.scored(document.rules, carry, card.steps[-1].entry).result or nothing
    assert {line.kind for step in card.steps for line in step.lines} <= set(KINDS)
    return tuple(found.words), found.note, found.rule


def hand(**facts: Any) -> dict[str, Any]:
    return {"entry": "hand", **facts}


TOURNAMENT, PARTNERS = "bid_whist/no-kitty-2021", "back_alley/partnership"
RULING = {"entry": "ruling"}
RENEGE = RULING | {"rule": "bw.renege", "choice": "renege", "bidder": 0, "bid": "4"}
ONE_CARD = hand(cards=1, bids=["1", "board", "pass", "pass"], tricks=[0, 0, 1, 0])


@pytest.mark.parametrize(
    ("sheet", "entry", "words"),
    [
        ("bid_whist/no-kitty-2021", hand(bidder=1, bid="3", books=9), ("", "made")),
        ("bid_whist/no-kitty-2021", hand(bidder=0, bid="3-no", books=8), ("set", "")),
        ("bid_whist/52-card", hand(bidder=0, bid="5", books=6), ("set", "")),
        (TOURNAMENT, RULING | {"rule": "32", "side": 0, "choice": "set", "bidder": 1, "bid": "2"}, ("set", "")),
        (
            TOURNAMENT,
            RULING | {"rule": "35", "side": 1, "choice": "take-points", "bidder": 0, "bid": "2"},
            ("made", ""),
        ),
        ("bid_whist/standard", RENEGE | {"side": 0, "books": 10}, ("set", "")),
        ("bid_whist/standard", RENEGE | {"side": 1, "books": 8}, ("made", "")),
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
        ("back_alley/high-two", ONE_CARD, ("set", "set")),
        ("back_alley/partnership", {"entry": "void", "rule": "misdeal"}, ("", "")),
    ],
)
def test_a_side_made_or_set_its_bid_or_bid_nothing(sheet: str, entry: dict[str, Any], words: tuple[str, ...]) -> None:
    assert results(sheet, entry) == (words, "", "")


BAGS_OF_EIGHT = {"opening": {"scores": [100, 100], "bags": [8, 0], "hands": 3}}
RAINBOW = {"options": {"rainbow4": True}, "opening": {"scores": [1, 0], "hands": 9}}
BLIND = {"options": {"blind": True}, "opening": {"scores": [1, 0], "hands": 6}}


@pytest.mark.parametrize(
    ("sheet", "entry", "given", "words"),
    [
        ("spades/standard", hand(bids=["1", "4", "1", "3"], tricks=[4, 4, 2, 3]), BAGS_OF_EIGHT, ("made", "made")),
        (
            PARTNERS,
            hand(cards=4, bids=["rainbow", "1", "pass", "pass"], tricks=[0, 1, 2, 1]),
            RAINBOW,
            ("lost", "made"),
        ),
        (PARTNERS, hand(cards=7, bids=["pass", "2", "pass", "2"], tricks=[3, 4]), BLIND, ("", "made")),
    ],
)
def test_who_pays_for_bags_made_a_bid_a_failed_rainbow_is_no_set_and_to_pass_blind_is_no_bid(
    sheet: str, entry: dict[str, Any], given: Any, words: tuple[str, ...]
) -> None:
    assert results(sheet, entry, **given) == (words, "", "")


SPADES, SHORT = hand(bids=["6", "5"], tricks=[7, 6]), hand(bids=["6", "5"], tricks=[5, 8])
FOUR = hand(bidder=0, bid="4", books=8)
SET_BY_RULING = RULING | {"rule": "missing-cards", "side": 0, "choice": "set", "line": 1}
ASIDE = (("", ""), "set aside: the game was over before this hand", "sets")


@pytest.mark.parametrize(
    ("sheet", "options", "entries", "last"),
    [
        ("spades/jokers", {}, [SPADES, SET_BY_RULING], (("set", "made"), "", "")),
        ("spades/jokers", {"set_limit": 2}, [SPADES, SHORT, SPADES, SET_BY_RULING], ASIDE),
        (
            TOURNAMENT,
            {},
            [FOUR, RULING | {"rule": "41", "side": 1, "choice": "game", "line": 1}],
            (("set", ""), "", ""),
        ),
        (
            TOURNAMENT,
            {},
            [FOUR, RULING | {"rule": "35", "side": 1, "choice": "take-points", "line": 1}],
            (("made", ""), "", ""),
        ),
    ],
)
def test_the_last_hand_says_what_its_ruling_made_of_it(sheet: str, options: Any, entries: Any, last: Any) -> None:
    document = read_document({"sheet": sheet, "sides": ["A", "B"], "options": options, "entries": entries})
    *hands, ruling = document.game.laid(document.rules, document.carry, document.entries)
    carry, result = document.carry, None
    for entry in hands:
        _, carry, result = document.game.scored(document.rules, carry, entry)
    assert (tuple(required(result).words), required(result).note, required(result).rule) == last
    assert document.game.scored(document.rules, carry, ruling) == ((), carry, None)


THROWN_IN = "all passed: thrown in, the {} player deals"
ALL_PASS = "ba.partnership.allpass"


@pytest.mark.parametrize(
    ("sheet", "sides", "cards", "note", "rule"),
    [
        (PARTNERS, 2, 13, f"{THROWN_IN.format('next')} 13 cards", ALL_PASS),
        ("back_alley/individual", 4, 13, f"{THROWN_IN.format('same')} again: 13 cards", "ba.individual"),
        ("back_alley/high-two", 2, 1, f"{THROWN_IN.format('next')} 1 card", ALL_PASS),
        ("okinawa/standard", 2, 5, f"{THROWN_IN.format('next')} 5 cards", "all-pass"),
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


def test_who_bid_nothing_stays_in_the_row_of_sets() -> None:
    once = charge_sets(start(2), BySide(("set", "made")))
    nothing_bid = charge_sets(once, BySide(("", "set")))
    assert (nothing_bid.sets, nothing_bid.sets_running) == (BySide((1, 1)), BySide((1, 1)))


# What all games share: a value per side, and the fold.
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


# What every sheet asks of its first hands: a field for each thing that is written down, in the order of asking.
SHEETS = {sheet.key: (game, sheet.rules) for game, sheet in all_sheets()}
AUCTION = ("seat", "bid", "books", "trump")
# By game, or by a sheet that differs from its game; a first hand asks for no other fields. Games that are not listed
# test this themselves.
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
    if game.key in ASKED:
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
        assert bool(field.offered()) == (field.layout != "seats"), "the demo's player chooses among the answers"
        assert due.field(field.key) == field
        assert set(due.choices(field.key)) == {one for offered in field.choices for one in offered}
    assert (due.field("weather"), due.choices("weather")) == (None, ())


def test_a_bid_says_from_which_number_of_books_it_is_made() -> None:
    game, rules = SHEETS["bid_whist/no-kitty-2021"]
    bid = game.next_hand(rules, game.begin(rules)).field("bid")
    assert bid is not None
    four = [choice for choice in bid.offered() if choice.made_from == 10]
    assert four == [
        Choice("4", "4", "4", "straight", made_from=10),
        Choice("4-special", "4-Special", "4\u00a0S", "special", made_from=10),
        Choice("4-no", "4-No", "4\u00a0No", "no", made_from=10),
    ]


@pytest.mark.parametrize(
    ("sheet", "kinds", "fours"),
    [
        ("no-kitty-2021", "U Straight, S Special, N No", "4, 4-Special, 4-No"),
        ("standard", "U Uptown, L Downtown, N No trump", "4 uptown, 4 downtown, 4 no trump"),
        ("52-card", "U Uptown, L Downtown, N No trump", "4 uptown, 4 downtown, 4 no trump"),
        ("boston-parr", "T Trumps, N No trump", "4, 4 no trump"),
        ("cincinnati", "U Normal, S Special, N No", "4, 4-Special, 4-No"),
        ("rhode-island", "T Trumps, N No trump", "4, 4 no trump"),
        ("hawaii", "T Trumps, N No trump", "4, 4 no trump"),
        ("marathon", "U Uptown, L Downtown, N No trump", "4 uptown, 4 downtown, 4 no trump"),
    ],
)
def test_bids_are_called_as_the_players_of_each_sheet_call_them(sheet: str, kinds: str, fours: str) -> None:
    game, rules = SHEETS[f"bid_whist/{sheet}"]
    bid = required(game.next_hand(rules, game.begin(rules)).field("bid"))
    assert ", ".join(f"{row.letter} {row.words}" for row in bid.rows) == kinds
    assert ", ".join(choice.words for choice in bid.offered() if choice.made_from == 10) == fours
    special = "Special" in kinds
    options = " ".join(f"{option.title} {option.words}" for option in describe(rules))
    assert "{" not in options and (special or not re.search(r"pecial|Straight|straight|\bNo\b", options))


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
    assert [SETS.plain(count) for count in range(3)] == ["no sets", "1 set", "2 sets"]
    assert [BAGS.plain(count) for count in range(3)] == ["no bags", "1 bag", "2 bags"]
    rules = find_sheet("spades/standard").rules
    begin = find_game("spades").begin(rules)
    after = begin._replace(bags=BySide((0, 2)), bostons=BySide((1, 0)))
    assert [counter.words(rules, after, side) for counter in (BAGS, BOSTONS) for side in (0, 1)] == [
        "",
        "2 bags",
        "★ Boston",
        "",
    ]


@pytest.mark.parametrize(
    ("key", "options", "sets", "running", "words"),
    [
        ("spades/standard", {}, 1, 1, ""),
        ("spades/two-sets", {}, 0, 0, "no sets"),
        ("spades/two-sets", {}, 1, 0, "1 set of 2"),
        ("spades/new-york", {}, 3, 1, "1 of 2 in a row"),
        ("spades/new-york", {}, 3, 0, "no sets in a row"),
        ("spades/overtime", {}, 2, 1, "2 sets of 3, 1 of 2 in a row"),
        ("spades/overtime", {}, 2, 0, "2 sets of 3"),
        ("bid_whist/no-kitty-2021", {}, 1, 1, "1 set of 2"),
        ("bid_whist/no-kitty-2021", {"sets_consecutive": True}, 1, 1, "1 of 2 in a row"),
        ("bid_whist/no-kitty-2021", {"set_limit": None}, 2, 2, ""),
        ("okinawa/standard", {"set_limit": 3}, 2, 1, "2 sets of 3"),
    ],
)
def test_sets_are_said_with_what_they_end_and_not_where_they_end_nothing(
    key: str, options: dict[str, Any], sets: int, running: int, words: str
) -> None:
    game, rules = SHEETS[key]
    rules = replace(rules, **options)
    after = game.begin(rules)
    sides = len(after.sets)
    after = after._replace(sets=BySide((sets,) * sides), sets_running=BySide((running,) * sides))
    assert SETS.words(rules, after, 0) == words


def test_a_sheet_has_room_for_what_its_fullest_hand_asks() -> None:
    for key, kept in (("spades/new-york", ["cards", "bids", "tricks"]), ("bid_whist/hawaii", list(AUCTION))):
        game, rules = SHEETS[key]
        assert [field.key for field in game.columns(rules)] == kept
