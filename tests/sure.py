"""What a test is sure of: what has to be there, what is refused, how often the database is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from tournament.errors import DomainError, ValidationFailed

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)


def sure(value: T | None) -> T:
    """Return what has to be there; the test fails where it is not."""
    assert value is not None
    return value


def fresh(row: Row) -> Row:
    """The same row as it is in the database now."""
    row.refresh_from_db()
    return row


def refusal_of(act: Callable[[], object], kind: type[DomainError] = ValidationFailed) -> DomainError:
    """With what an act is refused; the test fails where it is done."""
    with pytest.raises(kind) as refusal:
        act()
    return refusal.value


def statements_of(act: Callable[[], object], status: int = 200) -> int:
    """How often an act asks the database; what a page answers must be what is expected of it."""
    with CaptureQueriesContext(connection) as queries:
        answer = act()
    assert getattr(answer, "status_code", status) == status
    return len(queries)
