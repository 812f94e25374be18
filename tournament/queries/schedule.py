"""The schedule of all rounds, and one team's way through it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournament.kept import Kept
from tournament.models import Bye, Event, Game, Notice, Player, Round, Team
from tournament.phrases import DONE
from tournament.queries.events import public_state_of
from tournament.queries.places import FinalPlaces, PlaceLine
from tournament.queries.rules import Visibility
from tournament.queries.scored import papers_of, sides_with_teams, state_words
from tournament.queries.signatures import notices_by_team, substitutions_by_team
from tournament.queries.standings import Standings, StandingsLine
from tournament.queries.wording import how_words

# The schedule: every round with its tables, byes and the results that may be seen.


@dataclass(frozen=True, slots=True)
class Seat:
    """A team at a table. `points` is None while no result may be seen; `won` says who won."""

    number: int
    team: str
    points: int | None
    won: bool
    bostons: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round. `state` and its words are what everybody may know; `how` says how the game ended."""

    pk: int
    table: int
    match: str
    leg: int
    state: str
    state_words: str
    seats: tuple[Seat, ...]
    how: str
    rule: str
    shown: bool
    unverified: bool = False

    @property
    def result_words(self) -> str:
        """“by points”, “nobody wins”; nothing while it is not shown."""
        return self.how if self.shown else ""


@dataclass(frozen=True, slots=True)
class RoundCard:
    """A round with all its tables. `hidden` says why results are not shown."""

    pk: int
    number: int
    title: str
    stage: str
    state: str
    state_words: str
    started_at: datetime | None
    tables: tuple[Table, ...]
    byes: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]
    done: int
    hidden: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """All rounds by name, and one of them in full; none while nothing is drawn."""

    stops: tuple[Round, ...]
    round: RoundCard | None


def schedule(event: Event, seen: Visibility, number: int | None = None) -> Schedule:
    """The round that was asked for, or the one that matters now: in play, next, last."""
    rounds = list(event.rounds.order_by("number"))
    chosen = next((one for one in rounds if one.number == number), None) or current_round(rounds)
    return Schedule(tuple(rounds), shown_round(event, chosen, seen) if chosen else None)


def current_round(rounds: list[Round]) -> Round | None:
    """The round in play, else the next that is drawn, else the last."""
    for state in ("running", "planned"):
        found = next((one for one in rounds if one.state == state), None)
        if found is not None:
            return found
    return rounds[-1] if rounds else None


# Rounds as they are shown. The books' version rises with what may change any game, a round's with its results, and
# the public one with what happens at a table in play.
_kept: Kept[RoundCard] = Kept(256)


def shown_round(event: Event, round_: Round, seen: Visibility) -> RoundCard:
    """One round in full, read once for everybody who may see as much of it."""
    state = (event.pk, event.epoch, event.books_version, round_.pk, round_.version)
    moment = event.public_version if round_.state == "running" else None
    return _kept.get((*state, moment, seen), lambda: round_card(round_, seen))


def round_card(round_: Round, seen: Visibility) -> RoundCard:
    """One round in full, in a constant number of queries. Totals from paper are flagged until they are verified."""
    games = Game.objects.filter(round=round_).select_related("result").prefetch_related(sides_with_teams())
    shows = seen.shows(round_.stage, round_.state)
    flagged = {pk for pk, paper in papers_of(round_).items() if paper.flagged}
    tables = tuple(table_of(game, shows, flagged) for game in games.order_by("table", "leg"))
    byes = Bye.objects.filter(round=round_).select_related("team").order_by("team__number")
    return RoundCard(
        round_.pk,
        round_.number,
        str(round_),
        round_.stage,
        round_.state,
        round_.get_state_display(),
        round_.started_at,
        tables,
        tuple((bye.team.number, bye.team.name) for bye in byes),
        tuple(map(str, round_.noted)),
        sum(table.state == "final" for table in tables),
        "" if shows or round_.state == "planned" else seen.why,
    )


def table_of(game: Game, shows: bool, flagged: Collection[int] = ()) -> Table:
    """A table as the public may see it: a result only when it is final and its round is shown (rule 42)."""
    result = getattr(game, "result", None) if shows and game.state == "final" else None
    seats = []
    for side in game.sides.all():
        points = result.points[side.index] if result is not None else None
        won = result is not None and result.winner == side.index
        stars = result.bostons[side.index] if result is not None else 0
        seats.append(Seat(side.team.number, side.team.name, points, won, stars))
    how, rule = (how_words(result.how), result.rule) if result is not None else ("", "")
    return Table(
        game.pk,
        game.table,
        game.match,
        game.leg,
        game.state,
        state_words(game),
        tuple(seats),
        how,
        rule,
        result is not None,
        result is not None and game.pk in flagged,
    )


# The teams of an event, and one team's own page: where it sits next, its games, its place.


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
    return _cached_team.get((public_state_of(event), seen), lambda: _all_facts(event, table, places, seen)).get(number)


_cached_team: Kept[dict[int, TeamFacts]] = Kept(32)


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
