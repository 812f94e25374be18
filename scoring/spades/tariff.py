"""What every bid of a Spades sheet is worth with every number of tricks."""

from __future__ import annotations

from functools import lru_cache

from scoring.spades.clauses import Result, result, unbid_result
from scoring.spades.rules import Rules
from scoring.spades.sheet import BLIND, BLIND_NIL, CARDS, COME_OUT, NIL, NIL_WORDS, Bid
from scoring.tariff import Call, Key, Tariff, Worth
from scoring.words import bid_words

TRICKS = range(CARDS + 1)


@lru_cache(maxsize=256)
def tariff(rules: Rules) -> Tariff:
    """Price the bids of a sheet on which sides bid, or players whose partners add up."""
    calls, rows = _by_side(rules) if rules.bids_by == "side" else _by_seat(rules)
    return Tariff(
        calls,
        rows,
        adds=True,
        bags=None if rules.bag_limit is None else (rules.bag_limit, rules.bag_penalty),
        all_tricks=CARDS if rules.boston_counts else 0,
        any_hand=True,
    )


def _by_side(rules: Rules) -> tuple[dict[tuple[int, str], Call], dict[Key, tuple[Worth, ...]]]:
    numbers = range(rules.lowest_bid, rules.highest_bid + 1)
    priced = {
        bid_words(str(number)): [result(rules, 0, (Bid(number),), (took,)) for took in TRICKS] for number in numbers
    }
    if rules.lowest_blind is not None:
        for number in range(rules.lowest_blind, rules.highest_bid + 1):
            bid = Bid(number, BLIND)
            priced[bid_words(f"blind-{number}")] = [result(rules, 0, (bid,), (took,)) for took in TRICKS]
    if rules.come_out:
        priced[bid_words("come-out-10")] = [result(rules, 0, (Bid(10, COME_OUT),), (took,)) for took in TRICKS]
    if rules.first_hand_unbid:
        priced[""] = [unbid_result(rules, 0, took) for took in TRICKS]
    ranked = dict(enumerate(priced, start=1))
    calls = {(0, words): Call(rank=rank) for rank, words in ranked.items()}
    return calls, {Key(0, rank, 0): tuple(map(_worth, priced[words])) for rank, words in ranked.items()}


def _by_seat(rules: Rules) -> tuple[dict[tuple[int, str], Call], dict[Key, tuple[Worth, ...]]]:
    calls = {(0, str(number)): Call(number) for number in range(rules.lowest_bid, rules.highest_bid + 1)}
    known = {NIL: rules.knows_nil, BLIND_NIL: rules.knows_blind_nil}
    calls |= {(0, bid_words(said)): _nil(rules, Bid(0, kind)) for said, kind in NIL_WORDS.items() if known[kind]}
    rows = {
        Key(0, 0, number): tuple(_worth(result(rules, 0, (Bid(number),), (took,))) for took in TRICKS)
        for number in range(1, 2 * rules.highest_bid + 1)
    }
    return calls, rows


def _nil(rules: Rules, bid: Bid) -> Call:
    """A nil stands beside the partner's number; what its tricks do to it, the sheet says."""
    aside = rules.failed_nil == "bags"
    alone = tuple(_worth(result(rules, 0, (bid,), (took,))) for took in TRICKS)
    beside = []
    for took in TRICKS:
        lines = result(rules, 0, (bid, Bid(1)), (took, 0)).lines
        beside.append(Worth(sum(line.points for line in lines if line.kind == "nil"), bags=took if aside else 0))
    return Call(beside=tuple(beside), alone=alone, aside=aside)


def _worth(one: Result) -> Worth:
    return Worth(sum(line.points for line in one.lines), was_set=one.was_set, bags=one.bags)
