"""Reading plain JSON values strictly: the type must be right, True is no number, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.problem import Problem

LARGEST = 1_000_000


class Fields:
    """The fields of one JSON object, with a problem for each that is not as it must be."""

    def __init__(self, facts: Mapping[str, Any], rule: str = "") -> None:
        """Read `facts`; every problem names `rule`, the clause that they are about."""
        self.facts = facts
        self.rule = rule
        self.problems: list[Problem] = []

    def refuse(self, field: str, text: str) -> None:
        """Note a fault of a field."""
        self.problems.append(Problem(field, self.rule, text))

    def text(self, field: str, default: str = "") -> str:
        """Read a text of at most 500 characters; missing gives the default."""
        value = self.facts.get(field, default)
        if value is None:
            return default
        if not isinstance(value, str):
            self.refuse(field, f"“{field}” must be text.")
            return default
        if len(value) > 500:
            self.refuse(field, f"“{field}” is longer than 500 characters.")
            return default
        return value

    def number(self, field: str) -> int | None:
        """Read a whole number; missing or null gives None."""
        value = self.facts.get(field)
        if value is None:
            return None
        if type(value) is not int or abs(value) > LARGEST:
            self.refuse(field, f"“{field}” must be a whole number.")
            return None
        return value

    def numbers(self, field: str, count: int | None = None, default: int | None = None) -> tuple[int, ...]:
        """Read a list of whole numbers; missing gives `count` times the default, or nothing."""
        value = self.facts.get(field)
        if value is None:
            return () if count is None or default is None else (default,) * count
        if not isinstance(value, (list, tuple)) or not all(
            type(item) is int and abs(item) <= LARGEST for item in value
        ):
            self.refuse(field, f"“{field}” must be a list of whole numbers.")
            return ()
        if count is not None and len(value) != count:
            self.refuse(field, f"“{field}” needs {count} numbers, one per side; there are {len(value)}.")
            return ()
        return tuple(value)

    def texts(self, field: str) -> tuple[str, ...]:
        """Read a list of texts; missing gives an empty list."""
        value = self.facts.get(field)
        if value is None:
            return ()
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
            self.refuse(field, f"“{field}” must be a list of texts.")
            return ()
        return tuple(value)

    def flag(self, field: str) -> bool | None:
        """Read true or false; missing or null gives None."""
        value = self.facts.get(field)
        if value is not None and not isinstance(value, bool):
            self.refuse(field, f"“{field}” must be true or false.")
            return None
        return value

    def only(self, known: frozenset[str]) -> None:
        """Refuse every field that nobody would read: nothing is dropped in silence."""
        for field in self.facts:
            if field not in known:
                self.refuse(str(field), f"There is no field “{field}” here.")
