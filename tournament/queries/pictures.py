"""Charts and the picture to share, and the event's workbook, as plain data."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring.standings.ranking import rank
from tournament.access import NOBODY
from tournament.models import Event, Official, Team
from tournament.models.stored import shown_author
from tournament.queries.bracket import bracket
from tournament.queries.bracket_facts import BracketFacts
from tournament.queries.final_places import FinalPlaces, Step
from tournament.queries.ledger import Cash, cash
from tournament.queries.playoffs import Finale, finale, games_in_figures, shown_finale
from tournament.queries.pot import PotFacts, pot
from tournament.queries.rules import EVERYTHING, Ruleset, Visibility, officials_named, ruleset_of, visibility
from tournament.queries.rulings import RulingLine, rulings_of
from tournament.queries.schedule import RoundCard, round_cards
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.standings import Standings, StandingsLine, standings
from tournament.words.phrases import day

# The numbers behind the pictures of an event: the race for the top, points per game, bids made and set.


TOP = 8
MOST_BINS = 16


@dataclass(frozen=True, slots=True)
class Runner:
    """A team in the race: its place after each counted round, and its points so far."""

    number: int
    team: str
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Race:
    """The teams that lead now, best first; `rounds` are the numbers of the games, `teams` the size of the field."""

    rounds: tuple[int, ...]
    runners: tuple[Runner, ...]
    teams: int


@dataclass(frozen=True, slots=True)
class Bin:
    """Games with one kind of score: the words below the bar, and how many sides won and lost with it."""

    words: str
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class BidCount:
    """How often a bid was made and set. `kind` is the players' word for its kind; empty if the game has no kinds."""

    kind: str
    words: str
    made: int
    missed: int


@dataclass(frozen=True, slots=True)
class Pictures:
    race: Race
    points: tuple[Bin, ...]
    bids: tuple[BidCount, ...]


def pictures(event: Event, table: Standings, seen: Visibility = EVERYTHING) -> Pictures:
    """The pictures of an event, from the games that may be seen."""
    rounds = event.rounds.values_list("number", "stage", "state")
    shown = {number for number, stage, state in rounds if seen.shows(stage, state)}
    counts = Counts()
    for game in games_in_figures(event):
        if game.round in shown:
            counts.scores.update(game.points)
            counts.bids.update(game.bids)
    kinds = {row.key: row.words for field in ruleset_of(event).columns for row in field.rows}
    return Pictures(race(event, table), counts.bins(), counts.bid_counts(kinds))


def race(event: Event, table: Standings) -> Race:
    """The places after every round with a result, for the teams that lead now, in the sheet's order.

    A round without a final game has moved nobody: before the first result nobody leads the race.
    """
    order = ruleset_of(event).rules.tiebreak_order
    played = {game.round for record in table.books.records for game in record.games}
    rounds = tuple(number for number in table.books.counted if number in played)
    after = []
    for number in rounds:
        records = [
            replace(record, games=tuple(game for game in record.games if game.round <= number))
            for record in table.books.records
        ]
        after.append({place.team: place.rank for place in rank(records, order)})
    leaders = table.lines[:TOP]
    return Race(
        rounds,
        tuple(
            Runner(line.number, line.team, tuple(ranks[line.number] for ranks in after), _so_far(line, len(rounds)))
            for line in leaders
        ),
        len(table.lines),
    )


def _so_far(line: StandingsLine, rounds: int) -> tuple[int, ...]:
    points, sums = 0, []
    for mark in line.marks[:rounds]:
        points += mark.points if mark else 0
        sums.append(points)
    return tuple(sums)


class Counts:
    """Statistics from the sheets."""

    def __init__(self) -> None:
        self.scores: Counter[tuple[int, bool]] = Counter()
        self.bids: Counter[tuple[str, str, bool]] = Counter()

    def bins(self) -> tuple[Bin, ...]:
        """The points of all sides, each number separately, or in steps if there are too many."""
        if not self.scores:
            return ()
        low, high = min(points for points, _ in self.scores), max(points for points, _ in self.scores)
        step = next(step for step in _steps() if high // step - low // step < MOST_BINS)
        bins = []
        for index in range(low // step, high // step + 1):
            won, lost = (
                sum(self.scores[points, win] for points in range(index * step, (index + 1) * step))
                for win in (True, False)
            )
            start = index * step
            words = [f"−{-number}" if number < 0 else str(number) for number in (start, start + step - 1)]
            bins.append(Bin(words[0] if step == 1 else f"{words[0]}…{words[1]}", won, lost))
        return tuple(bins)

    def bid_counts(self, kinds: Mapping[str, str]) -> tuple[BidCount, ...]:
        """Every bid that was played, by kind and level; `kinds` are the players' words for them, in order."""
        order = list(kinds)

        def place(bid: tuple[str, str]) -> tuple[int, int, str]:
            kind, words = bid
            return order.index(kind) if kind else 0, int(words) if words.isdecimal() else 1000, words

        bids = sorted({(kind, words) for kind, words, _ in self.bids}, key=place)
        return tuple(
            BidCount(kinds.get(kind, ""), words, self.bids[kind, words, True], self.bids[kind, words, False])
            for kind, words in bids
        )


def _steps() -> Iterable[int]:
    step = 1
    while True:
        yield from (step, 2 * step, 5 * step)
        step *= 10


# What a shared link shows of an event, in words and in one picture: never more than a stranger may see.


@dataclass(frozen=True, slots=True)
class Share:
    """An event as it is shared. `word` is above the `name`: “Champions” above theirs, or the game above the event's.

    `players` and `by` are below it; `steps` are those of the podium, none before there is a champion.
    """

    event: str
    under: str
    word: str
    name: str
    players: str
    by: str
    steps: tuple[Step, ...]

    @property
    def title(self) -> str:
        """“Night Owls won the Autumn Open”, or the name of the event."""
        return f"{self.name} won {self.event}" if self.steps else self.event

    @property
    def description(self) -> str:
        """“Nell Gaines and Otis Reed. Won the final 7–3 against Aces. 24 teams · November 21, 2026”."""
        parts = (self.players, self.by) if self.steps else (self.word,)
        return ". ".join(part for part in (*parts, self.under) if part)

    @property
    def code(self) -> str:
        """The fingerprint of everything that is shown: the same code means the same picture."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


def share(event: Event, teams: int | None = None) -> Share:
    """What a link to the event shows to a stranger; a caller that knows the number of `teams` passes it."""
    places = shown_finale(event, visibility(event, NOBODY)).places
    rules = ruleset_of(event)
    teams = event.teams.count() if teams is None else teams
    entered = f"{teams} {rules.unit}{'' if teams == 1 else 's'}" if teams else ""
    under = " · ".join(part for part in (entered, day(event.date), event.place) if part)
    if places.champion is None:
        return Share(event.name, under, rules.game.title, event.name, "", "", ())
    return _won(event, under, places)


def _won(event: Event, under: str, places: FinalPlaces) -> Share:
    first = places.champion
    assert first is not None
    players = " and ".join(first.players)
    return Share(event.name, under, places.title, first.team, players, places.won_by, places.podium)


# Everything that the event book prints except the sheets, as plain data read at once.


@dataclass(frozen=True, slots=True)
class WholeBook:
    """An event with everything that is printed of it; its sheets are read with `event_sheets`."""

    event: Event
    rules: Ruleset
    officials: tuple[tuple[str, str], ...]
    standings: Standings
    rounds: tuple[RoundCard, ...]
    pot: PotFacts
    cash: Cash
    bracket: BracketFacts | None
    rulings: tuple[RulingLine, ...]
    corrected: list[GameSheet]
    pictures: Pictures
    finale: Finale

    @property
    def teams(self) -> list[Team]:
        return self.cash.teams


def whole_book(event: Event) -> WholeBook:
    """Read the book: a constant number of queries."""
    roles, table = dict(Official.ROLES), standings(event)
    return WholeBook(
        event=event,
        rules=ruleset_of(event),
        officials=tuple((name, roles[role]) for name, role in officials_named(event, shown_author)),
        standings=table,
        rounds=round_cards(event.rounds.order_by("number"), EVERYTHING),
        pot=pot(event, books=table.books),
        cash=cash(event),
        bracket=bracket(event, table),
        rulings=rulings_of(event),
        corrected=corrected_sheets(event),
        pictures=pictures(event, table),
        finale=finale(event, table),
    )


def corrected_sheets(event: Event) -> list[GameSheet]:
    """The sheets of an event with struck lines, by round and table."""
    games = sheet_games().filter(round__event=event, entries__revision__gte=1).distinct()
    return [game_sheet(game) for game in games.order_by("round__number", "table", "leg")]
