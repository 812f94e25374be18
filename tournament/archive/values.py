"""The values of a row, in JSON and in the database: read strictly, and nothing is converted by guessing."""

from __future__ import annotations

from datetime import date, datetime, time
from math import isfinite
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models import BooleanField, DateField, DateTimeField, Field, IntegerField, JSONField, TimeField

from scoring.ledger import quoted

# Outside these years a time cannot be shown in every time zone.
YEARS = range(1900, 2201)
# The ranges of the columns in every database: SQLite itself has none.
RANGES = BaseDatabaseOperations.integer_field_ranges
LONGEST_SHOWN = 60
Day = TypeVar("Day", bound=date)


class Unreadable(ValueError):
    """A value that a column cannot have, with the reason as a sentence."""


def written(value: Any) -> Any:
    """A value of a row as the file has it."""
    return value.isoformat() if isinstance(value, date | time) else value


def read_value(field: Field[Any, Any], value: Any) -> Any:
    """The value for a column. Raises Unreadable for a value that it cannot have, on any database."""
    if value is None:
        if not field.null:
            raise Unreadable("a value is needed")
        return None
    if isinstance(field, JSONField):
        _must_be_storable(value)
        return value
    if isinstance(field, BooleanField):
        return _flag(value)
    if isinstance(field, IntegerField):
        return _number(field, value)
    if isinstance(field, DateTimeField):
        return _moment(value)
    if isinstance(field, DateField):
        return _day(value)
    if isinstance(field, TimeField):
        return _time(value)
    return _text(field, value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unreadable(f"true or false is needed, not {shown(value)}")
    return value


def _number(field: Field[Any, Any], value: Any) -> int:
    # True is not a number.
    if type(value) is not int:
        raise Unreadable(f"a whole number is needed, not {shown(value)}")
    low, high = RANGES[field.get_internal_type()]
    if not low <= value <= high:
        raise Unreadable(f"{shown(value)} is not from {low} to {high:,}")
    return value


def _moment(value: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(_string(value))
    except ValueError as fault:
        raise Unreadable(f"{shown(value)} is not a time like 2026-11-21T19:00:00+00:00") from fault
    if moment.tzinfo is None:
        raise Unreadable(f"{shown(value)} is a time without its zone")
    return _within_years(moment, value)


def _day(value: Any) -> date:
    try:
        day = date.fromisoformat(_string(value))
    except ValueError as fault:
        raise Unreadable(f"{shown(value)} is not a date like 2026-11-21") from fault
    return _within_years(day, value)


def _time(value: Any) -> time:
    """A time of day by the clock of the hall."""
    try:
        moment = time.fromisoformat(_string(value))
    except ValueError as fault:
        raise Unreadable(f"{shown(value)} is not a time of day like 23:00:00") from fault
    if moment.tzinfo is not None:
        raise Unreadable(f"{shown(value)} is a time of day with a zone: the event has its own")
    return moment


def _within_years(day: Day, value: Any) -> Day:
    if day.year not in YEARS:
        raise Unreadable(f"{shown(value)} is not between the years {YEARS[0]} and {YEARS[-1]}")
    return day


def _text(field: Field[Any, Any], value: Any) -> str:
    text = _string(value)
    _must_be_storable(text)
    if text == "" and not field.blank:
        raise Unreadable("it cannot be empty")
    longest = field.max_length
    if longest is not None and len(text) > longest:
        raise Unreadable(f"at most {longest} characters: this has {len(text)}")
    choices = [str(code) for code, _ in field.flatchoices]
    if text and choices and text not in choices:
        raise Unreadable(f"{shown(text)} is not known: {', '.join(choices)}")
    try:
        field.run_validators(text)
    except ValidationError as fault:
        raise Unreadable(" ".join(fault.messages).rstrip(".")) from fault
    return text


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise Unreadable(f"a text is needed, not {shown(value)}")
    return value


def _must_be_storable(value: Any) -> None:
    """Refuse what no database stores: an unpaired surrogate, NUL, or an infinite number."""
    if not _is_storable(value):
        raise Unreadable("it holds a character that cannot be stored, or a number beyond all numbers")


def _is_storable(value: Any) -> bool:
    if isinstance(value, str):
        return "\x00" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, dict):
        return all(_is_storable(key) and _is_storable(one) for key, one in value.items())
    if isinstance(value, list):
        return all(map(_is_storable, value))
    return True


def shown(value: Any) -> str:
    """A value as a refusal shows it."""
    text = quoted(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
