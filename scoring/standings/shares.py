"""Money divided equally in whole cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.standings.words import money, team_name


class Share(NamedTuple):
    """What one team gets, in whole cents."""

    team: int
    cents: int


def share_equally(cents: int, teams: Iterable[int]) -> tuple[Share, ...]:
    """Divide `cents` equally, in team order; the odd cents go to the lowest team number.

    The shares always add up to `cents`. Raises ValueError for a negative sum and for no teams at all.
    """
    ordered = sorted(teams)
    if cents < 0 or not ordered:
        raise ValueError("a sum of money is shared by at least one team and is not below zero")
    each, odd = divmod(cents, len(ordered))
    return tuple(Share(team, each + (odd if index == 0 else 0)) for index, team in enumerate(ordered))


def odd_cents_text(shares: tuple[Share, ...], names: Mapping[int, str], currency: str = "") -> str:
    """Say who got the odd cents, or give "" where the sum could be divided evenly."""
    odd = shares[0].cents - shares[-1].cents
    if not odd:
        return ""
    cents = "odd cent goes" if odd == 1 else f"{odd} odd cents go"
    first = money(shares[0].cents, currency)
    return f"The {cents} to {team_name(names, shares[0].team)}, the lowest number ({first})."
