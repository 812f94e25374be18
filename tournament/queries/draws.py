"""Rounds as they are drawn, and the slips of paper that say who sits where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from tournament.models import Bye, Event, Round, Side, Team
from tournament.pairing.draw import (
    FIXED,
    Checked,
    Draw,
    DrawOptions,
    Entrant,
    History,
    Played,
    check_by_hand,
    draw_all,
)
from tournament.pairing.plan import INSTEAD, Note, ShortNote, annotate, in_short
from tournament.queries.records import Mark, books_of, left_before
from tournament.queries.rules import ruleset_of
from tournament.queries.signatures import first_open_round, lineup
from tournament.words.sentences import DRAWN, GROUPS

# The draw of an event: what it is made from as plain data, and who meets whom at which table in which round.


# These go by results (or by who is there), so only the next round can be drawn.
ONE_AT_A_TIME = ("swiss", "random", "winners-up", "by-hand")
BY_RESULT = ("swiss", "winners-up")


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """Everything a draw is made from. `rounds` is how many are drawn now, beginning with `history.next_round`."""

    method: str
    entrants: tuple[Entrant, ...]
    history: History
    rounds: int
    options: DrawOptions
    too_few: str
    waiting: str

    @property
    def why_not(self) -> str:
        return self.too_few or self.waiting

    @property
    def by_hand(self) -> bool:
        return self.method == "by-hand"


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """Who meets at a table. Teams are number and name, in side order."""

    table: int
    teams: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class DrawnRound:
    number: int
    title: str
    state: str
    state_words: str
    tables: tuple[DrawnTable, ...]
    byes: tuple[tuple[int, str], ...]
    notes: tuple[Note, ...]
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class DrawOverview:
    """Table by table, round by round. `rows` has one line a table, with None where a round has no such table."""

    rounds: tuple[DrawnRound, ...]
    rows: tuple[tuple[int, tuple[DrawnTable | None, ...]], ...]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What could not be avoided, each once."""
        return tuple(dict.fromkeys(note for round_ in self.rounds for note in round_.notes))

    @property
    def notes_in_short(self) -> tuple[ShortNote, ...]:
        """The same in words, with a count in place of many of a kind."""
        return in_short(self.notes)

    @property
    def has_byes(self) -> bool:
        return any(round_.byes for round_ in self.rounds)

    @property
    def planned(self) -> tuple[DrawnRound, ...]:
        return tuple(round_ for round_ in self.rounds if round_.state == "planned")

    @property
    def next(self) -> DrawnRound | None:
        return next(iter(self.planned), None)


def draw_plan(event: Event, *, before: int | None = None) -> DrawPlan:
    """What the remaining rounds are drawn from. Rounds that have not started are not part of the past.

    With `before`, the plan of that one round: all earlier rounds are its past, drawn or played.
    """
    books, seated = books_of(event), _seated(event)
    rounds = [round_ for round_ in books.rounds if round_.stage == "qualifying"]
    if before is None:
        past = [round_ for round_ in rounds if round_.state != "planned"]
    else:
        past = [round_ for round_ in rounds if round_.number < before]
    winners = _winners(books.marks)
    history = History(tuple(_played(seated[round_.pk], winners[round_.number]) for round_ in past))
    method, options = _method(event)
    left = max(event.rounds_planned - len(past), 0)
    running = next((round_ for round_ in past if round_.state == "running"), None)
    waiting = ""
    if running is not None and method in BY_RESULT and left:
        waiting = f"Round {running.number} is still in play: the next round depends on its results."
    records = {record.team: record for record in books.records}
    entrants = tuple(
        Entrant(
            team.number, team.city, team.club, records[team.number].won, records[team.number].points, name=team.name
        )
        for team in books.teams
        if not left_before(team, history.next_round)
    )
    count = left if method in FIXED and method not in ONE_AT_A_TIME else min(left, 1)
    return DrawPlan(method, entrants, history, count, options, _too_few(event, len(entrants)), waiting)


