"""Lists on a page: sorted and cut into pages by django-tables2, their cells as the columns say them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import django_tables2 as tables
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django_tables2.data import TableListData
from django_tables2.utils import OrderByTuple

from tournament.lists.column import Column, Listing, Value
from tournament.lists.teams import Switch
from tournament.models import Event
from tournament.phrases import exact_money
from tournament.queries.ledger import Account
from tournament.request import Request

LONGEST_PAGE, MOST_WRITTEN = 200, 4000
_written: dict[Any, str] = {}
# A mark of a team: its address, what it is called when on and off, and what it is about.
SWITCHES = {
    "paid": ("team-paid", "Paid", "Not paid", "paid"),
    "in_pot": ("team-pot", "In pot", "No pot", "in the Boston pot"),
}


class Rows(TableListData):  # type: ignore[misc]  # django-tables2 has no types
    """The rows of a list as they are sorted: texts that begin with a number by that, all others without case."""

    def __init__(self, listing: Listing) -> None:
        super().__init__(listing.rows)
        self.data: list[Any]
        self._columns = {column.key: column for column in listing.columns}

    def order_by(self, aliases: OrderByTuple) -> None:
        for alias in reversed(aliases):
            column = self._columns[alias.bare]
            self.data = sorted(self.data, key=lambda record: _order(column.value(record)), reverse=alias.is_descending)


def _order(value: Value) -> tuple[bool, Any]:
    """What a value is sorted by; what is missing comes first."""
    if not isinstance(value, str):
        return value is not None, value
    number = re.match(r"\d+", value)
    return True, (int(number[0]) if number else 0, value.casefold())


class ListTable(tables.Table):  # type: ignore[misc]  # django-tables2 has no types
    """A list on a page. It writes its rows itself: a template's loop over the cells takes five times as long."""

    def __init__(self, listing: Listing, **options: Any) -> None:
        self.listing, self.caption = listing, listing.caption
        shown = [column for column in listing.columns if not column.within]
        self._shown = [(column, _classes(listing, column)) for column in shown]
        self._cells = [(classes, _writer(listing, column)) for column, classes in self._shown]
        self._known = (
            listing.name,
            listing.event.pk,
            listing.event.epoch,
            tuple(column.key for column in listing.columns),
        )
        super().__init__(
            Rows(listing),
            extra_columns=[(column.key, _head(column, classes)) for column, classes in self._shown],
            attrs={"class": f"list {listing.name}"},
            empty_text=listing.empty,
            **options,
        )

    def body(self) -> str:
        """The rows of this page of the list; empty where there are none."""
        return format_html_join("\n", "{}", ((self._row(row.record),) for row in self.paginated_rows))

    def foot(self) -> str:
        """The sums of money below their columns; empty where the list adds up nothing."""
        if not (sums := self.listing.totals) or not self.listing.rows:
            return ""
        before = [column.key in sums for column, _ in self._shown].index(True)
        currency = self.listing.event.currency
        said = [
            (name, exact_money(sums[one.key], currency) if one.key in sums else "")
            for one, name in self._shown[before:]
        ]
        cells = format_html_join("", '<td class="{}">{}</td>', said)
        return format_html('<tr><th scope="row" colspan="{}">Total</th>{}</tr>', before, cells)

    def _row(self, record: Any) -> str:
        """A row that is written already is not written again: a game changes a few rows of many."""
        if not self.listing.kept:
            return self._write(record)
        key = self._known, record
        if (row := _written.get(key)) is None:
            if len(_written) > MOST_WRITTEN:
                _written.clear()
            row = _written[key] = self._write(record)
        return row

    def _write(self, record: Any) -> str:
        mark = format_html_join("", ' {}="{}"', (said for said in self.listing.mark(record).items() if said[1]))
        cells = ((classes, write(record)) for classes, write in self._cells)
        return format_html("<tr{}>{}</tr>", mark, format_html_join("", '<td class="{}">{}</td>', cells))


def page_table(listing: Listing, request: HttpRequest, longest: int = LONGEST_PAGE, **options: Any) -> ListTable:
    """The list as the address asks for it. An unknown column, page or size is read as if it had not been named."""
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


def cell_from(template: str, request: Request, event: Event) -> Callable[[Any], str]:
    """What writes a cell with a form in it: a template that knows its `row`."""
    return lambda row: render_to_string(template, {"row": row, "event": event}, request=request)


def team_switch(request: Request, event: Event) -> Switch:
    """What writes the marks of a team as buttons. The answer replaces the list, in the order in which it is shown."""
    order = f"?{request.GET.urlencode()}" if request.GET else ""

    def switch(account: Account, key: str) -> str:
        address, on_words, off_words, what = SWITCHES[key]
        team = account.team
        on = account.in_pot if key == "in_pot" else team.paid
        words = on_words if on else "Owes" if key == "paid" and account.owes else off_words
        context = {
            "to": reverse(address, args=[event.slug, team.number]) + order,
            "on": on,
            "words": words,
            "label": f"{words}: {team.name} ({what})",
            # What takes money back once games are played is asked on a page of its own.
            "asks": event.frozen_at is not None and (on or key != "paid"),
        }
        return render_to_string("components/switch.html", context, request=request)

    return switch


def _head(column: Column, classes: str) -> tables.Column:
    return tables.Column(verbose_name=column.heading, attrs={"th": {"class": classes}}, orderable=bool(column.heading))


def _classes(listing: Listing, column: Column) -> str:
    """What a style sheet knows a column by: numbers, and what a phone has no room for."""
    return " ".join(["num"] * column.is_number + [column.key] + ["roomy"] * (column not in listing.on_paper))


def _writer(listing: Listing, column: Column) -> Callable[[Any], str]:
    """What writes a cell: the column, and those that are said within it."""
    within = [one for one in listing.columns if one.within == column.key]

    def write(record: Any) -> str:
        own = column.html(record) if column.html else listing.said(column, record)
        return format_html_join("", "{}", ((own,), *((_beside(one, record),) for one in within))) if within else own

    def _beside(one: Column, record: Any) -> str:
        if one.html:
            return one.html(record)
        text = listing.said(one, record)
        return format_html('<span class="{} muted">{}</span>', one.key, text) if text else ""

    return write


def _number(text: str | None, low: int, high: int, otherwise: int) -> int:
    if text is None or not (text.isascii() and text.isdecimal()) or len(text) > 9:
        return otherwise
    return min(max(int(text), low), high)
