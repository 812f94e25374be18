"""Fields read strictly from JSON: the type must be right, True is not a number, and every fault names its field."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring.ledger import CannotScore, Problem

LARGEST = 1_000_000


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, (list, tuple)) and all(map(fits, value))


class Fields:
    """The fields of one JSON object, with a problem for each one that is wrong."""

    def __init__(self, facts: Mapping[str, Any], rule: str = "") -> None:
        """Read `facts`; every problem cites `rule`, the clause that they are about."""
        self.facts = facts
        self.rule = rule
        self.problems: list[Problem] = []

    def refuse(self, field: str, text: str) -> None:
        """Note a fault of a field."""
        self.problems.append(Problem(field, self.rule, text))

    def read(self, field: str, fits: Callable[[Any], bool], what: str, default: Any = None) -> Any:
        """Read a value. Missing, null or one that does not fit gives the default; the last is also refused."""
        value = self.facts.get(field)
        if value is None:
            return default
        if not fits(value):
            self.refuse(field, f"“{field}” must be {what}.")
            return default
        return value

    def text(self, field: str, default: str = "") -> str:
        """Read a text of at most 500 characters; missing gives the default."""
        value: str = self.read(field, _is_text, "text", default)
        if len(value) > 500:
            self.refuse(field, f"“{field}” is longer than 500 characters.")
            return default
        return value

    def number(self, field: str) -> int | None:
        """Read a whole number; missing or null gives None."""
        value: int | None = self.read(field, _is_number, "a whole number")
        return value

    def numbers(self, field: str, count: int | None = None, default: int | None = None) -> tuple[int, ...]:
        """Read a list of whole numbers; missing gives `count` times the default, or nothing."""
        missing = () if count is None or default is None else (default,) * count
        value = self.read(field, lambda value: _is_list(value, _is_number), "a list of whole numbers")
        if value is None:
            return missing if self.facts.get(field) is None else ()
        if count is not None and len(value) != count:
            self.refuse(field, f"“{field}” needs {count} numbers, one per side; there are {len(value)}.")
            return ()
        return tuple(value)

    def texts(self, field: str) -> tuple[str, ...]:
        """Read a list of texts; missing gives an empty list."""
        return tuple(self.read(field, lambda value: _is_list(value, _is_text), "a list of texts", ()))

    def flag(self, field: str) -> bool | None:
        """Read true or false; missing or null gives None."""
        value: bool | None = self.read(field, lambda value: isinstance(value, bool), "true or false")
        return value

    def only(self, names: frozenset[str]) -> None:
        """Refuse every field that has no meaning here: nothing is dropped silently."""
        for field in self.facts:
            if field not in names:
                self.refuse(str(field), f"There is no field “{field}” here.")


# JSON text is parsed strictly, and each document of a list by itself, so that a bad one does not spoil the others.

# Finds the end of a value in a list, whatever is in it.
ANY_JSON = json.JSONDecoder(parse_int=str, parse_constant=str)
LIST_BEGINS, NEXT_BEGINS, LIST_ENDS = (
    re.compile(rf"[ \t\r\n]*{character}[ \t\r\n]*") for character in (r"\[", ",", r"\]")
)
LONGEST_NUMBER = 300


def parse_json(text: str) -> Any:
    """Parse JSON; raise CannotScore for text that is not JSON, duplicate keys, NaN, and numbers that are too long."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_whole)
    except RecursionError:
        raise CannotScore((Problem("document", "", "The document is nested too deeply."),)) from None
    except ValueError as fault:
        raise CannotScore((Problem("document", "", f"This is not a game document: {fault}"),)) from None


def parse_documents(text: str) -> Any:
    """Parse a document or a list of documents. In a list, a CannotScore takes the place of each one that is faulty."""
    try:
        return parse_json(text)
    except CannotScore:
        apart = _documents_apart(text)
        if apart is None:
            raise
    return [_parsed_or_refused(part) for part in apart]


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"“{twice}” is used twice in one object.")
    return made


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number.")


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(digits)} digits is too long.")
    return int(digits)


def _documents_apart(text: str) -> list[str] | None:
    """Return the text of each document of a list; None if the text is not a list, or not JSON."""
    begin = LIST_BEGINS.match(text)
    if begin is None:
        return None
    parts, position = [], begin.end()
    try:
        while True:
            _, end = ANY_JSON.raw_decode(text, position)
            parts.append(text[position:end])
            between = NEXT_BEGINS.match(text, end)
            if between is None:
                return parts if LIST_ENDS.fullmatch(text, end) else None
            position = between.end()
    except (ValueError, RecursionError):
        return None


def _parsed_or_refused(text: str) -> Any:
    try:
        return parse_json(text)
    except CannotScore as refusal:
        return refusal
