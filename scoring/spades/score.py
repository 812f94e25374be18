"""The points of a Spades entry: the clauses of a hand, its bags and sets, and whether it ended the game."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.decisions import (
    Adjustment,
    EntryKind,
    Scored,
    Void,
    add_adjustment,
    adjustment_problems,
    end_counted,
    is_worthless,
    pass_deal,
)
from scoring.ends import leader
from scoring.game import (
    BAGS,
    BOSTONS,
    FAR_BEHIND,
    SETS,
    Call,
    CardGame,
    Key,
    Price,
    Seating,
    Tariff,
    Worth,
)
from scoring.ledger import BySide, Carry, Line, Verdict, bid_words, cached_on_rules, side_name, start
from scoring.spades.checks import (
    hand_problems,
    is_played_unbid,
    judge_bids,
    legal_bids,
    next_hand,
    nil_seats,
    passes_deal_on,
    said_bids,
    void_choices,
    void_problems,
)
from scoring.spades.rules import CARDS, CITES, HEADINGS, SHEETS, Rules
from scoring.spades.sheet import (
    BLIND_NIL,
    NIL,
    NIL_WORDS,
    SEATS,
    SIDES,
    WITH_PARTNER,
    Bid,
    Dealt,
    Result,
    bag_lines,
    finish,
    judge,
    parse_bid,
    read_hand,
    result,
    schedule,
    spoken_of,
    unbid_result,
    wins_with,
)
from scoring.tricks import TrickHand, by_side, score_hand, seen_a_hand
from scoring.wrongs import TRICK_DECISIONS, find_rule, ruled_kind, rulings


def _score_hand(rules: Rules, before: Carry, hand: TrickHand) -> Scored:
    tricks = by_side(hand.tricks, SIDES)
    is_unbid = is_played_unbid(rules, before, hand)
    bids = () if is_unbid else tuple(parse_bid(bid) for bid in said_bids(rules, hand))
    results = _results(rules, hand, bids)
    is_counted = not is_worthless(rules, before, schedule(rules))
    lines: tuple[Line, ...] = ()
    for side, each in enumerate(results):
        lines += each.lines
        if is_counted:
            # The charge for bags comes after what the side earned.
            lines += bag_lines(rules, side, before.bags[side], each.bags)
    scored = score_hand(rules, before, lines, BySide(each.word for each in results), schedule(rules))
    after = scored.carry

    winner = tricks.index(CARDS) if CARDS in tricks else None
    boston: tuple[Line, ...] = ()
    if winner is not None and rules.boston_counts:
        after = after._replace(bostons=after.bostons.put(winner, after.bostons[winner] + 1))
        boston = _boston_without_points(rules, winner, lines)
    if is_counted:
        after = _count_bags(rules, after, results)
        promised = None if winner is None else _promised(bids[winner::SIDES])
        dealt = Dealt(winner, promised, tricks if is_unbid else ())
        after = end_counted(before, after._replace(verdict=judge(rules, before, after, dealt)))
    return scored._replace(lines=scored.lines + boston, carry=after)


def _results(rules: Rules, hand: TrickHand, bids: tuple[Bid | None, ...]) -> list[Result]:
    """Score the bids of each side, or its tricks alone if the hand was played without bids."""
    if not bids:
        return [unbid_result(rules, side, tricks) for side, tricks in enumerate(by_side(hand.tricks, SIDES))]
    results = []
    for side in range(SIDES):
        spoken = spoken_of(bids[side::SIDES], hand.tricks[side::SIDES])
        results.append(result(rules, side, *spoken))
    return results


def _boston_without_points(rules: Rules, winner: int, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Note a Boston in a line of 0 points, unless it already has a line with points."""
    cites = CITES[rules.book]
    paid = {cites["boston"], cites["blind_boston"]}
    if any(line.side == winner and line.rule in paid for line in lines):
        return ()
    return (Line(cites["boston"], winner, 0, "all 13 tricks: a Boston", "boston"),)


def _promised(bids: Sequence[Bid | None]) -> Bid | None:
    """Return the bid of a side with the numbers of partners added; None if both bid nil, or nobody bid."""
    spoken = [bid for bid in bids if bid and not bid.is_nil]
    if not spoken:
        return None
    return spoken[0]._replace(number=sum(bid.number for bid in spoken))


def _count_bags(rules: Rules, after: Carry, results: list[Result]) -> Carry:
    if rules.bag_limit is None:
        return after
    limit = rules.bag_limit
    return after._replace(
        bags=BySide((old + each.bags) % limit for old, each in zip(after.bags, results, strict=True)),
    )


def _score_adjustment(rules: Rules, before: Carry, adjustment: Adjustment) -> Scored:
    """Score an adjustment. If a deciding hand was due and the adjustment breaks the tie, the leader wins at once."""
    scored = add_adjustment(before, adjustment)
    after = scored.carry
    verdict = judge(rules, before, after, None)
    winner = leader(after.scores)
    if verdict is None and before.deciding and winner is not None:
        text = f"An adjustment broke the tie: {side_name(winner)} ahead."
        planned = schedule(rules)
        if planned is not None and before.hands >= planned.deals:
            verdict = Verdict(winner, "schedule", planned.rule, text)
        else:
            verdict = Verdict(winner, "time", "time", text)
    return scored._replace(carry=after._replace(verdict=verdict))


