"""What every bid of an Okinawa sheet is worth on every deal, with every number of tricks."""

from __future__ import annotations

from functools import lru_cache

from scoring.game import Call, Key, Tariff, Worth
from scoring.ledger import BySide, Carry, Kind, Line, bid_words, counted
from scoring.okinawa.rules import FIRST_CARDS, HANDS, Rules
from scoring.okinawa.sheet import OKINAWA, PASS, Bid
from scoring.tricks import close_schedule, contract, decide

# What a hand is worth to one team: the lines of a contract, or of an Okinawa.


def team_lines(rules: Rules, side: int, bid: Bid, tricks: int, cards: int) -> tuple[Line, ...]:
    """Score what the partners bid together; no bid and no trick give no line."""
    if bid.is_okinawa:
        return _okinawa_lines(rules, side, tricks, cards)
    points = contract(bid.number, tricks, per_trick=rules.trick_points, per_over=rules.over_points)
    kind: Kind = "bid" if bid.number else "tricks"
    return (Line("ok.contract", side, points, _said(bid.number, tricks), kind),) if points else ()


def is_set(bid: Bid, tricks: int, cards: int) -> bool:
    """Return whether the team took fewer tricks than it bid."""
    return tricks < (cards if bid.is_okinawa else bid.number)


def _okinawa_lines(rules: Rules, side: int, tricks: int, cards: int) -> tuple[Line, ...]:
    worth = rules.trick_points * cards
    if tricks == cards:
        return (Line("ok.okinawa", side, worth + rules.okinawa_bonus, f"Okinawa: all {cards} tricks", "bid"),)
    failed = Line("ok.okinawa", side, -worth, f"Okinawa failed: {tricks} of {counted(cards, 'trick')}", "bid")
    if rules.okinawa_fails == "tricks" or not rules.okinawa_bonus:
        return (failed,)
    return failed, Line(
        "ok.var.okinawa_fail50", side, -rules.okinawa_bonus, "Okinawa failed: the bonus is lost too", "bid"
    )


def _said(bid: int, tricks: int) -> str:
    if bid == 0:
        return f"no bid, {counted(tricks, 'trick')}"
    if tricks < bid:
        return f"{bid} bid, {counted(tricks, 'trick')}: set"
    return f"{bid} bid, {counted(tricks, 'trick')}: made" + (f", {tricks - bid} over" if tricks > bid else "")


@lru_cache(maxsize=256)
def tariff(rules: Rules) -> Tariff:
    """Price the numbers that partners bid together, and Okinawa, deal by deal."""
    calls: dict[tuple[int, str], Call] = {}
    rows: dict[Key, tuple[Worth, ...]] = {}
    for cards in range(FIRST_CARDS, HANDS + 1):
        # A team may also say one number together: then the partner says nothing.
        numbers = {"": 0, bid_words(PASS): 0} | {str(number): number for number in range(2 * cards + 1)}
        calls |= {(cards, words): Call(number) for words, number in numbers.items()}
        calls[cards, bid_words(OKINAWA)] = Call(rank=1)
        rows |= {Key(cards, 0, number): _row(rules, Bid(number), cards) for number in range(2 * cards + 1)}
        rows[Key(cards, 1, 0)] = _row(rules, Bid(0, is_okinawa=True), cards)
    return Tariff(calls, rows, adds=True)


def _row(rules: Rules, bid: Bid, cards: int) -> tuple[Worth, ...]:
    return tuple(
        Worth(
            sum(line.points for line in team_lines(rules, 0, bid, took, cards)),
            was_set=is_set(bid, took, cards),
        )
        for took in range(cards + 1)
    )


# How a game of Okinawa ends: after thirteen hands the higher total wins.

RULE = "ok.schedule"


def close_hands(rules: Rules, carry: Carry) -> Carry:
    """End the game when its thirteen hands are scored; tied is a draw, or one hand decides."""
    return close_schedule(carry, deals=HANDS, rule=RULE, one_more=rules.level_at_end == "one-more")


def decide_hand(before: Carry, after: Carry, points: BySide[int]) -> Carry:
    """Let a hand worth `points` decide a game that was tied, at the end or when time ran out."""
    tied, rule = ("schedule", RULE) if before.hands >= HANDS else ("time", "time")
    return decide(after, points, tied=tied, rule=rule)
