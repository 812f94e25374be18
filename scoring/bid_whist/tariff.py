"""What every bid of a Bid Whist sheet is worth with every number of books."""

from __future__ import annotations

from functools import lru_cache

from scoring.bid_whist.checks import next_hand
from scoring.bid_whist.clauses import contract_lines
from scoring.bid_whist.rules import Rules
from scoring.bid_whist.sheet import BOOKS, Bid, parse_bid
from scoring.ledger import said, start
from scoring.tariff import Call, Key, Tariff, Worth


@lru_cache(maxsize=256)
def tariff(rules: Rules) -> Tariff:
    """Price the bids that the sheet offers; a side alone bids, and nothing is added up."""
    bids = [said(parse_bid(choice.value)) for choice in next_hand(rules, start(2)).choices("bid")]
    return Tariff(
        {(0, bid.words): Call(rank=rank) for rank, bid in enumerate(bids, start=1)},
        {
            Key(0, rank, 0): tuple(_worth(rules, bid, books) for books in range(BOOKS + 1))
            for rank, bid in enumerate(bids, start=1)
        },
        all_tricks=BOOKS,
        any_hand=rules.boston == "any-13",
    )


def _worth(rules: Rules, bid: Bid, books: int) -> Worth:
    lines = contract_lines(rules, 0, bid, books)
    own, other = (sum(line.points for line in lines if line.side == side) for side in range(2))
    return Worth(own, other, was_set=books < bid.needs)
