"""Whole numbers as they are posted."""

from __future__ import annotations

import re

WHOLE = re.compile(r"[-−+]?[0-9]{1,6}", re.ASCII)


def whole_number(text: str) -> int | None:
    """A whole number with an optional sign, at most six digits; None for anything else."""
    text = text.strip()
    return int(text.replace("−", "-")) if WHOLE.fullmatch(text) else None
