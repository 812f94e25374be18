"""How every list is written, sorted and cut into pages: bad parameters do nothing, and no page is longer than 200
lines."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import django_tables2 as tables
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django_tables2.utils import A, AttributeDict

LONGEST_PAGE = 200
ListT = TypeVar("ListT", bound=tables.Table)
Cell = tuple[str, Callable[[Any], Any]]


class Listing(tables.Table):
    """A list that writes its lines in one go. Each column is looked up once, not once a cell: the standings of many
    teams are written again after every game, and a template's loop over the cells took five times as long."""

    def body(self) -> str:
        """The lines of this page of the list; empty where there are none."""
        columns = [self._column(column) for column in self.columns]
        return format_html_join("\n", "{}", ((self.line(columns, row.record),) for row in self.paginated_rows))

    def line(self, columns: list[Cell], record: Any) -> str:
        """One line of the list."""
        said = _attributes({name: value(record) for name, value in (self.row_attrs or {}).items()})
        cells = ((attributes, write(record)) for attributes, write in columns)
        return format_html("<tr{}>{}</tr>", said, format_html_join("", "<td{}>{}</td>", cells))

    def _column(self, column: Any) -> Cell:
        """The attributes of a column's cells, and what writes one from a line of the list."""
        place, empty, default = A(column.accessor), column.column.empty_values, column.default
        render = getattr(self, f"render_{column.name}", None)
        asked = set(inspect.signature(render).parameters) if render else set()

        def write(record: Any) -> Any:
            value = place.resolve(record, quiet=True)
            if value in empty:
                return default
            said = {"record": record, "value": value}
            return render(**{name: said[name] for name in asked}) if render else value

        return _attributes(column.attrs["td"]), write


def listed(table: ListT, request: HttpRequest) -> ListT:
    """The table as the address asks for it. An unknown column, page or size is read as if it had not been named."""
    table.request = request
    wanted = [name for name in request.GET.getlist(table.prefixed_order_by_field) if len(name) < 40]
    if wanted:
        table.order_by = wanted
    size = _number(request.GET.get(table.prefixed_per_page_field), 1, LONGEST_PAGE, LONGEST_PAGE)
    table.paginate(per_page=size, paginator_class=Paginator)
    last = table.paginator.num_pages
    table.page = table.paginator.page(_number(request.GET.get(table.prefixed_page_field), 1, last, 1))
    return table


def _attributes(said: dict[str, Any]) -> str:
    kept = AttributeDict({name: value for name, value in said.items() if value})
    return format_html(" {}", kept.as_html()) if kept else ""


def _number(text: str | None, low: int, high: int, otherwise: int) -> int:
    if text is None or not (text.isascii() and text.isdecimal()) or len(text) > 9:
        return otherwise
    return min(max(int(text), low), high)
