"""What a bid is worth: the lines of a hand, made or set, one small function per clause."""

from __future__ import annotations

from scoring.bid_whist.citations import CITES
from scoring.bid_whist.rules import Rules
from scoring.bid_whist.sheet import BOOK, BOOKS, NO, Bid
from scoring.ledger import Line

BOSTON_BID_POINTS = 28  # seven, four times (seed 004, L88)


def contract_lines(rules: Rules, bidder: int, bid: Bid, books: int) -> tuple[Line, ...]:
    """This function will score a bid against the books taken (rules 4 and 5, and their kin in the other books)."""
    made = books >= bid.needs
    boston = _boston_bid_points(rules, bid) if made else None
    if boston is not None:
        return (Line(CITES[rules.book]["boston_bid"], bidder, boston, f"{bid.words} bid and made: a Boston"),)
    line = _made_line(rules, bidder, bid, books) if made else _set_line(rules, bidder, bid, books)
    return _doubled(rules, bid, (line, *_defender_lines(rules, bidder, books)))


def set_lines(rules: Rules, rule: str, side: int, bid: Bid) -> tuple[Line, ...]:
    """This function will charge a set by ruling to the side that broke the rule, whoever bid (rules 31, 32, 34)."""
    text = f"set by ruling on a bid of {bid.words}"
    return _doubled(rules, bid, (_price_of_set(rules, rule, side, bid, text),))


def take_points_lines(rules: Rules, rule: str, bidder: int, bid: Bid) -> tuple[Line, ...]:
    """This function will give the bidders the points of their bid by ruling (rule 35)."""
    return _doubled(rules, bid, (Line(rule, bidder, bid.level, f"takes the points of the bid of {bid.words}"),))


def renege_books(bidder: int, books: int, reneger: int) -> int:
    """This function will move three books of the bidders' `books` for a renege (seed 004, L56).

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
        return Line(rule, bidder, 1, f"{bid.words} bid, {books} books: made, one point")
    if rules.made_pays == "every-book":
        return Line(rule, bidder, books, f"{bid.words} bid and made: a point for each of {books} books")
    if rules.score_basis == "bid":
        return Line(rule, bidder, bid.level, f"{bid.words} bid, {books} books: made, the bid counts")
    return Line(rule, bidder, books - BOOK, f"{bid.words} bid, {books} books: {books - BOOK} over six")


def _set_line(rules: Rules, bidder: int, bid: Bid, books: int) -> Line:
    whose = "the other side’s " if rules.set_pays.startswith("opponents") else ""
    text = f"{whose}{bid.words} bid, {books} of {bid.needs} books: set"
    return _price_of_set(rules, CITES[rules.book]["hand"], bidder, bid, text)


def _price_of_set(rules: Rules, rule: str, side: int, bid: Bid, text: str) -> Line:
    if rules.set_pays == "opponents-gain":
        return Line(rule, 1 - side, bid.level, text)
    if rules.set_pays == "opponents-two":
        return Line(rule, 1 - side, 2, text)
    return Line(rule, side, -bid.level, text)


def _defender_lines(rules: Rules, bidder: int, books: int) -> tuple[Line, ...]:
    theirs = BOOKS - books
    points = {"books-above-six": max(0, theirs - BOOK), "every-book": theirs}.get(rules.defenders_score, 0)
    text = f"{theirs} books against the bid"
    return (Line(CITES[rules.book]["defenders"], 1 - bidder, points, text),) if points else ()


def _doubled(rules: Rules, bid: Bid, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    if bid.kind != NO or not rules.no_doubled:
        return lines
    rule = CITES[rules.book]["no"]
    return lines + tuple(Line(rule, line.side, line.points, "doubled: a No bid") for line in lines)
