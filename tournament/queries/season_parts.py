"""What an event contributes to its season: who took part, with which place, in how many games.

Somebody takes part who sat in a game that was played, or was there for one that was won by default; a bye counts for
those who were there. A person counts in an event for the team with which most games were played; if these are as many,
for the team that entered the person. Games and wins are those with this team. The games of the playoffs that count are
games, too. An event contributes the same to every season; the season's options, members, and lists of teams decide what
counts there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.standings.season import TEAM, Part, Scheme, Showing, moved_up
from tournament.models import Event, Membership, Player, Result, Season, Substitution, Team
from tournament.queries.bracket import bracket
from tournament.queries.events import PublicState
from tournament.queries.final_places import final_places
from tournament.queries.lineups import seated, seats_of, was_there, who_sat
from tournament.queries.people import NAMED
from tournament.queries.rules import EVERYTHING
from tournament.queries.season_events import around
from tournament.queries.standings import Standings, passing_standings
from tournament.queries.wording import BY_DEFAULT
from tournament.site.cache import VersionedCache
from tournament.words.texts import is_placeholder, name_key


class Called(NamedTuple):
    """A fixed team by its latest name: its whole name, what the club typed in its place, its players by name."""

    name: str
    shown_as: str
    players: tuple[tuple[str, int | None], ...]


class Did(NamedTuple):
    """What a person or team did: for which team, in how many games it took part, how many of them were won."""

    team: int
    games: int
    wins: int


class TeamFacts(NamedTuple):
    """A team of an event for a season of fixed teams: what it did, who it is without a list, and who sat."""

    did: Did
    key: Hashable
    called: Called
    sat: frozenset[int]


class Unsaid(NamedTuple):
    """A player who was never reported to have sat: the person if known, the whole name, and the team's name."""

    person: int | None
    name: str
    team: str

    @property
    def words(self) -> str:
        return f"{self.name} ({self.team}): nobody said they played."


class Brought(NamedTuple):
    """What a finished event contributes, by persons' keys and teams' numbers.

    `ranks` are the final places, None for a team without one; `seats` is how many players make a team. `unsaid` are the
    players who were never reported to have sat, `unknown` the whole names of unlinked players: for owners.
    """

    ranks: Mapping[int, int | None]
    seats: int
    persons: Mapping[int, Did]
    teams: Mapping[int, TeamFacts]
    unsaid: tuple[Unsaid, ...]
    unknown: tuple[str, ...]


class Game(NamedTuple):
    """A game of a team in a round, or its bye: whether it was won, and whether those who sat took part."""

    round: int
    won: bool
    is_part: bool
    is_bye: bool = False


# What each event contributes, by its public version: a season asks for all of its events at once.
_brought: VersionedCache[Brought | None] = VersionedCache(512)


def brought_by(event: Event, *, as_before: bool = False) -> Brought | None:
    """What an event contributes; empty while it is not over, or while its champion is still to be decided."""
    if event.stage != "over":
        return None
    key = (PublicState(event.pk, event.epoch, event.public_version), as_before)
    return _brought.get(key, lambda: bring(event, passing_standings(event), as_before=as_before))


def bring(event: Event, table: Standings, *, as_before: bool = False) -> Brought | None:
    """The same, recomputed from standings that are computed already.

    `as_before` counts as versions without lists of members did: everybody on the list sat, and a game that was won by
    default counts for nobody.
    """
    placed = final_places(event, EVERYTHING, table)
    if event.stage != "over" or not placed.lines:
        return None
    ranks = {line.number: line.rank for line in placed.lines}
    teams = {team.number: team for team in event.teams.prefetch_related(*NAMED) if team.number in ranks}
    games = {number: own for number, own in _games(event, table, as_before).items() if number in teams}
    games = {number: own for number, own in games.items() if any(game.is_part for game in own)}
    lineups = {number: _lineups(event, teams[number], games[number], as_before) for number in games}
    return Brought(
        ranks,
        seats_of(event),
        _persons(teams, games, lineups),
        {number: _team_facts(teams[number], games[number], lineups[number]) for number in games},
        tuple(row for number in games for row in _unsaid(event, teams[number], games[number], lineups[number])),
        _unknown(teams[number] for number in games),
    )


# The games of each team: those of the standings, and those that count in the bracket.


class End(NamedTuple):
    """How a game ended for one of its teams."""

    team: int
    round: int
    game: int
    won: bool
    how: str | None


def _games(event: Event, table: Standings, as_before: bool) -> dict[int, list[Game]]:
    """The games of each team by its number.

    `as_before` counts as versions without lists of members did: byes are left out, and nobody took part in a game that
    was decided by default.
    """
    ends = _ends(event, table)
    games: dict[int, list[Game]] = {number: [] for number in table.books.marks}
    if as_before:
        for end in ends:
            games[end.team].append(Game(end.round, end.won, is_part=end.how not in BY_DEFAULT))
        return games

    hands = _hands_lost_by_default(ends)
    for end in ends:
        is_part = was_there(end.how, hands.get(end.game, 0), won=end.won)
        games[end.team].append(Game(end.round, end.won, is_part))
    for number, marks in table.books.marks.items():
        for mark in marks:
            if mark.game is None:
                games[number].append(Game(mark.round, won=False, is_part=True, is_bye=True))
    return games


def _ends(event: Event, table: Standings) -> list[End]:
    """How each game of the standings ended for each of its teams, then each game that counts in the bracket."""
    ends: list[End] = []
    for number, marks in table.books.marks.items():
        for mark in marks:
            if mark.game is not None:
                ends.append(End(number, mark.round, mark.game, mark.sign == "W", mark.how))
    drawn = bracket(event, table) if event.cut else None
    if drawn is None:
        return ends
    for match in drawn.matches:
        for game in match.counted:
            ends += [End(number, game.round, game.pk, game.winner == number, game.how) for number in game.teams]
    return ends


def _hands_lost_by_default(ends: Sequence[End]) -> dict[int, int]:
    """The hands of each game that somebody lost by default: only there is it unclear whether the losers sat."""
    lost_by_default = {end.game for end in ends if end.how in BY_DEFAULT and not end.won}
    if not lost_by_default:
        return {}
    return dict(Result.objects.filter(game__in=lost_by_default).values_list("game_id", "hands"))


# Who sat in them.

Lineups = Mapping[int, Sequence[Player | Substitution]]


def _lineups(event: Event, team: Team, games: Sequence[Game], as_before: bool) -> Lineups:
    """Who sat for a team, by the numbers of its rounds."""
    if as_before:
        return {game.round: seated(team, game.round) or list(team.players.all()) for game in games}
    if not team.substitutions.all():
        # The same in every round.
        return dict.fromkeys((game.round for game in games), who_sat(event, team, games[0].round))
    return {game.round: who_sat(event, team, game.round) for game in games}


def _persons(
    teams: Mapping[int, Team], games: Mapping[int, Sequence[Game]], lineups: Mapping[int, Lineups]
) -> dict[int, Did]:
    """Every person who took part, with the team for which it counts."""
    sat: dict[int, dict[int, list[Game]]] = defaultdict(lambda: defaultdict(list))
    for number, own in games.items():
        for game in own:
            for row in lineups[number][game.round]:
                if row.person is not None:
                    sat[meant(row)][number].append(game)
    players = [player for team in teams.values() for player in team.players.all()]
    entered = {(meant(player), player.team_id) for player in players if player.person}

    def most(person: int, number: int) -> tuple[bool, int, bool, int]:
        own = sat[person][number]
        games_played = _did(number, own).games
        return any(game.is_part for game in own), games_played, (person, teams[number].pk) in entered, -number

    persons = {}
    for person, by_team in sat.items():
        number = max(by_team, key=lambda number: most(person, number))
        if any(game.is_part for game in by_team[number]):
            persons[person] = _did(number, by_team[number])
    return persons


def _did(number: int, games: Iterable[Game]) -> Did:
    own = [game for game in games if not game.is_bye]
    return Did(number, sum(game.is_part for game in own), sum(game.won for game in own))


def _team_facts(team: Team, games: Sequence[Game], lineups: Lineups) -> TeamFacts:
    rows = [row for game in games if game.is_part for row in lineups[game.round]]
    sat = frozenset(meant(row) for row in rows if row.person is not None)
    return TeamFacts(_did(team.number, games), _same_players(team), _called(team), sat)


def _same_players(team: Team) -> Hashable:
    """The identity of a fixed team without a list."""
    players = list(team.players.all())
    linked = players and all(player.person for player in players)
    return tuple(sorted(map(meant, players))) if linked else team.key


def _called(team: Team) -> Called:
    players = tuple((player.full_name, meant(player) or None) for player in team.players.all())
    return Called(team.full_name, team.shown_as, players)


