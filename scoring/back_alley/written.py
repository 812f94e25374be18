"""What a game on paper says about its sheet: a rainbow written down was played with, and six bids are six players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.back_alley.rules import Rules, TeamRules
from scoring.back_alley.sheet import FIRST_SIX, Entry, parse_bid
from scoring.tricks import TrickHand


def as_written(rules: Rules, options: Mapping[str, Any], entries: tuple[Entry | None, ...]) -> Rules:
    """Play what a document writes down without a word of it in its options.

    These are the bids of a variation, and six players where every hand has six bids. Only the partnership games have
    them; an entry that could not be read is None.
    """
    if not isinstance(rules, TeamRules):
        return rules
    hands = [entry for entry in entries if isinstance(entry, TrickHand)]
    bids = [bid for hand in hands for bid in map(parse_bid, hand.bids) if bid]
    played: dict[str, Any] = {}
    six = replace(rules, players=6)
    if {len(hand.bids) for hand in hands} == {6} and not _settled(options, "players") and not six.misfits():
        played["players"] = 6
    if any(bid.rainbow for bid in bids) and not _settled(options, "rainbow"):
        played |= {"rainbow4": True, "rainbow8": True, "rainbow12": True}
    if any(bid.call == FIRST_SIX for bid in bids) and not _settled(options, "first_six"):
        played["first_six"] = True
    return replace(rules, **played)


def _settled(options: Mapping[str, Any], word: str) -> bool:
    return any(str(key).startswith(word) for key in options)
