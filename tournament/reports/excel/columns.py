"""The cells of the page of hands: its columns, as fields, counters and prices of a game ask; and each line in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from openpyxl.utils import get_column_letter

from tournament.phrases import clause
from tournament.queries.formulas import Carry, Field, Formulas, Worth, price_cells
from tournament.queries.scored import ScoredLine
from tournament.queries.sheetfacts import GameSheet, Row
from tournament.reports.excel.cells import NAMES, NUMBER, Formula, PageColumn, quoted
from tournament.reports.excel.prices import Lookup, PriceTable, whole

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
        yield "teams", PageColumn("Table", 24, wraps=True)
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
        yield "took", PageColumn("Books", 8, NUMBER)
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


class Stood(NamedTuple):
    """What stood before a line, a side each: its score, and every counter by its key."""

    scores: tuple[int, ...]
    counts: dict[str, tuple[int, ...]]


class LineCells:
    """The cells of one line. Where the prices explain what the sheet paid, its points are formulas, else plain."""

    def __init__(
        self,
        board: GameColumns,
        sheet: GameSheet,
        row: Row,
        line: ScoredLine,
        stood: Stood,
        at: int,
        *,
        index: int,
        priced: bool,
    ) -> None:
        self.board, self.row, self.row_at, self.stood, self.index = board, row, at, stood, index
        self.opens = index == 0
        self.sheet, self.sides = sheet, len(sheet.sides)
        # The next game of a rubber begins at 0: nothing is carried over.
        self.resets = any(one.kind == "rubber" for one in row.lines)
        self.after = Stood(row.scores, _counts(line.after, board))
        self.cells: dict[str, Any] = {}
        # What the score depends on, as it stands on the sheet.
        self.typed: list[tuple[str, Any]] = []
        worths = self._worths() if priced and row.kind == "hand" and not self.resets else None
        self.sets_follow = worths is not None and all(
            worth.was_set == (word == "set") for worth, word in zip(worths, row.written.words, strict=True)
        )
        self.worths = worths or [Worth()] * self.sides
        self.points_follow = worths is not None and not line.before.deciding and self._paid() == [w.own for w in worths]
        follows = self.points_follow or self.sets_follow
        self.lookups = [self._lookup(side) for side in range(self.sides)] if follows else []

    def values(self, name: str) -> dict[str, Any]:
        """All cells by the names of their columns."""
        row, written, cells = self.row, self.row.written, self.cells
        cells["game"] = name
        cells["teams"] = _teams(self.sheet, self.index)
        cells["hand"], cells["dealer"] = row.number, row.dealer.name if row.dealer else None
        if self.board.formulas.one_bids:
            self._bidder_cells()
        else:
            self._side_cells()
        for side in range(self.sides):
            self._figures(side)
        cells["text"] = written.text
        cited = (clause(one.rule) for one in row.lines)
        cells["rules"] = ", ".join(filter(None, dict.fromkeys(cited))) or clause(written.rule)
        cells["offender"], cells["by"] = written.offender, row.by
        joined = '&"|"&'.join(self.board.at(at, self.row_at) for at, _ in self.typed)
        stands = "|".join("" if value is None else str(value) for _, value in self.typed)
        cells["check"] = Formula(f"=IF({joined}={quoted(stands)},0,1)", 0)
        return cells

    def _type(self, name: str, value: Any) -> None:
        """A cell that the score depends on."""
        self.cells[name] = value
        self.typed.append((name, value))

    def _worths(self) -> list[Worth] | None:
        """What the prices give each side; None where they have no answer."""
        written, prices = self.row.written, self.board.prices
        assert prices is not None
        if self.board.formulas.one_bids:
            if written.who is None or written.took is None:
                return None
            paid = prices.tariff.worth(0, [written.bid], [written.took], written.took)
            return paid and [paid._replace(other=0) if side == written.who else Worth(paid.other) for side in (0, 1)]
        found = []
        for side in range(self.sides):
            own = self._own(side)
            paid = prices.tariff.worth(
                written.cards or 0, self._said(side), own or [0] * self.board.bidders, self._took(side) or 0
            )
            if paid is None or (own is None and self.board.apart and any(map(self._counts_alone, self._said(side)))):
                return None
            found.append(paid)
        return found

    def _counts_alone(self, words: str) -> bool:
        """Whether a word has a price by the tricks of the player who said it."""
        prices = self.board.prices
        assert prices is not None
        call = prices.tariff.calls[self.row.written.cards or 0 if prices.by_cards else 0, words]
        return not prices.tariff.adds or call.alone_counts

    def _said(self, side: int) -> list[str]:
        said = list(self.row.written.said("bids", side, self.sides))
        if len(said) > self.board.bidders:
            said = [" + ".join(said)]
        return said + [""] * (self.board.bidders - len(said))

    def _own(self, side: int) -> list[int] | None:
        """The tricks of each player, where they were written down."""
        taken = self.row.written.tricks[side :: self.sides]
        return list(taken) if len(taken) == self.board.bidders else None

    def _took(self, side: int) -> int | None:
        taken = self.row.written.tricks[side :: self.sides]
        return sum(taken) if taken else None

    def _paid(self) -> list[int]:
        """What the hand itself brought each side."""
        lines = [one for one in self.row.lines if not one.beside_the_hand]
        return [sum(one.points for one in lines if one.side == side) for side in range(self.sides)]

    def _bidder_cells(self) -> None:
        written = self.row.written
        self.cells["who"] = written.who_name
        self._type("side", NAMES[written.who] if written.who is not None else None)
        self._type("bid", whole(written.bid) if written.bid else None)
        self._type("took", written.took)
        self.cells["outcome"] = written.outcome
        if self.lookups:
            self._look_up(0, [written.bid])
            made = f'=IF({self.lookups[0].bid("set")}=1,"set","made")'
            self.cells["outcome"] = Formula(made, written.outcome)

    def _side_cells(self) -> None:
        board, written = self.board, self.row.written
        dealt = written.cards if self.row.kind == "hand" else None
        if board.prices is not None and board.prices.by_cards:
            self._type("cards", dealt)
        else:
            self.cells["cards"] = dealt
        for side in range(self.sides if self.row.kind == "hand" else 0):
            said, own, took = self._said(side), self._own(side), self._took(side)
            for place, words in enumerate(said):
                if place < board.bidders:
                    self._type(f"bid-{side}-{place}", whole(words) if words else None)
            for place in range(board.takers if board.takers > 1 else 0):
                self._type(f"own-{side}-{place}", own[place] if own else None)
            if board.takers > 1 and own:
                cells = "+".join(self._at(f"own-{side}-{place}") for place in range(board.takers))
                self.cells[f"took-{side}"] = Formula(f"={cells}", took)
            else:
                self._type(f"took-{side}", took)
            for field in board.more:
                answers = written.said(field.key, side, self.sides)
                more = whole(answers[0]) if len(answers) == 1 else " + ".join(answers)
                self._type(f"{field.key}-{side}", more if answers else None)
            if self.lookups:
                self._look_up(side, said)

    def _look_up(self, side: int, said: Sequence[str]) -> None:
        """Where the prices of a side stand in the tables."""
        lookup = self.lookups[side]
        cards = self.row.written.cards or 0 if lookup.prices.by_cards else 0
        found = zip(lookup.names, lookup.formulas(), lookup.prices.places(cards, said), strict=True)
        self.cells |= {name: Formula(text, value) for name, text, value in found}

    def _lookup(self, side: int) -> Lookup:
        board = self.board
        assert board.prices is not None
        if board.formulas.one_bids:
            bid, took, who = (self._at(name) for name in ("bid", "took", "side"))
            return Lookup(board.prices, self._at, side, bids=[bid], own=[took], took=took, who=who)
        places, took = range(board.bidders), self._at(f"took-{side}")
        bids = [self._at(f"bid-{side}-{place}") for place in places]
        own = [self._at(f"own-{side}-{place}") if board.takers > 1 else took for place in places]
        return Lookup(board.prices, self._at, side, bids=bids, own=own, took=took, cards=self._at("cards"))

    def _at(self, name: str) -> str:
        return self.board.at(name, self.row_at)

    def _figures(self, side: int) -> None:
        """Change, score and counters of a side, each from the line before."""
        row, worth, at = self.row, self.worths[side], self.row_at
        before = self.stood.scores[side]
        if self.points_follow:
            lookup = self.lookups[side]
            bags, charge = self._charge(lookup, side, worth)
            rest = row.deltas[side] - worth.own - charge
            text = f"={lookup.part('own')}{bags}" + (f"{rest:+d}" if rest else "")
            self.cells[f"change-{side}"] = Formula(text, row.deltas[side])
        else:
            self._type(f"change-{side}", row.deltas[side])
        if self.resets:
            self.cells[f"score-{side}"] = row.scores[side]
        else:
            prior = before if self.opens else self.board.at(f"score-{side}", at - 1)
            text = f"={prior}+{self.board.at(f'change-{side}', at)}"
            self.cells[f"score-{side}"] = Formula(text, row.scores[side])
        for name in self.board.counters:
            self._counter(name, side)

    def _charge(self, lookup: Lookup, side: int, worth: Worth) -> tuple[str, int]:
        """What the bags cost that are full with this hand: its formula and its points."""
        if lookup.prices.tariff.bags is None:
            return "", 0
        limit, penalty = lookup.prices.tariff.bags
        full = (self.stood.counts["bags"][side] + worth.bags) // limit
        return lookup.charge(self._prior("bags", side)), -penalty * full

    def _prior(self, name: str, side: int) -> str:
        return str(self.stood.counts[name][side]) if self.opens else self.board.at(f"{name}-{side}", self.row_at - 1)

    def _counter(self, name: str, side: int) -> None:
        now, before = self.after.counts[name][side], self.stood.counts[name][side]
        cell = f"{name}-{side}"
        if self.resets:
            self.cells[cell] = now
            return
        prior = self._prior(name, side)
        if {"sets": self.sets_follow, "bags": self.points_follow, "bostons": self._boston_follows}[name]:
            text = f"={self.lookups[side].count(name, prior)}"
        else:
            text = f"={prior}" + (f"{now - before:+d}" if now != before else "")
        self.cells[cell] = Formula(text, now)

    @property
    def _boston_follows(self) -> bool:
        """Whether all the tricks of this hand would be a Boston: in every hand, or since it ended the game."""
        tariff = self.board.formulas.tariff
        return self.sets_follow and tariff is not None and (tariff.any_hand or self.row.ends_game)


def begun(sheet: GameSheet, board: GameColumns) -> Stood:
    return Stood(tuple(sheet.scored.begin.scores), _counts(sheet.scored.begin, board))


def _counts(carry: Carry, board: GameColumns) -> dict[str, tuple[int, ...]]:
    return {name: tuple(getattr(carry, name)) for name in board.counters}


def _teams(sheet: GameSheet, index: int) -> str:
    """Who sits at the table, a side in each line; the last line has all that are left."""
    last = index == len(sheet.rows) - 1
    named = sheet.sides[index:] if last else sheet.sides[index : index + 1]
    return ", ".join(f"{NAMES[side.index]}: {side.name}" for side in named)