def _unsaid(event: Event, team: Team, games: Sequence[Game], lineups: Lineups) -> Iterable[Unsaid]:
    """Players and substitutes beyond the seats who never sat in any game of the team."""
    seats = seats_of(event)
    rows: list[Player | Substitution] = [*team.players.all(), *team.substitutions.all()]
    if all(row.position < seats for row in rows):
        return
    sat = {_who(row) for game in games for row in lineups[game.round]}
    beyond: dict[Hashable, Player | Substitution] = {}
    for game in games:
        for row in seated(team, game.round)[seats:]:
            beyond.setdefault(_who(row), row)
    for who, row in beyond.items():
        if who not in sat and not is_placeholder(row.full_name):
            yield Unsaid(meant(row) or None, row.full_name, team.full_name)


def _unknown(teams: Iterable[Team]) -> tuple[str, ...]:
    """Unlinked players, each with the team."""
    return tuple(
        f"{player.full_name} ({team.full_name})" if team.named else player.full_name
        for team in teams
        for player in team.players.all()
        if player.person is None and not is_placeholder(player.full_name)
    )


def _who(row: Player | Substitution) -> Hashable:
    return meant(row) or name_key(row.full_name)


def meant(row: Player | Substitution | Membership) -> int:
    """The key of a person, with merged persons replaced; 0 for an unlinked player."""
    return (row.person and row.person.merged_into_id) or row.person_id or 0


# Members of a season, and its lists of fixed teams.


@dataclass(frozen=True, slots=True)
class Members:
    """The persons who are members, by key, and those of each fixed team, by its name. `season` has these lists.

    A season within another that lists nobody has the members of the season around it.
    """

    season: Season
    persons: frozenset[int] = frozenset()
    teams: Mapping[str, frozenset[int]] | None = None

    @property
    def lists(self) -> Mapping[str, frozenset[int]]:
        return self.teams or {}


def members_for(season: Season, scheme: Scheme) -> Members:
    """The lists that a season's table needs."""
    if not scheme.members and scheme.whose != TEAM:
        return Members(season)
    for holder in around(season):
        rows = list(holder.memberships.select_related("person"))
        if not rows:
            continue
        teams, names = defaultdict[str, set[int]](set), dict[str, str]()
        for row in rows:
            if row.team:
                teams[names.setdefault(name_key(row.team), row.team)].add(meant(row))
        lists = {name: frozenset(persons) for name, persons in teams.items()}
        return Members(holder, frozenset(map(meant, rows)), lists)
    return Members(season)


@dataclass(frozen=True, slots=True)
class Listed:
    """A fixed team that is a list of the season, by its name."""

    name: str


def team_key(team: TeamFacts, seats: int, lists: Mapping[str, frozenset[int]]) -> Hashable:
    """Which fixed team a team of an event is: the list of which as many sat as the game seats, else its players."""
    matching = [(-len(team.sat & persons), name) for name, persons in lists.items() if len(team.sat & persons) >= seats]
    return Listed(min(matching)[1]) if matching else team.key


# What of it counts in a season.


def showing_of(brought: Brought, name: str, counts: int, scheme: Scheme, members: Members) -> Showing:
    """An event as a season counts it: its places among the teams that take one there, and the part of each line."""
    persons = {pk: did for pk, did in brought.persons.items() if did.games >= (scheme.games or 0)}
    places = _places(brought, persons, scheme, members.persons)
    field = sum(rank is not None for rank, _ in places.values())

    def part(did: Did) -> Part:
        rank, shared = places[did.team]
        return Part(rank, shared, did.games, did.wins, rank == 1)

    if scheme.whose != TEAM:
        ranked = {pk: did for pk, did in persons.items() if not scheme.members or pk in members.persons}
        return Showing(name, field, {pk: part(did) for pk, did in ranked.items()}, counts)
    parts: dict[Hashable, Part] = {}
    # The best placed first: if two are the same fixed team, the better one counts.
    for number in sorted(places, key=lambda number: (places[number][0] is None, places[number][0] or 0, number)):
        team = brought.teams.get(number)
        if team is not None and team.did.games >= (scheme.games or 0):
            parts.setdefault(team_key(team, brought.seats, members.lists), part(team.did))
    return Showing(name, field, parts, counts)


def _places(
    brought: Brought, persons: Mapping[int, Did], scheme: Scheme, members: Collection[int]
) -> dict[int, tuple[int | None, int]]:
    """The place of each team that takes one, and how many share it."""
    if scheme.members:
        return moved_up(brought.ranks, {did.team for pk, did in persons.items() if pk in members})
    sharing = Counter(brought.ranks.values())
    return {number: (rank, 1 if rank is None else sharing[rank]) for number, rank in brought.ranks.items()}
