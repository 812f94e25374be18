"""The columns of the page of hands, as the fields, the counters and the prices of a game ask for them."""

from __future__ import annotations

from collections.abc import Iterator

from openpyxl.utils import get_column_letter

from tournament.queries.formulas import Field, Formulas, price_cells
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.cells import NAMES, NUMBER, PageColumn
from tournament.reports.excel.prices import PriceTable

POINTS = "+0;[Red]-0;0"
SCORE = "0;[Red]-0;0"
# What is counted from line to line: nothing stands where there is none.
COUNT = "0;-0;"
COUNTERS = {"sets": "Sets", "bags": "Bags", "bostons": "Bostons"}


class GameColumns:
    """The columns of a game, as its fields, its counters and its prices ask for them."""

    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas
        self.sides = formulas.sides
        self.partners = formulas.seats // formulas.sides or 1
        tariff = formulas.tariff
        self.prices = PriceTable(tariff) if tariff else None
        self.counters = [one for one in COUNTERS if one in formulas.counters]
        own = {field.key: field for field in formulas.columns if field.everybody}
        self.more = [field for at, field in own.items() if at not in ("bids", "tricks")]
        self.bidders = self._places(own.get("bids"))
        self.takers = self._places(own.get("tricks")) if self.prices is None or not self.apart else self.partners
        found = list(self._columns())
        self.columns = [column for _, column in found]
        self.letters = {name: get_column_letter(at) for at, (name, _) in enumerate(found, start=1)}
        self._fitting: dict[int, bool] = {}

    @property
    def apart(self) -> bool:
        """Whether a player's own tricks have a price."""
        if self.prices is None or self.partners == 1 or self.formulas.one_bids:
            return False
        return self.prices.beside or (self.bidders > 1 and not self.prices.tariff.adds)

    def _places(self, field: Field | None) -> int:
        return 0 if field is None else self.partners if field.of == "seat" else 1

    def _columns(self) -> Iterator[tuple[str, PageColumn]]:
        yield "game", PageColumn("Game", 7)
        yield "teams", PageColumn("Table", 20, wraps=True)
        yield "hand", PageColumn("Hand", 6.5, NUMBER)
        if not self.formulas.one_bids:
            yield "cards", PageColumn("Cards", 7, NUMBER, hidden=self.prices is not None and not self.prices.by_cards)
        yield "dealer", PageColumn("Dealer", 13, wraps=True)
        if self.formulas.one_bids:
            yield from self._of_bidder()
            for what in ("change", "score", *self.counters):
                for side in range(self.sides):
                    yield self._figure(what, side)
        for side in range(0 if self.formulas.one_bids else self.sides):
            yield from self._of_side(side)
        # So wide that most of it stands in one line: the lines decide how many pages are printed.
        yield "text", PageColumn("What happened", 60 if self.formulas.one_bids else 84, wraps=True)
        yield "rules", PageColumn("Rules", 18, wraps=True)
        if self.formulas.one_bids:
            yield "offender", PageColumn("Offender", 12, wraps=True)
        yield "by", PageColumn("Written by", 18)
        yield "check", PageColumn("Changed", 8, NUMBER, hidden=True)

    def _of_bidder(self) -> Iterator[tuple[str, PageColumn]]:
        yield "who", PageColumn("Bid by", 17, wraps=True)
        yield "side", PageColumn("Side", 6)
        yield "bid", PageColumn("Bid", 10)
        yield "took", PageColumn("Books", 7, NUMBER)
        yield from self._hidden(0, 1)
        yield "outcome", PageColumn("Made or set", 10.5)

    def _of_side(self, side: int) -> Iterator[tuple[str, PageColumn]]:
        name = NAMES[side]
        words = " ".join(self.prices.words) if self.prices else ""
        wide = max([5, *map(len, words.split())]) + 2
        for at in range(self.bidders):
            yield f"bid-{side}-{at}", PageColumn(f"Bid {name}{at + 1 if self.bidders > 1 else ''}", wide, wraps=True)
        for at in range(self.takers if self.takers > 1 else 0):
            yield f"own-{side}-{at}", PageColumn(f"Took {name}{at + 1}", 6.5, NUMBER)
        yield f"took-{side}", PageColumn(f"Took {name}", 6.5, NUMBER)
        for field in self.more:
            yield f"{field.key}-{side}", PageColumn(f"{field.heading} {name}", 8, NUMBER)
        yield from self._hidden(side, self.bidders)
        for what in ("change", "score", *self.counters):
            yield self._figure(what, side)

    def _hidden(self, side: int, bidders: int) -> Iterator[tuple[str, PageColumn]]:
        for name in price_cells(self.prices.tariff, side, bidders) if self.prices is not None else ():
            yield name, PageColumn("Price", 6, NUMBER, hidden=True)

    def _figure(self, what: str, side: int) -> tuple[str, PageColumn]:
        heads = {"change": ("±", POINTS), "score": ("Score", SCORE)}
        words, form = heads.get(what) or (COUNTERS[what], COUNT)
        return f"{what}-{side}", PageColumn(f"{words} {NAMES[side]}", 9.5 if what == "bostons" else 7, form)

    def at(self, name: str, row: int) -> str:
        """A cell of a row."""
        return f"{self.letters[name]}{row}"

    def fits(self, sheet: GameSheet) -> bool:
        """Whether the prices of the event are those of this table: a smaller one may be dealt other hands."""
        sides = len(sheet.sides)
        if self.prices is None or sides == self.sides:
            return self.prices is not None
        if sides not in self._fitting:
            own, all_rows = sheet.rules.game.tariff(sheet.rules.rules), self.prices.tariff.rows
            self._fitting[sides] = own is not None and all(all_rows.get(at) == row for at, row in own.rows.items())
        return self._fitting[sides]
