"""Lists on a page: sorted and split into pages by django-tables2, with cells as the columns define them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import django_tables2 as tables
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django_tables2.data import TableListData
from django_tables2.utils import OrderByTuple

from tournament.lists.column import NUMBER, POINTS, Column, Listing, Value, filled, said
from tournament.lists.teams import Switch
from tournament.models import Event
from tournament.queries.ledger import Account
from tournament.request import Request
from tournament.words.phrases import exact_money, minus

LONGEST_PAGE = 200
# Numbers that a phone shows in words, or that need none.
EXPLAINED = ("place", "number", "won", "points")
# Whole numbers of these units are shown unchanged.
COUNTED = (NUMBER, POINTS)
# Returns the cell of a row as HTML that needs no more escaping.
Writer = Callable[[Any], str]
# A mark of a team: its address, its names when on and off, and what it is about.
SWITCHES = {
    "paid": ("team-paid", "Paid", "Not paid", "paid"),
    "in_pot": ("team-pot", "In pot", "No pot", "in the Boston pot"),
}


class Rows(TableListData):  # type: ignore[misc]  # django-tables2 has no types
    """The rows of a list in sort order: texts that begin with a number by that number, all others ignoring case.

    Rows that are not loaded yet are counted by the database, and only the shown page is loaded.
    """

    def __init__(self, listing: Listing) -> None:
        super().__init__(listing.rows)
        self.data: list[Any]
        self._length = listing.rows.count() if isinstance(listing.rows, QuerySet) else len(listing.rows)
        self._columns = {column.key: column for column in listing.columns}

    def __len__(self) -> int:
        return self._length

    def order_by(self, aliases: OrderByTuple) -> None:
        for alias in reversed(aliases):
            column = self._columns[alias.bare]
            self.data = sorted(self.data, key=lambda record: _order(column.value(record)), reverse=alias.is_descending)


def _order(value: Value) -> tuple[bool, Any]:
    """The sort key of a value; missing values come first."""
    if not isinstance(value, str):
        return value is not None, value
    number = re.match(r"\d+", value)
    return True, (int(number[0]) if number else 0, value.casefold())


class ListTable(tables.Table):  # type: ignore[misc]  # django-tables2 has no types
    """A list on a page. It writes its rows itself: a template's loop over the cells takes five times as long."""

    def __init__(self, listing: Listing, **options: Any) -> None:
        self.listing, self.caption = listing, listing.caption
        shown = [column for column in listing.columns if not column.within]
        printed = replace(listing, rows=list(listing.rows[:LONGEST_PAGE])).pick_paper_columns()
        self._shown = [(column, _classes(column, printed)) for column in shown]
        self._writers = [_writer(listing, column) for column, _ in self._shown]
        self._row_form = (
            "<tr{}>"
            + "".join(f'<td class="{name}"{_head_on_phone(column)}>{{}}</td>' for column, name in self._shown)
            + "</tr>"
        )
        super().__init__(
            Rows(listing),
            extra_columns=[(column.key, _head(column, classes)) for column, classes in self._shown],
            attrs={"class": f"list {listing.name}"},
            empty_text=listing.empty,
            **options,
        )

    def body(self) -> str:
        """The rows of this page of the list; empty if there are none."""
        return SafeString("\n".join([self._row(row.record) for row in self.paginated_rows]))

    def foot(self) -> str:
        """The sums of money below their columns; empty if the list adds up nothing."""
        if not (sums := self.listing.add_up()) or not self.listing.rows:
            return ""
        before = [column.key in sums for column, _ in self._shown].index(True)
        currency = self.listing.event.currency
        cells = (
            (classes, exact_money(sums[column.key], currency) if column.key in sums else "")
            for column, classes in self._shown[before:]
        )
        row = format_html_join("", '<td class="{}">{}</td>', cells)
        return filled('<tr><th scope="row" colspan="{}">Total</th>{}</tr>', before, row)

    def _row(self, record: Any) -> str:
        marks = self.listing.mark(record).items()
        mark = "".join([f' {name}="{escape(value)}"' for name, value in marks if value])
        return self._row_form.format(mark, *[write(record) for write in self._writers])


