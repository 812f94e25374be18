"""The prices of a game as hidden tables, and the formulas that look them up: no rule is implemented here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName

from tournament.queries.score_workbooks import CALLS, LETTERS, PRICES, Key, Tariff, Worth, price_cells
from tournament.reports.excel.rows import add_row_sheet

# The first row of each table is for unknown words: they are worth nothing.
UNKNOWN = "?"
# In the order of the fields of a Worth.
PARTS = ("own", "other", "set", "bags", "bid", "wins", "bonus")

# If one player of a side has one of these, the side has it.
FLAGS = ("set", "bid")


def key(cards: int, words: str) -> str:
    """The key of a row of a table; a spreadsheet builds it in the same way."""
    return f"{cards or ''}:{words}"


class PriceTable:
    """The prices of a sheet as rows: `rows` and `calls` say where each one is.

    If bids are added up, `rows` are their sums; otherwise every call has the row of its own number.
    """

    def __init__(self, tariff: Tariff) -> None:
        self.tariff = tariff
        self.by_cards = tariff.by_cards
        sums = {_row_key(row): worths for row, worths in tariff.rows.items()}
        priced = sums if tariff.adds else self._answers()
        self.rows = {name: number for number, name in enumerate([UNKNOWN, *priced], start=1)}
        self._worths = list(priced.values())
        self.calls = {
            name: number for number, name in enumerate([UNKNOWN, *(key(*called) for called in tariff.calls)], start=1)
        }
        self.most = max(len(row) for row in tariff.rows.values()) - 1
        self.gives_others = any(worth.other for row in self._worths for worth in row)
        calls = tariff.calls.values()
        self.ranks = tariff.adds and any(call.rank for call in calls)
        self.aside = tariff.adds and any(call.aside for call in calls)
        self.beside = tariff.adds and any(call.extra for call in calls)
        self.alone = any(call.alone_counts for call in calls)
        self.once = any(call.once for call in calls)

    def _answers(self) -> dict[str, tuple[Worth, ...]]:
        """A row for each answer, because nothing is added up."""
        answers = {}
        for (cards, words), call in self.tariff.calls.items():
            row = Key(cards, call.rank, 0 if call.rank else call.number)
            counts = range(len(self.tariff.rows[row]))
            worths = (self.tariff.worth(cards, [words], [took], took) for took in counts)
            answers[key(cards, words)] = tuple(worth for worth in worths if worth is not None)
        return answers

    def write(self, workbook: Workbook) -> None:
        """Write the tables and name their columns."""
        wide = self.most + 1
        parts = [_part(self._worths, part, wide) for part in range(len(PARTS))]
        _table(workbook, PRICES, list(self.rows), dict(zip(PARTS, parts, strict=True)))
        calls = self.tariff.calls.values()
        blocks: dict[str, list[list[Any]]] = {
            "number": [[call.number] for call in calls],
            "rank": [[call.rank] for call in calls],
            "aside": [[int(call.aside)] for call in calls],
            "counts": [[int(call.alone_counts)] for call in calls],
            "once": [[int(call.once)] for call in calls],
            "extra": [[int(bool(call.extra))] for call in calls],
        }
        for name, worths in (("beside", [call.extra for call in calls]), ("alone", [call.alone for call in calls])):
            blocks[name] = _part(worths, 0, wide)
            blocks[f"{name}_bags"] = _part(worths, 3, wide)
        _table(workbook, CALLS, list(self.calls), blocks)


class Lookup:
    """The formulas that compute what a side gets, from the cells with its answers.

    `at` returns the cell with a name. `bids` are the cells of the bids, `own` those of the tricks that each bidder
    took, `took` that of the side's tricks together. `cards` is the cell of the deal. If only one side bids, `who` is
    the cell that names it.
    """

    def __init__(
        self,
        prices: PriceTable,
        address: Callable[[str], str],
        side: int,
        *,
        bids: Sequence[str],
        own: Sequence[str],
        took: str,
        cards: str = "",
        who: str = "",
    ) -> None:
        self.prices, self.bids, self.own, self.took = prices, bids, own, took
        self.who = f'{who}="{LETTERS[side]}"' if who else ""
        self.dealt = cards if prices.by_cards else ""
        self.names = price_cells(prices.tariff, 0 if who else side, len(bids))
        cells = [address(name) for name in self.names]
        self.calls, self.sums = cells[: len(bids)], cells[len(bids) :]

    def formulas(self) -> Iterator[str]:
        """The formulas of the hidden cells, in the order of `names`: where the answers are in the tables."""
        yield from (f"={_matched(self.dealt, bid, CALLS)}" for bid in self.bids)
        if self.sums:
            total = self.sums[0]
            yield f"={_sum('number', self.calls)}"
            if self.prices.ranks:
                highest = f"MAX({','.join(f'INDEX({CALLS}_rank,{call})' for call in self.calls)})"
                total = f'IF({highest}>0,"#"&{highest},{total})'
            yield f"={_matched(self.dealt, total, PRICES)}"

    def thrown_in(self, others: Sequence[str], seats: str, tricks: str, cards: str) -> str:
        """Whether everybody passed and the hand was thrown in; empty if no sheet throws hands in.

        `others` are the hidden cells of everybody at the table who bids, and `seats` says how many they are. After a
        rainbow the hand was played if as many `tricks` as `cards` were written.
        """
        if not self.prices.tariff.needs_bid:
            return ""
        said = "+".join(f"({call}>1)" for call in others)
        nothing = f"{_sum('number', others)}+{_sum('rank', others)}=0"
        return f"AND({said}={seats},{nothing},OR({_sum('extra', others)}=0,{tricks}<>{cards}))"

    def known(self, counted: str, others: Sequence[str]) -> list[str]:
        """The conditions for using the prices of the table; `counted` says how many tricks were written.

        `others` are the hidden cells of everybody at the table who bids.
        """
        conditions = [f"MIN({','.join(self.calls)})>1"]
        if len(self.bids) > 1 and not self.prices.tariff.adds:
            conditions.append(f"{counted}={len(self.bids)}")
        elif len(self.bids) > 1 and self.prices.alone:
            conditions.append(f"OR({counted}={len(self.bids)},{_sum('counts', self.calls)}=0)")
        if self.prices.once:
            conditions.append(f"OR({_sum('once', self.calls)}=0,{_sum('once', others)}<2)")
        return conditions

    def part(self, part: str) -> str:
        """What the tables give the side: points, a set, or bags."""
        price = self.bid(part)
        if not self.who:
            return price
        other = _price("other", self.calls[0], self.took) if part == "own" and self.prices.gives_others else "0"
        return f"IF({self.who},{price},{other})"

    def charge(self, before: str) -> str:
        """The cost of the sets of bags that this hand fills, which is added to the side's points."""
        if self.prices.tariff.bags is None:
            return ""
        limit, penalty = self.prices.tariff.bags
        return f"-{penalty}*INT(({before}+{self.part('bags')})/{limit})"

    def count(self, counter: str, before: str) -> str:
        """A counter after this hand, as a formula without its equals sign."""
        tariff = self.prices.tariff
        if counter == "sets":
            return f"{before}+{self.part('set')}"
        if counter == "bags" and tariff.bags is not None:
            return f"MOD({before}+{self.part('bags')},{tariff.bags[0]})"
        if counter == "bostons":
            # If the other side took all the tricks, the bidders took none.
            wanted = f"IF({self.who},{tariff.all_tricks},0)" if self.who else tariff.all_tricks
            return f"{before}+IF({self.took}={wanted},1,0)"
        return before

    def bid(self, part: str) -> str:
        """What the tables give the side if it won the bid."""
        if not self.sums:
            prices = [_price(part, call, tricks) for call, tricks in zip(self.calls, self.own, strict=True)]
            return prices[0] if len(prices) == 1 else f"{'MAX' if part in FLAGS else 'SUM'}({','.join(prices)})"
        (total, row), took = self.sums, self.took
        # All the tricks win a game, whichever player of the side took them.
        if self.prices.aside and part not in ("wins", "bonus"):
            apart = "+".join(
                f"INDEX({CALLS}_aside,{call})*{tricks}" for call, tricks in zip(self.calls, self.own, strict=True)
            )
            took = f"{took}-IF({total}>0,{apart},0)"
        prices = [_price(part, row, took)]
        if self.prices.beside and part == "bid":
            prices.append(_sum("extra", self.calls))
        if self.prices.beside and part in ("own", "bags"):
            more = {"own": "", "bags": "_bags"}[part]
            for call, tricks in zip(self.calls, self.own, strict=True):
                with_number, without = (
                    f"INDEX({CALLS}_{name}{more},{call},{tricks}+1)" for name in ("beside", "alone")
                )
                prices.append(f"IFERROR(IF({total}>0,{with_number},{without}),0)")
        return "+".join(prices)


