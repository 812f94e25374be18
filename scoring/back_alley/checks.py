"""What a Back Alley sheet refuses, and what it asks for next."""

from __future__ import annotations

from dataclasses import replace

from scoring.back_alley.rules import CITES, FIRST_SIX_RULE, REDEAL_DEMAND, SPADES, THROWN_IN, TIGHT_REDEAL, Rules
from scoring.back_alley.sheet import (
    FIRST_SIX,
    Bid,
    bid_problem,
    board_problems,
    is_blind,
    is_thrown_in,
    legal_bids,
    may_be_dealt,
    next_cards,
    rainbow_of,
    read_bids,
    schedule_rule,
)
from scoring.decisions import Void, VoidChoice
from scoring.game import Choice, Field, NextHand, trump_field
from scoring.ledger import Carry, Problem, counted, hyphenated
from scoring.tricks import TrickHand, by_side, next_deals_after, shape_problems, trick_fields

SIX = 6


def first_six_winner(rules: Rules, bids: tuple[Bid, ...], hand: TrickHand) -> int | None:
    """Return the side that bid and won the first six tricks; None if nobody did."""
    if not hand.first_six:
        return None
    able = _able(rules, bids, hand)
    return able[0] if len(able) == 1 else None


def first_six_problems(rules: Rules, bids: tuple[Bid, ...], hand: TrickHand) -> tuple[Problem, ...]:
    """Check a bid of the first six against the tricks, and against the answer whether it was won."""
    bidders = _bidders(rules, bids)
    if not bidders:
        text = "Nobody bid the first six tricks."
        return (Problem("first_six", FIRST_SIX_RULE, text),) if hand.first_six else ()
    problems = []
    if hand.first_six is None:
        problems.append(Problem("first_six", FIRST_SIX_RULE, "First six bid: were all six won? Yes or no."))
    elif hand.first_six and not _able(rules, bids, hand):
        problems.append(
            Problem("first_six", FIRST_SIX_RULE, "The bidders of the first six took fewer than six tricks.")
        )
    elif hand.first_six and len(_able(rules, bids, hand)) > 1:
        text = "Both sides bid the first six and took six: enter the points of this hand as an adjustment."
        problems.append(Problem("first_six", FIRST_SIX_RULE, text))
    elif not hand.first_six and any(_took_all(rules, hand, side) for side in bidders):
        problems.append(Problem("first_six", FIRST_SIX_RULE, "A side that took every trick took the first six."))
    return tuple(problems)


def _bidders(rules: Rules, bids: tuple[Bid, ...]) -> list[int]:
    sides = rules.seating().sides
    return sorted({seat % sides for seat, bid in enumerate(bids) if bid.call == FIRST_SIX})


def _able(rules: Rules, bids: tuple[Bid, ...], hand: TrickHand) -> list[int]:
    taken = by_side(hand.tricks, rules.seating().sides)
    return [side for side in _bidders(rules, bids) if taken[side] >= SIX]


def _took_all(rules: Rules, hand: TrickHand, side: int) -> bool:
    return by_side(hand.tricks, rules.seating().sides)[side] == sum(hand.tricks)


# Hands that do not count: all passed, or a player asked for a new deal.

ALL_PASS_WORDS = {hyphenated(THROWN_IN), "allpass", "all-pass"}
DEMAND_WORDS = {hyphenated(REDEAL_DEMAND), "redeal-demand"}
TIGHT_WORDS = {hyphenated(TIGHT_REDEAL), "no-trumps-in-hand"}
DEMAND_CARDS, TIGHT_CARDS = 6, 7


def void_choices(rules: Rules) -> tuple[VoidChoice, ...]:
    """List the hands that are dealt again on this sheet."""
    who = "the same player deals again" if rules.thrown_in_dealer == "same" else "the next player deals"
    choices = [VoidChoice(thrown_in_rule(rules), f"All passed: {who}", throws_in=True)]
    if rules.redeal_demand:
        text = "A player without ace, face card and trump demanded a new deal: the same player deals again"
        choices.append(VoidChoice(REDEAL_DEMAND, text))
    if rules.tight_redeal:
        choices.append(VoidChoice(TIGHT_REDEAL, "A player had no trumps: the same player deals again"))
    return tuple(choices)


def passes_deal_on(rules: Rules, void: Void) -> bool:
    """Return whether the next player deals: after all passed or a misdeal, if the sheet says so."""
    return (
        hyphenated(void.rule) in {*ALL_PASS_WORDS, hyphenated(thrown_in_rule(rules))}
        and rules.thrown_in_dealer == "next"
    ) or next_deals_after(rules, void.rule)


def void_problems(rules: Rules, carry: Carry, void: Void) -> tuple[Problem, ...]:
    """Refuse a redeal that this sheet does not grant on this deal."""
    cards = next_cards(rules, carry)
    demand, tight = "No player may demand a new deal on this sheet.", "A hand without trumps is played on this sheet."
    for words, rule, is_granted, needed, text in (
        (DEMAND_WORDS, REDEAL_DEMAND, rules.redeal_demand, DEMAND_CARDS, demand),
        (TIGHT_WORDS, TIGHT_REDEAL, rules.tight_redeal, TIGHT_CARDS, tight),
    ):
        if hyphenated(void.rule) in words and not is_granted:
            return (Problem("rule", rule, text),)
        if hyphenated(void.rule) in words and cards < needed:
            return (Problem("rule", rule, f"This redeal needs {needed} cards or more; this deal has {cards}."),)
    return ()


