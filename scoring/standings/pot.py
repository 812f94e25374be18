"""The Boston pot (rule 12): most Bostons in the first games; nobody has one: best record after the last game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.standings.record import Record, by_number
from scoring.standings.shares import Share, odd_cents_text, share_equally
from scoring.standings.words import money, team_name
from scoring.words import counted, listed, number

EVERY_TEAM = "every-team"
BY_POINTS = "points"


@dataclass(frozen=True, slots=True)
class Pot:
    """Where the Boston pot stands. `leaders` are team numbers: the winners once it is `settled`.

    `basis` is "bostons", "best-record", or "" while nobody leads. `shares` plus `kept` (money that nobody has yet)
    always add up to the pot, in whole cents. `text` says all of it to players.
    """

    cents: int
    settled: bool
    basis: str
    leaders: tuple[int, ...]
    shares: tuple[Share, ...]
    kept: int
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
    pot_entry: str = "opt-in",
    names: Mapping[int, str] | None = None,
    currency: str = "",
) -> Pot:
    """Say who leads the pot, and divide it as soon as it can be settled.

    `rounds_closed` counts the rounds whose games are all signed. Bostons decide when the window is closed; without
    any Boston in it, the best record decides when all `rounds` are. `entered` are the teams that paid into the pot.
    """
    names = names or {}
    everybody = by_number(records)
    inside = [record for record in everybody if pot_entry == EVERY_TEAM or record.team in entered]
    if not inside:
        return Pot(cents, False, "", (), (), cents, "Nobody is in the Boston pot.")
    window = rounds if boston_window is None else min(boston_window, rounds)
    best = max(record.bostons_in(window) for record in inside)
    if best:
        leaders = [record for record in inside if record.bostons_in(window) == best]
        reason = _bostons_reason(leaders, best, window, names) + _outside_reason(everybody, inside, best, window, names)
        return _pot(cents, rounds_closed >= window, "bostons", leaders, reason, window, names, currency)
    if rounds_closed < window:
        pot = money(cents, currency)
        text = f"No Boston yet. The pot of {pot} goes to the most Bostons in {_games(window)} (rule 12)."
        return Pot(cents, False, "", (), (), cents, text)
    leaders = _best(inside, best_record)
    reason = f"No Boston in {_games(window)}: the best record after game {rounds} decides (rule 12): "
    reason += _record_reason(leaders, best_record, names)
    return _pot(cents, rounds_closed >= rounds, "best-record", leaders, reason, rounds, names, currency)


def _pot(
    cents: int,
    settled: bool,
    basis: str,
    leaders: Sequence[Record],
    reason: str,
    last_game: int,
    names: Mapping[int, str],
    currency: str,
) -> Pot:
    teams = tuple(record.team for record in leaders)
    if not settled:
        pot = money(cents, currency)
        text = f"{reason} So far: the pot of {pot} is given out when every table has signed game {last_game}."
        return Pot(cents, False, basis, teams, (), cents, text)
    shares = share_equally(cents, teams)
    if len(shares) == 1:
        division = f"Winner of the pot of {money(cents, currency)}: {team_name(names, teams[0])}."
    else:
        each = money(shares[-1].cents, currency)
        odd = odd_cents_text(shares, names, currency)
        division = f"They share the pot of {money(cents, currency)} equally, {each} each. {odd}"
    return Pot(cents, True, basis, teams, shares, 0, f"{reason} {division}".strip())


def _bostons_reason(leaders: Sequence[Record], best: int, window: int, names: Mapping[int, str]) -> str:
    who = listed(team_name(names, record.team) for record in leaders)
    each = " each" if len(leaders) > 1 else ""
    return f"Most Bostons in {_games(window)} (rule 12): {who} with {best}{each}."


def _outside_reason(
    everybody: Sequence[Record], inside: Sequence[Record], best: int, window: int, names: Mapping[int, str]
) -> str:
    """A player who counts Bostons on the standings must read why a team with as many gets nothing."""
    teams = {record.team for record in inside}
    outside = [record for record in everybody if record.team not in teams and record.bostons_in(window) >= best]
    if not outside:
        return ""
    as_many = listed(f"{team_name(names, record.team)} ({record.bostons_in(window)})" for record in outside)
    return f" Not in the pot: {as_many}."


def _best(inside: Sequence[Record], best_record: str) -> list[Record]:
    keys = [(record.won, record.points if best_record == BY_POINTS else 0) for record in inside]
    best = max(keys)
    return [record for record, key in zip(inside, keys, strict=True) if key == best]


def _record_reason(leaders: Sequence[Record], best_record: str, names: Mapping[int, str]) -> str:
    who = listed(team_name(names, record.team) for record in leaders)
    each = " each" if len(leaders) > 1 else ""
    points = f" and {number(leaders[0].points)} points" if best_record == BY_POINTS else ""
    return f"{who} with {counted(leaders[0].won, 'game')} won{points}{each}."


def _games(window: int) -> str:
    return "game 1" if window == 1 else f"games 1–{window}"
