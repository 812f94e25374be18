"""What a Spades sheet refuses, and what it asks for next."""

from __future__ import annotations

from dataclasses import replace

from scoring.decisions import Void, VoidChoice
from scoring.game import NextHand
from scoring.ledger import Carry, Problem
from scoring.spades.rules import CARDS, CITES, Rules
from scoring.spades.sheet import (
    BLIND,
    BLIND_NIL,
    COME_OUT,
    NIL,
    NOTHING_BID,
    OPEN,
    SEATS,
    SIDES,
    WITH_PARTNER,
    parse_bid,
)
from scoring.tricks import TrickHand, next_deals_after, shape_problems, trick_fields

NIL_BIDS = (NIL, BLIND_NIL)
SPADES = ("", "spades", "spade")


def next_hand(rules: Rules, carry: Carry) -> NextHand:
    """Say what the table writes next: the dealer, and the bids that each may make."""
    notes = []
    unbid = is_unbid(rules, carry)
    if unbid:
        notes.append("The first hand is not bid: 10 points for each trick.")
    if carry.deciding:
        notes.append("The score is tied: this hand decides the game and scores nothing.")
    by_seat = rules.bids_by == "seat"
    bidders = () if unbid else range(SEATS if by_seat else SIDES)
    bids = tuple(legal_bids(rules, carry, bidder % SIDES) for bidder in bidders)
    own = by_seat and any(word in NIL_BIDS for offered in bids for word in offered)
    fields = trick_fields(CARDS, bids, bids_of="seat" if by_seat else "side", tricks_of="seat" if own else "side")
    return NextHand(carry.hands + 1, carry.deals % SEATS, CARDS, fields, " ".join(notes))


def is_unbid(rules: Rules, carry: Carry) -> bool:
    """Return whether the next hand is a first hand that this sheet plays without bids."""
    return rules.first_hand_unbid and carry.hands == 0


def is_played_unbid(rules: Rules, carry: Carry, hand: TrickHand) -> bool:
    """Return whether a hand was played without bids: the first one, unless the table bid anyway.

    In the source the first hand is “normally” not bid, so bids that were written down are scored.
    """
    return is_unbid(rules, carry) and set(hand.bids) <= NOTHING_BID


def said_bids(rules: Rules, hand: TrickHand) -> tuple[str, ...]:
    """Return the bids as the sheet counts them: if sides bid, four plain numbers are added by side."""
    if rules.bids_by == "side" and len(hand.bids) == SEATS and all(_is_number(bid) for bid in hand.bids):
        return tuple(str(sum(int(bid) for bid in hand.bids[side::SIDES])) for side in range(SIDES))
    return hand.bids


def nil_seats(rules: Rules, carry: Carry, hand: TrickHand) -> list[int]:
    """List the seats that bid nil, which their own tricks decide."""
    bids = hand.bids if rules.bids_by == "seat" else ()
    return [seat for seat, bid in enumerate(map(parse_bid, bids)) if bid is not None and bid.is_nil]


def legal_bids(rules: Rules, carry: Carry, side: int) -> tuple[str, ...]:
    """List what a side, or a player of it, may bid, in the order in which it is offered."""
    blind = [BLIND_NIL]
    if rules.lowest_blind is not None:
        blind += [f"blind-{number}" for number in range(rules.lowest_blind, rules.highest_bid + 1)]
    numbers = [str(number) for number in range(rules.lowest_bid, rules.highest_bid + 1)]
    offered = [NIL, *numbers, *blind, f"{COME_OUT}-10"]
    legal = tuple(bid for bid in offered if not _bid_problems(rules, carry, bid, side))
    is_for_both = any(bid.kind in (BLIND, COME_OUT) for bid in map(parse_bid, legal) if bid is not None)
    return (*legal, WITH_PARTNER) if is_for_both and rules.bids_by == "seat" else legal


def hand_problems(rules: Rules, carry: Carry, hand: TrickHand) -> tuple[Problem, ...]:
    """Name every fault of a hand."""
    unbid = is_played_unbid(rules, carry, hand)
    bids = () if unbid else said_bids(rules, hand)
    parsed = [parse_bid(bid) for bid in bids]
    shape = shape_problems(
        replace(hand, bids=bids),
        seats=SEATS,
        sides=SIDES,
        cards=CARDS,
        rule=CITES[rules.book]["first" if unbid else "contract"],
        bids_by_side=rules.bids_by == "side",
        tricks_by_seat=any(bid is not None and bid.is_nil for bid in parsed) and rules.bids_by == "seat",
    )
    problems = [problem for problem in shape if not (unbid and problem.field == "bids")]
    return (*problems, *judge_bids(rules, carry, hand), *_stray_problems(rules, hand))


def judge_bids(rules: Rules, carry: Carry, hand: TrickHand) -> list[Problem]:
    """Name every fault of the bids, of each by itself and beside the partner’s."""
    bids = () if is_played_unbid(rules, carry, hand) else said_bids(rules, hand)
    problems = []
    for bidder, bid in enumerate(bids):
        together = rules.bids_by == "seat" and bid == WITH_PARTNER
        problems += [] if together else _bid_problems(rules, carry, bid, bidder % SIDES)
    if rules.bids_by == "seat" and rules.lowest_blind is not None and len(bids) == SEATS:
        problems += _together_problems(rules, bids)
    return problems


