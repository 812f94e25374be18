"""Points of a Back Alley entry and the game after it."""

from __future__ import annotations

from scoring.back_alley.bids import read_bids
from scoring.back_alley.deals import close_deals, deal_number, next_cards, plan, schedule_rule
from scoring.back_alley.lines import hand_lines
from scoring.back_alley.rainbows import is_thrown_in
from scoring.back_alley.rules import Rules
from scoring.back_alley.sheet import Bid, Entry
from scoring.back_alley.voids import passes_deal_on, thrown_in_rule
from scoring.decisions import Scored
from scoring.entries import Adjustment, Void
from scoring.ledger import BySide, Carry, HandResult, Word, earn, said
from scoring.plain_rulings import score_decision
from scoring.schedule import adjust_schedule, decide, not_scored
from scoring.tricks import TrickHand, charge_sets, thrown_in_note


def score_entry(rules: Rules, carry: Carry, entry: Entry) -> Scored:
    """Return the lines of one entry and the carry after it; the entry must have no problems."""
    match entry:
        case TrickHand():
            return _score_hand(rules, close_deals(rules, carry), entry)
        case Void():
            return (), _thrown_in(carry) if passes_deal_on(rules, entry) else carry
        case Adjustment():
            lines, after = adjust_schedule(carry, entry, deals=len(plan(rules)))
            return lines, close_deals(rules, after)
        case _:
            return score_decision(carry, entry)


def hand_result(rules: Rules, carry: Carry, entry: Entry) -> HandResult:
    """Say for each side whether it made what it bid, was set, or lost a rainbow; who passed bid nothing."""
    words: BySide[Word] = BySide.each(rules.seating().sides, "")
    if not isinstance(entry, TrickHand):
        return HandResult(words)
    cards = hand_cards(rules, carry, entry)
    bids = tuple(said(bid) for bid in read_bids(rules, cards, entry.bids))
    if is_thrown_in(rules, cards, bids, entry):
        note = thrown_in_note(cards, next_deals=rules.thrown_in_dealer == "next")
        return HandResult(words, note, thrown_in_rule(rules))
    return HandResult(hand_lines(rules, cards, bids, entry).words)


def hand_cards(rules: Rules, carry: Carry, hand: TrickHand) -> int:
    """Return the cards of a hand: as written, otherwise as the schedule has them."""
    return next_cards(rules, carry) if hand.cards is None else hand.cards


def _score_hand(rules: Rules, carry: Carry, hand: TrickHand) -> Scored:
    cards = hand_cards(rules, carry, hand)
    bids: tuple[Bid, ...] = tuple(said(bid) for bid in read_bids(rules, cards, hand.bids))
    if is_thrown_in(rules, cards, bids, hand):
        return (), _thrown_in(carry) if rules.thrown_in_dealer == "next" else carry
    lines, words = hand_lines(rules, cards, bids, hand)
    number = deal_number(rules, carry, hand.cards)
    after = charge_sets(carry, tuple(word == "set" for word in words))._replace(hands=number + 1, deals=carry.deals + 1)
    if not carry.deciding:
        return lines, close_deals(rules, earn(after, lines))
    points = BySide(sum(line.points for line in lines if line.side == side) for side in range(len(carry.scores)))
    if carry.hands < len(plan(rules)):
        return not_scored(lines), decide(after, points, tied="time", rule="time")
    return not_scored(lines), decide(after, points, tied="schedule", rule=schedule_rule(rules))


def _thrown_in(carry: Carry) -> Carry:
    """Nothing is scored, and the next player deals the same number of cards."""
    return carry._replace(deals=carry.deals + 1)
