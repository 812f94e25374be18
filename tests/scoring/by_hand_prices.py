"""What an offense or a hand costs, worked out by hand from the printed words before the program was asked."""

from __future__ import annotations

from typing import Any

from tests.scoring.by_hand import (
    FOUR_HANDS,
    JOKERS,
    NEW_YORK,
    OKINAWA,
    PARTNERS,
    PLAIN,
    SECOND_COSTS_THE_GAME,
    TWO_SETS,
    End,
    Entry,
    Game,
    Refused,
    Step,
    both,
    hand,
    opened,
    ruled,
)

BOOKS_AND_SET = {"renege_price": "three-books-set"}
BOOKS_GONE = {"renege_price": "three-lost"}
TWO_SETS_2026, FOUR_HANDS_2026 = "spades/two-sets-2026", "spades/four-hand-tournament-2026"


def priced(
    says: str,
    sheet: str,
    played: Entry,
    *price: Entry,
    scores: str,
    sets: str = "0:0",
    bags: str | None = None,
    **more: Any,
) -> Game:
    """A hand and what was ruled on it: the hand is scored with all of its rulings, and they earn nothing themselves."""
    return Game(says, sheet, tuple(Step(entry, scores, sets, bags) for entry in (played, *price)), **more)


def fined(points: str, rule: str = "renege", **more: Any) -> Entry:
    """Points by the director under the name of the offense; `side` broke the rule, in the hand at `line`."""
    return {"entry": "adjustment", "points": both(points), "rule": rule, "reason": "as the director ruled", **more}


RENEGE_SET = ruled("renege", "set", 0)
RENEGE_BOTH, RENEGE_GONE = ruled("renege", "three-books-set", 0), ruled("renege", "three-lost", 0)