def _together_problems(rules: Rules, bids: tuple[str, ...]) -> list[Problem]:
    """Check bids of partners together: a number bid blind is for both, and only then has one no bid."""
    problems = []
    for side in range(SIDES):
        parsed = [parse_bid(bid) for bid in bids[side::SIDES]]
        blind = next((bid for bid in parsed if bid is not None and bid.kind in (BLIND, COME_OUT)), None)
        alone = bids[side::SIDES].count(WITH_PARTNER)
        if blind is not None and not alone:
            text = f"“{blind.words}” is bid for both partners: the partner’s bid is “With partner”."
            problems.append(Problem("bids", CITES[rules.book]["blind"], text))
        if alone and (blind is None or alone > 1):
            text = "What did the partner bid? “With partner” stands only beside a blind bid of a number."
            problems.append(Problem("bids", CITES[rules.book]["contract"], text))
    return problems


def _bid_problems(rules: Rules, carry: Carry, written: str, side: int) -> list[Problem]:
    cites = CITES[rules.book]
    bid = parse_bid(written)
    if bid is None:
        return [Problem("bids", cites["contract"], f"“{written}” is not a bid. {_what_may_be_bid(rules)}")]
    not_offered = {
        NIL: not rules.knows_nil,
        BLIND_NIL: not rules.knows_blind_nil,
        COME_OUT: not rules.come_out,
        BLIND: rules.lowest_blind is None or not rules.lowest_blind <= bid.number <= rules.highest_bid,
        OPEN: not rules.lowest_bid <= bid.number <= rules.highest_bid,
    }
    if not_offered[bid.kind]:
        text = f"“{bid.words}” cannot be bid. {_what_may_be_bid(rules)}"
        knows_blind = bid.kind == BLIND and rules.lowest_blind is not None
        return [Problem("bids", cites["blind" if knows_blind else "contract"], text)]
    behind = carry.scores[1 - side] - carry.scores[side]
    if bid.is_blind and rules.blind_behind is not None and behind < rules.blind_behind:
        clause = {BLIND: "blind", COME_OUT: "come_out", BLIND_NIL: "blind_nil"}[bid.kind]
        what = {BLIND: f"bid {bid.number} blind", COME_OUT: f"come out to {bid.number}", BLIND_NIL: "bid blind nil"}
        text = f"A side may {what[bid.kind]} only when it is at least {rules.blind_behind} points behind."
        return [Problem("bids", cites[clause], text)]
    return []


def _what_may_be_bid(rules: Rules) -> str:
    who = "Each player" if rules.bids_by == "seat" else "Each side"
    words = [f"{rules.lowest_bid} to {rules.highest_bid}"]
    if rules.knows_nil:
        words.append("nil")
    if rules.knows_blind_nil:
        words.append("blind nil")
    if rules.lowest_blind is not None:
        words.append(f"blind from {rules.lowest_blind} up")
    return f"{who} bids {', '.join(words[:-1])} or {words[-1]}." if words[1:] else f"{who} bids {words[0]}."


def _stray_problems(rules: Rules, hand: TrickHand) -> list[Problem]:
    """Refuse fields of other games: Spades has no auction and no first-six bid, and trumps are always spades."""
    rule = CITES[rules.book]["contract"]
    problems = []
    if hand.trump not in SPADES:
        problems.append(Problem("trump", rule, "Spades are always trumps."))
    if hand.auction:
        problems.append(Problem("auction", rule, "Nobody bids over another here: write what each bid under “bids”."))
    if hand.first_six is not None:
        problems.append(Problem("first_six", rule, "There is no first-six bid in Spades."))
    if hand.dealer is not None and hand.dealer not in range(SEATS):
        problems.append(Problem("dealer", rule, "The dealer is a place at the table from 0 to 3."))
    return problems


def _is_number(bid: str) -> bool:
    return bid.isascii() and bid.isdigit() and len(bid) <= 2


# Hands that are dealt again besides misdeals. A dealer who shows a card has misdealt; a hand without spades is luck.

NO_SPADES, FACE_SHOWN = "sp.no_spades", "sp.face_shown"


def void_choices(rules: Rules) -> tuple[VoidChoice, ...]:
    """List the hands that are dealt again on this sheet: until when players may ask for it, and who deals."""
    choices = []
    if rules.redeal_without_spades:
        text = "A player without spades, before bidding, called for a new deal: the same player deals again"
        choices.append(VoidChoice(NO_SPADES, text))
    if rules.redeal_after_a_face:
        who = "the next player deals" if next_deals_after(rules, "misdeal") else "the same player deals again"
        choices.append(VoidChoice(FACE_SHOWN, f"The dealer showed a face card, called before the bids: {who}"))
    return tuple(choices)


def passes_deal_on(rules: Rules, void: Void) -> bool:
    """Return whether the next player deals: after a mistake of the dealer, if the sheet says so."""
    return next_deals_after(rules, "misdeal" if void.rule == FACE_SHOWN else void.rule)


def void_problems(rules: Rules, carry: Carry, void: Void) -> tuple[Problem, ...]:
    """Refuse a redeal that this sheet does not grant."""
    granted = {NO_SPADES: rules.redeal_without_spades, FACE_SHOWN: rules.redeal_after_a_face}
    if granted.get(void.rule, True):
        return ()
    return (Problem("rule", void.rule, "This is not dealt again on this sheet: the hand is played."),)
