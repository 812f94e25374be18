"""The columns of Bid Whist: one side bids, its books and its bid make the points."""

from __future__ import annotations

from typing import Any, NamedTuple

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from tournament.queries.formulas import Formulas
from tournament.queries.sheet import Row
from tournament.queries.wording import Written
from tournament.reports.excel.cells import NAMES, Column, Formula, Page
from tournament.reports.excel.hands import HEAD, POINTS, SCORE, color_rules, running

KINDS = '"straight,special,no"'
# The letters of the columns that formulas name, after the seven of the head.
SIDE, LEVEL, KIND, BOOKS, NEED, OUTCOME, BY_BID = "I", "J", "K", "M", "N", "O", "P"


class BidCells(NamedTuple):
    """What is typed of a line where one side bids."""

    side: str
    level: int | None
    kind: str
    bid: str
    books: int | None


class BidderBoard:
    """Columns and formulas for two sides of which one bids."""

    def __init__(self, formulas: Formulas) -> None:
        self._formulas = formulas
        self.columns = [
            Column("Bid by", 18),
            Column("Side", 6),
            Column("Level", 7),
            Column("Kind", 9),
            Column("Bid", 12),
            Column("Books", 8),
            Column("Need", 7),
            Column("Made or set", 10),
            Column("By the bid", 9, POINTS),
            Column("Other A", 9, POINTS),
            Column("Other B", 9, POINTS),
        ]
        for name in "AB":
            self.columns += [Column(f"± {name}", 7, POINTS), Column(f"Score {name}", 8, SCORE)]
            self.columns.append(Column(f"Sets {name}", 6))
        self.columns.append(Column("Offender", 18))
        start = len(HEAD) + 12
        letters = [get_column_letter(start + index) for index in range(6)]
        self._other = (get_column_letter(start - 2), get_column_letter(start - 1))
        self._change = (letters[0], letters[3])
        self.score = (letters[1], letters[4])
        self.sets = (letters[2], letters[5])

    def cells(self, row: Row, at: int, charged: tuple[int, ...], *, first: bool) -> list[Any]:
        """The cells of a line. What the formula of the sheet does not explain stands in the columns “Other”."""
        written = row.written
        typed = bid_cells(row.kind, written)
        level = typed.level
        by_bid = self._by_bid(row, level)
        cells: list[Any] = [
            written.who_name,
            *typed,
            Formula(f"=6+{LEVEL}{at}") if level is not None else "",
            Formula(f'=IF({BOOKS}{at}>={NEED}{at},"made","set")') if level is not None else written.outcome,
            self.formula(at) if by_bid is not None else 0,
        ]
        earned = by_bid or 0
        cells += [delta - (earned if side == written.who else 0) for side, delta in enumerate(row.deltas)]
        for side in range(2):
            own = f'IF({SIDE}{at}="{NAMES[side]}",{BY_BID}{at},0)'
            cells.append(Formula(f"={own}+{self._other[side]}{at}"))
            cells.append(running(row, side, at, self.score[side], self._change[side], first=first))
            cells.append(self._sets(row, at, side, charged[side], level))
        return [*cells, written.offender]

    def formula(self, at: int) -> Formula:
        """The points of a bid from its level, its kind and the books."""
        made = {"books": f"{BOOKS}{at}-6", "level": f"{LEVEL}{at}", "every": f"{BOOKS}{at}", "one": "1"}
        lost = f"-{LEVEL}{at}" if self._formulas.set_costs_level else "0"
        double = f'*IF({KIND}{at}="no",No_counts,1)' if self._formulas.no_counts > 1 else ""
        pays = made[self._formulas.made_pays]
        return Formula(f"=IF({BOOKS}{at}>={NEED}{at},{pays},{lost}){double}")

    def finish(self, page: Page, first: int, last: int) -> None:
        """Lists of what may be typed, and colours for sets and Bostons."""
        kinds = DataValidation(type="list", formula1=KINDS, allow_blank=True)
        levels = DataValidation(type="whole", operator="between", formula1="1", formula2="7", allow_blank=True)
        books = DataValidation(type="whole", operator="between", formula1="0", formula2="13", allow_blank=True)
        for letter, allowed in ((KIND, kinds), (LEVEL, levels), (BOOKS, books)):
            allowed.add(f"{letter}{first}:{letter}{last}")
            page.sheet.data_validations.append(allowed)
        boston = f'AND(${LEVEL}{first}<>"",OR(${BOOKS}{first}=13,${BOOKS}{first}=0))'
        color_rules(page, first, last, f'${OUTCOME}{first}="set"', boston)

    def _by_bid(self, row: Row, level: int | None) -> int | None:
        """What the formula gives; None where the sheet paid the bid in another way."""
        written = row.written
        if level is None or written.took is None or written.need is None or written.who is None or not row.lines:
            return None
        made = {"books": written.took - 6, "level": level, "every": written.took, "one": 1}[self._formulas.made_pays]
        points = made if written.took >= written.need else -level * self._formulas.set_costs_level
        points *= self._formulas.no_counts if written.kind == "no" else 1
        own = [line for line in row.lines if line.side == written.who]
        earned = sum(line.points for line in own if not line.beside_the_hand)
        return points if points in (earned, row.deltas[written.who]) else None

    def _sets(self, row: Row, at: int, side: int, charged: int, level: int | None) -> Any:
        """A set of the bidding side, as a formula where it is one; a set by ruling stays as it was written."""
        lost = int(row.written.who == side and row.written.outcome == "set")
        if level is None or charged != lost:
            return charged
        return Formula(f'=IF(AND({SIDE}{at}="{NAMES[side]}",{OUTCOME}{at}="set"),1,0)')


def bid_cells(kind: str, written: Written) -> BidCells:
    """The typed cells of a line of Bid Whist; only a hand has a level and a kind."""
    level = int(written.bid.partition("-")[0]) if kind == "hand" and written.bid else None
    side = NAMES[written.who] if written.who is not None else ""
    return BidCells(side, level, written.kind if level is not None else "", written.bid, written.took)