def thrown_in_rule(rules: Rules) -> str:
    """Return the clause by which a hand is thrown in if all pass."""
    return CITES[rules.book]["thrown_in"]


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


def next_hand(rules: Rules, carry: Carry) -> NextHand:
    """Say what the table writes next: the cards of the deal, and what each seat may bid."""
    seats, sides = rules.seating()
    cards = next_cards(rules, carry)
    bids = tuple(str(bid) for bid in legal_bids(rules, cards))
    own = seats == sides or _own_tricks_decide(rules, cards)
    note = "Bid blind: nobody looks at the cards before the bids are written." if is_blind(rules, cards) else ""
    if carry.deciding:
        note = "The totals are tied: this hand decides the game and scores nothing."
    fields = trick_fields(cards, (bids,), bids_of="seat", tricks_of="seat" if own else "side")
    if FIRST_SIX in bids:
        fields += (WON_SIX,)
    if not rules.spades_trump:
        fields += (trump_field(none=True),)
    return NextHand(carry.hands + 1, carry.deals % seats, cards, fields, note)


def hand_problems(rules: Rules, carry: Carry, hand: TrickHand) -> tuple[Problem, ...]:
    """Name every fault of a hand."""
    due = next_cards(rules, carry)
    # If a hand with another number of cards could have been dealt, the rest of it is checked by that number.
    cards = hand.cards if hand.cards is not None and may_be_dealt(rules, carry, hand.cards) else due
    problems = []
    if hand.cards not in (None, cards):
        text = f"The next deal has {counted(due, 'card')} each; {hand.cards} cannot be dealt."
        problems.append(Problem("cards", schedule_rule(rules), text))
    bids = tuple(bid for bid in read_bids(rules, cards, hand.bids) if bid is not None)
    problems += judge_bids(rules, carry, hand)
    problems += _shape_problems(rules, cards, hand, bids)
    problems += _record_problems(rules, hand)
    if not problems:
        problems += first_six_problems(rules, bids, hand)
    return tuple(problems)


def judge_bids(rules: Rules, carry: Carry, hand: TrickHand) -> list[Problem]:
    """Name every fault of the bids: of each by itself, then the boards together, then the first six with a board."""
    cards, (seats, sides) = next_cards(rules, carry), rules.seating()
    if hand.cards is not None and may_be_dealt(rules, carry, hand.cards):
        cards = hand.cards
    read = read_bids(rules, cards, hand.bids)
    bids = tuple(bid for bid in read if bid is not None)
    if len(bids) < len(read):
        return [bid_problem(rules, cards, text) for text, bid in zip(hand.bids, read, strict=True) if bid is None]
    if len(bids) != seats:
        return []
    problems = list(board_problems(rules, bids, hand.dealer if hand.dealer in range(seats) else None))
    if not problems and any(bid.level for side in _bidders(rules, bids) for bid in bids[side::sides]):
        problems.append(Problem("bids", FIRST_SIX_RULE, "A side bids the first six tricks or a board, not both."))
    return problems


def _shape_problems(rules: Rules, cards: int, hand: TrickHand, bids: tuple[Bid, ...]) -> tuple[Problem, ...]:
    seats, sides = rules.seating()
    thrown_in = len(bids) == len(hand.bids) and is_thrown_in(rules, cards, bids, hand)
    needs_own = not rules.team_bid or any(bid.rainbow and _own_tricks_decide(rules, cards) for bid in bids)
    rule = CITES[rules.book]["contract"]
    problems = shape_problems(
        replace(hand, cards=None),
        seats=seats,
        sides=sides,
        cards=cards,
        rule=rule,
        bids_by_side=False,
        tricks_by_seat=needs_own,
    )
    if not thrown_in:
        return problems
    played = any(hand.tricks) and any(problem.field == "tricks" for problem in problems)
    text = "All passed: the hand is thrown in, and no tricks are played."
    unplayed = (Problem("tricks", thrown_in_rule(rules), text),) if played else ()
    return tuple(problem for problem in problems if problem.field != "tricks") + unplayed


def rainbow_seats(rules: Rules, carry: Carry, hand: TrickHand) -> list[int]:
    """List the seats with a rainbow that their own tricks win or lose."""
    cards = next_cards(rules, carry) if hand.cards is None else hand.cards
    rainbow = rainbow_of(rules, cards)
    if rainbow is None or not rainbow.tricks:
        return []
    bids = read_bids(rules, cards, hand.bids)
    return [seat for seat, bid in enumerate(bids) if bid is not None and bid.rainbow]


def _own_tricks_decide(rules: Rules, cards: int) -> bool:
    rainbow = rainbow_of(rules, cards)
    return not rules.team_bid or (rainbow is not None and rainbow.tricks > 0)


def _record_problems(rules: Rules, hand: TrickHand) -> tuple[Problem, ...]:
    """Check dealer and trumps: they score nothing, but what is written must be possible."""
    problems = []
    rule, seats = CITES[rules.book]["contract"], rules.seating().seats
    if hand.dealer is not None and hand.dealer not in range(seats):
        problems.append(Problem("dealer", rule, f"The dealer is a seat from 0 to {seats - 1}."))
    if hand.trump and hand.trump not in (*SUITS, *NO_TRUMPS):
        problems.append(Problem("trump", rule, f"“{hand.trump}” is not a suit. Trumps are {', '.join(SUITS)} or none."))
    elif hand.trump and rules.spades_trump and hand.trump != "spades":
        problems.append(Problem("trump", SPADES, "Spades are always trumps on this sheet."))
    return tuple(problems)