def draw_overview(event: Event, **which: str) -> DrawOverview:
    """The qualifying rounds as they are drawn (all, or `which`: those of a state), in a constant number of queries."""
    rounds, seated = event.rounds.filter(stage="qualifying", **which), _seated(event, **which)
    drawn = tuple(_drawn(round_, seated[round_.pk]) for round_ in rounds)
    by_table: list[dict[int, DrawnTable]] = [{table.table: table for table in round_.tables} for round_ in drawn]
    numbers = sorted({number for tables in by_table for number in tables})
    rows = tuple((number, tuple(tables.get(number) for tables in by_table)) for number in numbers)
    return DrawOverview(drawn, rows)


def checked_by_hand(event: Event, number: int, tables: tuple[tuple[int, ...], ...]) -> Checked:
    """A draw of one round by hand, with its warnings. Whoever is at no table sits out."""
    plan = draw_plan(event, before=number)
    seated = {team for table in tables for team in table}
    byes = tuple(entrant.number for entrant in plan.entrants if entrant.number not in seated)
    return check_by_hand(tables, byes, plan.entrants, plan.history, ruleset_of(event).table_sizes, plan.options.apart)


def meeting_notes(event: Event) -> dict[int, tuple[Note, ...]]:
    """What is to be said of who meets whom in every qualifying round as it is seated now.

    That is rematches, second byes, and neighbours where they are kept apart.
    """
    seated = _seated(event)
    teams = event.teams.values_list("number", "city", "club", "name")
    entrants = tuple(Entrant(number, city, club, name=name) for number, city, club, name in teams)
    apart = _method(event)[1].apart
    history, notes = History(), {}
    for round_ in event.rounds.filter(stage="qualifying"):
        played = _played(seated[round_.pk])
        notes[round_.number] = annotate(Draw(played.tables, played.byes), entrants, history, apart).notes
        history = History((*history.rounds, played))
    return notes


def seats_words(event: Event, overview: DrawOverview) -> str:
    """How the seats came about, for the badge: by hand, by lot with its number, by number, or moved from there."""
    rounds = overview.rounds
    if rounds and all(one.by_hand for one in rounds):
        return "By hand"
    also = ", some rounds by hand" if any(one.by_hand for one in rounds) else ""
    if not event.by_number:
        return f"Draw number {event.seed}{also}"
    moved = _moved_apart(event, overview)
    unit = ruleset_of(event).unit
    kept = f", moved to keep cities apart ({moved} {unit}{'' if moved == 1 else 's'})" if moved else ""
    return f"By number{kept}{also}"


def _moved_apart(event: Event, overview: DrawOverview) -> int:
    """How many sit in round 1 elsewhere than by number alone, because neighbours were kept apart."""
    method, options = _method(event)
    if not options.apart or method not in FIXED or not overview.rounds or overview.rounds[0].by_hand:
        return 0
    tables = [tuple(number for number, _ in table.teams) for table in overview.rounds[0].tables]
    there = {*(number for table in tables for number in table), *(number for number, _ in overview.rounds[0].byes)}
    plain = draw_all(
        method,
        [Entrant(number) for number in sorted(there)],
        event.rounds_planned,
        History(),
        None,
        replace(options, apart=()),
    )[0]
    before = {number: (table, side) for table, at in enumerate(plain.tables) for side, number in enumerate(at)}
    after = {number: (table, side) for table, at in enumerate(tables) for side, number in enumerate(at)}
    return sum(before.get(number) != after.get(number) for number in there)


def in_groups(event: Event) -> bool:
    """Whether single players are drawn so that everybody meets different ones."""
    return ruleset_of(event).seating.sides != 2 and event.movement != "by-hand"


def movement_of(event: Event, notes: Iterable[Note] = ()) -> str:
    """The code of who meets whom, as the event says it; or, by the notes of the draw, as it was drawn instead."""
    if any(note.said == INSTEAD for note in notes):
        return INSTEAD
    return GROUPS if in_groups(event) else event.movement


def movement_words(event: Event, notes: Iterable[Note] = ()) -> str:
    """The same in words."""
    return DRAWN[movement_of(event, notes)]


def _too_few(event: Event, count: int) -> str:
    rules = ruleset_of(event)
    if count >= rules.smallest_table:
        return ""
    return f"At least {rules.smallest_table} {rules.unit}s are needed; {count or 'none'} can be drawn."


