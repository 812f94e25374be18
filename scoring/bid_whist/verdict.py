"""How a game of Bid Whist ends: odd, sets, out the back door, points, in this order, with the bonus that is due."""

from __future__ import annotations

from typing import NamedTuple

from scoring.bid_whist.rules import CITES, Rules
from scoring.bid_whist.sheet import BOOK, BOOKS, Bid
from scoring.ledger import BySide, Carry, Verdict, number, side_name
from scoring.tricks import leader


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


class Ending(NamedTuple):
    """A verdict, and the rule under which its winner gets the bonus ("" where none is due)."""

    verdict: Verdict
    bonus_rule: str = ""


def judge(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Ending | None:
    """Return whether the game is over. At most one bonus is paid: the first reason counts."""
    if outcome is not None and (ending := _boston_bid(rules, outcome) or _odd(rules, outcome)):
        return ending
    return _sets(rules, after) or _backwards(rules, before, after, outcome) or _points(rules, after, outcome)


def boston_of(rules: Rules, outcome: Outcome | None, ended: bool) -> int | None:
    """Name the side that took all 13 books in a hand that was played out and counts (rule 44)."""
    if outcome is None or not outcome.played or not (ended or rules.boston == "any-13"):
        return None
    if outcome.books == BOOKS:
        return outcome.bidder
    return 1 - outcome.bidder if outcome.books == 0 else None


def _boston_bid(rules: Rules, outcome: Outcome) -> Ending | None:
    if not rules.boston_bid_is_game or outcome.bid.needs < BOOKS:
        return None
    winner = outcome.bidder if outcome.loser is None else 1 - outcome.loser
    text = f"{side_name(outcome.bidder)} made a bid of 7."
    if outcome.loser is not None:
        text = f"{side_name(outcome.loser)} set on a bid of 7."
    return Ending(Verdict(winner, "boston", CITES[rules.book]["boston_bid"], text))


def _odd(rules: Rules, outcome: Outcome) -> Ending | None:
    if outcome.loser is None or not rules.odd_loses:
        return None
    on_one = outcome.bid.level == 1
    seven_lost = rules.odd_scope == "any-bid" and outcome.books is not None and outcome.books <= BOOK
    if not (on_one or seven_lost):
        return None
    rule = CITES[rules.book]["odd"]
    text = f"Odd: {side_name(outcome.loser)} set on a bid of 1."
    if not on_one:
        text = f"Odd: {side_name(outcome.loser)} set, with seven books or more to {side_name(1 - outcome.loser)}."
    return Ending(Verdict(1 - outcome.loser, "odd", rule, text), rule)


def _sets(rules: Rules, after: Carry) -> Ending | None:
    if rules.set_limit is None:
        return None
    cites = CITES[rules.book]
    counted = after.sets_running if rules.sets_consecutive else after.sets
    for side, sets in enumerate(counted):
        if sets >= rules.set_limit:
            row = " in a row" if rules.sets_consecutive else ""
            how = "two-sets" if rules.set_limit == 2 else "sets"
            verdict = Verdict(1 - side, how, cites["sets"], f"{_count(sets)}{row} for {side_name(side)}.")
            return Ending(verdict, cites["sets_bonus"])
    return None


def _backwards(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Ending | None:
    """A side at the losing score loses, the lower of two; both as low, the game goes on."""
    loser = leader(BySide(-score for score in after.scores))
    if rules.lose_at is None or loser is None or after.scores[loser] > rules.lose_at:
        return None
    cites = CITES[rules.book]
    first = before.hands == 0
    scoped = rules.backdoor_scope == "any-hand" or (first and rules.backdoor_scope == "first-hand")
    if scoped and outcome is not None and outcome.bidder == loser:
        text = f"Backdoor: {side_name(loser)} went out the back door" + (" on the first hand." if first else ".")
        return Ending(Verdict(1 - loser, "backdoor", cites["backdoor"], text), cites["backdoor"])
    text = f"{side_name(loser)} fell to {number(after.scores[loser])}."
    return Ending(Verdict(1 - loser, "negative", cites["lose"], text))


def _points(rules: Rules, after: Carry, outcome: Outcome | None) -> Ending | None:
    """A side at the winning score wins; where both are, the side that bid, or the higher after an adjustment."""
    if rules.win_at is None:
        return None
    rule = CITES[rules.book]["win"]
    if rules.win_rule == "lead":
        return _lead(rules.win_at, after, rule)
    reached = [side for side, score in enumerate(after.scores) if score >= rules.win_at]
    if len(reached) < 2:
        winner = reached[0] if reached else None
        why = ""
    else:
        winner = leader(after.scores) if outcome is None else outcome.bidder
        why = "the higher score won" if outcome is None else "the bidding side won"
    if winner is None:
        return None
    text = f"Both reached {rules.win_at}: {why}." if why else f"{side_name(winner)} reached {after.scores[winner]}."
    return Ending(Verdict(winner, "points", rule, text))


def _lead(target: int, after: Carry, rule: str) -> Ending | None:
    """Hawaii: 7-0, or eleven ahead, or at the target with the other side at least two behind."""
    winner = leader(after.scores)
    if winner is None:
        return None
    high, low = after.scores[winner], after.scores[1 - winner]
    if (high >= 7 and low == 0) or high - low >= 11 or (high >= target and high - low >= 2):
        return Ending(Verdict(winner, "points", rule, f"{side_name(winner)} led {number(high)} to {number(low)}."))
    return None


def _count(sets: int) -> str:
    return {1: "One set", 2: "Two sets", 3: "Three sets"}.get(sets, f"{sets} sets")
