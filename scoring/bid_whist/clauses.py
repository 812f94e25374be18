"""What a bid is worth: the lines of a hand, made or set, one small function per clause."""

from __future__ import annotations

from scoring.bid_whist.citations import CITES
from scoring.bid_whist.rules import Rules
from scoring.bid_whist.sheet import BOOK, BOOKS, NO, Bid
from scoring.ledger import Kind, Line
from scoring.words import counted, side_name

BOSTON_BID_POINTS = 28  # seven, four times (seed 004, L88)


def contract_lines(rules: Rules, bidder: int, bid: Bid, books: int) -> tuple[Line, ...]:
    """Score a bid against the books taken (rules 4 and 5, and their kin in the other books)."""
    made = books >= bid.needs
    boston = _boston_bid_points(rules, bid) if made else None
    if boston is not None:
        return (Line(CITES[rules.book]["boston_bid"], bidder, boston, f"{bid.words} bid and made: a Boston", "bid"),)
    line = _made_line(rules, bidder, bid, books) if made else _set_line(rules, bidder, bid, books)
    return _doubled(rules, bid, (line, *_defender_lines(rules, bidder, books)))


def set_lines(rules: Rules, rule: str, side: int, bid: Bid) -> tuple[Line, ...]:
    """Charge a set by ruling to the side that broke the rule, whoever bid (rules 31, 32, 34)."""
    whose = f"{side_name(side)} " if rules.set_pays.startswith("opponents") else ""
    text = f"{whose}set by ruling on a bid of {bid.words}"
    return _doubled(rules, bid, (_price_of_set(rules, rule, side, bid, text, "ruling"),))


def take_points_lines(rules: Rules, rule: str, bidder: int, bid: Bid) -> tuple[Line, ...]:
    """Give the bidders the points of their bid by ruling (rule 35)."""
    return _doubled(rules, bid, (Line(rule, bidder, bid.level, f"the points of the bid of {bid.words}", "ruling"),))


def renege_books(bidder: int, books: int, reneger: int) -> int:
    """Move three books of the bidders' `books` for a renege (seed 004, L56).

    A reneging side with fewer than three books loses all 13.
    """
    if reneger == bidder:
        return books - 3 if books >= 3 else 0
    return books + 3 if BOOKS - books >= 3 else BOOKS


def _boston_bid_points(rules: Rules, bid: Bid) -> int | None:
    if bid.needs < BOOKS:
        return None
    points = rules.boston_bid_points
    if bid.kind == NO and rules.boston_bid_no_points is not None:
        points = rules.boston_bid_no_points
    return BOSTON_BID_POINTS if points is None and rules.boston_bid_is_game else points


def _made_line(rules: Rules, bidder: int, bid: Bid, books: int) -> Line:
    rule = CITES[rules.book]["hand"]
    if rules.made_pays == "one-point":
        return Line(rule, bidder, 1, f"{bid.words} bid, {books} books: made, one point", "bid", "made, one point")
    if rules.made_pays == "every-book":
        return Line(rule, bidder, books, f"{bid.words} bid and made: a point for each of {books} books", "bid")
    if rules.score_basis == "bid":
        return Line(
            rule,
            bidder,
            bid.level,
            f"{bid.words} bid, {books} books: made, the bid counts",
            "bid",
            "made, the bid counts",
        )
    over = f"{books - BOOK} over six"
    return Line(rule, bidder, books - BOOK, f"{bid.words} bid, {books} books: {over}", "bid", over)


def _set_line(rules: Rules, bidder: int, bid: Bid, books: int) -> Line:
    rule, result = CITES[rules.book]["hand"], f"{books} of {bid.needs} books: set"
    if rules.set_pays.startswith("opponents"):
        return _price_of_set(rules, rule, bidder, bid, f"{side_name(bidder)} bid {bid.words}, {result}", "bid")
    return _price_of_set(rules, rule, bidder, bid, f"{bid.words} bid, {result}", "bid")._replace(short="set")


def _price_of_set(rules: Rules, rule: str, side: int, bid: Bid, text: str, kind: Kind) -> Line:
    if rules.set_pays == "opponents-gain":
        return Line(rule, 1 - side, bid.level, text, kind)
    if rules.set_pays == "opponents-two":
        return Line(rule, 1 - side, 2, text, kind)
    return Line(rule, side, -bid.level, text, kind)


def _defender_lines(rules: Rules, bidder: int, books: int) -> tuple[Line, ...]:
    theirs = BOOKS - books
    points = {"books-above-six": max(0, theirs - BOOK), "every-book": theirs}.get(rules.defenders_score, 0)
    text = f"{counted(theirs, 'book')} against the bid"
    return (Line(CITES[rules.book]["defenders"], 1 - bidder, points, text, "defenders"),) if points else ()


def _doubled(rules: Rules, bid: Bid, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    if bid.kind != NO or not rules.no_doubled:
        return lines
    rule = CITES[rules.book]["no"]
    return lines + tuple(Line(rule, line.side, line.points, "No bid, doubled", "doubled") for line in lines)
