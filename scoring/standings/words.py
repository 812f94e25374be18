"""How names, numbers and money are written in the sentences of the standings."""

from __future__ import annotations

from collections.abc import Mapping


def team_name(names: Mapping[int, str], team: int) -> str:
    """Return a team's name, or “Team 7” where no name is known."""
    return names.get(team) or f"Team {team}"


def ordinal(place: int) -> str:
    """Write a place: “1st”, “2nd”, “3rd”, “11th”."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def money(cents: int, currency: str = "") -> str:
    """Write whole cents after the sign of the event's currency: “$12.50”, “$240” without cents."""
    whole, rest = divmod(cents, 100)
    return f"{currency}{whole:,}" + (f".{rest:02d}" if rest else "")
