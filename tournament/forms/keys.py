"""The value of a button, a list, or a checked row: a place, a person, a key."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tournament.forms.fields import whole_number


def read_place(text: str) -> int:
    """A place in the list of entries, or a team, as a button sends it; 0 for anything else."""
    return whole_number(text, 0) or 0


def read_person(text: str) -> int | None:
    """The number of a person as the list of people offers it, followed by the name; None for anything else."""
    number = re.match(r"\d{1,9}", text)
    return int(number[0]) if number else None


def read_rows(texts: Iterable[str]) -> set[int]:
    """The keys of the checked rows; anything that is not a key is ignored."""
    return {int(text) for text in texts if re.fullmatch("[0-9]{1,9}", text)}
