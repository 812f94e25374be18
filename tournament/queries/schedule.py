"""Games in lists: the tables of any number of rounds, and what each round is to a team."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from tournament.models import Bye, Event, Game, Result, Round, Side, Team
from tournament.pairing.plan import Note
from tournament.phrases import GAME_STATES, NOT_SEATED, ROUND_STATES
from tournament.queries.events import once_a_version
from tournament.queries.rules import EVERYTHING, NOTHING, Visibility
from tournament.queries.scored import papers_of
from tournament.queries.signatures import first_open_round, lineup
from tournament.queries.wording import BY_DEFAULT, how_words

# A game in a list: the one record of it. It is filled from rows, and a result is read only where it may be seen.


@dataclass(frozen=True, slots=True)
class Seat:
    """A team at a table, or one that sits out. `points` is None while no result may be seen; `won` says who won."""

    number: int
    team: str
    points: int | None = None
    won: bool = False
    bostons: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A game with its round and its sides, in side order.

    `state` and its words are what everybody may know. `shown` says that there is a result that may be seen: `how` and
    `rule` say how the game ended, `by_default` that no hand decided it. `stale` says that its teams are no longer those
    of its match; such a game does not count, nor one that was made void.
    """

    pk: int
    round: int
    title: str
    round_state: str
    table: int
    match: str
    leg: int
    state: str
    state_words: str
    seats: tuple[Seat, ...]
    how: str
    rule: str
    by_default: bool
    shown: bool
    unverified: bool
    counts: bool = True
    stale: bool = False

    @property
    def teams(self) -> tuple[int, ...]:
        return tuple(seat.number for seat in self.seats)

    @property
    def winner(self) -> int | None:
        """The number of the team that won."""
        return next((seat.number for seat in self.seats if seat.won), None)


@dataclass(frozen=True, slots=True)
class RoundCard:
    """A round with all its tables. `hidden` says why results are not shown."""

    pk: int
    number: int
    title: str
    stage: str
    state: str
    started_at: datetime | None
    by_hand: bool
    tables: tuple[Table, ...]
    byes: tuple[Seat, ...]
    notes: tuple[Note, ...]
    hidden: str

    @property
    def state_words(self) -> str:
        return ROUND_STATES[self.state]

    @property
    def done(self) -> int:
        return sum(table.state == "final" for table in self.tables)

    @property
    def played(self) -> Iterator[Played]:
        """The round as each of its teams plays it, table by table; those who sit out come last."""
        for table in self.tables:
            for index, seat in enumerate(table.seats):
                yield Played(self, seat, table, index)
        for seat in self.byes:
            yield Played(self, seat)


@dataclass(frozen=True, slots=True)
class Played:
    """A round from one team's side: its seat at a table, or its bye."""

    round: RoundCard
    seat: Seat
    table: Table | None = None
    index: int = 0

    @property
    def opponents(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.table.seats if seat is not self.seat) if self.table else ()

    @property
    def sign(self) -> str:
        """W, L, B for a bye, N where nobody won, or nothing yet."""
        if self.table is None:
            return "B"
        if not self.table.shown:
            return ""
        return "N" if self.table.winner is None else "W" if self.seat.won else "L"

    @property
    def sign_words(self) -> str:
        return {"W": "Won", "L": "Lost", "B": "Bye", "N": "Nobody won"}.get(self.sign, "Not played")

    @property
    def words(self) -> str:
        if self.table is None:
            return "You sit this one out"
        return self.table.how if self.table.shown else self.table.state_words


def tables_of(
    rounds: Iterable[Round], seen: Visibility = NOTHING, flagged: Collection[int] = ()
) -> dict[int, list[Table]]:
    """The tables of some rounds by the key of the round, each by its number and leg: two queries.

    A final game whose round is shown comes with its result (rule 42), `flagged` where it was not verified. Sides are
    rows and no models, because a draw reads every seat of the evening.
    """
    by_key = {round_.pk: round_ for round_ in rounds}
    shown = {pk for pk, round_ in by_key.items() if seen.shows(round_.stage, round_.state)}
    games = Game.objects.filter(round__in=by_key).order_by("table", "leg")
    if shown:
        games = games.select_related("result")
    rows = list(games)
    sides = defaultdict(list)
    columns = ("game", "index", "team__number", "team__name", "seated_at")
    for side in Side.objects.filter(round__in=by_key).order_by("index").values_list(*columns):
        sides[side[0]].append(side[1:])
    tables: dict[int, list[Table]] = defaultdict(list)
    for game in rows:
        result = getattr(game, "result", None) if game.round_id in shown and game.state == "final" else None
        tables[game.round_id].append(_table(game, by_key[game.round_id], sides[game.pk], result, game.pk in flagged))
    return tables


