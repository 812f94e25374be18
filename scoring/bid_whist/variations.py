"""The variations that the page on Bid Whist lists, by the names it goes by: each stands for options of the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def _variation(**options: Any) -> Mapping[str, Mapping[str, Any]]:
    """Played, it sets these options; not played, the sheet stays as it is."""
    return {"yes": options, "no": {}}


VARIATIONS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "nt_jokers_out": _variation(jokers_at_no="out"),
    "nt_jokers_any": _variation(jokers_at_no="any-time"),
    "min4": _variation(lowest_bid=4),
    "low_over_high": _variation(special_over_straight="special-outranks"),
    "all_equal": _variation(special_over_straight="equal", no_over_same=False),
    "sport": _variation(kitty_sported=True),
    "one_joker": _variation(jokers=1),
    "one_joker_deuce": _variation(jokers=1, deuce_of_spades=True),
    "two_jokers_deuce": _variation(jokers=2, deuce_of_spades=True),
    "opponents_score": _variation(defenders_score="books-above-six"),
    "boston28": _variation(boston_bid_is_game=True),
    "two_sets": _variation(set_limit=3),
    "rubber": _variation(rubber_games=2),
}