# R3. Prices of several parts, and books that go to nobody.
PARTS = (
    priced("three books move, and the side is set anyway", TWO_SETS, hand("5 6", 6, 7), RENEGE_BOTH,
           options=BOOKS_AND_SET, scores="-50:64", sets="1:0", bags="0:4"),  # 3:10; set: -50; 6 bid, 10: 60+4
    priced("its bid is made without the three, too: set all the same", TWO_SETS, hand("4 4", 9, 4), RENEGE_BOTH,
           options=BOOKS_AND_SET, scores="-40:43", sets="1:0", bags="0:3"),  # 6:7; set: -40; 4 bid, 7: 40+3
    priced("the partner's nil stands, its books stay where they are", PLAIN, hand("nil 4 4 5", 0, 4, 5, 4), RENEGE_BOTH,
           options=BOOKS_AND_SET, scores="60:92", sets="1:0", bags="0:2"),  # nil +100, set -40; 9 bid, 8+3: 90+2
    priced("a failed nil keeps its book, which is a bag", PLAIN, hand("nil 4 5 4", 1, 4, 4, 4), RENEGE_BOTH,
           options=BOOKS_AND_SET, scores="-149:83", sets="1:0", bags="1:3"),  # -100-50+1; 8 bid, 8+3: 80+3
    priced("two books are all it has: the others have all 13, a Boston", FOUR_HANDS, hand("4 6", 2, 11), RENEGE_BOTH,
           options=BOOKS_AND_SET, scores="-40:250", sets="1:0", bostons="0:1"),  # set: -40; 13 books: 250
    priced("three books are lost and go to nobody", TWO_SETS, hand("5 6", 6, 7), RENEGE_GONE,
           options=BOOKS_GONE, scores="-50:61", sets="1:0", bags="0:1"),  # 5 bid, 3: -50; 6 bid, 7: 60+1
    priced("the bid is still made without them", TWO_SETS, hand("4 4", 8, 5), RENEGE_GONE,
           options=BOOKS_GONE, scores="41:41", bags="1:1"),  # 4 bid, 8-3: 40+1; 4 bid, 5: 40+1
    priced("two books are all it has: nobody has 13, no Boston", FOUR_HANDS, hand("4 6", 2, 11), RENEGE_GONE,
           options=BOOKS_GONE, scores="-40:60", sets="1:0", bostons="0:0"),  # 4 bid, 0: -40; 6 bid, 11: 60
    priced("lost books take a Boston back", TWO_SETS, hand("13 4", 13, 0), RENEGE_GONE,
           options=BOOKS_GONE, scores="-130:-40", sets="1:1", bostons="0:0"),  # 13 bid, 10: -130; 4 bid, 0: -40
    priced("a renege called that did not happen: three books, and set", TWO_SETS, hand("5 6", 6, 7),
           ruled("wrong-call", "three-books-set", 1), options={"wrong_call": "three-books-set"},
           scores="54:-60", sets="0:1", bags="4:0"),  # 9:4; 5 bid, 9: 50+4; set: -60
    priced("a renege called that did not happen: three books to nobody", TWO_SETS, hand("5 6", 5, 8),
           ruled("wrong-call", "three-lost", 1), options={"wrong_call": "three-lost"},
           scores="50:-60", sets="0:1", bags="0:0"),  # 5 bid, 5: 50; 6 bid, 8-3: -60
    priced("two books off for talking, to nobody", TWO_SETS, hand("5 6", 6, 7),
           ruled("talking", "books-lost", 0, books=2),
           scores="-50:61", sets="1:0", bags="0:1"),  # 5 bid, 6-2: -50; 6 bid, 7: 60+1
    priced("Back Alley, three tricks to nobody", PARTNERS, hand("3 2 3 2", 8, 5), RENEGE_GONE,
           options=BOOKS_GONE, scores="-30:21", sets="1:0"),  # 6 bid, 8-3: -30; 4 bid, 5: 20+1
    priced("Okinawa, three tricks move, and set", OKINAWA, hand("2 1 pass 1", 3, 2), RENEGE_BOTH,
           options=BOOKS_AND_SET, scores="-10:13", sets="1:0"),  # 0:5; set: -10; 2 bid, 5: 10+3
    priced("Okinawa, the one trick that moves makes the others' Okinawa", OKINAWA, hand("1 okinawa pass pass", 1, 4),
           RENEGE_BOTH, options=BOOKS_AND_SET, scores="-5:75", sets="1:0"),  # 0:5; set: -5; 5x5+50
    priced("a renege of one side, talking of the other, on one hand", TWO_SETS, hand("5 6", 6, 7), RENEGE_BOTH,
           ruled("talking", "books-lost", 1, books=1), options=BOOKS_AND_SET,
           scores="-50:63", sets="1:0", bags="0:3"),  # 3:10, then 3:9; set: -50; 6 bid, 9: 60+3
)  # fmt: skip

FIRST = hand("", 7, 6)  # New York: the first hand has no bids, 10 for each trick
SECOND = hand("5 6", 6, 7)  # 5 bid, one over: 50; 6 bid, one over: 60
UNBID: Entry = {"side": 0, "line": 1}

