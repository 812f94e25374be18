"""Insert the rows of an event file: all rows of a model at once, or a sentence about the one that is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from tournament.archive.parts import leads_to
from tournament.archive.rows import sentence, where
from tournament.errors import Fault, ValidationFailed

# How many rows go into one statement.
BATCH = 500


def store(rows: list[Any]) -> None:
    """Store rows of one model; the rows of other models that they link to are already stored.

    Rows that link to each other are stored in levels. If the links form a circle, they are set at the end. Raises
    ValidationFailed with the row that the database refuses.
    """
    link = _link_to_each_other(rows)
    left = rows
    while left:
        ready = [row for row in left if link is None or not _waits(getattr(row, link))]
        if not ready:
            _store_circle(left, str(link))
            return
        left = [row for row in left if link is not None and _waits(getattr(row, link))]
        _insert(ready)


def _link_to_each_other(rows: Sequence[Any]) -> str | None:
    if not rows:
        return None
    own = type(rows[0]).__name__
    return next((one.name for one in rows[0]._meta.concrete_fields if leads_to(one, own)), None)


def _waits(row: Any) -> bool:
    return row is not None and row._state.adding


def _store_circle(rows: Sequence[Any], link: str) -> None:
    links = [getattr(row, link) for row in rows]
    for row in rows:
        setattr(row, link, None)
    _insert(rows)
    for row, other in zip(rows, links, strict=True):
        setattr(row, link, other)
    type(rows[0])._base_manager.bulk_update(rows, [link], batch_size=BATCH)


def _insert(rows: Sequence[Any]) -> None:
    keys = [row.pk for row in rows]
    try:
        with transaction.atomic():
            type(rows[0])._base_manager.bulk_create(rows, batch_size=BATCH)
    except IntegrityError:
        for row, key in zip(rows, keys, strict=True):
            row.pk, row._state.adding = key, True
        _find_refused(rows)


def _find_refused(rows: Sequence[Any]) -> None:
    """Store row by row until the database refuses one, and report it."""
    for row in rows:
        key = row.pk
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError as fault:
            row.pk, row._state.adding = key, True
            raise ValidationFailed([Fault("", sentence(where(row), "", _why_refused(row)))]) from fault
    raise ValidationFailed([Fault("", f"{type(rows[0]).__name__}: the database refuses these rows together.")])


def _why_refused(row: Any) -> str:
    """The database constraint that a row violates, in words from its name."""
    for constraint in row._meta.constraints:
        try:
            constraint.validate(type(row), row)
        except ValidationError:
            return f"the database refuses it ({constraint.name.replace('_', ' ')})"
    return "the database refuses it"
