"""The teams of an event, and one team's own page: where it sits next, its games, its place."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from tournament.kept import Kept
from tournament.models import Event, Notice, Player, Team
from tournament.phrases import DONE
from tournament.queries.events import public_state_of
from tournament.queries.lineup import substitutions_by_team
from tournament.queries.notices import notices_by_team
from tournament.queries.places import FinalPlaces, PlaceLine
from tournament.queries.schedule import RoundCard, Table, shown_round
from tournament.queries.standings import Standings, StandingsLine
from tournament.queries.visibility import Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    """A team in the list.

    `gone` says why it does not play; `place` is the final one once there is a champion, and empty while nothing may be
    seen.
    """

    number: int
    name: str
    players: tuple[str, ...]
    city: str
    club: str
    gone: str
    joined_in: int
    place: str = ""


@dataclass(frozen=True, slots=True)
class TeamGame:
    """A round from one team's side: a table with its opponents, or a bye. `sign` is W, L, B, N or nothing yet."""

    round: int
    title: str
    stage: str
    state: str
    table: Table | None
    opponents: tuple[tuple[int, str], ...]
    sign: str
    points: int | None
    bostons: int
    words: str

    @property
    def sign_words(self) -> str:
        return {"W": "Won", "L": "Lost", "B": "Bye", "N": "Nobody won"}.get(self.sign, "Not played")


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFacts:
    """A team's own page.

    `next` is the round it plays now or next; None when nothing is drawn for it. `place` is its final place, `standings`
    what its `line` belongs to; `notices` those that it has not read.
    """

    number: int
    team: str
    players: tuple[str, ...]
    city: str
    club: str
    substitutes: tuple[str, ...]
    status: str
    notices: tuple[Notice, ...]
    games: tuple[TeamGame, ...]
    next: TeamGame | None
    line: StandingsLine | None
    standings: str
    place: PlaceLine | None


def team_rows(event: Event, table: Standings, places: FinalPlaces) -> list[TeamRow]:
    """All teams in order of number, in two queries."""
    places_of = {line.number: line.label for line in places.lines or (table.lines if table.books.counted else ())}
    players = _players(event)
    return [
        TeamRow(
            number=team.number,
            name=team.name,
            players=tuple(players[team.pk]),
            city=team.city,
            club=team.club,
            gone=team.get_status_display() if team.status != "playing" else "",
            joined_in=team.joined_in,
            place=places_of.get(team.number, ""),
        )
        for team in Team.objects.filter(event=event).order_by("number")
    ]


def team_facts(event: Event, number: int, table: Standings, places: FinalPlaces, seen: Visibility) -> TeamFacts | None:
    """One team as those may see it who see this much; None where nobody has the number. All are read at once.

    `table` and `places` are what is shown to them, too.
    """
    return _kept.get((public_state_of(event), seen), lambda: _all_facts(event, table, places, seen)).get(number)


_kept: Kept[dict[int, TeamFacts]] = Kept(32)


def _all_facts(event: Event, table: Standings, places: FinalPlaces, seen: Visibility) -> dict[int, TeamFacts]:
    """Every team with all its rounds, played and to come: a constant number of queries a round."""
    lines = table.by_number if table.books.counted else {}
    final = places.by_number
    games: dict[int, list[TeamGame]] = defaultdict(list)
    for one in event.rounds.order_by("number"):
        _add(games, shown_round(event, one, seen), table)
    players = _players(event)
    substitutes = substitutions_by_team(event)
    notices = notices_by_team(event)
    return {
        team.number: TeamFacts(
            number=team.number,
            team=team.name,
            players=tuple(players[team.pk]),
            city=team.city,
            club=team.club,
            substitutes=tuple(substitutes[team.pk]),
            status=team.get_status_display() if team.status != "playing" else "",
            notices=tuple(notices[team.pk]),
            games=tuple(games[team.number]),
            next=next_game(games[team.number]),
            line=lines.get(team.number),
            standings=table.title,
            place=final.get(team.number),
        )
        for team in Team.objects.filter(event=event)
    }


def next_game(rounds: list[TeamGame]) -> TeamGame | None:
    """The game that the team plays now, or else the next one that is drawn."""
    for game in rounds:
        if game.state == "running" and (game.table is None or game.table.state not in DONE):
            return game
    return next((game for game in rounds if game.state == "planned"), None)


def _add(games: dict[int, list[TeamGame]], card: RoundCard, table: Standings) -> None:
    """A round to those who play in it, by number, and to those who sit out."""

    def game(*how: Any) -> TeamGame:
        return TeamGame(card.number, card.title, card.stage, card.state, *how)

    for one in sorted(card.tables, key=lambda one: one.leg):
        words = one.result_words if one.shown else one.state_words
        for own in one.seats:
            others = tuple((seat.number, seat.team) for seat in one.seats if seat is not own)
            sign = ("W" if own.won else "L" if any(seat.won for seat in one.seats) else "N") if one.shown else ""
            games[own.number].append(game(one, others, sign, own.points, own.bostons, words))
    for number, _ in card.byes:
        marks = table.books.marks.get(number, ()) if card.stage == "qualifying" else ()
        points = next((mark.points for mark in marks if mark.round == card.number), None)
        games[number].append(game(None, (), "B", points, 0, "You sit this one out"))


def _players(event: Event) -> dict[int, list[str]]:
    """The names of every team's players in seat order, by team key."""
    players: dict[int, list[str]] = defaultdict(list)
    for pk, name in Player.objects.filter(team__event=event).order_by("position").values_list("team", "name"):
        players[pk].append(name)
    return players
