"""What stands on a Spades score sheet: one line per hand, with what was bid and how many tricks were won."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.entries import Decision
from scoring.problem import Problem
from scoring.tricks import TrickHand, read_trick_hand

OPEN, BLIND, COME_OUT, NIL, BLIND_NIL = "open", "blind", "come-out", "nil", "blind-nil"
SEATS = 4
SIDES = 2
CARDS = 13
NIL_WORDS = {"nil": NIL, "0": NIL, "blind-nil": BLIND_NIL, "blind-0": BLIND_NIL}
COME_OUT_WORDS = re.compile(r"(blind-(\d{1,2}-)?)?(come-)?out(-(in)?to)?(-10)?|10-(come-)?out")
UNBID_WORDS = ("", "none", "unbid")
# What a table writes that has nothing to bid: only a hand played without bids has such bids.
NOTHING_BID = {"pass", "0", "-", "no-bid"}

Entry = TrickHand | Decision


class Bid(NamedTuple):
    """A number of tricks, and how it was said: open, blind, come-out, nil or blind-nil."""

    number: int
    kind: str = OPEN

    @property
    def is_nil(self) -> bool:
        """Return whether the bidder promises to win no trick."""
        return self.kind in (NIL, BLIND_NIL)

    @property
    def is_blind(self) -> bool:
        """Return whether the bid needs a side that is behind: also when it came out of a blind bid."""
        return self.kind in (BLIND, COME_OUT, BLIND_NIL)

    @property
    def words(self) -> str:
        """Say the bid as the table says it."""
        if self.is_nil:
            return self.kind.replace("-", " ")
        return {BLIND: f"blind {self.number}", COME_OUT: f"come-out {self.number}"}.get(self.kind, str(self.number))


def parse_bid(text: str) -> Bid | None:
    """Read “5”, “nil” (also “0”), “blind-nil”, “blind-7” and “come-out-10”; else None."""
    if text in NIL_WORDS:
        return Bid(0, NIL_WORDS[text])
    if COME_OUT_WORDS.fullmatch(text):
        return Bid(10, COME_OUT)
    number = text.removeprefix("blind-")
    if len(number) > 2 or not number.isascii() or not number.isdigit() or number.startswith("0"):
        return None
    return Bid(int(number), OPEN if number == text else BLIND)


def read_hand(facts: Mapping[str, Any]) -> tuple[TrickHand | None, tuple[Problem, ...]]:
    """Read a hand of the game document; bids that are missing, empty or “none” were not made."""
    bids = facts.get("bids")
    said = [bids] if bids is None or isinstance(bids, str) else bids
    if isinstance(said, (list, tuple)) and all(_is_unbid(bid) for bid in said):
        facts = {**facts, "bids": []}
    return read_trick_hand(facts)


def _is_unbid(bid: Any) -> bool:
    return bid is None or (isinstance(bid, str) and bid.strip().lower() in UNBID_WORDS)
