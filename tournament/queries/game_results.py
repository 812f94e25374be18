"""The games of each team as the standings count them: final ones of qualifying rounds, and byes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from django.db.models import Count, JSONField, Q, QuerySet, TextField
from django.db.models.functions import Cast

from scoring.options import EventRules
from scoring.standings.tiebreaks import GameRecord, Record
from tournament.models import Bye, Event, Game, Result, Round, Side, Team
from tournament.queries.rules import EVERYTHING, Visibility, ruleset_of
from tournament.queries.wording import BY_DEFAULT
from tournament.site.cache import VersionedCache

# What scored games contribute to the standings, and their sheets to the facts and pictures of the evening.
_scored_games: VersionedCache[Any] = VersionedCache(2 * 8192)
Value = TypeVar("Value")
# Ways to lose that are named as such.
BY_SETS = ("two-sets", "sets", "back-to-back")


class Mark(NamedTuple):
    """One game of one team as a mark: `sign` is W, L, B for a bye, N if nobody won. `game` is None for a bye.

    A field with the name of a field in `Result` is read from there; from a list, the team's own value.
    """

    round: int
    sign: str
    opponents: tuple[int, ...]
    game: int | None
    how: str
    rule: str = ""
    points: int = 0
    bostons: int = 0
    sets: int = 0

    @property
    def lost_by_sets(self) -> bool:
        return self.sign == "L" and self.how in BY_SETS

    @property
    def words(self) -> str:
        """The mark in words: “Game 2: won, 1 Boston”."""
        text = {"W": "won", "L": "lost", "B": "bye", "N": "nobody won"}[self.sign]
        stars = f", {self.bostons} Boston{'s' if self.bostons > 1 else ''}" if self.bostons else ""
        return f"Game {self.round}: {text}{stars}"


@dataclass(frozen=True, slots=True)
class Books:
    """Everything that counts: teams and rounds in order of number, names, marks, and records by team number.

    `counted` are the numbers of the qualifying rounds whose results are included; `closed` those that are closed.
    `tables` is how many tables each round has, `unfinished` which rounds have a game that is not final. The `total` of
    an event that begins with its bracket is zero. `absent` are the numbers of teams that left and never played: they
    have no place.
    """

    teams: tuple[Team, ...]
    names: dict[int, str]
    rounds: tuple[Round, ...]
    marks: dict[int, tuple[Mark, ...]]
    records: tuple[Record, ...]
    counted: tuple[int, ...]
    closed: tuple[int, ...]
    total: int
    tables: Mapping[int, int]
    unfinished: frozenset[int]
    absent: frozenset[int]

    @property
    def running(self) -> Round | None:
        """The qualifying round in play whose results count already, if there is one."""
        return next(
            (round_ for round_ in self.rounds if round_.state == "running" and round_.number in self.counted), None
        )

    @property
    def playing(self) -> int:
        """How many teams still play."""
        return sum(team.status == "playing" for team in self.teams)

    def final_tables(self, number: int) -> int:
        """How many games of a round already count."""
        return len({mark.game for marks in self.marks.values() for mark in marks if mark.round == number and mark.game})


def books_of(event: Event, seen: Visibility = EVERYTHING) -> Books:
    """The qualifying games of an event that may be seen, in five queries.

    Up to two more are needed if a team has left and these games do not say whether it ever played.
    """
    teams = tuple(Team.objects.filter(event=event).order_by("number"))
    rounds = tuple(
        Round.objects.filter(event=event)
        .annotate(table_count=Count("games"), open_count=Count("games", filter=~Q(games__state="final")))
        .order_by("number")
    )
    qualifying: list[Round] = [round_ for round_ in rounds if round_.stage == "qualifying"]
    shown = [round_ for round_ in qualifying if seen.shows(round_.stage, round_.state)]
    games = _played(event, shown)
    _add_byes(event, teams, shown, games)

    marks: dict[int, tuple[Mark, ...]] = {}
    records: list[Record] = []
    # These games do not say whether these teams ever played.
    unclear: list[Team] = []
    for team in teams:
        played = sorted(games[team.pk], key=_round_of)
        marks[team.number] = tuple([mark for mark, _ in played])
        records.append(Record(team.number, tuple([record for _, record in played])))
        if not _tell_of_playing(team, played):
            unclear.append(team)
    absent = never_played(unclear)

    planned = 0 if begins_with_bracket(event, rounds) else event.rounds_planned
    return Books(
        teams=teams,
        names={team.number: team.name for team in teams},
        rounds=rounds,
        marks=marks,
        records=tuple(records),
        counted=tuple(round_.number for round_ in shown),
        closed=tuple(round_.number for round_ in shown if round_.state == "closed"),
        total=max([planned, *(round_.number for round_ in qualifying)]),
        tables={round_.number: round_.table_count for round_ in rounds},
        unfinished=frozenset(round_.number for round_ in rounds if round_.open_count),
        absent=frozenset(team.number for team in teams if team.pk in absent),
    )


def begins_with_bracket(event: Event, rounds: Collection[Round]) -> bool:
    """Whether the event has no qualifying of its own: its teams were selected elsewhere and are numbered by seed."""
    return event.stage in ("playoffs", "over") and not any(round_.stage == "qualifying" for round_ in rounds)


def left_before(team: Team, number: int) -> bool:
    """Whether a team had left when this round began."""
    return team.status != "playing" and (team.left_after is None or team.left_after < number)


def _tell_of_playing(team: Team, games: Iterable[Counted]) -> bool:
    """Whether these games and byes show that the team has played, as `have_played` finds it in the database."""
    return any(
        mark.sign == "B" or (mark.sign == "W" if mark.how in BY_DEFAULT else not left_before(team, mark.round))
        for mark, _ in games
    )


def never_played(teams: Iterable[Team]) -> set[int]:
    """The teams that left and never played, by key: they owe nothing, are in no pot, and have no place."""
    left = [team for team in teams if team.status == "left"]
    return {team.pk for team in left} - have_played(left)


def have_played(teams: Collection[Team]) -> set[int]:
    """Which of these teams have played, by key: they sat in a game, or were there when one was awarded to them.

    A team that lost by default before a hand was recorded did not sit in it. A bye counts for a team that was there.
    """
    by_key = {team.pk: team for team in teams}
    if not by_key:
        return set()
    begun = Side.objects.filter(team__in=by_key).exclude(round__state="planned")
    rows = begun.values_list(
        "team_id",
        "index",
        "round__number",
        "game__result__over",
        "game__result__winner",
        "game__result__how",
        "game__result__hands",
    )
    played = set()
    for team, index, number, is_over, winner, how, hands in rows:
        is_default = is_over and how in BY_DEFAULT
        was_there = winner == index if is_default else not left_before(by_key[team], number)
        if hands or was_there:
            played.add(team)
    byes = Bye.objects.filter(team__in=by_key.keys() - played).exclude(round__state="planned")
    for team, number in byes.values_list("team_id", "round__number"):
        if not left_before(by_key[team], number):
            played.add(team)
    return played


def _played(event: Event, rounds: list[Round]) -> dict[int, list[Counted]]:
    """By team key, from the final games of these rounds."""
    games = Game.objects.filter(round__in=rounds, result__over=True).order_by("pk")
    played: dict[int, list[Counted]] = defaultdict(list)
    for game in of_final_games("marks", event, games, _read):
        for team, counted in game:
            played[team].append(counted)
    return played


def of_final_games(
    kind: str, event: Event, games: QuerySet[Game], read: Callable[[Collection[int]], Mapping[int, Value]]
) -> list[Value]:
    """What each of these games is, if it is final, in order: `read` is called only for those that are new or changed.

    A game's version rises with everything that may change this. The value must name teams only by number.
    """
    epoch = str(event.epoch)
    keys = [(kind, epoch, *game) for game in games.filter(state="final").values_list("pk", "version")]

    def make(missing: Collection[Any]) -> dict[Any, Value]:
        made = read([pk for _, _, pk, _ in missing])
        return {key: made[key[2]] for key in missing}

    return _scored_games.get_all(keys, make)


def _read(games: Collection[int]) -> dict[int, tuple[tuple[int, Counted], ...]]:
    """What these games are to their teams, each with the team's key."""
    return {game: _counted(tuple(rows)) for game, rows in groupby(_sides(games), key=itemgetter(0))}


