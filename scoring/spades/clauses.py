"""What a hand is worth to one side: a line per clause, in the order in which a director would explain them."""

from __future__ import annotations

from typing import NamedTuple

from scoring.ledger import Line
from scoring.spades.citations import CITES
from scoring.spades.rules import Rules
from scoring.spades.sheet import BLIND, BLIND_NIL, CARDS, COME_OUT, Bid
from scoring.words import counted


class Result(NamedTuple):
    """What a side got out of a hand. `bags` are new bags, `was_set` says that its bid of a number failed."""

    lines: tuple[Line, ...] = ()
    was_set: bool = False
    bags: int = 0
    lost_nil: bool = False


def unbid_result(rules: Rules, side: int, tricks: int) -> Result:
    """Score a side in a first hand that is played without bids."""
    line = Line(
        CITES[rules.book]["first"],
        side,
        rules.per_trick * tricks,
        f"first hand, not bid: {counted(tricks, 'trick')}",
        "tricks",
    )
    return Result((line,) if tricks else ())


def result(rules: Rules, side: int, bids: tuple[Bid, ...], tricks: tuple[int, ...]) -> Result:
    """Score the bids of a side: one and all its tricks, or one per partner with each one's own.

    Where nobody bid nil, the tricks of two partners may be given as one number.
    """
    nils = [(bid, own) for bid, own in zip(bids, tricks, strict=False) if bid.is_nil]
    failed = sum(own for _, own in nils)
    spoken = [bid for bid in bids if not bid.is_nil]
    won = sum(tricks) - (0 if spoken and rules.failed_nil == "help-partner" else failed)
    partner = sum(bid.number for bid in spoken)
    beside = [_nil_line(rules, side, bid, own, partner) for bid, own in nils]
    if not spoken:
        return Result(tuple(beside), bags=failed, lost_nil=failed > 0)
    promised = spoken[0]._replace(number=partner)
    contract, made = _contract(rules, side, promised, won, without=sum(tricks) - won)
    over = won - promised.number if made else 0
    spoiled = sum(tricks) - won
    return Result((contract, *beside), was_set=not made, bags=over + spoiled, lost_nil=failed > 0)


def bag_lines(rules: Rules, side: int, before: int, bags: int) -> tuple[Line, ...]:
    """Charge a side that had `before` bags and took `bags` more for each full count of bags."""
    if rules.bag_limit is None:
        return ()
    full = (before + bags) // rules.bag_limit - before // rules.bag_limit
    text = f"{full * rules.bag_limit} bags: {full * rules.bag_penalty} points lost"
    return (Line(CITES[rules.book]["bags"], side, -full * rules.bag_penalty, text, "bags"),) if full else ()


def boston_line(rules: Rules, side: int) -> Line:
    """Note all 13 tricks of a side."""
    return Line(CITES[rules.book]["boston"], side, 0, "all 13 tricks: a Boston", "boston")


def _contract(rules: Rules, side: int, bid: Bid, tricks: int, *, without: int) -> tuple[Line, bool]:
    """The line of a bid of a number, and whether it was made. `without` are the tricks of a nil, which do not help."""
    said = f"{_said(bid)}, {counted(tricks, 'trick')}" + (f" without the nil’s {without}" if without else "")
    if tricks == CARDS and rules.boston_points is not None:
        return Line(CITES[rules.book]["boston"], side, rules.boston_points, "all 13 tricks: a Boston", "bid"), True
    rule, over = _rule(rules, bid), tricks - bid.number
    if over < 0:
        return Line(rule, side, -_price(rules, bid), f"{said}: set", "bid"), False
    if _is_too_many(rules, bid, over):
        return Line(rule, side, -_price(rules, bid), f"{said}, set: {over} over is too many", "bid"), False
    points = _worth(rules, bid) + rules.over_points * over
    return Line(rule, side, points, f"{said}: made{_extras(rules, bid, over)}", "bid"), True


def _said(bid: Bid) -> str:
    """A number as it was bid: “4 bid”, “7 bid blind”, “came out to 10”."""
    return {BLIND: f"{bid.number} bid blind", COME_OUT: f"came out to {bid.number}"}.get(bid.kind, f"{bid.number} bid")


def _nil_line(rules: Rules, side: int, bid: Bid, tricks: int, partner: int) -> Line:
    """A nil stands beside the partner's bid (of a number, 0 for none): the same amount won or lost."""
    blind = bid.kind == BLIND_NIL
    points = (rules.blind_nil_points if blind else rules.nil_points) or 0
    rule = CITES[rules.book]["blind_nil" if blind else "nil"]
    if tricks == 0:
        return Line(rule, side, points, f"{bid.words} made", "nil")
    are_bags = rules.failed_nil == "bags" or not partner
    as_bags = rules.failed_nil_trick_points * tricks if are_bags else 0
    text = f"{bid.words} failed: {counted(tricks, 'trick')}{_what_they_do(rules, tricks, partner)}"
    return Line(rule, side, as_bags - points, text, "nil")


def _what_they_do(rules: Rules, tricks: int, partner: int) -> str:
    """What the tricks of a failed nil do, by the options of the sheet."""
    one = tricks == 1
    if partner and rules.failed_nil == "help-partner":
        return f", which {'helps' if one else 'help'} the partner’s {partner}"
    does = []
    if rules.bag_limit is not None:
        does.append("is 1 bag" if one else f"are {tricks} bags")
    if partner:
        does.append(f"{'does' if one else 'do'} not help the partner’s {partner}")
    return f", which {' and '.join(does)}" if does else ""


def _rule(rules: Rules, bid: Bid) -> str:
    cites = CITES[rules.book]
    if bid.kind == COME_OUT:
        return cites["come_out"]
    if bid.kind == BLIND:
        return cites["blind"]
    return cites["ten" if _is_ten(rules, bid) else "contract"]


def _is_ten(rules: Rules, bid: Bid) -> bool:
    """A ten has a price of its own on some sheets."""
    return bid.number == 10 and (rules.ten_points is not None or rules.ten_set is not None)


def _is_too_many(rules: Rules, bid: Bid, over: int) -> bool:
    """The limit is for open bids below ten; a blind bid and a ten may take every trick."""
    if rules.over_limit is None or bid.kind == BLIND or bid.number >= 10:
        return False
    return over >= rules.over_limit


def _worth(rules: Rules, bid: Bid) -> int:
    """A blind bid made counts double."""
    is_priced = bid.number == 10 and rules.ten_points is not None
    points = (rules.ten_points or 0) if is_priced else rules.per_trick * bid.number
    return 2 * points if bid.kind == BLIND else points


def _price(rules: Rules, bid: Bid) -> int:
    is_priced = bid.number == 10 and rules.ten_set is not None
    points = (rules.ten_set or 0) if is_priced else rules.per_trick * bid.number
    return 2 * points if bid.kind == BLIND and rules.blind_set == "double" else points


def _extras(rules: Rules, bid: Bid, over: int) -> str:
    double = ", double" if bid.kind == BLIND else ""
    if not over:
        return double
    more = counted(over, "bag") if rules.bag_limit is not None else f"{over} over"
    return f"{double}{';' if double else ','} {more}"
