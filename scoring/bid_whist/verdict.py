"""How a game of Bid Whist ends: odd, sets, out the back door, points, in this order, with the bonus that is due."""

from __future__ import annotations

from typing import NamedTuple

from scoring.bid_whist.rules import Rules
from scoring.bid_whist.sheet import BOOK, HIGHEST, Bid
from scoring.decisions import End, fell_too_low, leader
from scoring.ledger import Carry, number, side_name

# Who won, and a sentence; None while the game goes on.
Met = tuple[int, str] | None


class Outcome(NamedTuple):
    """What an entry did with a bid. `loser` was set (None: the bid was made).

    `books` are those the bidding side is credited with, None where a ruling set the bid without counting books.
    `played` says that the hand was played out: only then do 13 books make a Boston.
    """

    bidder: int
    bid: Bid
    loser: int | None
    books: int | None
    played: bool = False


def outcome_of(bidder: int, bid: Bid, books: int, *, played: bool = False) -> Outcome:
    """What this many books do with a bid."""
    return Outcome(bidder, bid, None if books >= bid.needs else bidder, books, played)


def _boston_bid(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    if outcome is None or outcome.bid.level < HIGHEST:
        return None
    if outcome.loser is None:
        return outcome.bidder, f"{side_name(outcome.bidder)} made a bid of 7."
    return 1 - outcome.loser, f"{side_name(outcome.loser)} set on a bid of 7."


def _odd(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    if outcome is None or outcome.loser is None:
        return None
    winner = 1 - outcome.loser
    if outcome.bid.level == 1:
        return winner, f"Odd: {side_name(outcome.loser)} set on a bid of 1."
    if rules.odd_scope == "any-bid" and outcome.books is not None and outcome.books <= BOOK:
        return winner, f"Odd: {side_name(outcome.loser)} set, with seven books or more to {side_name(winner)}."
    return None


def _sets(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    counted = after.sets_running if rules.sets_consecutive else after.sets
    row = " in a row" if rules.sets_consecutive else ""
    assert rules.set_limit is not None  # only then does this end apply
    for side, sets in enumerate(counted):
        if sets >= rules.set_limit:
            count = {1: "One set", 2: "Two sets", 3: "Three sets"}.get(sets, f"{sets} sets")
            return 1 - side, f"{count}{row} for {side_name(side)}."
    return None


def _has_a_back_door(rules: Rules) -> bool:
    return rules.lose_at is not None and rules.backdoor_scope != "none"


def _backdoor(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    """The bidding side falls to the losing score itself: on the first hand, or on any."""
    first = before.hands == 0
    if outcome is None or (rules.backdoor_scope == "first-hand" and not first):
        return None
    fallen = fell_too_low(rules, before, after, outcome)
    if fallen is None or outcome.bidder == fallen[0]:
        return None
    text = f"Backdoor: {side_name(outcome.bidder)} went out the back door" + (" on the first hand." if first else ".")
    return fallen[0], text


def _points(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    """A side at the winning score wins; where both are, the side that bid, or the higher after an adjustment."""
    assert rules.win_at is not None
    reached = [side for side, score in enumerate(after.scores) if score >= rules.win_at]
    if len(reached) == 1:
        return reached[0], f"{side_name(reached[0])} reached {after.scores[reached[0]]}."
    winner = leader(after.scores) if outcome is None else outcome.bidder
    if not reached or winner is None:
        return None
    why = "the higher score won" if outcome is None else "the bidding side won"
    return winner, f"Both reached {rules.win_at}: {why}."


def _lead(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    """Hawaii: 7-0, or eleven ahead, or at the target with the other side at least two behind."""
    assert rules.win_at is not None
    winner = leader(after.scores)
    if winner is None:
        return None
    high, low = after.scores[winner], after.scores[1 - winner]
    if (high >= 7 and low == 0) or high - low >= 11 or (high >= rules.win_at and high - low >= 2):
        return winner, f"{side_name(winner)} led {number(high)} to {number(low)}."
    return None


# In this order: the first that is met ends the game, and at most its bonus is paid.
ENDS = (
    End("boston", "boston_bid", _boston_bid, applies=lambda rules: rules.boston_bid_is_game),
    End("odd", "odd", _odd, bonus="odd", applies=lambda rules: rules.odd_loses),
    End("two-sets", "sets", _sets, bonus="sets_bonus", applies=lambda rules: rules.set_limit == 2),
    End("sets", "sets", _sets, bonus="sets_bonus", applies=lambda rules: rules.set_limit not in (None, 2)),
    End("backdoor", "backdoor", _backdoor, bonus="backdoor", applies=_has_a_back_door),
    End("negative", "lose", fell_too_low, applies=lambda rules: rules.lose_at is not None),
    End("points", "win", _points, applies=lambda rules: rules.win_at is not None and rules.win_rule != "lead"),
    End("points", "win", _lead, applies=lambda rules: rules.win_at is not None and rules.win_rule == "lead"),
)
