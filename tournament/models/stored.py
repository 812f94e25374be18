"""Rows that are only ever added: what happened stays as it was written, and each row is a link of its event's chain."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model, covariant=True)


def canonical(value: object) -> str:
    """A value as JSON that is the same before it was stored and after it was read, in either database."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain)


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, uuid.UUID):
        return value.hex
    return str(value)


def linked(head: str, noun: str, link: int, facts: Mapping[str, Any]) -> str:
    """The digest of a row: SHA-256 over the digest before it and its facts.

    What is empty is left out, so that a field which a later version adds, empty, changes no digest.
    """
    said = {name: json.loads(canonical(value)) for name, value in facts.items() if value is not None and value != ""}
    return hashlib.sha256(f"{head}\n{noun}\n{link}\n{canonical(said)}".encode()).hexdigest()


class Chain:
    """The end of an event's chain while the event is written: how many links it has, and the digest of the last."""

    def __init__(self, links: int, head: str) -> None:
        self.links, self.head = links, head
        # Whether a row was written that is no link but decides results: the seal of the event is then another.
        self.unsealed = False

    def add(self, row: Chained) -> None:
        self.links += 1
        row.link, facts = self.links, {name: getattr(row, name) for name in row.fact_names()}
        row.digest = self.head = linked(self.head, row.row_name(), row.link, facts)

    def unseal(self) -> None:
        self.unsealed = True

    @contextmanager
    def part(self) -> Iterator[None]:
        """What is taken back by the database is taken back here."""
        before = self.links, self.head
        try:
            yield
        except BaseException:
            self.links, self.head = before
            raise


# The chain of the event that this thread writes.
held_chain: ContextVar[Chain | None] = ContextVar("held_chain", default=None)


class AddOnlyQuerySet(models.QuerySet[Row]):
    """A query set that can read and add; changing or deleting rows is a mistake of the program."""

    def update(self, **fields: Any) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never changed.")

    def delete(self) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never deleted.")

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        rows = list(objs)
        for row in rows:
            _link(row)
        return super().bulk_create(rows, *args, **options)


class AddOnly(models.Model):
    """A row that is written once."""

    objects = AddOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if self.pk is not None and not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are never changed.")
        _link(self)
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never deleted.")


class Chained(AddOnly):
    """A row that is a link of its event's chain: `link` is its number there, `digest` covers it and all before it."""

    link = models.PositiveIntegerField(null=True, editable=False)
    digest = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        abstract = True

    # What is no fact of a row: its place in table and chain; and in the ledger the team, which may leave the list.
    NO_FACTS = frozenset({"id", "link", "digest"})

    @classmethod
    def fact_names(cls) -> list[str]:
        return [field.attname for field in cls._meta.concrete_fields if field.attname not in cls.NO_FACTS]

    @classmethod
    def guarded(cls) -> set[str]:
        """The fields that the database itself keeps as they were written."""
        return {"id", "link", "digest", *cls.fact_names()}

    @classmethod
    def row_name(cls) -> str:
        return str(cls._meta.model_name)


def _link(row: models.Model) -> None:
    if isinstance(row, Chained) and (chain := held_chain.get()) is not None:
        chain.add(row)
