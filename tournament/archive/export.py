"""An event as one file: the rows of every model that belong to it, numbered within the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Field, ForeignKey

from tournament.access import wish_of
from tournament.archive.manifest import sealed
from tournament.archive.parts import KEYS_OF_ROWS, KEYS_THAT_STAY, PARTS, Part, target_of
from tournament.archive.values import written
from tournament.models import Event, Journal, Player, Substitution
from tournament.models.stored import author
from tournament.queries.people import strict_names
from tournament.queries.rules import officials_named

# The number of each row in the file, by model and by its key in the database.
Numbers = dict[str, dict[int, int]]


def event_file(event: Event) -> dict[str, Any]:
    """Everything that an empty site needs for the same books, in one query per model and one for wishes."""
    numbers: Numbers = {}
    models = {}
    strict = strict_names()
    for part in PARTS:
        has_wishes = part.model in (Player, Substitution)
        related = (*part.people, "person__merged_into") if has_wishes else part.people
        rows = list(part.rows_of(event).select_related(*related))
        if has_wishes:
            _tell_wishes(rows, strict)
        numbers[part.name] = {row.pk: number for number, row in enumerate(rows, start=1)}
        models[part.name] = {"columns": [field.name for field in part.fields], "rows": _rows(part, rows, numbers)}
    _name_officials(event, models)
    return sealed(models)


def _rows(part: Part, rows: Sequence[Any], numbers: Numbers) -> list[list[Any]]:
    fields = part.fields
    columns = [field.name for field in fields]
    result = []
    for row in rows:
        values = [_value(field, row, numbers) for field in fields]
        if part.people:
            values[columns.index("by")] = author(row.by, *(getattr(row, name) for name in part.people))
        if part.model is Journal:
            values[columns.index("key")] = _key_in_file(row, numbers)
        result.append(values)
    return result


def _tell_wishes(rows: Sequence[Player | Substitution], strict: Mapping[str, str]) -> None:
    """Store in a row how its player is shown, including wishes from this site: other sites must not show more."""
    for row in rows:
        row.show = wish_of(row, strict)


def _value(field: Field[Any, Any], row: Any, numbers: Numbers) -> Any:
    value = getattr(row, field.attname)
    if isinstance(field, ForeignKey):
        return numbers[target_of(field)].get(value)
    return written(value)


def _key_in_file(act: Journal, numbers: Numbers) -> str:
    """What the act was about: a row by its number in the file, or a number that means the same everywhere."""
    if act.noun in KEYS_THAT_STAY:
        return act.key
    model = KEYS_OF_ROWS.get(act.noun)
    if model is None or not act.key.isdecimal():
        return ""
    number = numbers[model.__name__].get(int(act.key))
    # The game no longer exists: it was drawn again.
    return "" if number is None else str(number)


def _name_officials(event: Event, models: Mapping[str, Any]) -> None:
    """List those with an account here together with those that only an earlier file named."""
    part = models["Event"]
    part["rows"][0][part["columns"].index("ran_by")] = officials_named(event)
