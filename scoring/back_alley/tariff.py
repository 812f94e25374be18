"""What every bid of a Back Alley sheet is worth on every deal, with every number of tricks.

The first six tricks have no price here: who won them no number of tricks tells.
"""

from __future__ import annotations

from functools import lru_cache

from scoring.back_alley.bids import board_words, legal_bids, read_bid
from scoring.back_alley.deals import plan
from scoring.back_alley.lines import Stake, rainbow_line, stake_lines
from scoring.back_alley.rainbows import promised_tricks
from scoring.back_alley.rules import Rules
from scoring.back_alley.sheet import FIRST_SIX, Bid
from scoring.tariff import Call, Key, Tariff, Worth
from scoring.words import bid_words


@lru_cache(maxsize=256)
def tariff(rules: Rules) -> Tariff:
    """Price numbers, boards and rainbows deal by deal; partners' numbers are added up where the team bids."""
    seats, sides = rules.seating()
    partners = seats // sides if rules.team_bid else 1
    calls: dict[tuple[int, str], Call] = {}
    rows: dict[Key, tuple[Worth, ...]] = {}
    for cards in range(1, max(plan(rules)) + 1):
        said = {str(bid): bid for bid in legal_bids(rules, cards) if bid.call != FIRST_SIX}
        # A number may stand for another bid: “0” for a pass, all the tricks for a board.
        numbers = {str(number): read_bid(rules, cards, str(number)) for number in range(cards + 1)}
        said |= {text: bid for text, bid in numbers.items() if bid is not None}
        known = {bid_words(text): _call(rules, cards, bid) for text, bid in said.items()}
        calls |= {(cards, words): call for words, call in known.items()}
        most = partners * max(call.number for call in known.values())
        rows |= {Key(cards, 0, number): _row(rules, cards, number, 0) for number in range(most + 1)}
        levels = {call.rank for call in known.values() if call.rank}
        rows |= {Key(cards, level, 0): _row(rules, cards, 0, level) for level in levels}
    return Tariff(calls, rows, adds=partners > 1, needs_bid=True)


def _call(rules: Rules, cards: int, bid: Bid) -> Call:
    beside: tuple[Worth, ...] = ()
    if bid.rainbow:
        beside = tuple(Worth(rainbow_line(rules, cards, 0, bid, took).points) for took in range(cards + 1))
    raised = bid.level == 1 and len(board_words(rules, cards)) > 1
    return Call(promised_tricks(rules, cards, bid), bid.level, beside, beside, once=raised)


def _row(rules: Rules, cards: int, promised: int, level: int) -> tuple[Worth, ...]:
    worths = []
    for took in range(cards + 1):
        lines = stake_lines(rules, cards, Stake(0, "", promised, level, first_six=False, tricks=took), None)
        was_set = any(line.kind == "bid" and line.points < 0 for line in lines)
        worths.append(Worth(sum(line.points for line in lines), was_set=was_set))
    return tuple(worths)
