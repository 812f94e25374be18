"""How a game of Bid Whist ends: odd, sets, out the back door, points, in this order, with the bonus that is due."""

from __future__ import annotations

from typing import NamedTuple

from scoring.bid_whist.rules import CITES, Rules
from scoring.bid_whist.sheet import BOOK, BOOKS, Bid
from scoring.decisions import End, Ending, fell_too_low, first_end, leader
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


def judge(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Ending | None:
    """Return whether the game is over. At most one bonus is paid: the first reason counts."""
    return first_end(ENDS, CITES[rules.book], rules, before, after, outcome)


def boston_of(rules: Rules, outcome: Outcome, ended: bool) -> int | None:
    """Name the side that took all 13 books in a hand that was played out and counts (rule 44)."""
    if not outcome.played or not (ended or rules.boston == "any-13"):
        return None
    if outcome.books == BOOKS:
        return outcome.bidder
    return 1 - outcome.bidder if outcome.books == 0 else None


def _boston_bid(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    if outcome is None or not rules.boston_bid_is_game or outcome.bid.needs < BOOKS:
        return None
    if outcome.loser is None:
        return outcome.bidder, f"{side_name(outcome.bidder)} made a bid of 7."
    return 1 - outcome.loser, f"{side_name(outcome.loser)} set on a bid of 7."


def _odd(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    if outcome is None or outcome.loser is None or not rules.odd_loses:
        return None
    winner, loser = 1 - outcome.loser, side_name(outcome.loser)
    if outcome.bid.level == 1:
        return winner, f"Odd: {loser} set on a bid of 1."
    if rules.odd_scope == "any-bid" and outcome.books is not None and outcome.books <= BOOK:
        return winner, f"Odd: {loser} set, with seven books or more to {side_name(winner)}."
    return None


def _two_sets(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    return _sets(rules, before, after, outcome) if rules.set_limit == 2 else None


def _sets(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    if rules.set_limit is None:
        return None
    counted = after.sets_running if rules.sets_consecutive else after.sets
    row = " in a row" if rules.sets_consecutive else ""
    for side, sets in enumerate(counted):
        if sets >= rules.set_limit:
            count = {1: "One set", 2: "Two sets", 3: "Three sets"}.get(sets, f"{sets} sets")
            return 1 - side, f"{count}{row} for {side_name(side)}."
    return None


def _backdoor(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    """The bidding side falls to the losing score itself: on the first hand, or on any."""
    first = before.hands == 0
    if outcome is None or not (rules.backdoor_scope == "any-hand" or (first and rules.backdoor_scope == "first-hand")):
        return None
    fallen = fell_too_low(rules, before, after, outcome)
    if fallen is None or outcome.bidder == fallen[0]:
        return None
    text = f"Backdoor: {side_name(outcome.bidder)} went out the back door" + (" on the first hand." if first else ".")
    return fallen[0], text


def _points(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    """A side at the winning score wins; where both are, the side that bid, or the higher after an adjustment."""
    if rules.win_at is None or rules.win_rule == "lead":
        return None
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
    if rules.win_at is None or rules.win_rule != "lead":
        return None
    winner = leader(after.scores)
    if winner is None:
        return None
    high, low = after.scores[winner], after.scores[1 - winner]
    if (high >= 7 and low == 0) or high - low >= 11 or (high >= rules.win_at and high - low >= 2):
        return winner, f"{side_name(winner)} led {number(high)} to {number(low)}."
    return None


# In this order: the first that is met ends the game.
ENDS = (
    End("boston", "boston_bid", _boston_bid),
    End("odd", "odd", _odd, bonus="odd"),
    End("two-sets", "sets", _two_sets, bonus="sets_bonus"),
    End("sets", "sets", _sets, bonus="sets_bonus"),
    End("backdoor", "backdoor", _backdoor, bonus="backdoor"),
    End("negative", "lose", fell_too_low),
    End("points", "win", _points),
    End("points", "win", _lead),
)