# R4. A renege in a hand in which nobody bid a number: the director adjusts points, and it still counts as the first.
UNPRICED = (
    Game("New York's first hand: the next renege is the second", NEW_YORK, (
        Step(FIRST, "70:60"),
        Step(fined("-50:0", **UNBID), "20:60"),
        Step(SECOND, "70:120"),  # the hand stands: 20+50; 60+60
        Step(ruled("renege", "set", 0), "70:120"),
    ), End(1, "renege", "renege"), options=SECOND_COSTS_THE_GAME),
    Game("New York's first hand, points of before that name no side: they count as nothing", NEW_YORK, (
        Step(FIRST, "70:60"),
        Step(fined("-50:0"), "20:60"),
        Step(SECOND, "-30:120", "1:0"),  # a first renege, set: 20-50; 60+60
        Step(ruled("renege", "set", 0), "-30:120", "1:0"),
    ), options=SECOND_COSTS_THE_GAME),
    Game("two nils of partners", PLAIN, (
        Step(hand("nil 5 nil 6", 0, 6, 0, 7), "200:112", "0:0", "0:2"),  # two nils: 200; 11 bid, 13: 110+2
        Step(fined("-100:0", **UNBID), "100:112", "0:0", "0:2"),
        Step(hand("3 3 3 3", 7, 6), "161:172", "0:0", "1:2"),  # 6 bid, 7: 100+61; 6 bid, 6: 112+60
        Step(ruled("renege", "set", 0), "161:172", "0:0", "1:2"),
    ), End(1, "renege", "renege"), options=SECOND_COSTS_THE_GAME),
    Game("Okinawa, nobody bid and it was played", OKINAWA, (
        Step(hand("pass pass pass pass", 3, 2), "3:2"),  # a point for each trick
        Step(fined("0:-5", side=1, line=1), "3:-3"),
        Step(hand("2 1 pass 1", 3, 2), "14:7"),  # 3+11; -3+10
        Step(ruled("renege", "set", 1), "14:7"),
    ), End(0, "renege", "renege"), options=SECOND_COSTS_THE_GAME),
    Game("Back Alley, a side that passed", PARTNERS, (
        Step(hand("4 pass 3 pass", 8, 5), "36:5"),  # 7 bid, 8: 35+1; both pass: a point a trick
        Step(fined("0:-10", side=1, line=1), "36:-5"),
        Step(hand("3 3 3 2", 7, 5), "67:20"),  # 12 cards; 6 bid, 7: 36+31; 5 bid, 5: -5+25
        Step(ruled("renege", "set", 1), "67:20"),
    ), End(0, "renege", "renege"), options=SECOND_COSTS_THE_GAME),
    Game("talking stands under its own name and is no renege", NEW_YORK, (
        Step(FIRST, "70:60"),
        Step(fined("-20:0", "talking", **UNBID), "50:60"),
        Step(SECOND, "0:120", "1:0"),  # a first renege, set: 50-50; 60+60
        Step(ruled("renege", "set", 0), "0:120", "1:0"),
    ), options=SECOND_COSTS_THE_GAME),
    Game("the other side's renege is its own", NEW_YORK, (
        Step(FIRST, "70:60"),
        Step(fined("0:-50", side=1, line=1), "70:10"),
        Step(SECOND, "20:70", "1:0"),  # a first renege of each: 70-50; 10+60
        Step(ruled("renege", "set", 0), "20:70", "1:0"),
    ), options=SECOND_COSTS_THE_GAME),
)  # fmt: skip
NO_SUCH_RENEGE = (
    Refused("a side that is not at the table", NEW_YORK, "side", (FIRST, fined("-50:0", side=2, line=1)), entry=1,
            options=SECOND_COSTS_THE_GAME),
    Refused("a hand that is not there", NEW_YORK, "line", (FIRST, fined("-50:0", side=0, line=5)), entry=1,
            options=SECOND_COSTS_THE_GAME),
)  # fmt: skip

# R5. The sheets of a new year beside the earlier ones.
YEARS = (
    Game("four hands, 2026: all 13 win the game", FOUR_HANDS_2026, (Step(hand("4 6", 0, 13), "-40:250", "1:0"),),
         End(1, "boston"), bostons="0:1"),
    Game("four hands of before: all 13 pay, the game goes on", FOUR_HANDS,
         (Step(hand("4 6", 0, 13), "-40:250", "1:0"),), bostons="0:1"),
    priced("four hands, 2026: a renege sets the bid", FOUR_HANDS_2026, hand("5 6", 7, 6), RENEGE_SET,
           scores="-50:60", sets="1:0"),  # set: -50; 6 bid, 6: 60
    Game("four hands, 2026: a ten as before", FOUR_HANDS_2026, (
        Step(hand("10 4", 11, 2), "200:-40", "0:1"),
        Step(hand("10 4", 9, 4), "100:0", "1:1"),  # a set ten: 200-100; 4 bid, 4: -40+40
    )),
    Game("two sets, 2026: a ten that is set loses what it would have won", TWO_SETS_2026,
         (Step(hand("10 4", 8, 5), "-150:41", "1:0", "0:1"),)),
    Game("two sets of before: a ten that is set loses 100", TWO_SETS,
         (Step(hand("10 4", 8, 5), "-100:41", "1:0", "0:1"),)),
    Game("two sets, 2026: a made ten, and a nine that is set, as before", TWO_SETS_2026, (
        Step(hand("10 4", 10, 3), "150:-40", "0:1", "0:0"),
        Step(hand("9 4", 8, 5), "60:1", "1:1", "0:1"),  # 150-90; -40+41
    )),
    priced("two sets, 2026: a renege on a made ten sets the ten", TWO_SETS_2026, hand("10 4", 9 + 2, 2), RENEGE_SET,
           scores="-150:-40", sets="1:1"),  # set ten: -150; 4 bid, 2: -40; one set each
)  # fmt: skip
OF_ANOTHER_YEAR = (
    Refused(
        "four hands of before has no price for a renege", FOUR_HANDS, "choice", (hand("5 6", 7, 6), RENEGE_SET), entry=1
    ),
)