def page_table(listing: Listing, request: HttpRequest, longest: int = LONGEST_PAGE, **options: Any) -> ListTable:
    """The list as the address asks for it. An unknown column, page, or size is ignored."""
    table = ListTable(listing, **options)
    table.request = request
    wanted = [name for name in request.GET.getlist(table.prefixed_order_by_field) if len(name) < 40]
    if wanted:
        table.order_by = wanted
    size = _number(request.GET.get(table.prefixed_per_page_field), 1, longest, longest)
    table.paginator = Paginator(table.rows, size)
    last = table.paginator.num_pages
    table.page = table.paginator.page(_number(request.GET.get(table.prefixed_page_field), 1, last, 1))
    return table


def cell_from(template: str, request: Request, event: Event, **known: Any) -> Callable[[Any], str]:
    """Returns a function that writes a cell with a form in it, from a template that knows its `row`."""
    return lambda row: render_to_string(template, {"row": row, "event": event, **known}, request=request)


def team_switch(request: Request, event: Event) -> Switch:
    """Returns what writes “paid” and “in the pot” as buttons. A press replaces the list, keeping its order."""
    order = f"?{request.GET.urlencode()}" if request.GET else ""

    def switch(account: Account, key: str) -> str:
        address, on_words, off_words, what = SWITCHES[key]
        team = account.team
        on = account.in_pot if key == "in_pot" else team.paid
        words = on_words if on else off_words
        context = {
            "to": reverse(address, args=[event.slug, team.number]) + order,
            "on": on,
            "words": words,
            "label": f"{words}: {team.name} ({what})",
            # If games were played, taking money back is confirmed on a page of its own.
            "asks": event.frozen_at is not None and (on or key != "paid"),
        }
        return render_to_string("components/switch.html", context, request=request)

    return switch


def _head(column: Column, classes: str) -> tables.Column:
    return tables.Column(verbose_name=column.heading, attrs={"th": {"class": classes}}, orderable=bool(column.heading))


def _head_on_phone(column: Column) -> str:
    """On a phone a list has no headings: a number that nothing else explains brings its own."""
    bare = column.wall and column.is_number and not column.html and column.key not in EXPLAINED
    return filled(' data-head="{}"', column.heading).replace("{", "{{").replace("}", "}}") if bare else ""


def _classes(column: Column, printed: Sequence[Column]) -> str:
    """The CSS classes of a column: numbers, and columns that a phone has no room for."""
    return " ".join(["num"] * column.is_number + [column.key] + ["roomy"] * (column not in printed))


def _writer(listing: Listing, column: Column) -> Writer:
    """Returns what writes a cell: the column, and those shown within it."""
    own = _own_writer(listing, column)
    within = [_extra_writer(listing, extra) for extra in listing.columns if extra.within == column.key]
    if not within:
        return own
    return lambda record: own(record) + "".join([write(record) for write in within])


def _own_writer(listing: Listing, column: Column) -> Writer:
    if column.html:
        return _escaped(column.html)

    def write(record: Any) -> str:
        value = column.value(record)
        # Counts are the most frequent values, and have nothing to escape.
        if type(value) is int and column.unit in COUNTED:
            return minus(value)
        return escape(said(value, column.unit, listing.event))

    return write


def _extra_writer(listing: Listing, column: Column) -> Writer:
    if column.html:
        return _escaped(column.html)

    def write(record: Any) -> str:
        text = listing.said(column, record)
        return f'<span class="{column.key} muted">{escape(text)}</span>' if text else ""

    return write


def _escaped(html: Callable[[Any], str]) -> Writer:
    """HTML from a column stays; plain text is escaped."""

    def write(record: Any) -> str:
        text = html(record)
        return text if isinstance(text, SafeString) else escape(text)

    return write


def _number(text: str | None, low: int, high: int, otherwise: int) -> int:
    if text is None or not (text.isascii() and text.isdecimal()) or len(text) > 9:
        return otherwise
    return min(max(int(text), low), high)
