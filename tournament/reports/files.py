"""Lists as CSV and JSON, under the keys of their columns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from tournament.lists.column import Listing

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def list_csv(listing: Listing) -> bytes:
    """The list with the keys of its columns as head."""
    columns = listing.columns
    rows = ([_joined(listing.machine(column, row)) for column in columns] for row in listing.rows)
    return csv_bytes([[column.key for column in columns], *rows])


def list_json(listing: Listing) -> bytes:
    """The list as objects."""
    rows = [{column.key: listing.machine(column, row) for column in listing.columns} for row in listing.rows]
    return json.dumps(rows, ensure_ascii=False, indent=1, default=datetime.isoformat).encode()


def event_json(file: dict[str, Any]) -> bytes:
    """An event file."""
    return json.dumps(file, ensure_ascii=False, indent=1, cls=DjangoJSONEncoder).encode()


def _joined(value: object) -> object:
    return "; ".join(value) if isinstance(value, tuple) else value


def csv_bytes(rows: Iterable[Sequence[Any]]) -> bytes:
    """Rows of values as a CSV file."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    for row in rows:
        writer.writerow([csv_cell(value) for value in row])
    return b"\xef\xbb\xbf" + file.getvalue().encode("utf-8")


def csv_cell(value: Any) -> Any:
    """A value as a cell.

    A text that a spreadsheet would take for a formula gets an apostrophe; numbers stay, a moment is written as ISO 8601
    with its offset.
    """
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return f"'{text}" if text.startswith(DANGEROUS) else text
