"""What players call the clauses of Spades, for sheets and screens."""

from __future__ import annotations

from collections.abc import Mapping

HEADINGS: Mapping[str, str] = {
    "sp.contract": "contract",
    "sp.bags": "bags",
    "sp.nil": "nil",
    "sp.blind_nil": "blind nil",
    "sp.game500": "game",
    "sp.joker": "team contract",
    "sp.joker.blind": "blind bid",
    "sp.nyc.first": "unbid first hand",
    "sp.nyc.bid": "contract",
    "sp.nyc.ten": "bid of 10",
    "sp.nyc.boston": "Boston",
    "sp.nyc.blind": "blind bid",
    "sp.nyc.come_out": "coming out to 10",
    "sp.nyc.back_to_back": "shot back to back",
    "sp.nyc.game500": "game",
    "sp.four_hand.bid": "contract",
    "sp.four_hand.ten": "bid of 10",
    "sp.four_hand.boston": "all 13 tricks",
    "sp.four_hand.end": "end of the game",
}
