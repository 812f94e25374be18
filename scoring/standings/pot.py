"""The Boston pot (rule 12): most Bostons in the first games; if nobody has one, best record after the last game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scoring.ledger import counted, listed
from scoring.standings.tiebreaks import Record, amount, by_number, ordinal, team_name

# Money divided equally, in whole cents.


class Share(NamedTuple):
    """What one team gets, in whole cents."""

    team: int
    cents: int


def share_equally(cents: int, teams: Iterable[int], *, odd_to_lowest: bool = False) -> tuple[Share, ...]:
    """Divide `cents` equally, in the order of team numbers. The odd cents go one each to the lowest numbers.

    With `odd_to_lowest`, the lowest number gets all of them. The shares always add up to `cents`. Raises ValueError for
    a negative sum, or without teams.
    """
    ordered = sorted(teams)
    if cents < 0 or not ordered:
        raise ValueError("a sum of money is shared by at least one team and is not below zero")
    each, odd = divmod(cents, len(ordered))
    extra = _odd_cents(odd, len(ordered), odd_to_lowest)
    return tuple(Share(team, each + more) for team, more in zip(ordered, extra, strict=True))


def _odd_cents(odd: int, count: int, odd_to_lowest: bool) -> list[int]:
    """Divide fewer than `count` odd cents among `count`: one each, first to last, or all of them to the first."""
    return [odd, *[0] * (count - 1)] if odd_to_lowest else [1] * odd + [0] * (count - odd)


def odd_cents_text(shares: tuple[Share, ...], names: Mapping[int, str], currency: str = "") -> str:
    """Say who got the odd cents; return "" if the sum could be divided evenly."""
    more = [share for share in shares if share.cents > shares[-1].cents]
    odd = sum(share.cents - shares[-1].cents for share in more)
    if not odd:
        return ""
    first = amount(shares[0].cents, currency)
    if more[1:]:
        who = listed(team_name(names, share.team) for share in more)
        return f"The {odd} odd cents go one each to the lowest numbers, {who} ({first} each)."
    cents = "odd cent goes" if odd == 1 else f"{odd} odd cents go"
    return f"The {cents} to {team_name(names, shares[0].team)}, the lowest number ({first})."


EVERY_TEAM, OPT_IN = "every-team", "opt-in"
BY_POINTS = "points"


@dataclass(frozen=True, slots=True)
class Pot:
    """The state of the Boston pot. `leaders` are team numbers: the winners once it is `settled`.

    `basis` is "bostons", "best-record", or "" while nobody leads. `shares` and `left` (money that nobody has yet)
    always add up to the pot, in whole cents. `text` explains it to players.
    """

    cents: int
    settled: bool
    basis: str
    leaders: tuple[int, ...]
    shares: tuple[Share, ...]
    left: int
    text: str


def settle_pot(
    records: Iterable[Record],
    entered: Collection[int],
    cents: int,
    *,
    rounds_closed: int,
    rounds: int,
    boston_window: int | None = 4,
    best_record: str = "games-won",
    pot_entry: str = OPT_IN,
    names: Mapping[int, str] | None = None,
    currency: str = "",
    odd_to_lowest: bool = False,
) -> Pot:
    """Say who leads the pot, and divide it as soon as it can be settled.

    `rounds_closed` counts the rounds whose games are all signed. Bostons decide once the rounds of the window are
    closed. If there is no Boston in them, the best record decides once all `rounds` are closed. `entered` are the teams
    that paid into the pot.
    """
    names = names or {}
    everybody = by_number(records)
    inside = [record for record in everybody if pot_entry == EVERY_TEAM or record.team in entered]
    if not inside:
        return _unsettled(cents, "Nobody is in the Boston pot.")

    window = rounds if boston_window is None else min(boston_window, rounds)
    most_bostons = max(record.bostons_in(window) for record in inside)
    if not most_bostons and rounds_closed < window:
        pot = amount(cents, currency)
        text = f"No Boston yet. The pot of {pot} goes to the most Bostons in {_games(window)} (rule 12)."
        return _unsettled(cents, text)

    if most_bostons:
        basis, last_game = "bostons", window
        leaders = [record for record in inside if record.bostons_in(window) == most_bostons]
        reason = _boston_reason(leaders, most_bostons, window, names)
        reason += _outside_reason(everybody, inside, most_bostons, window, names)
    else:
        basis, last_game = "best-record", rounds
        leaders = _best_records(inside, best_record)
        reason = f"No Boston in {_games(window)}: the best record after game {rounds} decides (rule 12): "
        reason += _record_reason(leaders, best_record, names)

    teams = tuple(record.team for record in leaders)
    if rounds_closed < last_game:
        text = f"{reason} The {amount(cents, currency)} pot is paid after game {last_game}."
        return _unsettled(cents, text, basis, teams)
    shares = share_equally(cents, teams, odd_to_lowest=odd_to_lowest)
    text = f"{reason} {_division(cents, shares, names, currency)}".strip()
    return Pot(cents, settled=True, basis=basis, leaders=teams, shares=shares, left=0, text=text)


def _unsettled(cents: int, text: str, basis: str = "", leaders: tuple[int, ...] = ()) -> Pot:
    return Pot(cents, settled=False, basis=basis, leaders=leaders, shares=(), left=cents, text=text)


def _best_records(records: Sequence[Record], best_record: str) -> list[Record]:
    """The records with the most games won; if points count too, those of them with the most points."""
    most_won = max(record.won for record in records)
    best = [record for record in records if record.won == most_won]
    if best_record != BY_POINTS:
        return best
    most_points = max(record.points for record in best)
    return [record for record in best if record.points == most_points]


def _division(cents: int, shares: tuple[Share, ...], names: Mapping[int, str], currency: str) -> str:
    """Say who gets how much of a pot that is settled."""
    pot = amount(cents, currency)
    if len(shares) == 1:
        return f"Winner of the pot of {pot}: {team_name(names, shares[0].team)}."
    each = amount(shares[-1].cents, currency)
    odd = odd_cents_text(shares, names, currency)
    return f"They share the pot of {pot} equally, {each} each. {odd}"


def _boston_reason(leaders: Sequence[Record], most: int, window: int, names: Mapping[int, str]) -> str:
    who = listed(team_name(names, record.team) for record in leaders)
    each = " each" if len(leaders) > 1 else ""
    return f"Most Bostons in {_games(window)} (rule 12): {who} with {most}{each}."


def _outside_reason(
    everybody: Sequence[Record], inside: Sequence[Record], best: int, window: int, names: Mapping[int, str]
) -> str:
    """Name teams outside the pot with as many Bostons, so that players can see why these teams get nothing."""
    teams = {record.team for record in inside}
    outside = [record for record in everybody if record.team not in teams and record.bostons_in(window) >= best]
    if not outside:
        return ""
    as_many = listed(f"{team_name(names, record.team)} ({record.bostons_in(window)})" for record in outside)
    return f" Not in the pot: {as_many}."


def _record_reason(leaders: Sequence[Record], best_record: str, names: Mapping[int, str]) -> str:
    who = listed(team_name(names, record.team) for record in leaders)
    each = " each" if len(leaders) > 1 else ""
    points = f" and {counted(leaders[0].points, 'point')}" if best_record == BY_POINTS else ""
    return f"{who} with {counted(leaders[0].won, 'game')} won{points}{each}."


def _games(window: int) -> str:
    return "game 1" if window == 1 else f"games 1–{window}"


# Prizes by place: in cents or as percentages of a sum. The prizes of a shared place are added up and divided.

# Exponents are not allowed: a short text could name a number too large to compute with.
WRITTEN = re.compile(r"[0-9./]{1,8}")


@dataclass(frozen=True, slots=True)
class Payout:
    """Who gets what. The shares and `unpaid` (prizes of places that nobody took) add up to the prizes, in cents."""

    shares: tuple[Share, ...]
    unpaid: int
    notes: tuple[str, ...]


def percentage(text: str) -> Fraction:
    """Read a percentage as it is typed, “50”, “12.5” or “1/3”, with at most eight characters.

    Raises ValueError for anything else, and below zero or above 100.
    """
    try:
        share = Fraction(text) if WRITTEN.fullmatch(text) else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 100:
        raise ValueError("a percentage is a number from 0 to 100, like 50 or 12.5")
    return share


def percent_prizes(
    cents: int, percentages: Sequence[int | Fraction], *, odd_to_lowest: bool = False
) -> tuple[int, ...]:
    """Turn percentages of a sum into prizes in whole cents, first place first.

    Each prize is rounded down. The cents that are left go one each to the prizes that were rounded, first place first,
    so that the prizes add up to the share of the sum that is paid out. With `odd_to_lowest`, first place gets all of
    these cents. Raises ValueError below zero and above 100 percent.
    """
    total = sum(percentages, Fraction(0))
    if cents < 0 or min(percentages, default=0) < 0 or total > 100:
        raise ValueError("percentages are not below zero and are 100 at most together")
    exact = [cents * Fraction(percent) / 100 for percent in percentages]
    prizes = [int(prize) for prize in exact]
    odd = int(sum(exact, Fraction(0))) - sum(prizes)
    # Fewer cents are left than prizes were rounded.
    cut = [0] if odd_to_lowest and odd else [rank for rank, prize in enumerate(exact) if prize.denominator > 1]
    for rank, more in zip(cut, _odd_cents(odd, len(cut), odd_to_lowest), strict=True) if odd else ():
        prizes[rank] += more
    return tuple(prizes)


def pay_out(
    finish: Sequence[Sequence[int]],
    prizes: Sequence[int],
    names: Mapping[int, str] | None = None,
    currency: str = "",
    *,
    odd_to_lowest: bool = False,
) -> Payout:
    """Pay `prizes` (whole cents, first place first) to the teams of each place.

    Teams that share a place divide the prizes of all places that they take up (`share_equally`). Raises ValueError for
    a negative prize and for a team that finished twice.
    """
    everybody = [team for teams in finish for team in teams]
    if min(prizes, default=0) < 0 or len(set(everybody)) != len(everybody):
        raise ValueError("prizes are not below zero and every team finishes once")
    names = names or {}
    shares: list[Share] = []
    notes: list[str] = []
    rank = 1
    for teams in finish:
        taken = prizes[rank - 1 : rank - 1 + len(teams)]
        if sum(taken):
            divided = share_equally(sum(taken), teams, odd_to_lowest=odd_to_lowest)
            shares += divided
            notes += _tied_notes(divided, rank, names, currency) if len(teams) > 1 else ()
        rank += len(teams)
    return Payout(tuple(shares), sum(prizes[rank - 1 :]), tuple(notes))


def _tied_notes(shares: tuple[Share, ...], rank: int, names: Mapping[int, str], currency: str) -> tuple[str, ...]:
    who = listed(team_name(names, share.team) for share in shares)
    together = amount(sum(share.cents for share in shares), currency)
    places = f"{ordinal(rank)} to {ordinal(rank + len(shares) - 1)}"
    text = f"{who} share the prizes of {places}, {together} together: {amount(shares[-1].cents, currency)} each."
    return (f"{text} {odd_cents_text(shares, names, currency)}".strip(),)
