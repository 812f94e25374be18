"""The schedule: every round with its tables, byes and the results that may be seen."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from tournament.kept import Kept
from tournament.models import Bye, Event, Game, Round
from tournament.queries.sides import sides_with_teams, state_words
from tournament.queries.verification import papers_of
from tournament.queries.visibility import Visibility
from tournament.queries.wording import how_words


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
