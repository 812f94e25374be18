"""What every bid of an Okinawa sheet is worth on every deal, with every number of tricks."""

from __future__ import annotations

from functools import lru_cache

from scoring.okinawa.clauses import is_set, team_lines
from scoring.okinawa.rules import FIRST_CARDS, HANDS, Rules
from scoring.okinawa.sheet import OKINAWA, PASS, Bid
from scoring.tariff import Call, Key, Tariff, Worth
from scoring.words import bid_words


@lru_cache(maxsize=256)
def tariff(rules: Rules) -> Tariff:
    """Price the numbers that partners bid together, and Okinawa, deal by deal."""
    calls: dict[tuple[int, str], Call] = {}
    rows: dict[Key, tuple[Worth, ...]] = {}
    for cards in range(FIRST_CARDS, HANDS + 1):
        # A team may also say one number together: then the partner says nothing.
        numbers = {"": 0, bid_words(PASS): 0} | {str(number): number for number in range(2 * cards + 1)}
        calls |= {(cards, words): Call(number) for words, number in numbers.items()}
        calls[cards, bid_words(OKINAWA)] = Call(rank=1)
        rows |= {Key(cards, 0, number): _row(rules, Bid(number), cards) for number in range(2 * cards + 1)}
        rows[Key(cards, 1, 0)] = _row(rules, Bid(0, is_okinawa=True), cards)
    return Tariff(calls, rows, adds=True)


def _row(rules: Rules, bid: Bid, cards: int) -> tuple[Worth, ...]:
    return tuple(
        Worth(
            sum(line.points for line in team_lines(rules, 0, bid, took, cards)),
            was_set=is_set(bid, took, cards),
        )
        for took in range(cards + 1)
    )
