"""Points of a Spades entry: the clauses of a hand, its bags and sets, and whether it ended the game."""

from __future__ import annotations

from typing import assert_never

from scoring.decisions import Scored, leader, score_adjustment, stop_by_agreement, stop_by_clock
from scoring.entries import Adjustment, AgreedStop, Award, Ruling, Time, Void
from scoring.ledger import BySide, Carry, Line, earn, said
from scoring.plain_rulings import score_plain_award, score_plain_ruling
from scoring.schedule import decide
from scoring.spades.checks import is_played_unbid, said_bids
from scoring.spades.citations import CITES
from scoring.spades.clauses import Result, bag_lines, boston_line, result, unbid_result
from scoring.spades.rules import Rules
from scoring.spades.sheet import CARDS, SIDES, Bid, Entry, parse_bid
from scoring.spades.verdict import boston_verdict, close_hands, judge
from scoring.tricks import TrickHand, by_side, charge_sets
from scoring.verdict import Verdict


def score_entry(rules: Rules, carry: Carry, entry: Entry) -> Scored:
    """This function will give the lines of one entry and the carry after it; the entry must have no problems."""
    match entry:
        case TrickHand():
            return _score_hand(rules, close_hands(rules, carry), entry)
        case Ruling():
            return score_plain_ruling(carry, entry)
        case Award():
            return score_plain_award(carry, entry)
        case Adjustment():
            return _score_adjustment(rules, carry, entry)
        case Time():
            return (), stop_by_clock(carry)
        case AgreedStop():
            return (), stop_by_agreement(carry, "agreed-stop")
        case Void():
            return (), carry
        case _:
            assert_never(entry)


def _score_hand(rules: Rules, before: Carry, hand: TrickHand) -> Scored:
    unbid = is_played_unbid(rules, before, hand)
    bids = () if unbid else tuple(said(parse_bid(bid)) for bid in said_bids(rules, hand))
    if unbid:
        results = [unbid_result(rules, side, tricks) for side, tricks in enumerate(by_side(hand.tricks, SIDES))]
    else:
        results = [result(rules, side, bids[side::SIDES], hand.tricks[side::SIDES]) for side in range(SIDES)]
    after = before._replace(hands=before.hands + 1, deals=before.deals + 1)
    if not unbid:
        after = charge_sets(after, tuple(one.was_set for one in results))
    earned = tuple(line for one in results for line in one.lines)
    boston, after = _count_boston(rules, after, hand, earned)
    if before.deciding:
        return boston, _decide(rules, before, after, earned)
    lines = _with_bags(rules, before, results)
    after = _count_bags(rules, earn(after, lines), results)
    # A first hand without bids ends nothing, however many points it brings.
    verdict = None if unbid else _verdict(rules, before, after, hand, bids, results)
    return lines + boston, close_hands(rules, after._replace(verdict=verdict))


def _with_bags(rules: Rules, before: Carry, results: list[Result]) -> tuple[Line, ...]:
    """The lines of a hand side by side, each side's charge for bags after what it earned."""
    lines: list[Line] = []
    for side, one in enumerate(results):
        lines += one.lines
        lines += bag_lines(rules, side, before.bags[side], one.bags)
    return tuple(lines)


def _count_boston(rules: Rules, after: Carry, hand: TrickHand, lines: tuple[Line, ...]) -> Scored:
    """A zero line says so, unless the Boston has points of its own and with them its line."""
    side = _boston_of(hand)
    if side is None or not rules.boston_counts:
        return (), after
    note = () if CITES[rules.book]["boston"] in {line.rule for line in lines} else (boston_line(rules, side),)
    return note, after._replace(bostons=after.bostons.put(side, after.bostons[side] + 1))


def _boston_of(hand: TrickHand) -> int | None:
    tricks = by_side(hand.tricks, SIDES)
    return tricks.index(CARDS) if CARDS in tricks else None


def _count_bags(rules: Rules, after: Carry, results: list[Result]) -> Carry:
    if rules.bag_limit is None:
        return after
    limit = rules.bag_limit
    return after._replace(
        bags=BySide((old + one.bags) % limit for old, one in zip(after.bags, results, strict=True)),
    )


def _verdict(
    rules: Rules, before: Carry, after: Carry, hand: TrickHand, bids: tuple[Bid, ...], results: list[Result]
) -> Verdict | None:
    side = _boston_of(hand)
    if side is not None and (won := boston_verdict(rules, side, _promised(bids[side::SIDES]))):
        return won
    return judge(rules, before, after, tuple(one.was_set for one in results))


def _promised(bids: tuple[Bid, ...]) -> Bid | None:
    """The number that a side bid, partners added up; None where both bid nil."""
    spoken = [bid for bid in bids if not bid.is_nil]
    return spoken[0]._replace(number=sum(bid.number for bid in spoken)) if spoken else None


def _decide(rules: Rules, before: Carry, after: Carry, lines: tuple[Line, ...]) -> Carry:
    """The hand after time ran out level, or after a level last hand: whoever would score more in it wins."""
    worth = earn(after._replace(scores=BySide.each(SIDES, 0)), lines).scores
    how, rule = _how_decided(rules, before)
    return decide(after, worth, how=how, rule=rule)


def _score_adjustment(rules: Rules, before: Carry, adjustment: Adjustment) -> Scored:
    """Where the next hand was to decide a level game, an adjustment that leaves a leader decides it at once."""
    lines, after = score_adjustment(before, adjustment)
    charged = tuple(sets > 0 for sets in adjustment.sets or (0,) * SIDES)
    verdict = judge(rules, before, after, charged)
    winner = leader(after.scores)
    if verdict is None and before.deciding and winner is not None:
        verdict = Verdict(winner, *_how_decided(rules, before), "An adjustment broke the tie: the leader wins.")
    return lines, close_hands(rules, after._replace(verdict=verdict))


def _how_decided(rules: Rules, before: Carry) -> tuple[str, str]:
    if rules.hand_limit is not None and before.hands >= rules.hand_limit:
        return "schedule", CITES[rules.book]["end"]
    return "time", "time"
