"""What every sheet asks of its first hands: a field for each thing that is written down, in the order of asking."""

from __future__ import annotations

import pytest

from scoring.document import all_sheets, find_game, find_sheet
from scoring.game import BAGS, BOSTONS, SETS, Choice, Row
from scoring.options import choose
from tests.scoring.examples import values

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
