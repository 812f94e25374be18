"""Prizes by place: in cents or as percentages of a sum; prizes of a shared place are put together and divided."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.standings.shares import Share, odd_cents_text, share_equally
from scoring.standings.words import money, ordinal, team_name
from scoring.words import listed

# Powers of ten are left out: a short text could name a number that nobody can compute with.
WRITTEN = re.compile(r"[0-9./]{1,8}")


@dataclass(frozen=True, slots=True)
class Payout:
    """Who gets what. The shares plus `unpaid` (prizes of places that nobody took) add up to the prizes, in cents."""

    shares: tuple[Share, ...]
    unpaid: int
    notes: tuple[str, ...]


def percentage(text: str) -> Fraction:
    """Read a percentage as it is written, “50”, “12.5” or “1/3”, in at most eight signs.

    Raises ValueError for what is none, and below zero or above 100.
    """
    try:
        share = Fraction(text) if WRITTEN.fullmatch(text) else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 100:
        raise ValueError("a percentage is a number from 0 to 100, like 50 or 12.5")
    return share


def percent_prizes(cents: int, percentages: Sequence[int | Fraction]) -> tuple[int, ...]:
    """Turn percentages of a sum into prizes in whole cents, first place first.

    Each is rounded down; of what rounding leaves, all goes to first place, so that the prizes add up to the share of
    the sum that is paid out. Raises ValueError below zero and above 100 percent.
    """
    total = sum(percentages, Fraction(0))
    if cents < 0 or min(percentages, default=0) < 0 or total > 100:
        raise ValueError("percentages are not below zero and are 100 at most together")
    prizes = [int(cents * Fraction(percent) / 100) for percent in percentages]
    if prizes:
        prizes[0] += int(cents * total / 100) - sum(prizes)
    return tuple(prizes)


def pay_out(
    finish: Sequence[Sequence[int]], prizes: Sequence[int], names: Mapping[int, str] | None = None, currency: str = ""
) -> Payout:
    """Pay `prizes` (whole cents, first place first) to the teams of each place.

    Teams that share a place divide the prizes of all places that they take up; odd cents go to the lowest team
    number. Raises ValueError for a negative prize and for a team that finished twice.
    """
    everybody = [team for teams in finish for team in teams]
    if min(prizes, default=0) < 0 or len(set(everybody)) != len(everybody):
        raise ValueError("prizes are not below zero and every team finishes once")
    names = names or {}
    shares: list[Share] = []
    notes: list[str] = []
    place = 1
    for teams in finish:
        taken = prizes[place - 1 : place - 1 + len(teams)]
        if sum(taken):
            divided = share_equally(sum(taken), teams)
            shares += divided
            notes += _tied_notes(divided, place, names, currency) if len(teams) > 1 else ()
        place += len(teams)
    return Payout(tuple(shares), sum(prizes[place - 1 :]), tuple(notes))


def _tied_notes(shares: tuple[Share, ...], place: int, names: Mapping[int, str], currency: str) -> tuple[str, ...]:
    who = listed(team_name(names, share.team) for share in shares)
    together = money(sum(share.cents for share in shares), currency)
    places = f"{ordinal(place)} to {ordinal(place + len(shares) - 1)}"
    text = f"{who} share the prizes of {places}, {together} together: {money(shares[-1].cents, currency)} each."
    return (f"{text} {odd_cents_text(shares, names, currency)}".strip(),)