def _method(event: Event) -> tuple[str, DrawOptions]:
    """More than two sides at a table are drawn in groups, whatever the movement of teams is."""
    rules = ruleset_of(event)
    apart = ("city", "club") if event.keep_apart else ()
    if in_groups(event):
        return "groups", DrawOptions(apart, rules.seating.sides, min(rules.smallest_table, rules.seating.sides))
    return event.movement, DrawOptions(apart=apart)


def _winners(marks: Mapping[int, Sequence[Mark]]) -> dict[int, frozenset[int]]:
    winners: dict[int, set[int]] = defaultdict(set)
    for team, played in marks.items():
        for mark in played:
            if mark.sign in ("W", "B"):
                winners[mark.round].add(team)
    return defaultdict(frozenset, {number: frozenset(teams) for number, teams in winners.items()})


class _Seats(NamedTuple):
    """Who meets at which table of a round, and who sits it out; teams are number and name, in side order."""

    tables: list[tuple[int, list[tuple[int, str]]]]
    byes: list[tuple[int, str]]


def _seated(event: Event, **which: str) -> dict[int, _Seats]:
    """The qualifying rounds by key, in two queries: rows, because a draw reads every seat of the evening."""
    found: dict[int, _Seats] = defaultdict(lambda: _Seats([], []))
    team = ("team__number", "team__name")
    here: dict[str, Any] = {"round__event": event, "round__stage": "qualifying"}
    here |= {f"round__{name}": value for name, value in which.items()}
    sides = Side.objects.filter(**here).order_by("game__table", "game_id", "index")
    for (round_, _, table), rows in groupby(
        sides.values_list("round_id", "game_id", "game__table", *team), key=itemgetter(0, 1, 2)
    ):
        found[round_].tables.append((table, [(number, name) for *_, number, name in rows]))
    for round_, number, name in Bye.objects.filter(**here).order_by("team__number").values_list("round_id", *team):
        found[round_].byes.append((number, name))
    return found


def _played(seats: _Seats, winners: frozenset[int] = frozenset()) -> Played:
    tables = tuple(tuple(number for number, _ in teams) for _, teams in seats.tables)
    return Played(tables, tuple(number for number, _ in seats.byes), winners)


def _drawn(round_: Round, seats: _Seats) -> DrawnRound:
    return DrawnRound(
        number=round_.number,
        title=str(round_),
        state=round_.state,
        state_words=round_.get_state_display(),
        tables=tuple(DrawnTable(table, tuple(teams)) for table, teams in seats.tables),
        byes=tuple(seats.byes),
        notes=round_.noted,
        by_hand=round_.by_hand,
    )


# What a team carries in its pocket: its number, and where and against whom it plays in every drawn round.


@dataclass(frozen=True, slots=True)
class Meeting:
    """A round of one team: its table and opponents, or a bye (no table)."""

    round: int
    title: str
    table: int | None
    opponents: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A team with all its meetings in order of the rounds."""

    number: int
    team: str
    players: tuple[str, ...]
    city: str
    meetings: tuple[Meeting, ...]


def team_slips(event: Event) -> tuple[Slip, ...]:
    """The slips of all teams in order of number: a constant number of queries."""
    games: dict[int, list[Side]] = defaultdict(list)
    sides = Side.objects.filter(game__round__event=event).select_related("team", "game__round")
    for side in sides.order_by("game__round__number", "game__leg", "index"):
        games[side.game_id].append(side)
    meetings: dict[int, list[Meeting]] = defaultdict(list)
    for at_table in games.values():
        for side in at_table:
            meetings[side.team_id].append(_meeting(side, at_table))
    for bye in Bye.objects.filter(round__event=event).select_related("round"):
        meetings[bye.team_id].append(Meeting(bye.round.number, str(bye.round), None, ()))
    teams = Team.objects.filter(event=event).prefetch_related("players", "substitutions").order_by("number")
    number = first_open_round(event)
    return tuple(
        Slip(
            team.number,
            team.name,
            lineup(team, number),
            team.city,
            tuple(sorted(meetings[team.pk], key=lambda meeting: meeting.round)),
        )
        for team in teams
    )


def _meeting(side: Side, at_table: list[Side]) -> Meeting:
    others = tuple((one.team.number, one.team.name) for one in at_table if one is not side)
    return Meeting(side.game.round.number, str(side.game.round), side.game.table, others)