def _sum(block: str, calls: Sequence[str]) -> str:
    return "+".join(f"INDEX({CALLS}_{block},{call})" for call in calls)


def _row_key(row: Key) -> str:
    """The name of the row in which partners' bids are added up."""
    return key(row.cards, f"#{row.rank}" if row.rank else str(row.number))


def _part(worths: Sequence[Sequence[Worth]], field: int, wide: int) -> list[list[Any]]:
    return [[int(row[took][field]) if took < len(row) else None for took in range(wide)] for row in worths]


def _table(workbook: Workbook, title: str, keys: Sequence[str], blocks: dict[str, list[list[Any]]]) -> None:
    """Write a table and give each of its blocks a name."""
    page = add_row_sheet(workbook, title)
    page.sheet_state = "hidden"
    left, spans = 2, {"key": (1, 1)}
    for name, rows in blocks.items():
        wide = len(rows[0]) if rows else 1
        spans[name] = (left, left + wide - 1)
        left += wide
    page.append([(0, title), *((0, name) for name, rows in blocks.items() for _ in rows[0])])
    for index, name in enumerate(keys):
        values = (0 if index == 0 else value for rows in blocks.values() for value in rows[max(index - 1, 0)])
        page.append([(0, name), *((0, value) for value in values)])
    for name, (first, last) in spans.items():
        area = f"'{title}'!${get_column_letter(first)}$2:${get_column_letter(last)}${len(keys) + 1}"
        workbook.defined_names[f"{title}_{name}"] = DefinedName(f"{title}_{name}", attr_text=area)


def _matched(cards: str, words: str, table: str) -> str:
    """The row of an answer: `cards` and `words` are cells."""
    return f'IFERROR(MATCH({cards and f"{cards}&"}":"&{words},{table}_key,0),1)'


def _price(part: str, row: str, took: str) -> str:
    """A price: `row` and `took` are cells. An impossible number of tricks is worth nothing."""
    return f"IFERROR(INDEX({PRICES}_{part},{row},{took}+1),0)"