# R6. Twice the bid is a set; a blind bid of 13 has a price of its own.
TWICE = {"twice_the_bid": "set"}
BLIND_13 = {"boston_points": 130, "boston_on": "bid-13", "blind_boston_points": 350}
COSTS = (
    Game("5 bid, 10 taken", PLAIN, (Step(hand("3 2 2 1", 10, 3), "-50:30", "1:0", "0:0"),), options=TWICE),
    Game("5 bid, 9 taken", PLAIN, (Step(hand("3 2 2 1", 9, 4), "54:31", "0:0", "4:1"),), options=TWICE),
    Game("1 bid, 2 taken; 6 bid, 11 taken", JOKERS, (Step(hand("1 6", 2, 11), "-10:65", "1:0", "0:5"),), options=TWICE),
    Game("a blind six and twelve tricks: set, which costs it once", NEW_YORK, (
        Step(hand("blind-6 4", 12, 1), "-60:110", "1:1"),  # 0-60; 4 bid, 1: 150-40
    ), opening=opened("0:150", hands=3), options=TWICE),
    Game("a nil's partner bid 4 and took 8", PLAIN, (
        Step(hand("nil 2 4 2", 0, 3, 8, 2), "60:41", "1:0", "0:1"),  # nil +100, -40; 4 bid, 5: 41
    ), options=TWICE),
    Game("a failed nil's tricks are bags and not the partner's: 7 on a bid of 4", PLAIN, (
        Step(hand("nil 2 4 3", 2, 2, 7, 2), "-55:-50", "0:1", "5:0"),  # -100, 40+3, two bags +2; 5 bid, 4: -50
    ), options=TWICE),
    Game("where they help the partner it is 9 on a bid of 4", PLAIN, (
        Step(hand("nil 2 4 3", 2, 2, 7, 2), "-140:-50", "1:1", "0:0"),  # -100-40; -50
    ), options=TWICE | {"failed_nil": "help-partner"}),
    Game("all 13 pay first, whatever was bid", FOUR_HANDS, (Step(hand("5 4", 13, 0), "250:-40", "0:1"),),
         options=TWICE, bostons="1:0"),
    Game("all 13 on a bid of 6 where only a bid of 13 is paid: twice the bid", TWO_SETS, (
        Step(hand("6 4", 13, 0), "-60:-40", "1:1", "0:0"),
    ), options=TWICE, bostons="1:0"),
    Game("a blind 13 made, then an open one", JOKERS, (
        Step(hand("blind-13 1", 13, 0), "350:-10", "0:1"),
        Step(hand("13 1", 13, 0), "480:-20", "0:2"),  # 350+130; -10-10
    ), options=BLIND_13),
    Game("a blind 13 set has its own price, too", JOKERS, (
        Step(hand("blind-13 1", 12, 1), "-200:10", "1:0", "0:0"),
    ), options=BLIND_13 | {"blind_boston_set": 200}),
)  # fmt: skip
