"""A fault in an entry, as a value: which field, which rule, and a sentence for the person who typed it."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

LONGEST = 40


class Problem(NamedTuple):
    """Why something cannot be scored. `entry` counts from 0 and is None for a fault of the document itself."""

    field: str
    rule: str
    text: str
    entry: int | None = None


def quoted(value: Any) -> str:
    """Return a value that cannot be read as the document has it: “text”, 3, null, [1, 2]."""
    if isinstance(value, str):
        return f"“{value}”"
    said = json.dumps(value, ensure_ascii=False, default=str)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


class CannotScore(ValueError):
    """A document that has problems was to be scored; all of them are in `problems`."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Say all of them in the error's own text, too, for whoever reads only that."""
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems
