"""Points of a Spades entry: the clauses of a hand, its bags and sets, and whether it ended the game."""

from __future__ import annotations

from functools import lru_cache

from scoring.game import BAGS, BOSTONS, SETS, Adjustment, Call, CardGame, Counter, Key, Price, Seating, Tariff, Worth
from scoring.ledger import BySide, Carry, HandResult, Line, Verdict, Word, bid_words, earn, said, side_name
from scoring.spades.checks import is_played_unbid, next_hand, problems, said_bids
from scoring.spades.rules import CITES, HEADINGS, SHEETS, Rules
from scoring.spades.sheet import (
    BLIND,
    BLIND_NIL,
    CARDS,
    COME_OUT,
    NIL,
    NIL_WORDS,
    SEATS,
    SIDES,
    Bid,
    Entry,
    Result,
    bag_lines,
    boston_line,
    boston_verdict,
    close_hands,
    judge,
    parse_bid,
    read_hand,
    result,
    unbid_result,
)
from scoring.tricks import (
    PLAIN_RULINGS,
    Scored,
    TrickHand,
    by_side,
    charge_sets,
    decide,
    leader,
    not_scored,
    score_adjustment,
    score_decision,
    seen_a_hand,
)


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


# What every bid of a Spades sheet is worth with every number of tricks.

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


# Spades as the registry shows it.


def _counters(rules: Rules) -> tuple[Counter, ...]:
    """List bags where a number of them is charged, and Bostons where all 13 tricks are one."""
    return (SETS, *((BAGS,) if rules.bag_limit else ()), *((BOSTONS,) if rules.counts_bostons else ()))


# High to low: 003 L7, L54 and L69-L70.
RANKS = {
    "no-jokers": "A K Q J 10 down to 2; spades are trumps",
    "jokers-deuce": "Spades, the trumps: big joker, small joker, 2, then A K Q down to 3",
    "jokers-diamond": "Spades, the trumps: big joker, small joker, two of diamonds, 2, then A K Q down to 3",
}
PRICES = (
    Price("A bid that is made scores", "10 points for each trick bid"),
    Price("A bid that is set loses", "10 points for each trick bid"),
)

GAME: CardGame[Rules, Entry] = CardGame(
    key="spades",
    title="Spades",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=SEATS, sides=SIDES),
    read_hand=read_hand,
    problems=problems,
    score_entry=score_entry,
    result=hand_result,
    next_hand=next_hand,
    rulings=lambda rules: PLAIN_RULINGS,
    carried_on=seen_a_hand,
    hands_planned=lambda rules: rules.hand_limit,
    prices=lambda rules: PRICES,
    counters=_counters,
    tariff=tariff,
    ranks=lambda rules: RANKS[rules.pack],
    headings=HEADINGS,
)
