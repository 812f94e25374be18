"""The hands that are still to be dealt: their numbers, their cards, and who deals them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from scoring.document import find_game
from scoring.game import CardGame, NextHand
from tournament.queries.rules import Ruleset

# A game without a schedule is over when somebody wins: this many lines stand on one sheet of paper.
LINES = 14


def coming_deals(rules: Ruleset, hands: int, deals: int) -> tuple[NextHand, ...]:
    """The hands after `hands` scored ones, of which the first is deal number `deals`, counted from zero.

    To the end of the schedule where the game has one; otherwise as many as a sheet of paper has lines.
    """
    return _coming(rules.game.key, rules.rules, hands, deals)


@lru_cache(maxsize=512)
def _coming(key: str, rules: Any, hands: int, deals: int) -> tuple[NextHand, ...]:
    game: CardGame[Any, Any] = find_game(f"{key}/")
    begin, planned = game.begin(rules), game.hands_planned(rules)
    count = LINES if planned is None else planned - hands
    return tuple(game.next_hand(rules, begin._replace(hands=hands + more, deals=deals + more)) for more in range(count))
