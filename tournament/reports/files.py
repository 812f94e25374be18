"""Lists as CSV and JSON, and files as downloads."""

from __future__ import annotations

import csv
import io
import json
import re
import threading
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse

from tournament.errors import Unavailable
from tournament.lists.column import Listing, joined
from tournament.site.cache import answers

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def list_csv(listing: Listing) -> bytes:
    """The list with the keys of its columns as header."""
    columns = listing.pick_file_columns()
    rows = ([_joined(listing.machine(column, row)) for column in columns] for row in listing.rows)
    return csv_bytes([[column.key for column in columns], *rows])


def list_json(listing: Listing) -> bytes:
    """The list as objects; after the columns come the fields that only JSON has."""
    columns = listing.pick_file_columns()
    objects = []
    for row in listing.rows:
        cells = {column.key: listing.machine(column, row) for column in columns}
        structures = {key: structure(row) for key, structure in listing.in_json.items()}
        objects.append(cells | structures)
    return json.dumps(objects, ensure_ascii=False, indent=1, default=datetime.isoformat).encode()


def event_json(file: dict[str, Any]) -> bytes:
    """An event file: each row on a line of its own."""
    models = [
        f'{_json(name)}: {{"columns": {_json(part["columns"])}, "rows": [\n{_lines(part["rows"])}\n]}}'
        for name, part in file["models"].items()
    ]
    whole = ",\n".join(models)
    return f'{{"manifest": {_json(file["manifest"])},\n"models": {{\n{whole}\n}}}}\n'.encode()


def _lines(rows: Iterable[Any]) -> str:
    return ",\n".join(map(_json, rows))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _joined(value: object) -> object:
    return joined(value) if isinstance(value, tuple) else value


def csv_bytes(rows: Iterable[Sequence[Any]]) -> bytes:
    """Rows of values as a CSV file."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    for row in rows:
        writer.writerow([csv_cell(value) for value in row])
    return b"\xef\xbb\xbf" + file.getvalue().encode("utf-8")


def csv_cell(value: Any) -> Any:
    """A value as a cell.

    A text that a spreadsheet would take for a formula gets an apostrophe; numbers do not. A moment is written as ISO
    8601 with its offset.
    """
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return f"'{text}" if text.startswith(DANGEROUS) else text


# A file for the browser: only one is made at a time; its name is plain ASCII, and browsers never treat it as a page.

TYPES = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
# Safari on a Mac shows a PDF with a plug-in, inside a document that obeys the plug-in rules of this answer.
PLUG_IN = {"object-src": ["'self'"], "style-src": ["'self'", "'unsafe-inline'"]}
# The tables must not wait: this many requests queue behind the file being made.
MOST_WAITING = 3
BUSY = "Other files are being made right now. Please press the button again in a moment."
_turn, _line = threading.Lock(), threading.BoundedSemaphore(1 + MOST_WAITING)


@contextmanager
def making_file() -> Iterator[None]:
    """Wait in turn to make a file. Raises Unavailable if too many wait already."""
    if not _line.acquire(blocking=False):
        raise Unavailable(BUSY)
    try:
        with _turn:
            yield
    finally:
        _line.release()


def file_of(key: Hashable, make: Callable[[], bytes]) -> bytes:
    """A file, made for the first request and reused for later ones. Raises Unavailable.

    The key names everything that decides the content, and is read before the file is made.
    """

    def make_in_turn() -> bytes:
        with making_file():
            return make()

    content: bytes = answers.get(key, make_in_turn)
    return content


def download(content: bytes, name: str, kind: str, *, inline: bool = False) -> HttpResponse:
    """Answer with a file. `name` may hold any characters of an event's name."""
    response = HttpResponse(content, content_type=TYPES[kind])
    if kind == "pdf":
        # Does what the decorator `csp_replace` of django-csp does, for this answer alone.
        response._csp_replace = PLUG_IN  # type: ignore[attr-defined]
    how = "inline" if inline else "attachment"
    exact = quote(f"{name}.{kind}", safe="")
    response["Content-Disposition"] = f"{how}; filename=\"{plain_name(name)}.{kind}\"; filename*=UTF-8''{exact}"
    return response


def plain_name(name: str) -> str:
    """The name in ASCII letters, digits and hyphens; “file” if nothing remains."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", ascii_name).strip("-").lower()[:80] or "file"
