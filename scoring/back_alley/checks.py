"""What cannot be written on a Back Alley sheet, and what must be written next."""

from __future__ import annotations

from dataclasses import replace

from scoring.back_alley.bids import bid_problem, legal_bids, read_bids
from scoring.back_alley.boards import board_problems
from scoring.back_alley.citations import CITES, SPADES
from scoring.back_alley.deals import close_deals, is_blind, may_be_dealt, next_cards, schedule_rule
from scoring.back_alley.first_six import first_six_problems
from scoring.back_alley.rainbows import is_thrown_in, rainbow_of
from scoring.back_alley.rules import Rules
from scoring.back_alley.sheet import FIRST_SIX, Bid, Entry
from scoring.back_alley.voids import thrown_in_rule, void_problems
from scoring.decisions import over_problem
from scoring.entries import Void
from scoring.hand import Choice, Field, NextHand, trump_field
from scoring.ledger import Carry
from scoring.plain_rulings import decision_problems
from scoring.problem import Problem
from scoring.tricks import TrickHand, shape_problems, trick_fields
from scoring.words import counted

NO_TRUMPS = ("no", "none", "no-trump", "no-trumps")
SUITS = ("clubs", "diamonds", "hearts", "spades")
YES_NO = (Choice("yes", "Yes", "Yes"), Choice("no", "No", "No"))
WON_SIX = Field(
    "first_six",
    "hand",
    "yes-no",
    "First six bid: were all six won?",
    "First six won",
    "First six",
    (YES_NO,),
    when=FIRST_SIX,
)


def problems(rules: Rules, carry: Carry, entry: Entry) -> tuple[Problem, ...]:
    """Name every fault of an entry, each with its field, its rule and a sentence."""
    carry = close_deals(rules, carry)
    if over := over_problem(carry):
        return over
    match entry:
        case TrickHand():
            return _hand_problems(rules, carry, entry)
        case Void():
            return void_problems(rules, carry, entry)
        case _:
            return decision_problems(carry, entry)


def next_hand(rules: Rules, carry: Carry) -> NextHand:
    """Say what the table writes next: cards of the deal, and what each seat may bid."""
    seats, sides = rules.seating()
    cards = next_cards(rules, carry)
    bids = tuple(str(bid) for bid in legal_bids(rules, cards))
    own = seats == sides or _own_tricks_decide(rules, cards)
    note = "Bid blind: nobody looks at the cards before the bids are written." if is_blind(rules, cards) else ""
    if close_deals(rules, carry).deciding:
        note = "The totals are tied: this hand decides the game and scores nothing."
    fields = trick_fields(cards, (bids,), bids_of="seat", tricks_of="seat" if own else "side")
    if FIRST_SIX in bids:
        fields += (WON_SIX,)
    if not rules.spades_trump:
        fields += (trump_field(none=True),)
    return NextHand(carry.hands + 1, carry.deals % seats, cards, fields, note)


def _hand_problems(rules: Rules, carry: Carry, hand: TrickHand) -> tuple[Problem, ...]:
    problems = list(_cards_problems(rules, carry, hand))
    cards = _cards_to_check(rules, carry, hand)
    read = read_bids(rules, cards, hand.bids)
    problems += [bid_problem(rules, cards, text) for text, bid in zip(hand.bids, read, strict=True) if bid is None]
    bids = tuple(bid for bid in read if bid is not None)
    seats = rules.seating().seats
    problems += _shape_problems(rules, cards, hand, bids)
    problems += _record_problems(rules, hand)
    if len(bids) == seats:
        dealer = hand.dealer if hand.dealer in range(seats) else None
        problems += board_problems(rules, bids, dealer)
    if not problems:
        problems += first_six_problems(rules, bids, hand)
    return tuple(problems)


def _cards_problems(rules: Rules, carry: Carry, hand: TrickHand) -> tuple[Problem, ...]:
    if hand.cards is None or may_be_dealt(rules, carry, hand.cards):
        return ()
    rule, cards = schedule_rule(rules), next_cards(rules, carry)
    return (Problem("cards", rule, f"The next deal has {counted(cards, 'card')} each; {hand.cards} cannot be dealt."),)


def _cards_to_check(rules: Rules, carry: Carry, hand: TrickHand) -> int:
    """The rest of a hand with a wrong number of cards is checked by what it says, where that can be dealt at all."""
    due = next_cards(rules, carry)
    return hand.cards if hand.cards is not None and may_be_dealt(rules, carry, hand.cards) else due


def _shape_problems(rules: Rules, cards: int, hand: TrickHand, bids: tuple[Bid, ...]) -> tuple[Problem, ...]:
    seats, sides = rules.seating()
    thrown_in = len(bids) == len(hand.bids) and is_thrown_in(rules, cards, bids, hand)
    needs_own = not rules.team_bid or any(bid.rainbow and _own_tricks_decide(rules, cards) for bid in bids)
    rule = CITES[rules.book]["contract"]
    found = shape_problems(
        replace(hand, cards=None),
        seats=seats,
        sides=sides,
        cards=cards,
        rule=rule,
        bids_by_side=False,
        tricks_by_seat=needs_own,
    )
    if not thrown_in:
        return found
    played = any(hand.tricks) and any(problem.field == "tricks" for problem in found)
    text = "All passed: the hand is thrown in, and no tricks are played."
    unplayed = (Problem("tricks", thrown_in_rule(rules), text),) if played else ()
    return tuple(problem for problem in found if problem.field != "tricks") + unplayed


def _own_tricks_decide(rules: Rules, cards: int) -> bool:
    rainbow = rainbow_of(rules, cards)
    return not rules.team_bid or (rainbow is not None and rainbow.tricks > 0)


def _record_problems(rules: Rules, hand: TrickHand) -> tuple[Problem, ...]:
    """Dealer and trumps score nothing, but what is written must be possible."""
    found = []
    rule, seats = CITES[rules.book]["contract"], rules.seating().seats
    if hand.dealer is not None and hand.dealer not in range(seats):
        found.append(Problem("dealer", rule, f"The dealer is a seat from 0 to {seats - 1}."))
    if hand.trump and hand.trump not in (*SUITS, *NO_TRUMPS):
        found.append(Problem("trump", rule, f"“{hand.trump}” is not a suit. Trumps are {', '.join(SUITS)} or none."))
    elif hand.trump and rules.spades_trump and hand.trump != "spades":
        found.append(Problem("trump", SPADES, "Spades are always trumps on this sheet."))
    return tuple(found)
