"""What a Bid Whist sheet refuses, and what it asks for next."""

from __future__ import annotations

from scoring.bid_whist.rules import CITES, Rules
from scoring.bid_whist.rulings import rule_problems
from scoring.bid_whist.sheet import (
    ACES_BAD,
    BOOKS,
    DOWNTOWN,
    KINDS,
    NO,
    NO_TRUMP,
    SEATS,
    SPECIAL,
    UPTOWN,
    Hand,
    auction_problems,
    bid_problems,
    ladder,
    spoken,
)
from scoring.decisions import Adjustment, Award, adjustment_problems, award_problems
from scoring.game import Choice, Field, NextHand, Row, numbers, trump_field
from scoring.ledger import Carry, Problem, cached_on_rules


def checked_award(rules: Rules, carry: Carry, award: Award) -> tuple[Problem, ...]:
    """Refuse what every game refuses, and an award under a rule that the sheet does not have."""
    return award_problems(rules, carry, award) + rule_problems(rules, award.rule)


def checked_adjustment(rules: Rules, carry: Carry, adjustment: Adjustment) -> tuple[Problem, ...]:
    """Refuse what every game refuses, and an adjustment by which both sides would lose the game on sets."""
    problems = adjustment_problems(rules, carry, adjustment) + rule_problems(rules, adjustment.rule)
    if rules.set_limit is None or len(adjustment.sets) != len(carry.sets):
        return problems
    counted = carry.sets_running if rules.sets_consecutive else carry.sets
    if min(old + more for old, more in zip(counted, adjustment.sets, strict=True)) < rules.set_limit:
        return problems
    return (*problems, Problem("sets", CITES[rules.book]["sets"], "Both sides would lose the game by their sets."))


def next_hand(rules: Rules, carry: Carry) -> NextHand:
    """Say what the table writes next. After a void hand the same player deals again."""
    note = "Tied when time ran out: this hand decides the game and scores nothing." if carry.deciding else ""
    return NextHand(carry.hands + 1, carry.deals % SEATS, rules.cards_each, _fields(rules), note)


@cached_on_rules
def _fields(rules: Rules) -> tuple[Field, ...]:
    """Ask who won the bid, what it was, and the books taken. Trumps and direction score nothing."""
    called = rules.called
    bids = tuple(
        Choice(str(bid), spoken(rules, bid), f"{bid.level}{called[bid.kind].short}", bid.kind, made_from=bid.needs)
        for bid in ladder(rules)
    )
    rows = tuple(
        Row(kind, called[kind].name.capitalize(), "×2" if kind == NO and rules.no_doubled else "", called[kind].letter)
        for kind in KINDS
        if kind in rules.kinds
    )
    least = 1 if rules.kitty_goes_to == "bidder" else 0
    books = numbers(least, BOOKS, {BOOKS: "Boston"})
    how_many = "How many books did the bidding side take?"
    fields = (
        Field("seat", "bidder", "seats", "Who won the bid?", "Won the bid", "Bid by", refused_as=("bidder",)),
        Field("bid", "bidder", "grid", "The bid", "The bid", "Bid", (bids,), asks="Which bid was played?", rows=rows),
        Field("books", "bidder", "count", "Books {who} took", "Books", "Books", (books,), asks=how_many),
        # The suit of trumps. If the kind is part of the bid, the bid already says whether there are any.
        trump_field(),
    )
    ranks = tuple(Choice(key, words, words) for key, words in directions(rules).items())
    direction = Field("direction", "hand", "row", "Direction", "Direction", "Direction", (ranks,), needed=False)
    return (*fields, direction) if ranks else fields


def hand_problems(rules: Rules, carry: Carry, hand: Hand) -> tuple[Problem, ...]:
    """Name every fault of a hand."""
    rule = CITES[rules.book]["hand"]
    problems = list(bid_problems(rules, hand.contract))
    if not 0 <= hand.books <= BOOKS:
        problems.append(Problem("books", rule, f"There are 13 books; {hand.books} is not possible."))
    elif hand.books == 0 and rules.kitty_goes_to == "bidder":
        problems.append(Problem("books", rule, "The kitty is a book of the bidding side: it has at least one."))
    problems += _trump_problems(rules, hand)
    problems += _direction_problems(rules, hand)
    problems += auction_problems(rules, hand)
    return tuple(problems)


def _trump_problems(rules: Rules, hand: Hand) -> tuple[Problem, ...]:
    rule = CITES[rules.book]["no"]
    if hand.bid.kind == NO and hand.trump not in ("", NO_TRUMP):
        return (Problem("trump", rule, f"A {rules.called[NO].name} bid has no trumps."),)
    if hand.trump == NO_TRUMP and hand.bid.kind != NO and (rules.kind_is_bid or hand.bid.kind == SPECIAL):
        return (Problem("trump", rule, f"The bid was {spoken(rules, hand.bid)}: it names trumps."),)
    return ()


def directions(rules: Rules) -> dict[str, str]:
    """List the directions that can be named after the bid; none if the sheet does not play downtown."""
    if SPECIAL not in rules.kinds:
        return {}
    if rules.book != "52":
        return {UPTOWN: "Uptown", DOWNTOWN: "Downtown"}
    return {UPTOWN: "Uptown", DOWNTOWN: "Downtown, aces good", ACES_BAD: "Downtown, aces bad"}


def _direction_problems(rules: Rules, hand: Hand) -> tuple[Problem, ...]:
    if not hand.direction:
        return ()
    rule = CITES[rules.book]["bid"]
    if hand.direction == ACES_BAD and rules.book != "52":
        return (Problem("direction", rule, "Downtown with bad aces is not played in this game."),)
    if hand.direction != UPTOWN and SPECIAL not in rules.kinds:
        return (Problem("direction", rule, "There is no downtown in this game."),)
    wrong = UPTOWN if hand.bid.kind == SPECIAL else DOWNTOWN
    if rules.kind_is_bid and hand.bid.kind != NO and hand.direction == wrong:
        return (Problem("direction", rule, f"A bid of {spoken(rules, hand.bid)} is not played {wrong}."),)
    return ()
