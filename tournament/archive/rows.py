"""The rows of an event file, read strictly into unsaved instances of today's or of earlier models.

Links between rows are numbers of the file. A number without a row is refused; no row can refer to another event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from django.db.models import Field, ForeignKey, Model

from tournament.archive.parts import PARTS, leads_to, target_of
from tournament.archive.values import Unreadable, read_value, shown
from tournament.errors import Fault, ValidationFailed

MOST_ROWS = 200_000
MOST_FAULTS = 40
# Numbers that count from 0 in the database and from 1 in a sentence.
FROM_ZERO = frozenset({("Player", "position"), ("Side", "index")})

# Returns the model of a name, and the fields that a file must have for it: of today, or of an earlier migration.
FindModel = Callable[[str], type[Model]]
FindColumns = Callable[[type[Model]], "Sequence[Field[Any, Any]]"]


@dataclass
class Rows:
    """The rows of a file by model, in order, and the faults in them."""

    by_model: dict[str, list[Any]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def of(self, model: type[Model]) -> list[Any]:
        return self.by_model[model.__name__]

    def refuse(self, row: Any, column: str, text: str, rule: str = "") -> None:
        self.refuse_at(where(row), column, text, rule)

    def refuse_at(self, place: str, column: str, text: str, rule: str = "") -> None:
        self.faults.append(Fault(column, sentence(place, column, text), rule))

    def must_be_sound(self) -> None:
        if self.faults:
            raise ValidationFailed(self.faults[:MOST_FAULTS])


def sentence(place: str, column: str, text: str) -> str:
    """The fault, after the place where it is."""
    named = f"{place}, field {column}" if column else place
    return f"{named[:1].upper()}{named[1:]}: {text.rstrip('.')}."


def read_rows(models: Mapping[str, Any], names: Sequence[str], find: FindModel, columns_of: FindColumns) -> Rows:
    """The rows of these models, linked to each other. Raises ValidationFailed with every unreadable value."""
    rows = Rows()
    for name in models:
        if name not in names:
            rows.faults.append(Fault("models", f"This version knows no rows “{name}”."))
    for name in names:
        rows.by_model[name] = _instances(rows, find(name), models.get(name), columns_of(find(name)))
    rows.must_be_sound()
    for name in names:
        _link(rows, name)
    rows.must_be_sound()
    return rows


def _instances(rows: Rows, model: type[Model], part: Any, fields: Sequence[Field[Any, Any]]) -> list[Any]:
    name = model.__name__
    if fault := _layout_fault(name, part, [field.name for field in fields]):
        rows.faults.append(Fault("models", fault))
        return []
    instances = []
    for number, values in enumerate(part["rows"], start=1):
        told = dict(zip(part["columns"], values, strict=True))
        instance = model()
        instance._number = number  # type: ignore[attr-defined]
        instance._told = told  # type: ignore[attr-defined]
        instances.append(instance)
        for one in fields:
            if isinstance(one, ForeignKey):
                continue
            try:
                setattr(instance, one.name, read_value(one, told[one.name]))
            except Unreadable as unreadable:
                rows.refuse_at(f"{name} in row {number}", one.name, str(unreadable))
    return instances


def _layout_fault(name: str, part: Any, columns: list[str]) -> str:
    """Why the rows of a model cannot be taken apart; empty if they can."""
    has_both = isinstance(part, Mapping) and {*part} == {"columns", "rows"}
    if not has_both or not isinstance(part["rows"], list):
        return f"{name}: columns and rows are needed."
    told = part["columns"]
    if not isinstance(told, list) or not all(isinstance(column, str) for column in told):
        return f"{name}: the columns are a list of names."
    if missing := [column for column in columns if column not in told]:
        return f"{name}: the column “{missing[0]}” is missing."
    if unknown := [column for column in told if column not in columns]:
        return f"{name}: there is no column “{unknown[0]}”."
    if len(told) > len(columns):
        # None is missing and none is unknown.
        return f"{name}: a column is there twice."
    if len(part["rows"]) > MOST_ROWS:
        return f"{name}: at most {MOST_ROWS:,} rows can be read; there are {len(part['rows']):,}."
    for number, row in enumerate(part["rows"], start=1):
        if not isinstance(row, list) or len(row) != len(columns):
            return f"{name} in row {number}: a list of {len(columns)} values is needed."
    return ""


def _link(rows: Rows, name: str) -> None:
    """Set the links of a model's rows to the rows that they refer to. Every row belongs to the one event."""
    events = rows.by_model.get("Event", [])
    for instance in rows.by_model[name]:
        for one in instance._meta.concrete_fields:
            if leads_to(one, "Event") and events:
                setattr(instance, one.name, events[0])
            elif one.name in instance._told and isinstance(one, ForeignKey):
                _link_one(rows, instance, one, instance._told[one.name])


def _link_one(rows: Rows, instance: Any, link: ForeignKey[Any, Any], number: Any) -> None:
    if number is None and link.null:
        return
    others = rows.by_model.get(target_of(link), [])
    if type(number) is not int or not 1 <= number <= len(others):
        text = f"{shown(number)} leads to no {target_of(link).lower()} of this file"
        rows.refuse_at(f"{_name(instance)} in row {instance._number}", link.name, text)
        return
    setattr(instance, link.name, others[number - 1])


def where(row: Any) -> str:
    """A row as a sentence names it: “Game 3, table 2, line 4”."""
    part = next((part for part in PARTS if isinstance(row, part.model)), None)
    if part is None:
        # Of an earlier migration.
        return f"{_name(row)} in row {row._number}"
    values: dict[str, Any] = {"row": row._number}
    for _, column, _, _ in Formatter().parse(part.called):
        if column and column != "row":
            value = getattr(row, column)
            counted = value + 1 if (part.name, column) in FROM_ZERO else value
            values[column] = where(value) if isinstance(value, Model) else counted
    named = part.called.format(**values)
    return f"{named}, game {row.leg}" if part.name == "Game" and row.leg > 1 else named


def _name(row: Any) -> str:
    return str(type(row).__name__)
