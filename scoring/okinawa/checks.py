"""What an Okinawa sheet refuses, and what it asks for next."""

from __future__ import annotations

from scoring.decisions import Void, VoidChoice
from scoring.game import Field, NextHand, trump_field
from scoring.ledger import Carry, Problem, hyphenated
from scoring.okinawa.rules import Rules, cards_of
from scoring.okinawa.sheet import (
    OKINAWA,
    PASS,
    SEATS,
    SIDES,
    SUITS,
    Bid,
    auction_problems,
    parse_bid,
)
from scoring.tricks import TrickHand, choices_of, next_deals_after, shape_problems, trick_fields

THROW_UP = "ok.throw_up"
ONE_TEN = "ok.var.one_ten"
THROW_UP_WORDS = {"ok.throw-up", "throw-up", "thrown-up", "ok.var.one-ten"}
THROWN_IN = "all-pass"


def void_choices(rules: Rules) -> tuple[VoidChoice, ...]:
    """List the hands that are dealt again on this sheet."""
    choices = []
    if rules.throw_up != "none":
        rule, tens = (THROW_UP, "two tens") if rules.throw_up == "two-tens" else (ONE_TEN, "one ten")
        text = f"Thrown up: no ace, no face card, {tens} at most, and the partner agrees"
        choices.append(VoidChoice(rule, text))
    if rules.nobody_bids != "played":
        who = "the same player deals again" if rules.nobody_bids == "same-dealer" else "the next player deals"
        may_play = rules.nobody_bids == "as-written"
        choices.append(VoidChoice(THROWN_IN, f"All passed: {who}", throws_in=True, may_play=may_play))
    return tuple(choices)


def passes_deal_on(rules: Rules, void: Void) -> bool:
    """Return whether the next player deals: only after all passed, unless the sheet says otherwise."""
    if hyphenated(void.rule) == THROWN_IN:
        return rules.nobody_bids != "same-dealer"
    return next_deals_after(rules, void.rule)


def void_problems(rules: Rules, carry: Carry, void: Void) -> tuple[Problem, ...]:
    """Refuse a hand that is thrown up too early, or that must be played on this sheet."""
    word = hyphenated(void.rule)
    if word == THROWN_IN and rules.nobody_bids == "played":
        return (Problem("rule", THROWN_IN, "A hand that all passed is played on this sheet."),)
    if word not in THROW_UP_WORDS:
        return ()
    if rules.throw_up == "none":
        return (Problem("rule", "ok.var.no_throw_up", "No hand may be thrown up on this sheet."),)
    if carry.hands + 1 < rules.throw_up_from:
        text = f"A hand may be thrown up from hand {rules.throw_up_from} on; this is hand {carry.hands + 1}."
        return (Problem("rule", THROW_UP, text),)
    return ()


RULE = "ok.contract"


def next_hand(rules: Rules, carry: Carry) -> NextHand:
    """Say what the table writes next: the cards of the hand, and what each player may bid."""
    cards = cards_of(carry.hands)
    highest = cards if rules.number_for_all == "contract" else cards - 1
    bids = (PASS, *(str(number) for number in range(1, highest + 1)), OKINAWA)
    notes = []
    if carry.deciding:
        notes.append("The totals are tied: this hand decides the game and scores nothing.")
    if rules.throw_up != "none" and carry.hands + 1 >= rules.throw_up_from:
        tens = "two tens" if rules.throw_up == "two-tens" else "one ten"
        notes.append(f"No ace, no face card and {tens} at most: if the partner agrees, the hand may be thrown up.")
    words, dealer = "First round", ("dealer",)
    first_round = Field(
        "auction", "seat", "calls", words, words, words, (choices_of(bids),), needed=False, refused_as=dealer
    )
    fields = trick_fields(cards, (bids,), bids_of="seat", tricks_of="side")
    fields += (first_round, trump_field())
    return NextHand(carry.hands + 1, carry.deals % SEATS, cards, fields, " ".join(notes))


def is_thrown_in(rules: Rules, hand: TrickHand, bids: tuple[Bid, ...]) -> bool:
    """Return whether a hand was not played, because all passed."""
    if any(bid.number or bid.is_okinawa for bid in bids) or rules.nobody_bids == "played":
        return False
    return rules.nobody_bids != "as-written" or not any(hand.tricks)


def hand_problems(rules: Rules, carry: Carry, hand: TrickHand) -> tuple[Problem, ...]:
    """Name every fault of a hand."""
    cards = cards_of(carry.hands, hand.cards)
    read = [parse_bid(bid) for bid in hand.bids]
    bids = tuple(bid for bid in read if bid is not None)
    is_read = len(bids) == len(hand.bids) and len(bids) in (SIDES, SEATS)
    shape = shape_problems(
        hand,
        seats=SEATS,
        sides=SIDES,
        cards=cards,
        rule=RULE,
        bids_by_side=len(hand.bids) == SIDES,
        tricks_by_seat=False,
    )
    problems = list(shape)
    if is_read and is_thrown_in(rules, hand, bids):
        problems = [problem for problem in shape if problem.field != "tricks"]
        if any(hand.tricks):
            text = "All passed: the hand is thrown in, and no tricks are played."
            problems.append(Problem("tricks", "all-pass", text))
    problems += judge_bids(rules, carry, hand)
    return (*problems, *_record_problems(hand, bids, cards, is_read=is_read))


def judge_bids(rules: Rules, carry: Carry, hand: TrickHand) -> list[Problem]:
    """Name every fault of the bids."""
    cards, by_seat = cards_of(carry.hands, hand.cards), len(hand.bids) != SIDES
    return [
        problem for bid in hand.bids for problem in _bid_problems(rules, cards, bid, parse_bid(bid), by_seat=by_seat)
    ]


def _bid_problems(rules: Rules, cards: int, text: str, bid: Bid | None, *, by_seat: bool) -> list[Problem]:
    if bid is None:
        return [Problem("bids", RULE, f"“{text}” is not a bid: say pass, a number of tricks or okinawa.")]
    if bid.number > (cards if by_seat else 2 * cards):
        return [Problem("bids", RULE, f"There are {cards} tricks in this hand: {bid.number} cannot be bid.")]
    if by_seat and bid.number == cards and rules.number_for_all == "refused":
        return [Problem("bids", "ok.okinawa", "To bid every trick, say okinawa.")]
    return []


def _record_problems(hand: TrickHand, bids: tuple[Bid, ...], cards: int, *, is_read: bool) -> list[Problem]:
    """Check dealer, trumps and first round: they score nothing, but what is written must be possible."""
    problems = []
    if hand.trump and hand.trump not in SUITS and f"{hand.trump}s" not in SUITS:
        problems.append(Problem("trump", RULE, f"“{hand.trump}” is not a suit. Trumps are {', '.join(SUITS)}."))
    if hand.first_six is not None:
        problems.append(Problem("first_six", RULE, "There is no first-six bid in Okinawa."))
    if hand.dealer is not None and hand.dealer not in range(SEATS):
        problems.append(Problem("dealer", RULE, "The dealer is a place at the table from 0 to 3."))
    elif is_read:
        problems += auction_problems(hand, bids, cards)
    return problems
