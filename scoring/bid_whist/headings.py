"""What players call the clauses of Bid Whist, for sheets and screens."""

from __future__ import annotations

from collections.abc import Mapping

HEADINGS: Mapping[str, str] = {
    "bw.hand": "the bid",
    "bw.no_trump": "No bids",
    "bw.game7": "the winning score",
    "bw.ladder": "the order of bids",
    "bw.dealer_forced": "forced dealer",
    "bw.renege": "renege",
    "bw.var.two_sets": "sets that lose the game",
    "bw.var.opponents_score": "opponents score",
    "bw.var.boston28": "Boston bid",
    "bw.var.min4": "the lowest bid",
    "bw.var.low_over_high": "low over high",
    "bw.boston_parr": "Boston rules",
    "bw.boston_parr.rubber": "the rubber",
    "bw.cincinnati": "Cincinnati rules",
    "bw.hawaii": "Hawaii rules",
    "bw.hawaii.win": "Hawaii’s winning lead",
    "bw.rhode_island": "Rhode Island rules",
    "bw52.hand": "the bid",
    "bw52.auction": "one round of bidding",
    "tw.two_sets": "two sets",
    "tw.odd": "odd",
    "tw.backdoor": "backdoor",
    "tw.boston": "Boston",
    "tw.renege": "renege",
    "marathon": "marathon rules",
    "all-pass": "all pass",
}
