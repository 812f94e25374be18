"""Points of a Spades entry: the clauses of a hand, its bags and sets, and whether it ended the game."""

from __future__ import annotations

from scoring.decisions import Scored, leader, score_adjustment
from scoring.entries import Adjustment
from scoring.ledger import BySide, Carry, HandResult, Line, Word, earn, said
from scoring.plain_rulings import score_decision
from scoring.schedule import decide, not_scored
from scoring.spades.checks import is_played_unbid, said_bids
from scoring.spades.citations import CITES
from scoring.spades.clauses import Result, bag_lines, boston_line, result, unbid_result
from scoring.spades.rules import Rules
from scoring.spades.sheet import CARDS, SIDES, Bid, Entry, parse_bid
from scoring.spades.verdict import boston_verdict, close_hands, judge
from scoring.tricks import TrickHand, by_side, charge_sets
from scoring.verdict import Verdict
from scoring.words import side_name


def score_entry(rules: Rules, carry: Carry, entry: Entry) -> Scored:
    """Return the lines of one entry and the carry after it; the entry must have no problems."""
    match entry:
        case TrickHand():
            return _score_hand(rules, close_hands(rules, carry), entry)
        case Adjustment():
            return _score_adjustment(rules, carry, entry)
        case _:
            return score_decision(carry, entry)


def hand_result(rules: Rules, carry: Carry, entry: Entry) -> HandResult:
    """Say for each side whether it made its bid, was set, or lost a nil beside it."""
    words: BySide[Word] = BySide.each(SIDES, "")
    if not isinstance(entry, TrickHand) or is_played_unbid(rules, close_hands(rules, carry), entry):
        return HandResult(words)
    bids = tuple(said(parse_bid(bid)) for bid in said_bids(rules, entry))
    return HandResult(BySide(_word(one) for one in _results(rules, entry, bids)))


def _word(one: Result) -> Word:
    if one.was_set:
        return "set"
    return "lost" if one.lost_nil else "made"


def _results(rules: Rules, hand: TrickHand, bids: tuple[Bid, ...]) -> list[Result]:
    """What each side got out of a hand; a hand without bids has none."""
    if not bids:
        return [unbid_result(rules, side, tricks) for side, tricks in enumerate(by_side(hand.tricks, SIDES))]
    return [result(rules, side, bids[side::SIDES], hand.tricks[side::SIDES]) for side in range(SIDES)]


def _score_hand(rules: Rules, before: Carry, hand: TrickHand) -> Scored:
    unbid = is_played_unbid(rules, before, hand)
    bids = () if unbid else tuple(said(parse_bid(bid)) for bid in said_bids(rules, hand))
    results = _results(rules, hand, bids)
    after = before._replace(hands=before.hands + 1, deals=before.deals + 1)
    if not unbid:
        after = charge_sets(after, tuple(one.was_set for one in results))
    earned = tuple(line for one in results for line in one.lines)
    boston, after = _count_boston(rules, after, hand, earned)
    if before.deciding:
        return not_scored(earned) + boston, _decide(rules, before, after, earned)
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
    """The hand after time ran out, or the last hand, on a tied score: the side that would score more in it wins."""
    worth = earn(after._replace(scores=BySide.each(SIDES, 0)), lines).scores
    tied, rule = _how_decided(rules, before)
    return decide(after, worth, tied=tied, rule=rule)


def _score_adjustment(rules: Rules, before: Carry, adjustment: Adjustment) -> Scored:
    """Where the next hand was to decide a tied game, an adjustment that leaves a leader decides it at once."""
    lines, after = score_adjustment(before, adjustment)
    charged = tuple(sets > 0 for sets in adjustment.sets or (0,) * SIDES)
    verdict = judge(rules, before, after, charged)
    winner = leader(after.scores)
    if verdict is None and before.deciding and winner is not None:
        text = f"An adjustment broke the tie: {side_name(winner)} ahead."
        verdict = Verdict(winner, *_how_decided(rules, before), text)
    return lines, close_hands(rules, after._replace(verdict=verdict))


def _how_decided(rules: Rules, before: Carry) -> tuple[str, str]:
    if rules.hand_limit is not None and before.hands >= rules.hand_limit:
        return "schedule", CITES[rules.book]["end"]
    return "time", "time"
