"""Which clause of which rule book a line cites. Every id stands in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping


def _book(own: str, **clauses: str) -> Mapping[str, str]:
    """A clause that a sheet only has by an option is cited where the option comes from."""
    everything = {
        "hand": own,
        "no": "bw.no_trump",
        "bid": own,
        "ladder": own,
        "dealer": own,
        "defenders": "bw.var.opponents_score",
        "win": own,
        "lose": own,
        "sets": "bw.var.two_sets",
        "sets_bonus": "tw.two_sets",
        "odd": "tw.odd",
        "backdoor": "tw.backdoor",
        "boston": "tw.boston",
        "boston_bid": "bw.var.boston28",
        "renege": "bw.renege",
        "renege_bonus": "tw.renege",
        "rubber": "bw.boston_parr.rubber",
        "stop": "agreed-stop",
    }
    return everything | clauses


CITES: Mapping[str, Mapping[str, str]] = {
    "2021": _book(
        "4",
        no="5",
        bid="24",
        ladder="27",
        dealer="28",
        defenders="4",
        win="6",
        lose="6",
        sets="8",
        sets_bonus="7",
        odd="7",
        backdoor="9",
        boston="44",
        renege="41",
        renege_bonus="7",
        stop="43",
    ),
    "base": _book(
        "bw.hand", bid="bw.ladder", ladder="bw.ladder", dealer="bw.dealer_forced", win="bw.game7", lose="bw.game7"
    ),
    "52": _book("bw52.hand", bid="bw52.auction", ladder="bw52.auction", dealer="bw52.auction"),
    "parr": _book("bw.boston_parr", defenders="bw.boston_parr"),
    "cincinnati": _book("bw.cincinnati", win="bw.game7", lose="bw.game7"),
    "rhode-island": _book("bw.rhode_island", no="bw.rhode_island", defenders="bw.rhode_island"),
    "hawaii": _book("bw.hawaii", win="bw.hawaii.win"),
    "marathon": _book("marathon", bid="bw.var.min4", ladder="bw.var.low_over_high", boston_bid="marathon"),
}