# A game or a bye of a team: as the page shows it, and as the ranking reads it.
Counted = tuple[Mark, GameRecord]


def _round_of(counted: Counted) -> int:
    mark, _ = counted
    return mark.round


# The fields of a mark that come from a game's result, and which of them are lists with a value for each side.
READ = tuple(field for field in Result._meta.get_fields() if field.name in Mark._fields and field.name != "game")
RESULT = tuple(field.name for field in READ)
LISTS = tuple(field.name for field in READ if isinstance(field, JSONField))
SIDE = ("game_id", "game__round__number", "index", "team_id", "team__number", "game__result__winner")


def _sides(games: Collection[int]) -> list[tuple[Any, ...]]:
    """A row for each side of some games: SIDE, then RESULT, with lists as they are stored."""
    sides = Side.objects.filter(game_id__in=games)
    read = {name: f"game__result__{name}" for name in RESULT}
    rows = sides.order_by("game_id", "index").values_list(
        *SIDE,
        *(Cast(path, TextField()) if name in LISTS else path for name, path in read.items()),
    )
    # A list, although there are thousands: PostgreSQL plans a cursor for its first rows and takes ten times as long.
    return list(rows)


def _counted(rows: tuple[tuple[Any, ...], ...]) -> tuple[tuple[int, Counted], ...]:
    """What a final game is to each of its teams, by team key."""
    # Every side is joined to the same result.
    result = dict(zip(RESULT, rows[0][len(SIDE) :], strict=True))
    by_side = {name: json.loads(result[name]) for name in LISTS}
    numbers = [row[4] for row in rows]
    counted = []
    for game, number, index, team, own, winner in (row[: len(SIDE)] for row in rows):
        sign = "N" if winner is None else "W" if winner == index else "L"
        others = tuple(other for other in numbers if other != own)
        facts = result | {name: values[index] for name, values in by_side.items()}
        mark = Mark(number, sign, others, game, **facts)
        # The lead over the best of the others.
        margin = mark.points - max(points for side, points in enumerate(by_side["points"]) if side != index)
        counted.append((team, _count(mark, margin)))
    return tuple(counted)


