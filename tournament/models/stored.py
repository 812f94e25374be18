"""Rows that are only ever added: what happened stays as it was written."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model, covariant=True)


class AddOnlyQuerySet(models.QuerySet[Row]):
    """A query set that can read and add; changing or deleting rows is a mistake of the program."""

    def update(self, **fields: Any) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never changed.")

    def delete(self) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never deleted.")


class AddOnly(models.Model):
    """A row that is written once."""

    objects = AddOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if self.pk is not None and not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are never changed.")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never deleted.")


class Guarded(AddOnly):
    """A row that the database itself refuses to change or delete; fields that may change are `LOOSE`."""

    LOOSE: frozenset[str] = frozenset()

    class Meta:
        abstract = True
