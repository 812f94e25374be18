"""Points of an Okinawa entry and the game after it."""

from __future__ import annotations

from scoring.game import Adjustment, CardGame, Seating, Void
from scoring.ledger import BySide, Carry, HandResult, Word, earn, said
from scoring.okinawa.checks import next_hand, passes_deal_on, problems, thrown_in, void_choices
from scoring.okinawa.rules import HANDS, HEADINGS, SHEETS, Rules, cards_of
from scoring.okinawa.sheet import SEATS, SIDES, Bid, Entry, parse_bid, team_bids
from scoring.okinawa.tariff import close_hands, decide_hand, is_set, tariff, team_lines
from scoring.tricks import (
    PLAIN_RULINGS,
    Scored,
    TrickHand,
    adjust_schedule,
    by_side,
    charge_sets,
    not_scored,
    read_trick_hand,
    score_decision,
    seen_a_hand,
    thrown_in_note,
)


def score_entry(rules: Rules, carry: Carry, entry: Entry) -> Scored:
    """Return the lines of one entry and the carry after it; the entry must have no problems."""
    match entry:
        case TrickHand():
            return _score_hand(rules, close_hands(rules, carry), entry)
        case Void():
            return (), _pass_deal(carry) if passes_deal_on(rules, entry) else carry
        case Adjustment():
            lines, after = adjust_schedule(carry, entry, deals=HANDS)
            return lines, close_hands(rules, after)
        case _:
            return score_decision(carry, entry)


def hand_result(rules: Rules, carry: Carry, entry: Entry) -> HandResult:
    """Say for each team whether it made its bid or was set; a team that passed bid nothing."""
    words: BySide[Word] = BySide.each(SIDES, "")
    if not isinstance(entry, TrickHand):
        return HandResult(words)
    bids = tuple(said(parse_bid(bid)) for bid in entry.bids)
    cards = cards_of(carry.hands, entry.cards)
    if thrown_in(rules, entry, bids):
        note = thrown_in_note(cards, next_deals=rules.nobody_bids != "same-dealer")
        return HandResult(words, note, "all-pass")
    tricks = by_side(entry.tricks, SIDES)
    teams = zip(team_bids(bids), tricks, strict=True)
    return HandResult(BySide(_word(bid, took, cards) for bid, took in teams))


def _word(bid: Bid, tricks: int, cards: int) -> Word:
    if not bid.number and not bid.is_okinawa:
        return ""
    return "set" if is_set(bid, tricks, cards) else "made"


def _score_hand(rules: Rules, before: Carry, hand: TrickHand) -> Scored:
    bids = tuple(said(parse_bid(bid)) for bid in hand.bids)
    if thrown_in(rules, hand, bids):
        return (), before if rules.nobody_bids == "same-dealer" else _pass_deal(before)
    cards, teams, tricks = cards_of(before.hands, hand.cards), team_bids(bids), by_side(hand.tricks, SIDES)
    lines = tuple(line for side in range(SIDES) for line in team_lines(rules, side, teams[side], tricks[side], cards))
    after = charge_sets(before, tuple(is_set(teams[side], tricks[side], cards) for side in range(SIDES)))
    after = _pass_deal(after)._replace(hands=before.hands + 1)
    if before.deciding:
        points = earn(after._replace(scores=BySide.each(SIDES, 0)), lines).scores
        return not_scored(lines), decide_hand(before, after, points)
    return lines, close_hands(rules, earn(after, lines))


def _pass_deal(carry: Carry) -> Carry:
    return carry._replace(deals=carry.deals + 1)


# Okinawa as the registry shows it.

GAME: CardGame[Rules, Entry] = CardGame(
    key="okinawa",
    title="Okinawa",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=SEATS, sides=SIDES),
    read_hand=read_trick_hand,
    problems=problems,
    score_entry=score_entry,
    result=hand_result,
    next_hand=next_hand,
    rulings=lambda rules: PLAIN_RULINGS,
    carried_on=seen_a_hand,
    hands_planned=lambda rules: HANDS,
    void_choices=void_choices,
    tariff=tariff,
    ranks=lambda rules: "A K Q J 10 down to 2",  # 001 L7
    headings=HEADINGS,
)