# What each bid of a Spades sheet is worth with each number of tricks.

TRICKS = range(CARDS + 1)


@cached_on_rules
def tariff(rules: Rules) -> Tariff:
    """Price the bids of a sheet on which sides bid, or on which players bid and partners’ bids are added."""
    calls, rows = _by_side(rules) if rules.bids_by == "side" else _by_seat(rules)
    return Tariff(
        calls,
        rows,
        adds=True,
        bags=None if rules.bag_limit is None else (rules.bag_limit, rules.bag_penalty),
        all_tricks=CARDS if rules.boston_counts else 0,
        any_hand=True,
    )


def _offered(rules: Rules) -> dict[str, Bid]:
    """List everything that a side may bid from far behind, by its spoken words."""
    far_behind = start(SIDES)._replace(scores=BySide((FAR_BEHIND, 0)))
    return {bid_words(text): bid for text in legal_bids(rules, far_behind, 0) if (bid := parse_bid(text)) is not None}


def _by_side(rules: Rules) -> tuple[dict[tuple[int, str], Call], dict[Key, tuple[Worth, ...]]]:
    bids = _offered(rules)
    priced = {words: _bid_row(rules, bid) for words, bid in bids.items()}
    if rules.first_hand_unbid:
        priced[""] = tuple(_worth(unbid_result(rules, 0, took)) for took in TRICKS)
    ranked = dict(enumerate(priced, start=1))
    calls = {(0, words): Call(rank=rank) for rank, words in ranked.items()}
    return calls, {Key(0, rank, 0): priced[words] for rank, words in ranked.items()}


def _by_seat(rules: Rules) -> tuple[dict[tuple[int, str], Call], dict[Key, tuple[Worth, ...]]]:
    calls = {(0, str(number)): Call(number) for number in range(rules.lowest_bid, rules.highest_bid + 1)}
    offered = {NIL: rules.knows_nil, BLIND_NIL: rules.knows_blind_nil}
    calls |= {(0, bid_words(word)): _nil(rules, Bid(0, kind)) for word, kind in NIL_WORDS.items() if offered[kind]}
    rows = {Key(0, 0, number): _bid_row(rules, Bid(number)) for number in range(1, 2 * rules.highest_bid + 1)}
    # A number that a player bids blind for both partners counts alone, no matter which of them took the tricks.
    blind = [(words, bid) for words, bid in _offered(rules).items() if bid.is_blind and not bid.is_nil]
    for rank, (words, bid) in enumerate(blind, start=1):
        calls[0, words], calls[0, bid_words(WITH_PARTNER)] = Call(rank=rank), Call()
        rows[Key(0, rank, 0)] = _bid_row(rules, bid)
    return calls, rows


def _bid_row(rules: Rules, bid: Bid) -> tuple[Worth, ...]:
    """Price a bid of a number with each number of tricks, and say with which of them it wins the game."""
    worths = (_worth(result(rules, 0, (bid,), (took,))) for took in TRICKS)
    return tuple(worth._replace(wins=int(wins_with(rules, bid, took))) for took, worth in enumerate(worths))


def _nil(rules: Rules, bid: Bid) -> Call:
    """Price a nil beside the partner’s number. The sheet says whether its tricks help the partner."""
    aside = rules.failed_nil == "bags"
    alone = tuple(_worth(result(rules, 0, (bid,), (took,))) for took in TRICKS)
    extra = []
    for took in TRICKS:
        lines = result(rules, 0, (bid, Bid(1)), (took, 0)).lines
        extra.append(Worth(sum(line.points for line in lines if line.kind == "nil"), bags=took if aside else 0))
    return Call(extra=tuple(extra), alone=alone, aside=aside)


def _worth(scored: Result) -> Worth:
    return Worth(
        sum(line.points for line in scored.lines),
        was_set=scored.word == "set",
        bags=scored.bags,
        was_bid=bool(scored.word),
    )


# Spades as the site shows it.


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

HAND = EntryKind(hand_problems, _score_hand)

GAME: CardGame[Rules] = CardGame(
    key="spades",
    title="Spades",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=SEATS, sides=SIDES),
    read_hand=read_hand,
    entries={
        **TRICK_DECISIONS,
        TrickHand: HAND,
        Void: EntryKind(
            void_problems, lambda rules, carry, void: Scored((), pass_deal(carry, passes_deal_on(rules, void)))
        ),
        Adjustment: EntryKind(adjustment_problems, _score_adjustment),
    },
    ruled=ruled_kind(HAND, nil_seats),
    judge_bids=judge_bids,
    rulings=rulings,
    find_rule=find_rule,
    next_hand=next_hand,
    schedule=schedule,
    carried_on=seen_a_hand,
    void_choices=void_choices,
    prices=lambda rules: PRICES,
    # Bags if they are charged, and Bostons if all 13 tricks count as one.
    counters=lambda rules: (
        SETS,
        *((BAGS,) if rules.bag_limit else ()),
        *((BOSTONS,) if rules.counts_bostons else ()),
    ),
    tariff=tariff,
    finish=finish,
    ranks=lambda rules: RANKS[rules.pack],
    headings=HEADINGS,
)