def _add_byes(event: Event, teams: tuple[Team, ...], rounds: list[Round], games: dict[int, list[Counted]]) -> None:
    """A bye by the option of the sheet. It uses up one of the team's games, whatever it is worth.

    It counts from the close of its round, so that nobody leads by sitting out while the others still play. A team that
    had left by then has none: absent teams win nothing.
    """
    numbers = {round_.pk: round_.number for round_ in rounds if round_.state == "closed"}
    by_key = {team.pk: team for team in teams}
    rows = Bye.objects.filter(round_id__in=numbers).values_list("round_id", "team_id")
    byes = [(round_pk, team) for round_pk, team in rows if not left_before(by_key[team], numbers[round_pk])]
    if not byes:
        return
    rules = ruleset_of(event).rules
    winners: dict[int, list[int]] = defaultdict(list)
    for played in games.values():
        for mark, _ in played:
            if mark.sign == "W":
                winners[mark.round].append(mark.points)
    for round_pk, team_pk in byes:
        number = numbers[round_pk]
        points = _bye_points(rules, winners[number])
        games[team_pk].append(_count(Mark(number, "B", (), None, rules.bye, points=points)))


def _bye_points(rules: EventRules, winners: list[int]) -> int:
    if rules.bye == "game-won":
        return getattr(rules, "bonus_points", 0)
    if rules.bye == "average" and winners:
        # Round to the nearest whole number; a half counts up.
        return (2 * sum(winners) + len(winners)) // (2 * len(winners))
    return 0


def _count(mark: Mark, margin: int = 0) -> Counted:
    bye = mark.sign == "B"
    won = mark.sign == "W" or (bye and mark.how != "none")
    game = GameRecord(mark.round, mark.opponents, won, mark.points, mark.bostons, mark.sets, bye, margin=margin)
    return mark, game
