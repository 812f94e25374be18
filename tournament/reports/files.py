"""Lists as CSV and JSON, under the keys of their columns."""

from __future__ import annotations

import json
from datetime import datetime

from tournament.lists.column import Listing
from tournament.reports.csv_file import csv_bytes


def list_csv(listing: Listing) -> bytes:
    """The list with the keys of its columns as head."""
    columns = listing.columns
    rows = ([_joined(listing.machine(column, row)) for column in columns] for row in listing.rows)
    return csv_bytes([[column.key for column in columns], *rows])


def list_json(listing: Listing) -> bytes:
    """The list as objects."""
    rows = [{column.key: listing.machine(column, row) for column in listing.columns} for row in listing.rows]
    return json.dumps(rows, ensure_ascii=False, indent=1, default=datetime.isoformat).encode()


def _joined(value: object) -> object:
    return "; ".join(value) if isinstance(value, tuple) else value
