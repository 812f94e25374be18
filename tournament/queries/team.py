"""The teams of an event, and one team's own page: where it sits next, its games, its place."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tournament.models import Bye, Event, Game, Player, Side, Team
from tournament.phrases import DONE
from tournament.queries.lineup import substitutions_of
from tournament.queries.places import FinalPlaces, PlaceLine
from tournament.queries.schedule import Table, table_of
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


@dataclass(frozen=True, slots=True)
class TeamFacts:
    """A team's own page.

    `next` is the round it plays now or next; None when nothing is drawn for it. `place` is its final place, `standings`
    what its `line` belongs to.
    """

    number: int
    team: str
    players: tuple[str, ...]
    city: str
    club: str
    substitutes: tuple[str, ...]
    status: str
    games: tuple[TeamGame, ...]
    next: TeamGame | None
    line: StandingsLine | None
    standings: str
    place: PlaceLine | None


def team_rows(event: Event, table: Standings, places: FinalPlaces) -> list[TeamRow]:
    """All teams in order of number, in two queries."""
    places_of = {line.number: line.label for line in places.lines or (table.lines if table.books.counted else ())}
    players: dict[int, list[str]] = defaultdict(list)
    for pk, name in Player.objects.filter(team__event=event).order_by("position").values_list("team", "name"):
        players[pk].append(name)
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


def team_facts(event: Event, team: Team, table: Standings, places: FinalPlaces, seen: Visibility) -> TeamFacts:
    """One team with all its rounds, played and to come: a constant number of queries."""
    sides = Side.objects.filter(team=team).values_list("game_id", flat=True)
    games = Game.objects.filter(pk__in=list(sides)).select_related("round", "result").prefetch_related("sides__team")
    rounds = [_played(game, team, seen) for game in games.order_by("round__number", "leg")]
    byes = Bye.objects.filter(team=team).select_related("round")
    marks = {mark.round: mark for mark in table.books.marks.get(team.number, ())}
    for bye in byes:
        mark = marks.get(bye.round.number) if bye.round.stage == "qualifying" else None
        points = mark.points if mark else None
        rounds.append(
            TeamGame(
                bye.round.number,
                str(bye.round),
                bye.round.stage,
                bye.round.state,
                None,
                (),
                "B",
                points,
                0,
                "You sit this one out",
            )
        )
    rounds.sort(key=lambda game: game.round)
    return TeamFacts(
        team.number,
        team.name,
        tuple(player.name for player in team.players.all()),
        team.city,
        team.club,
        substitutions_of(team),
        team.get_status_display() if team.status != "playing" else "",
        tuple(rounds),
        next_game(rounds),
        table.by_number.get(team.number) if table.books.counted else None,
        table.title,
        places.by_number.get(team.number),
    )


def next_game(rounds: list[TeamGame]) -> TeamGame | None:
    """The game that the team plays now, or else the next one that is drawn."""
    for game in rounds:
        if game.state == "running" and (game.table is None or game.table.state not in DONE):
            return game
    return next((game for game in rounds if game.state == "planned"), None)


def _played(game: Game, team: Team, seen: Visibility) -> TeamGame:
    table = table_of(game, seen.shows(game.round.stage, game.round.state))
    own = next(seat for seat in table.seats if seat.number == team.number)
    others = tuple((seat.number, seat.team) for seat in table.seats if seat.number != team.number)
    sign = ""
    if table.shown:
        sign = "W" if own.won else "L" if any(seat.won for seat in table.seats) else "N"
    words = table.result_words if table.shown else table.state_words
    return TeamGame(
        game.round.number,
        str(game.round),
        game.round.stage,
        game.round.state,
        table,
        others,
        sign,
        own.points,
        own.bostons,
        words,
    )
