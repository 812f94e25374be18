"""The only writer of CSV: UTF-8 with a mark for Excel, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


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
