"""What a game on paper says about its sheet: who wrote a rainbow down was playing with rainbows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.back_alley.rules import RAINBOWS, Rules, TeamRules
from scoring.back_alley.sheet import FIRST_SIX, Entry, parse_bid
from scoring.tricks import TrickHand


def as_written(rules: Rules, options: Mapping[str, Any], entries: tuple[Entry | None, ...]) -> Rules:
    """This function will play the bids of a variation that a document writes down, where its options do not settle it.

    Only the partnership games have such bids; an entry that could not be read is None.
    """
    if not isinstance(rules, TeamRules):
        return rules
    bids = [bid for entry in entries if isinstance(entry, TrickHand) for bid in map(parse_bid, entry.bids) if bid]
    played: dict[str, Any] = {}
    if any(bid.rainbow for bid in bids) and not _settled(options, "rainbow"):
        played |= RAINBOWS
    if any(bid.call == FIRST_SIX for bid in bids) and not _settled(options, "first_six"):
        played["first_six"] = True
    return replace(rules, **played)


def _settled(options: Mapping[str, Any], word: str) -> bool:
    return any(str(key).startswith(word) for key in options)
