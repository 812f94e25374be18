"""Games worked out by hand from the printed words, before the program was asked.

How they are written, openings, deals and options are here; prices are in `by_hand_prices.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Entry = dict[str, Any]
OVERTIME, NEW_YORK, TWO_SETS, JOKERS = "spades/overtime", "spades/new-york", "spades/two-sets", "spades/jokers"
PLAIN, FOUR_HANDS = "spades/standard", "spades/four-hand-tournament"
SHEET_2021, PARTNERS, OKINAWA = "bid_whist/no-kitty-2021", "back_alley/partnership", "okinawa/standard"
TIME, VOID = {"entry": "time"}, {"entry": "void"}


class Step(NamedTuple):
    """An entry and the totals after it: scores, sets and bags, written “12:-30”; bags only if they are kept."""

    entry: Entry
    scores: str
    sets: str = "0:0"
    bags: str | None = None


class End(NamedTuple):
    """Who won, how, and by which clause. The clause is left out if no printed sheet numbers it."""

    winner: int | None
    how: str
    rule: str | None = None


class Game(NamedTuple):
    """A game from its opening to the last line on the paper, with the `bostons` and the `end` there."""

    says: str
    sheet: str
    steps: tuple[Step, ...]
    end: End | None = None
    opening: Entry | None = None
    options: Entry | None = None
    bostons: str | None = None


class Refused(NamedTuple):
    """A document that is refused: the last part of the field’s name, and the entry that has the fault."""

    says: str
    sheet: str
    field: str
    entries: tuple[Entry, ...] = ()
    opening: Entry | None = None
    options: Entry | None = None
    entry: int | None = None


class Deals(NamedTuple):
    """Who deals after each entry: a seat, counted from the first dealer. `cards` are those of the next deal."""

    says: str
    sheet: str
    entries: tuple[Entry, ...]
    dealers: tuple[int, ...]
    cards: int | None = None
    options: Entry | None = None


def hand(bids: str, *tricks: int, **more: Any) -> Entry:
    """Bids by seat or by side, with “-” for an empty place; tricks by side or by seat."""
    said = ["" if bid == "-" else bid for bid in bids.split()]
    return {"entry": "hand", "bids": said, "tricks": list(tricks), **more}


def whist(bidder: int, bid: str, books: int) -> Entry:
    return {"entry": "hand", "bidder": bidder, "bid": bid, "books": books}


def ruled(rule: str, choice: str, side: int | None = None, **more: Any) -> Entry:
    at = {} if side is None else {"side": side}
    return {"entry": "ruling", "rule": rule, "choice": choice, **at, **more}


def opened(scores: str = "0:0", **more: Any) -> Entry:
    """The totals of a paper sheet: “120:80”, sets="1:0", running="0:0", reneges="1:0", hands=3."""
    names = {"running": "sets_running"}
    counts = {names.get(key, key): both(value) if isinstance(value, str) else value for key, value in more.items()}
    return {"scores": both(scores), **counts}


def both(text: str) -> list[int]:
    return [int(number) for number in text.split(":")]


SECOND_COSTS_THE_GAME = {"renege_price": "set", "second_renege": "game"}

# R1. A paper sheet is continued: every count on which an end depends.
OPENINGS = (
    Game(
        "overtime, two in a row or three in all: one set long ago and one now go on, the third in all ends it",
        OVERTIME,
        (
            Step(hand("4 3 3 2", 6, 7), "50:132", "2:0", "0:2"),  # 7 bid, 6: 120-70; 5 bid, 7: 80+50+2
            Step(hand("3 3 2 3", 7, 6), "102:192", "2:0", "2:2"),  # 5 bid, 7: 50+52; 6 bid, 6: 132+60
            Step(hand("4 3 4 2", 6, 7), "22:244", "3:0", "2:4"),  # 8 bid, 6: 102-80; 5 bid, 7: 192+52; three in all
        ),
        End(1, "sets", "sp.overtime.sets"),
        opened("120:80", sets="1:0", running="0:0", hands=3),
    ),
    Game(
        "overtime, an opening of before says sets alone: they were in a row, so the next one is the second",
        OVERTIME,
        (Step(hand("4 3 3 2", 6, 7), "50:132", "2:0", "0:2"),),  # 120-70; 80+52
        End(1, "back-to-back", "sp.overtime.sets"),
        opened("120:80", sets="1:0", hands=3),
    ),
    Game(
        "overtime, both set in one hand: one side for the second time in a row, the other after a pause",
        OVERTIME,
        (Step(hand("4 4 4 3", 7, 6), "120:140", "2:2", "0:0"),),  # 8 bid, 7: 200-80; 7 bid, 6: 210-70; the higher loses
        End(0, "back-to-back", "sp.overtime.sets"),
        opened("200:210", sets="1:1", running="0:1", hands=4),
    ),
    Game(
        "New York, one set long ago: only two in a row lose",
        NEW_YORK,
        (
            Step(hand("7 6", 6, 7), "30:150", "2:0"),  # 100-70; 6 bid, one over: 90+60
            Step(hand("5 6", 4, 9), "-20:90", "3:1"),  # 30-50; 6 bid, three over: 150-60; two in a row for one side
        ),
        End(1, "back-to-back", "sp.nyc.back_to_back"),
        opened("100:90", sets="1:0", running="0:0", hands=3),
    ),
    Game(
        "New York, two sets in all that were not in a row are no end there: the game is carried on",
        NEW_YORK,
        (Step(hand("6 5", 7, 6), "160:140", "2:0"),),  # 100+60; 90+50
        opening=opened("100:90", sets="2:0", running="0:0", hands=4),
    ),
    Game(
        "two sets: sets in all, no matter when",
        TWO_SETS,
        (Step(hand("7 6", 6, 7), "30:181", "2:0", "0:1"),),  # 100-70; 6 bid, one over: 120+61
        End(1, "two-sets", "sp.two_sets.end"),
        opened("100:120", sets="1:0", hands=2),
    ),
    Game(
        "Bid Whist, sets in a row by option: two in all go on, two in a row lose",
        SHEET_2021,
        (
            Step(whist(0, "2", 7), "0:1", "2:0"),  # 2 bid, 7: 2-2
            Step(whist(0, "2", 7), "-2:6", "3:0"),  # 0-2; 1+5
        ),
        End(1, "two-sets", "8"),
        opened("2:1", sets="1:0", running="0:0", hands=3),
        {"sets_consecutive": True},
    ),
    Game(
        "Bid Whist, sets in a row by option: a bid that is made breaks the row of the paper",
        SHEET_2021,
        (
            Step(whist(0, "1", 7), "2:1", "1:0"),  # one book above six: 1+1
            Step(whist(0, "2", 7), "0:1", "2:0"),  # 2-2; one in a row
        ),
        opening=opened("1:1", sets="1:0", running="1:0", hands=4),
        options={"sets_consecutive": True},
    ),
    Game(
        "Bid Whist, rule 8: sets in all",
        SHEET_2021,
        (Step(whist(0, "2", 7), "0:6", "2:0"),),  # 2-2; 1+5
        End(1, "two-sets", "8"),
        opened("2:1", sets="1:0", hands=3),
    ),
    Game(
        "Back Alley, two in a row or three in all: both are set, for one it is the second in a row",
        PARTNERS,
        (Step(hand("4 3 3 3", 6, 5, cards=11), "5:20", "2:2"),),  # 7 bid, 6: 40-35; 6 bid, 5: 50-30
        End(0, "back-to-back", "back-to-back"),
        opened("40:50", sets="1:1", running="0:1", hands=2),
        {"set_limit": 3, "back_to_back": 2},
    ),
    Game(
        "Okinawa, two in a row: a made bid breaks the row of the paper",
        OKINAWA,
        (
            Step(hand("2 1 1 1", 3, 3), "45:41", "2:0"),  # six cards; 3 bid, 3: 30+15; 2 bid, 3: 30+11
            Step(hand("3 1 2 1", 4, 3), "20:52", "3:0"),  # 5 bid, 4: 45-25; 2 bid, 3: 41+11
            Step(hand("3 1 2 1", 4, 4), "-5:64", "4:0"),  # 20-25; 2 bid, 4: 52+12
        ),
        End(1, "back-to-back", "back-to-back"),
        opened("30:30", sets="2:0", running="1:0", hands=5),
        {"back_to_back": 2},
    ),
    Game(
        "a renege on paper: the next of that side is its second and costs the game, the hand stands",
        JOKERS,
        (
            Step(hand("6 5", 7, 6), "161:151", "0:0", "1:1"),  # 100+61; 100+51
            Step(ruled("renege", "set", 0), "161:151", "0:0", "1:1"),
        ),
        End(1, "renege", "renege"),
        opened("100:100", reneges="1:0", hands=3),
        SECOND_COSTS_THE_GAME,
    ),
    Game(
        "Back Alley, a renege of the other side on paper: here the first of each is paid in books",
        PARTNERS,
        (
            Step(hand("3 2 3 2", 6, 4), "-30:23", "1:0"),  # ten cards; three go: 3:7; 6 bid, 3: -30; 4 bid, 7: 20+3
            Step(ruled("renege", "three-books", 0), "-30:23", "1:0"),
            Step(hand("2 2 2 2", 5, 4), "-9:43", "1:0"),  # 4 bid, 5: -30+21; 4 bid, 4: 23+20
            Step(ruled("renege", "three-books", 1), "-9:43", "1:0"),
        ),
        End(0, "renege", "renege"),
        opened(reneges="0:1", hands=3),
        {"renege_price": "three-books", "second_renege": "game"},
    ),
    Game(
        "Okinawa, one renege each on paper: no renege and a warning are none, the next one is the second",
        OKINAWA,
        (
            Step(hand("2 1 pass 1", 3, 2), "31:30"),  # 2 bid, 3: 20+11; 2 bid, 2: 20+10
            Step(ruled("renege", "no-renege", 0), "31:30"),
            Step(ruled("renege", "warning", 0), "31:30"),
            Step(ruled("renege", "set", 1), "31:30"),
        ),
        End(0, "renege", "renege"),
        opened("20:20", reneges="1:1", hands=2),
        SECOND_COSTS_THE_GAME,
    ),
    Game(
        "time was up at 240 each: the next hand decides and scores nothing",
        PLAIN,
        (Step(hand("3 2 2 3", 7, 6), "240:240"),),  # worth 52 and 51
        End(0, "deciding-hand", "time"),
        opened("240:240", deciding=True, hands=5),
    ),
    Game(
        "time was up at 240 each, and the hand counts by option",
        PLAIN,
        (Step(hand("3 2 2 3", 7, 6), "292:291", "0:0", "2:1"),),  # 240+52; 240+51
        End(0, "deciding-hand", "time"),
        opened("240:240", deciding=True, hands=5),
        {"deciding_hand": "counts"},
    ),
    Game(
        "time was up: a hand that is worth the same to both is followed by another",
        PLAIN,
        (
            Step(hand("4 4 4 4", 6, 7), "240:240", "1:1"),  # 8 bid each, both set: 80 lost by each, nothing decided
            Step(hand("3 2 2 3", 6, 7), "240:240", "1:1"),  # worth 51 and 52
        ),
        End(1, "deciding-hand", "time"),
        opened("240:240", deciding=True, hands=5),
    ),
    Game(
        "Okinawa, time was up at 50 each: set against made",
        OKINAWA,
        (Step(hand("1 2 1 1", 3, 2), "50:50", "0:1"),),  # 2 bid, 3: worth 11; 3 bid, 2: worth -15
        End(0, "deciding-hand", "time"),
        opened("50:50", deciding=True, hands=4),
    ),
    Game(
        "Bid Whist, time was up at 3 each: a made bid decides",
        SHEET_2021,
        (Step(whist(1, "2", 8), "3:3"),),  # worth 2 to the second side
        End(1, "deciding-hand", "time"),
        opened("3:3", deciding=True, hands=6),
    ),
    Game(
        "Bid Whist, time was up at 3 each: an odd decides without the five points",
        SHEET_2021,
        (Step(whist(0, "1", 6), "3:3", "1:0"),),  # worth -1 to the first side; the set is charged
        End(1, "deciding-hand", "time"),
        opened("3:3", deciding=True, hands=6),
    ),
    Game(
        "Bid Whist, one hand without points on paper: its first hand is past, nobody goes out the back door",
        SHEET_2021,
        (Step(whist(0, "5", 10), "-5:0", "1:0"),),  # 5 bid, 10: -5
        End(1, "negative", "6"),
        opened(hands=1),
    ),
    Game(
        "Bid Whist, two misdeals on paper: the first hand is still to come",
        SHEET_2021,
        (Step(whist(0, "5", 10), "-5:5", "1:0"),),  # -5; 0+5
        End(1, "backdoor", "9"),
        opened(hands=0, deals=2),
    ),
    Game(
        "a rubber of which one game is won",
        "bid_whist/boston-parr",
        (Step(whist(0, "3", 9), "12:8"),),  # nine tricks: 9+3; the others four: 4+4
        End(0, "rubber", "bw.boston_parr.rubber"),
        opened("9:4", games="1:0", hands=7),
        {"rubber_games": 2},
    ),
)

CONTRADICTIONS = (
    Refused(
        "more sets in a row than in all", OVERTIME, "sets_running", opening=opened(sets="0:0", running="1:0", hands=3)
    ),
    Refused("more sets than hands", OVERTIME, "sets", opening=opened(sets="2:0", running="0:0", hands=1)),
    Refused("fewer deals than hands", PARTNERS, "deals", opening=opened(hands=3, deals=2)),
    Refused("a hand decides at unequal scores", PLAIN, "deciding", opening=opened("240:250", deciding=True, hands=5)),
    Refused("Bid Whist, the same", SHEET_2021, "deciding", opening=opened("3:2", deciding=True, hands=5)),
    Refused("reneges below zero", JOKERS, "reneges", (), opened(reneges="-1:0", hands=3), SECOND_COSTS_THE_GAME),
    Refused("sets in a row below zero", NEW_YORK, "sets_running", opening=opened(sets="1:0", running="-1:0", hands=3)),
    Refused(
        "two in a row lost this game", NEW_YORK, "sets_running", opening=opened(sets="2:0", running="2:0", hands=4)
    ),
    Refused("three in all lost this game", OVERTIME, "opening", opening=opened(sets="3:0", running="1:0", hands=6)),
)

# R2. Who deals after a misdeal: one answer, however it is written. The first dealer is 0.
ONE = hand("5 6", 6, 7)
PASSED_ON = ruled("misdeal", "next-dealer")
MISDEAL = (
    Deals("two sets: a ruled misdeal passes the deal on", TWO_SETS, (ONE, PASSED_ON, ONE), (1, 2, 3)),
    Deals("two sets: a void hand does the same", TWO_SETS, (ONE, VOID | {"rule": "misdeal"}, ONE), (1, 2, 3)),
    Deals("two sets: a ruling of before, whose words were “the same player deals again”", TWO_SETS,
          (ONE, ruled("misdeal", "void"), ONE), (1, 1, 2)),
    Deals("two sets: two misdeals in a row pass it twice", TWO_SETS, (PASSED_ON, PASSED_ON, ONE), (1, 2, 3)),
    Deals("the basic game: the same player deals again", PLAIN,
          (hand("3 2 2 3", 7, 6), ruled("misdeal", "void")), (1, 1)),
    Deals("Back Alley by option: the next player deals, as many cards", PARTNERS,
          (hand("3 3 2 3", 7, 6), PASSED_ON), (1, 2), 12, {"misdeal_dealer": "next"}),
    Deals("Okinawa by option: the next player deals, as many cards", OKINAWA,
          (hand("2 1 pass 1", 3, 2), PASSED_ON), (1, 2), 5, {"misdeal_dealer": "next"}),
    Deals("rules 16 to 18: dealt again by the right player; rule 34 is a hand and passes the deal", SHEET_2021,
          (whist(0, "2", 8), ruled("16", "void"), ruled("17", "void"), ruled("34", "set", 0, bidder=0, bid="1-no")),
          (1, 1, 1, 2)),
)  # fmt: skip
NOT_OFFERED = (Refused("the basic game: no next dealer", PLAIN, "choice", (hand("3 2 2 3", 7, 6), PASSED_ON), entry=1),)

# R7. An option that has no effect beside the others.
IDLE_OPTIONS = (
    Refused("New York has no bags to charge", NEW_YORK, "bag_penalty", options={"bag_penalty": 50}),
    Refused("no kitty, nothing to show", SHEET_2021, "kitty_sported", options={"kitty_sported": True}),
    Refused("nobody throws up", OKINAWA, "throw_up_from", options={"throw_up": "none", "throw_up_from": 8}),
    Refused("no points for a Boston, on any bid", PLAIN, "boston_on", options={"boston_on": "bid-13"}),
    Refused("bids are blind: a blooper is burned anyway", PARTNERS, "joker_turned",
            options={"blind": True, "joker_turned": "burned"}),
    Refused("no winning score to be tied at", FOUR_HANDS, "level_at_game", options={"level_at_game": "until-broken"}),
)  # fmt: skip
