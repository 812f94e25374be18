"""The answers of who sits where under a changed name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tournament.queries.respelt import SAME_OR_NOT


def read_who(data: Mapping[str, str]) -> dict[int, str]:
    """The answers by seat, counted from 0; the page counts from 1."""
    seats = {name: match[1] for name in data if (match := re.fullmatch(r"who-([1-9][0-9]?)", name))}
    return {int(seat) - 1: data[name] for name, seat in seats.items() if data[name] in SAME_OR_NOT}
