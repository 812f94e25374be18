"""A test database on PostgreSQL that is emptied row by row.

Django empties it with TRUNCATE after every test that commits, which makes a new file for each table and index: a second
on a busy machine, where deleting the few rows of a test takes some milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from django.core.management.color import Style
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.postgresql.operations import DatabaseOperations


@contextmanager
def emptied_by_rows() -> Iterator[None]:
    """While it lasts, tables are emptied by DELETE; what rows point at is looked at when all of them are gone."""

    def sql_flush(
        operations: BaseDatabaseOperations, _style: Style, tables: Sequence[str], **_options: bool
    ) -> list[str]:
        return [f"DELETE FROM {operations.quote_name(table)}" for table in tables]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", sql_flush)
        yield
