"""Which clause of which way of playing Spades a line cites. Every id stands in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping


def _book(**clauses: str) -> Mapping[str, str]:
    """A clause that a sheet only has by an option is cited where the option comes from."""
    everything = {
        "contract": "sp.contract",
        "ten": "sp.nyc.ten",
        "blind": "sp.joker.blind",
        "bags": "sp.bags",
        "nil": "sp.nil",
        "blind_nil": "sp.blind_nil",
        "first": "sp.nyc.first",
        "come_out": "sp.nyc.come_out",
        "boston": "sp.nyc.boston",
        "back_to_back": "sp.nyc.back_to_back",
        "game": "sp.game500",
        "end": "sp.four_hand.end",
    }
    return everything | clauses


CITES: Mapping[str, Mapping[str, str]] = {
    "standard": _book(),
    "jokers": _book(contract="sp.joker"),
    "new-york": _book(contract="sp.nyc.bid", blind="sp.nyc.blind", game="sp.nyc.game500"),
    "four-hand": _book(contract="sp.four_hand.bid", ten="sp.four_hand.ten", boston="sp.four_hand.boston"),
}
