"""What a hand is worth to one team: the lines of a contract, or of an Okinawa."""

from __future__ import annotations

from scoring.ledger import Kind, Line
from scoring.okinawa.rules import Rules
from scoring.okinawa.sheet import Bid
from scoring.tricks import contract
from scoring.words import counted


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
