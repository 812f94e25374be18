"""How names, numbers and money are written in the sentences of the standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def team_name(names: Mapping[int, str], team: int) -> str:
    """This function will give a team's name, or “Team 7” where no name is known."""
    return names.get(team) or f"Team {team}"


def listed(items: Iterable[str]) -> str:
    """This function will join names as they are read out: “Aces”, “Aces and Books”, “Aces, Books and Eagles”."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def number(value: int) -> str:
    """This function will write a number with a real minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def counted(value: int, noun: str) -> str:
    """This function will write a number with its noun: “1 game”, “4 games”."""
    return f"{number(value)} {noun}" if value in (1, -1) else f"{number(value)} {noun}s"


def ordinal(place: int) -> str:
    """This function will write a place: “1st”, “2nd”, “3rd”, “11th”."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def money(cents: int, currency: str = "") -> str:
    """This function will write whole cents with two decimals, after the sign of the event's currency."""
    return f"{currency}{cents // 100}.{cents % 100:02d}"
