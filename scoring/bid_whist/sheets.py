"""The rule sheets of Bid Whist: named choices of its options. A published sheet never changes."""

from __future__ import annotations

from dataclasses import replace

from scoring.bid_whist.rules import Rules
from scoring.game import Sheet

# Where a sheet comes from, as a club would name it.
PRINTED_2021 = "The printed tournament sheet, revised July 24, 2021"
PAGE = "Bid Whist rules, as collected"

TOURNAMENT_2021 = Rules()
STANDARD = Rules(
    book="base",
    lowest_bid=3,
    forced_dealer=3,
    win_at=7,
    lose_at=-7,
    set_limit=None,
    odd_loses=False,
    backdoor_scope="none",
    bonus_points=0,
    renege_price="three-books",
    jokers=2,
    kitty_goes_to="bidder",
    first_dealer="first-diamond",
)
CARDS_52 = replace(
    STANDARD,
    book="52",
    lowest_bid=1,
    forced_dealer=None,
    kind_is_bid=False,
    dealer_may_match=True,
    set_pays="opponents-gain",
    no_doubled=False,
    win_at=21,
    lose_at=None,
    jokers=0,
    kitty_goes_to="first-trick",
    redeal_without_faces=True,
    signals=True,
    first_dealer="by-lot",
)
BOSTON_PARR = replace(
    CARDS_52,
    book="parr",
    forced_dealer=1,
    kinds=("straight", "no"),
    dealer_may_match=False,
    auction_rounds="until-three-pass",
    set_pays="bidders-lose",
    defenders_score="every-book",
    win_at=11,
    kitty_goes_to="none",
    redeal_without_faces=False,
    signals=False,
)
CINCINNATI = replace(
    STANDARD,
    book="cincinnati",
    lowest_bid=1,
    forced_dealer=1,
    special_over_straight="special-outranks",
    jokers=0,
    kitty_goes_to="none",
    first_dealer="by-lot",
)
RHODE_ISLAND = replace(
    CARDS_52,
    book="rhode-island",
    kinds=("straight", "no"),
    no_doubled=True,
    made_pays="every-book",
    defenders_score="books-above-six",
    kitty_goes_to="bidder",
    redeal_without_faces=False,
    signals=False,
)
HAWAII = replace(
    RHODE_ISLAND,
    book="hawaii",
    lowest_bid=3,
    forced_dealer=3,
    no_doubled=False,
    made_pays="one-point",
    set_pays="opponents-two",
    defenders_score="no",
    win_rule="lead",
    dealer_may_match=False,
)
MARATHON = replace(
    STANDARD,
    book="marathon",
    lowest_bid=4,
    forced_dealer=4,
    special_over_straight="special-outranks",
    score_basis="bid",
    boston_bid_points=13,
    boston_bid_no_points=26,
    win_at=None,
    lose_at=None,
    jokers=1,
    round_minutes=15,
    tiebreak_order=("games-won", "points", "head-to-head", "lots"),
)

SHEETS = (
    Sheet("bid_whist/no-kitty-2021", "Tournament Bid Whist, no kitty, no jokers (2021)", PRINTED_2021, TOURNAMENT_2021),
    Sheet("bid_whist/standard", "Bid Whist with kitty and two jokers", f"{PAGE}, lines 5–90", STANDARD),
    Sheet("bid_whist/52-card", "52-card Bid Whist", f"{PAGE}, lines 92–121", CARDS_52),
    Sheet("bid_whist/boston-parr", "Boston Bid Whist (Daniel Parr)", f"{PAGE}, line 125", BOSTON_PARR),
    Sheet("bid_whist/cincinnati", "Cincinnati Bid Whist (Tom W)", f"{PAGE}, line 127", CINCINNATI),
    Sheet("bid_whist/rhode-island", "Rhode Island Bid Whist (John Rogler)", f"{PAGE}, line 129", RHODE_ISLAND),
    Sheet("bid_whist/hawaii", "Hawaii “Trumps” (Chevee Todd)", f"{PAGE}, line 131", HAWAII),
    Sheet(
        "bid_whist/marathon",
        "Bid Whist marathon: five-card kitty, timed rounds",
        "The published sheet of a Bid Whist marathon",
        MARATHON,
    ),
)
