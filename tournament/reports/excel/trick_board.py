"""The columns of the games in which everybody bids: bid, tricks and points of every side."""

from __future__ import annotations

from typing import Any, NamedTuple

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from tournament.queries.formulas import Formulas
from tournament.queries.sheet import Row
from tournament.queries.wording import Written
from tournament.reports.excel.cells import NAMES, Column, Formula, Page
from tournament.reports.excel.hands import HEAD, POINTS, SCORE, color_rules, running

# Each side has its bids in words, the number bid, its tricks, then points, other points, change, score and sets.
EACH = 8
WORDS, BID, TRICKS, BY_BID, OTHER, CHANGE, TOTAL, SETS = range(EACH)


class SideCells(NamedTuple):
    """What is typed of a side where everybody bids: its bids in words, their number where there is one, its tricks."""

    bids: tuple[str, ...]
    bid: int | None
    tricks: int | None


class TrickBoard:
    """Columns and formulas for any number of sides that all bid."""

    def __init__(self, formulas: Formulas, sides: int) -> None:
        self._formulas = formulas
        # What a game asks for beside bids and tricks explains points, and no formula reads it.
        own = [field for field in formulas.columns if field.everybody]
        self._more = [field for field in own if field.key not in ("bids", "tricks")]
        each = EACH + len(self._more)
        self.columns = []
        for name in NAMES[:sides]:
            self.columns += [Column(f"Bids {name}", 16), Column(f"Bid {name}", 6), Column(f"Tricks {name}", 7)]
            self.columns += [Column(f"By the bid {name}", 8, POINTS), Column(f"Other {name}", 8, POINTS)]
            self.columns += [Column(f"± {name}", 7, POINTS), Column(f"Score {name}", 8, SCORE)]
            self.columns.append(Column(f"Sets {name}", 6))
            self.columns += [Column(f"{field.heading} {name}", 8) for field in self._more]
        self._letters = [
            [get_column_letter(len(HEAD) + side * each + part + 1) for part in range(EACH)] for side in range(sides)
        ]
        self.score = tuple(own[TOTAL] for own in self._letters)
        self.sets = tuple(own[SETS] for own in self._letters)

    def cells(self, row: Row, at: int, charged: tuple[int, ...], *, first: bool) -> list[Any]:
        """The cells of a line. What a bid of a number does not explain stands in the columns “Other”."""
        cells: list[Any] = []
        for side, own in enumerate(self._letters):
            if side >= len(row.deltas):
                # A smaller table: nobody sits there.
                cells += [""] * (EACH + len(self._more))
                continue
            bids, bid, tricks = side_cells(row.written, side, len(row.deltas))
            by_bid = self._by_bid(row, side, bid, tricks)
            cells += [" + ".join(bids), bid, tricks]
            cells.append(self.formula(side, at) if by_bid is not None else 0)
            cells.append(row.deltas[side] - (by_bid or 0))
            cells.append(Formula(f"={own[BY_BID]}{at}+{own[OTHER]}{at}"))
            cells.append(running(row, side, at, own[TOTAL], own[CHANGE], first=first))
            live = by_bid is not None and bid is not None and charged[side] == int((tricks or 0) < bid)
            cells.append(Formula(f"=IF({own[TRICKS]}{at}<{own[BID]}{at},1,0)") if live else charged[side])
            said = (row.written.said(field.key, side, len(row.deltas)) for field in self._more)
            cells += [int(one[0]) if len(one) == 1 and one[0].isdecimal() else " + ".join(one) for one in said]
        return cells

    def formula(self, side: int, at: int) -> Formula:
        """The points of a bid of a number: each trick bid, each trick over; a set loses."""
        bid, tricks = f"{self._letters[side][BID]}{at}", f"{self._letters[side][TRICKS]}{at}"
        lost = f"({bid}-{tricks})" if self._formulas.per_short else bid
        made = f"{bid}*Per_trick+({tricks}-{bid})*Per_over"
        return Formula(f"=IF({tricks}>={bid},{made},-{lost}*Per_trick)")

    def finish(self, page: Page, first: int, last: int) -> None:
        """Whole numbers for bids and tricks, and colours for sets and for all the tricks."""
        for own in self._letters:
            numbers = DataValidation(type="whole", operator="between", formula1="0", formula2="17", allow_blank=True)
            numbers.add(f"{own[BID]}{first}:{own[TRICKS]}{last}")
            page.sheet.data_validations.append(numbers)
        sets = ",".join(f"${own[SETS]}{first}>0" for own in self._letters)
        every = ",".join(f'AND(${own[TRICKS]}{first}<>"",${own[TRICKS]}{first}=$F{first})' for own in self._letters)
        color_rules(page, first, last, f"OR({sets})", f'AND($F{first}<>"",OR({every}))')

    def _by_bid(self, row: Row, side: int, bid: int | None, tricks: int | None) -> int | None:
        """What the formula gives; None where this hand was paid in another way."""
        if row.kind != "hand" or bid is None or tricks is None or not row.lines:
            return None
        rules = self._formulas
        lost = bid - tricks if rules.per_short else bid
        made = bid * rules.per_trick + (tricks - bid) * rules.per_over
        points = made if tricks >= bid else -lost * rules.per_trick
        paid = {line.points for line in row.lines if line.side == side} | {row.deltas[side]}
        return points if points in paid else None


def side_cells(written: Written, side: int, sides: int) -> SideCells:
    """The typed cells of a side in the games in which everybody bids."""
    own = [written.bids[at] for at in range(side, len(written.bids), sides)]
    taken = [written.tricks[at] for at in range(side, len(written.tricks), sides)]
    numbers = [int(bid) for bid in own if bid.isdecimal()]
    plain = bool(own) and all(bid.isdecimal() or bid == "Pass" for bid in own)
    return SideCells(tuple(own), sum(numbers) if plain else None, sum(taken) if taken else None)
