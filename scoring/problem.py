"""A fault in an entry, as a value: which field, which rule, and a sentence for the person who typed it."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """Why something cannot be scored. `entry` counts from 0 and is None for a fault of the document itself."""

    field: str
    rule: str
    text: str
    entry: int | None = None


class CannotScore(ValueError):
    """A document that has problems was to be scored. This class will carry all of them in `problems`."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems
