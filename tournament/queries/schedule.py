"""Games in lists: the tables of any number of rounds, and what each round is for a team.

A game has one record in all lists. A result is read only if it may be seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, Sum

from tournament.models import Bye, Event, Game, Round, Side, Team
from tournament.models.game import is_here
from tournament.pairing.plan import TELLS_STANDINGS, Note
from tournament.queries.events import once, once_a_version
from tournament.queries.forecast import hand_time
from tournament.queries.lineups import first_open_round, lineup
from tournament.queries.match_words import NOTHING_TO_SAY, MatchWords, words_by_match
from tournament.queries.rules import EVERYTHING, NOTHING, Visibility
from tournament.queries.typed_sheets import papers_of
from tournament.queries.wording import BY_DEFAULT, how_words
from tournament.words.phrases import GAME_STATES, NOT_SEATED, ROUND_STATES, VOID


@dataclass(frozen=True, slots=True)
class Seat:
    """A team at a table, or one that sits out. `points` is None while no result may be seen; `won` says who won.

    `home` is the table that it never leaves.
    """

    number: int
    team: str
    points: int | None = None
    won: bool = False
    bostons: int = 0
    home: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A game with its round and its sides, in side order.

    `state` and its words are what everybody may know. `shown` means that it has a result that may be seen: `how` and
    `rule` say how the game ended, `by_default` that no hand decided it. `stale` means that its teams are no longer
    those of its match; such a game does not count, nor does a void one. `written` means that a line was written in it,
    `on_hold` that the officials still decide who plays in it. `hand` is how long a hand takes there while it is played.
    `words` say which match it is where losers play on.
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
    written: bool = False
    on_hold: bool = False
    hand: timedelta | None = None
    words: MatchWords = NOTHING_TO_SAY

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
    def count(self) -> int:
        """How many games there are to play: void ones are none."""
        return sum(table.state != VOID for table in self.tables)

    @property
    def sitting(self) -> int:
        """How many teams have a place in it, at a table or with a bye."""
        return sum([len(table.seats) for table in self.tables]) + len(self.byes)

    @property
    def played(self) -> Iterator[Played]:
        """The round from the side of each of its teams, table by table; those who sit out come last."""
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
    def title(self) -> str:
        """The title of its match where a round mixes several, of the round otherwise."""
        return (self.table.words.title if self.table else "") or self.round.title

    @property
    def opponents(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.table.seats if seat is not self.seat) if self.table else ()

    @property
    def sign(self) -> str:
        """W, L, B for a bye, N if nobody won, or empty as yet."""
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
    rounds: Iterable[Round], seen: Visibility = NOTHING, flagged: Collection[int] = (), *, whole: bool = False
) -> dict[int, list[Table]]:
    """The tables of some rounds by the key of the round, each by its number and leg: two queries.

    A final game of a visible round includes its result (rule 42), `flagged` if it was not verified. These are rows
    instead of models, because every seat of the evening is read.
    """
    by_key = {round_.pk: round_ for round_ in rounds}
    titles = {pk: str(round_) for pk, round_ in by_key.items()}
    playoff = next((round_ for round_ in by_key.values() if round_.stage == "playoff"), None)
    words = words_by_match(playoff.event) if playoff else {}
    shown = {pk for pk, round_ in by_key.items() if seen.shows(round_.stage, round_.state)}
    sides = defaultdict(list)
    seats = Side.objects.filter(round__in=by_key).annotate(is_seated=Q(seated_at__isnull=False)).order_by("index")
    facts = ("game", "index", "team__number", "team__name", "team__home", "is_seated", "team__entered")
    for game, index, number, name, home, is_seated, entered in seats.values_list(*facts):
        sides[game].append((index, number, entered if whole and entered else name, home, is_seated))
    is_played = any(round_.state == "running" for round_ in by_key.values())
    result = (*(RESULT if shown else ()), *(HAND if is_played else ()))
    facts = ("pk", "round", "table", "match", "leg", "state", "has_begun", *result)
    games = Game.objects.filter(round__in=by_key).annotate(has_begun=Q(last_entry_at__isnull=False))
    tables: dict[int, list[Table]] = defaultdict(list)
    for game in games.order_by("table", "leg").values_list(*facts, named=True):
        round_ = by_key[game.round]
        is_shown = round_.pk in shown and game.state == "final" and game.result__how is not None
        table = _table(game, round_, titles[game.round], sides[game.pk], is_shown, game.pk in flagged)
        tables[round_.pk].append(replace(table, words=words[game.match]) if game.match in words else table)
    return tables


# How fast a table plays.
HAND = ("begun_at", "last_entry_at", "result__hands")
# What a list shows of a game's result.
RESULT = ("result__how", "result__rule", "result__winner", "result__points", "result__bostons")


def _table(
    game: Any,
    round_: Round,
    title: str,
    sides: list[tuple[int, int, str, int | None, bool]],
    is_shown: bool,
    flagged: bool,
) -> Table:
    is_waited_for = game.state == "playing" and not all(is_here(game.has_begun, side[-1]) for side in sides)
    return Table(
        pk=game.pk,
        round=round_.number,
        title=title,
        round_state=round_.state,
        table=game.table,
        match=game.match,
        leg=game.leg,
        state=game.state,
        state_words=NOT_SEATED if is_waited_for else GAME_STATES[game.state],
        seats=tuple(
            Seat(
                number,
                name,
                game.result__points[index],
                game.result__winner == index,
                game.result__bostons[index],
                home,
            )
            if is_shown
            else Seat(number, name, home=home)
            for index, number, name, home, _ in sides
        ),
        how=how_words(game.result__how) if is_shown else "",
        rule=game.result__rule if is_shown else "",
        by_default=is_shown and game.result__how in BY_DEFAULT,
        shown=is_shown,
        unverified=is_shown and flagged,
        written=game.has_begun or game.state in ("to-sign", "final"),
        hand=hand_time(game.state, game.begun_at, game.last_entry_at, game.result__hands)
        if game.state == "playing" and round_.state == "running"
        else None,
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


def round_cards(rounds: Iterable[Round], seen: Visibility = NOTHING, *, whole: bool = False) -> tuple[RoundCard, ...]:
    """Rounds in full, in a constant number of queries; with `whole` names for officials.

    Totals from paper are flagged until they are verified.
    """
    rounds = list(rounds)
    shown = [round_ for round_ in rounds if seen.shows(round_.stage, round_.state)]
    flagged = {pk for pk, paper in papers_of(shown).items() if paper.flagged} if shown else ()
    tables = tables_of(rounds, seen, flagged, whole=whole)
    byes: dict[int, list[Seat]] = defaultdict(list)
    rows = Bye.objects.filter(round__in=rounds).order_by("team__number")
    bye_facts = ("round", "team__number", "team__name", "team__home", "team__entered")
    for round_key, number, name, home, entered in rows.values_list(*bye_facts):
        byes[round_key].append(Seat(number, entered if whole and entered else name, home=home))
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
            notes=_notes(round_, seen, whole=whole),
            hidden="" if round_ in shown or round_.state == "planned" else seen.why,
        )
        for round_ in rounds
    )


def _notes(round_: Round, seen: Visibility, *, whole: bool) -> tuple[Note, ...]:
    """What its draw said, for everybody only as far as the standings may be seen."""
    if whole or seen.closed:
        return round_.noted
    return tuple(note for note in round_.noted if note.said not in TELLS_STANDINGS)


def played_by_team(rounds: Iterable[RoundCard]) -> dict[int, list[Played]]:
    """The rounds of each team by its number, in their order."""
    games: dict[int, list[Played]] = defaultdict(list)
    for round_ in rounds:
        for game in sorted(round_.played, key=lambda game: game.table.leg if game.table else 0):
            games[game.seat.number].append(game)
    return games


# The schedule: all rounds by name, and one of them in full.


def schedule(event: Event, seen: Visibility, number: int | None = None) -> tuple[list[Round], RoundCard | None]:
    """All rounds, and the requested one, or the one that matters now: in play, next, last; none before the draw."""
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
    """One round in full, read once for everybody who may see the same."""
    return once_a_version(event, f"round-{round_.number}", seen, lambda: round_cards([round_], seen)[0])


def all_rounds(event: Event, seen: Visibility, names: Hashable) -> tuple[RoundCard, ...]:
    """Every round in full. A closed round is read again only after a game in it or a name has changed.

    `names` are those of all teams.
    """
    changes = {pk: tuple(now) for pk, *now in event.rounds.values_list("pk", Count("games"), Sum("games__version"))}

    def card(round_: Round) -> RoundCard:
        key = (event.pk, event.epoch, round_.pk, changes.get(round_.pk), names, seen)
        return once(key, lambda: round_cards([round_], seen)[0])

    rounds = list(event.rounds.order_by("number"))
    others = {card.pk: card for card in round_cards([round_ for round_ in rounds if round_.state != "closed"], seen)}
    return tuple(others.get(round_.pk) or card(round_) for round_ in rounds)


# A team's pocket slip: its number, and where and against whom it plays in every drawn round.


@dataclass(frozen=True, slots=True)
class Slip:
    """A team with its rounds in order, its players in the next of them, and the table that it never leaves."""

    number: int
    team: str
    players: tuple[str, ...]
    games: tuple[Played, ...]
    home: int | None = None


def team_slips(event: Event) -> tuple[Slip, ...]:
    """The slips of all teams in order of number: a constant number of queries."""
    games = played_by_team(round_cards(event.rounds.order_by("number")))
    teams = Team.objects.filter(event=event).prefetch_related("players", "substitutions").order_by("number")
    number = first_open_round(event)
    return tuple(
        Slip(team.number, team.name, lineup(team, number), tuple(games[team.number]), team.home) for team in teams
    )
