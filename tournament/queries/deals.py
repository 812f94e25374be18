"""The hands that are still to be dealt: their numbers, their cards, and who deals them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from scoring.game import CardGame
from scoring.registry import find_game
from tournament.queries.rules import Ruleset

# A game without a schedule is over when somebody wins: this many lines stand on one sheet of paper.
LINES = 14


class Deal(NamedTuple):
    """A hand to come. `dealer` is counted from the seat that dealt first; `cards` is what each player gets."""

    number: int
    cards: int
    dealer: int


def coming_deals(rules: Ruleset, hands: int, deals: int) -> tuple[Deal, ...]:
    """The hands after `hands` scored ones, of which the first is deal number `deals`, counted from zero.

    To the end of the schedule where the game has one; otherwise to the end of a sheet of paper.
    """
    return _coming(rules.game.key, rules.rules, hands, deals)


@lru_cache(maxsize=512)
def _coming(key: str, rules: Any, hands: int, deals: int) -> tuple[Deal, ...]:
    game: CardGame[Any, Any] = find_game(f"{key}/")
    begin = game.begin(rules)
    planned = game.hands_planned(rules)
    last = planned if planned is not None else (hands // LINES + 1) * LINES
    coming = []
    for more in range(last - hands):
        due = game.next_hand(rules, begin._replace(hands=hands + more, deals=deals + more))
        coming.append(Deal(hands + more + 1, due.cards, due.dealer))
    return tuple(coming)
