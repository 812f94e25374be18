"""Looking up a team or a player: everybody who is meant by a number or a part of a name, and where they sit now."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.models import Bye, Event, Round, Side, Team
from tournament.queries.schedule import current_round
from tournament.texts import name_key

LONGEST = 60


@dataclass(frozen=True, slots=True)
class Found:
    """A team that is meant.

    `players` are all of them, each with whether the name is what was looked for; `place` is “Table 6” or “Bye” in
    `round`, and empty where nothing is drawn for the team.
    """

    number: int
    team: str
    players: tuple[tuple[str, bool], ...]
    city: str
    place: str
    round: str
    status: str


@dataclass(frozen=True, slots=True)
class Lookup:
    """Who was found under these words, in order of number."""

    text: str
    found: tuple[Found, ...]


def look_up(event: Event, text: str) -> Lookup:
    """The teams with this number, or with this part of their or a player's name: a constant number of queries."""
    text = " ".join(text.split())[:LONGEST]
    wanted = name_key(text)
    teams = Team.objects.filter(event=event).prefetch_related("players").order_by("number")
    if text.isdecimal() and (numbered := [team for team in teams if team.number == int(text)]):
        meant = numbered
    else:
        meant = [team for team in teams if is_meant(wanted, team.name, _players(team))]
    now = current_round(list(event.rounds.order_by("number")))
    places = _places(now) if now and meant else {}
    return Lookup(text, tuple(_found(team, wanted, places, now) for team in meant))


def is_meant(wanted: str, team: str, players: tuple[str, ...]) -> bool:
    """Whether a key of a name is part of the name of a team or of a player."""
    return bool(wanted) and any(wanted in name_key(name) for name in (team, *players))


def _players(team: Team) -> tuple[str, ...]:
    return tuple(player.name for player in team.players.all())


def _places(round_: Round) -> dict[int, str]:
    sides = Side.objects.filter(round=round_).order_by("leg").values_list("team_id", "game__table")
    byes = Bye.objects.filter(round=round_).values_list("team_id", flat=True)
    return {team: f"Table {table}" for team, table in sides} | dict.fromkeys(byes, "Bye")


def _found(team: Team, wanted: str, places: dict[int, str], now: Round | None) -> Found:
    place = places.get(team.pk, "")
    return Found(
        team.number,
        team.name,
        tuple((name, is_meant(wanted, name, ())) for name in _players(team)),
        team.city,
        place,
        str(now) if place else "",
        team.get_status_display() if team.status != "playing" else "",
    )
