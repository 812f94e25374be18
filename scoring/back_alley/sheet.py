"""What stands on a Back Alley sheet: bids as the players say them, and the entries of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from scoring.entries import Decision
from scoring.problem import Problem
from scoring.tricks import TrickHand, read_trick_hand

Entry = TrickHand | Decision

NUMBER, FIRST_SIX = "number", "first-six"
BOARDS = ("board", "double-board", "triple-board", "quadruple-board")
RAINBOW, FALSE_RAINBOW = "rainbow", "false-rainbow"
PASSES = ("pass", "0")
CALLS = (*BOARDS, "bort", "all", FIRST_SIX)
_SPOKEN = re.compile(
    r"(?:(?P<rainbow>(?:false-)?rainbow)(?:(?:-\+-|-\+|\+)(?P<more>.+))?|(?P<blind>blind-)?(?P<plain>.+))"
)


class Bid(NamedTuple):
    """One player's bid. `call` is “number” (with `number`, 0 for a pass) or the words of a bid for all the tricks.

    With a `rainbow` the rest is what was bid beside it: “rainbow+1” has the number 1.
    """

    number: int = 0
    call: str = NUMBER
    rainbow: str = ""
    blind: bool = False

    def __str__(self) -> str:
        """Write the call as a sheet and a file do: 4, pass, board, rainbow+3."""
        spoken = self.call if self.call != NUMBER else str(self.number) if self.number else "pass"
        if self.rainbow:
            return self.rainbow if spoken == "pass" else f"{self.rainbow}+{spoken}"
        return f"blind-{spoken}" if self.blind else spoken

    @property
    def level(self) -> int:
        """Count boards: 1 for a board (or bort, or all), 2 for a double board; otherwise 0."""
        if self.call in BOARDS:
            return BOARDS.index(self.call) + 1
        return int(self.call in ("bort", "all"))


def parse_bid(text: str) -> Bid | None:
    """Read a bid in the words of the game document; anything else gives None."""
    said = _SPOKEN.fullmatch(text)
    if said is None:
        return None
    if said["rainbow"]:
        rest = _parse_rest(said["more"] or "pass")
        return None if rest is None or rest.call == FIRST_SIX else rest._replace(rainbow=said["rainbow"])
    rest = _parse_rest(said["plain"])
    return None if rest is None else rest._replace(blind=bool(said["blind"]))


def _parse_rest(spoken: str) -> Bid | None:
    if spoken in PASSES:
        return Bid()
    if re.fullmatch(r"[1-9][0-9]?", spoken):
        return Bid(int(spoken))
    return Bid(0, spoken) if spoken in CALLS else None


def read_hand(facts: Mapping[str, Any]) -> tuple[TrickHand | None, tuple[Problem, ...]]:
    """Read a hand; “false_rainbow” may stand beside the bids instead of in one of them."""
    claimed = facts.get("false_rainbow")
    if not isinstance(claimed, bool):
        return read_trick_hand(facts)
    hand, problems = read_trick_hand({key: value for key, value in facts.items() if key != "false_rainbow"})
    if hand is None or not claimed:
        return hand, problems
    announced = [bid for bid in hand.bids if bid.startswith(RAINBOW)]
    if len(announced) != 1:
        text = "Write “false-rainbow” as the bid of the player who announced it: one rainbow is needed to tell whose."
        return None, (Problem("false_rainbow", "", text),)
    return replace(hand, bids=tuple(f"false-{bid}" if bid in announced else bid for bid in hand.bids)), ()
