"""The parts of a list. A list declares its columns once; page, paper, spreadsheet, CSV, and JSON are made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import escape
from operator import itemgetter
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString

from tournament.models import Event, Season
from tournament.words.phrases import day, day_time, exact_money, hall_time, minus

Value = str | int | float | datetime | tuple[str | int, ...] | None
# The unit of a value: without one it is text. Counts and sums of zero are left out.
NUMBER, POINTS, STARS, CENTS, TIME, NAMES = "number", "points", "stars", "cents", "time", "names"
# A rank as it is written: “3”, or “3=” if several share it; and a mark for each game, such as “W W★ L”.
RANK, MARKS = "rank", "marks"
NUMERIC = (NUMBER, POINTS, STARS, CENTS)
# The sides of a table in files and workbooks.
SIDES = "ABCDEF"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list. `key` is its name in files, `heading` the one that people read; `unit` says what `value` is.

    A column that is not `shown` is on no page and no paper, and empty in files, which have the same columns for every
    event; `paged` ones are only on pages. `wall` columns are those that fit on paper for the wall, phones, and the
    projector; a page shows a column `within` another in that one's cell. `filed` ones help to filter a file; paper has
    no room for them, and shows `shared` values once, in the first of the rows that belong together. `html` is the cell
    if a page has more than the text (`nothing` if the other cell has it). `financial` columns show what a team has
    paid, or owes: only those who handle the money see them.
    """

    key: str
    heading: str
    value: Callable[[Any], Value]
    unit: str = ""
    shown: bool = True
    paged: bool = False
    wall: bool = False
    within: str = ""
    filed: bool = False
    shared: bool = False
    financial: bool = False
    html: Callable[[Any], str] | None = None

    @property
    def is_number(self) -> bool:
        return self.unit in NUMERIC


def in_order(*heads: tuple[str, ...]) -> tuple[Column, ...]:
    """The columns of rows that are tuples: the key, the heading, and the unit of each, in order."""
    return tuple(
        Column(key, words, itemgetter(index), "".join(unit)) for index, (key, words, *unit) in enumerate(heads)
    )


@dataclass(frozen=True)
class Listing:
    """A list of an event or a season: `name` in addresses, its rows, and its columns.

    `columns` are those that are shown; `every` are all of them, even if they are empty in this event.

    `under` is printed below the title on paper, `caption` is above the list on a page. `notes` are sentences below the
    list that its rows would repeat. `total` adds up the sums of money. `mark` gives a row of a page its class and id.
    If a paper is `live`, a QR code on it leads to the public page of the event or season. `in_json` are whole
    structures for other programs that fit in no cell, by their key in JSON.
    """

    name: str
    title: str
    event: Event | Season
    columns: tuple[Column, ...]
    rows: Sequence[Any]
    under: str = ""
    caption: str = ""
    empty: str = "Nothing here yet."
    notes: tuple[str, ...] = ()
    total: bool = False
    mark: Callable[[Any], dict[str, str]] = field(default=lambda _: {})
    live: bool = False
    in_json: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    every: tuple[Column, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "every", self.every or self.columns)
        object.__setattr__(self, "columns", tuple(column for column in self.columns if column.shown))

    def seen(self, with_money: bool) -> Listing:
        """The list as it is shown to those who handle the money, or to others."""
        if with_money:
            return self
        columns, every = (tuple(column for column in of if not column.financial) for of in (self.columns, self.every))
        return replace(self, columns=columns, every=every)

    def pick_file_columns(self) -> tuple[Column, ...]:
        """The columns of CSV, Excel, and JSON, in order; one that is not shown is empty there."""
        filed = [column for column in self.every if not column.paged]
        return tuple(column if column.shown else replace(column, value=nothing_said) for column in filed)

    def hangs_on_wall(self) -> bool:
        """Whether it is for the wall; everything else is read at a desk."""
        return any(column.wall for column in self.columns)

    def pick_paper_columns(self) -> tuple[Column, ...]:
        """The columns on paper: for the wall only those marked for it, and only those with any content.

        It looks through the rows, so call it once and pass the result on.
        """
        for_wall = self.hangs_on_wall()
        printed = [column for column in self.columns if (column.wall if for_wall else not column.filed)]
        return tuple(column for column in printed if not self.rows or any(self.said(column, row) for row in self.rows))

    def add_up(self) -> dict[str, int]:
        """The sums of the columns of money by key."""
        sums = [column for column in self.columns if column.unit == CENTS] if self.total else []
        return {
            column.key: sum(cents for row in self.rows if isinstance(cents := column.value(row), int))
            for column in sums
        }

    def said(self, column: Column, row: Any) -> str:
        """A cell as people read it."""
        return said(column.value(row), column.unit, self.event)

    def machine(self, column: Column, row: Any) -> Value:
        """A cell as files keep it: cents stay cents, a time is that of the hall's clock."""
        value = column.value(row)
        return hall_time(value, self.event.time_zone).replace(microsecond=0) if isinstance(value, datetime) else value


def said(value: Value, unit: str, event: Event | Season) -> str:
    """A value in words: −3, $12.00, ★ 2, Nov 21, 8:07 p.m."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, datetime):
        return day_time(value, event.time_zone)
    if isinstance(value, tuple):
        return ", ".join([minus(part) if isinstance(part, int) else part for part in value])
    if unit in (CENTS, STARS) and not value:
        return ""
    if unit == CENTS and isinstance(value, int):
        return exact_money(value, event.currency)
    return f"★ {value}" if unit == STARS else minus(value)


def joined(parts: tuple[str | int, ...]) -> str:
    """Several values in one cell of a file, with a separator that none of them contains."""
    texts = [str(part) for part in parts]
    return (" | " if any(";" in text for text in texts) else "; ").join(texts)


def filled(form: str, *values: object) -> SafeString:
    """The result of Django's `format_html` in a third of the time, without texts that are translated later."""
    return SafeString(
        form.format(*[value if isinstance(value, SafeString) else escape(str(value)) for value in values])
    )


def link_form(page: str, *args: str) -> str:
    """A link to the page of each row, to be filled with its number and its name; the address is looked up once."""
    return f'<a href="{reverse(page, args=[*args, 0]).removesuffix("0/")}{{}}/">{{}}</a>'


def nothing(_row: object) -> str:
    """The cell of a column whose value a page shows in another column."""
    return ""


def nothing_said(_row: object) -> None:
    """The value of a column that is empty in this event."""


def where(event: Event) -> str:
    """Date and place, as they appear under every title."""
    return " · ".join(part for part in (day(event.date), event.place) if part)