def _table(
    game: Game, round_: Round, sides: list[tuple[int, int, str, datetime | None]], result: Result | None, flagged: bool
) -> Table:
    here = all(game.is_here(seated_at) for *_, seated_at in sides)
    return Table(
        pk=game.pk,
        round=round_.number,
        title=str(round_),
        round_state=round_.state,
        table=game.table,
        match=game.match,
        leg=game.leg,
        state=game.state,
        state_words=NOT_SEATED if game.state == "playing" and not here else GAME_STATES[game.state],
        seats=tuple(
            Seat(number, name, result.points[index], result.winner == index, result.bostons[index])
            if result is not None
            else Seat(number, name)
            for index, number, name, _ in sides
        ),
        how=how_words(result.how) if result is not None else "",
        rule=result.rule if result is not None else "",
        by_default=result is not None and result.how in BY_DEFAULT,
        shown=result is not None,
        unverified=result is not None and flagged,
    )


def games_of(event: Event, stage: str) -> dict[str, list[Table]]:
    """The games of a stage with their results, by the match that they belong to, in the order of their rounds."""
    rounds = event.rounds.filter(stage=stage).order_by("number")
    tables = tables_of(rounds, EVERYTHING)
    games: dict[str, list[Table]] = defaultdict(list)
    for round_ in rounds:
        for table in tables[round_.pk]:
            games[table.match].append(table)
    return games


def round_cards(rounds: Iterable[Round], seen: Visibility = NOTHING) -> tuple[RoundCard, ...]:
    """Rounds in full, in a constant number of queries. Totals from paper are flagged until they are verified."""
    rounds = list(rounds)
    shown = [round_ for round_ in rounds if seen.shows(round_.stage, round_.state)]
    flagged = {pk for pk, paper in papers_of(shown).items() if paper.flagged} if shown else ()
    tables = tables_of(rounds, seen, flagged)
    byes: dict[int, list[Seat]] = defaultdict(list)
    rows = Bye.objects.filter(round__in=rounds).order_by("team__number")
    for round_key, number, name in rows.values_list("round", "team__number", "team__name"):
        byes[round_key].append(Seat(number, name))
    return tuple(
        RoundCard(
            pk=round_.pk,
            number=round_.number,
            title=str(round_),
            stage=round_.stage,
            state=round_.state,
            started_at=round_.started_at,
            by_hand=round_.by_hand,
            tables=tuple(tables[round_.pk]),
            byes=tuple(byes[round_.pk]),
            notes=round_.noted,
            hidden="" if round_ in shown or round_.state == "planned" else seen.why,
        )
        for round_ in rounds
    )


def played_by_team(rounds: Iterable[RoundCard]) -> dict[int, list[Played]]:
    """The rounds of each team by its number, in their order."""
    games: dict[int, list[Played]] = defaultdict(list)
    for round_ in rounds:
        for game in sorted(round_.played, key=lambda game: game.table.leg if game.table else 0):
            games[game.seat.number].append(game)
    return games


# The schedule: all rounds by name, and one of them in full.


def schedule(event: Event, seen: Visibility, number: int | None = None) -> tuple[list[Round], RoundCard | None]:
    """All rounds, and the one that was asked for, or that matters now: in play, next, last; none before the draw."""
    rounds = list(event.rounds.order_by("number"))
    chosen = next((round_ for round_ in rounds if round_.number == number), None) or current_round(rounds)
    return rounds, shown_round(event, chosen, seen) if chosen else None


def current_round(rounds: list[Round]) -> Round | None:
    """The round in play, else the next that is drawn, else the last."""
    for state in ("running", "planned"):
        chosen = next((round_ for round_ in rounds if round_.state == state), None)
        if chosen is not None:
            return chosen
    return rounds[-1] if rounds else None


def shown_round(event: Event, round_: Round, seen: Visibility) -> RoundCard:
    """One round in full, read once for everybody who may see as much of it."""
    return once_a_version(event, f"round {round_.number}", seen, lambda: round_cards([round_], seen)[0])


# What a team carries in its pocket: its number, and where and against whom it plays in every drawn round.


@dataclass(frozen=True, slots=True)
class Slip:
    """A team with its rounds in order, and those who sit for it in the next of them."""

    number: int
    team: str
    players: tuple[str, ...]
    games: tuple[Played, ...]


def team_slips(event: Event) -> tuple[Slip, ...]:
    """The slips of all teams in order of number: a constant number of queries."""
    games = played_by_team(round_cards(event.rounds.order_by("number")))
    teams = Team.objects.filter(event=event).prefetch_related("players", "substitutions").order_by("number")
    number = first_open_round(event)
    return tuple(Slip(team.number, team.name, lineup(team, number), tuple(games[team.number])) for team in teams)
