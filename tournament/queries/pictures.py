"""The numbers behind the pictures of an event: the race for the top, points per game, bids made and set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scoring.standings.ranking import rank
from tournament.kept import Kept
from tournament.models import Event
from tournament.queries.book import event_sheets, final_games
from tournament.queries.rules import ruleset_of
from tournament.queries.sheetfacts import GameSheet, Row
from tournament.queries.standings import Standings, StandingsLine
from tournament.queries.visibility import EVERYTHING, Visibility

TOP = 8
MOST_BINS = 16


@dataclass(frozen=True, slots=True)
class Runner:
    """A team in the race: its place after each round that counts, and its points so far."""

    number: int
    team: str
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Race:
    """The teams that lead now, best first; `rounds` are the numbers of the games, `teams` how many race in all."""

    rounds: tuple[int, ...]
    runners: tuple[Runner, ...]
    teams: int


@dataclass(frozen=True, slots=True)
class Bin:
    """Games of one kind of score: the words below the bar, and how many sides won and lost with it."""

    words: str
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class BidCount:
    """How often a bid was made and set. `kind` is straight, special or no; empty where the game knows no kinds."""

    kind: str
    words: str
    made: int
    missed: int


@dataclass(frozen=True, slots=True)
class Pictures:
    race: Race
    points: tuple[Bin, ...]
    bids: tuple[BidCount, ...]


_kept: Kept[tuple[tuple[Bin, ...], tuple[BidCount, ...]]] = Kept(32)


def pictures(event: Event, table: Standings, seen: Visibility = EVERYTHING) -> Pictures:
    """The pictures of an event. What is drawn from hands is counted again only when a shown game has changed."""
    rounds = event.rounds.values_list("number", "stage", "state")
    shown = tuple(number for number, stage, state in rounds if seen.shows(stage, state))
    points, bids = _kept.get((final_games(event), shown), lambda: _counted(event, shown))
    return Pictures(race(event, table), points, bids)


def race(event: Event, table: Standings) -> Race:
    """The places after every round that has a result, of the teams that lead now, by the order of the sheet.

    A round of which no game is final yet has moved nobody: before the first result nobody leads a race.
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


def _counted(event: Event, rounds: Sequence[int]) -> tuple[tuple[Bin, ...], tuple[BidCount, ...]]:
    counts = Counts()
    for sheet in event_sheets(event, rounds=rounds, states=("final",)):
        counts.add(sheet)
    return counts.bins(), counts.bid_counts()


class Counts:
    """Counts what stands on sheets."""

    def __init__(self) -> None:
        self.scores: Counter[tuple[int, bool]] = Counter()
        self.bids: Counter[tuple[str, str, bool]] = Counter()

    def add(self, sheet: GameSheet) -> None:
        for side in sheet.sides:
            self.scores[sheet.points[side.index], sheet.winner == side.index] += 1
        for row in sheet.rows:
            if row.kind == "hand":
                self.bids.update(_bids(row, len(sheet.sides)))

    def bins(self) -> tuple[Bin, ...]:
        """The points of all sides, each number by itself or in steps where there are too many."""
        if not self.scores:
            return ()
        low, high = min(points for points, _ in self.scores), max(points for points, _ in self.scores)
        step = next(step for step in _steps() if high // step - low // step < MOST_BINS)
        bins = []
        for at in range(low // step, high // step + 1):
            won, lost = (
                sum(self.scores[points, win] for points in range(at * step, (at + 1) * step)) for win in (True, False)
            )
            bins.append(Bin(_span(at * step, step), won, lost))
        return tuple(bins)

    def bid_counts(self) -> tuple[BidCount, ...]:
        """Every bid that was played, by kind and level."""
        found = sorted({(kind, words) for kind, words, _ in self.bids}, key=_bid_order)
        return tuple(
            BidCount(kind, words, self.bids[kind, words, True], self.bids[kind, words, False]) for kind, words in found
        )


def _bids(row: Row, sides: int) -> Iterable[tuple[str, str, bool]]:
    written = row.written
    if written.who is not None:
        level = written.bid.partition("-")[0]
        return [(written.kind, level, written.outcome == "made")]
    return [
        ("", words, written.words[side] == "made")
        for side in range(sides)
        if written.words[side] and (words := _side_bid(written.bids, side, sides))
    ]


def _side_bid(bids: tuple[str, ...], side: int, sides: int) -> str:
    """What a side bid together: the sum of its numbers, or the words where anything else was said."""
    own = bids[side::sides] if len(bids) != sides else bids[side : side + 1]
    words = [bid for bid in own if not bid.isdecimal() and bid != "Pass"]
    if words:
        return words[0]
    return str(sum(int(bid) for bid in own if bid.isdecimal())) if own else ""


def _bid_order(bid: tuple[str, str]) -> tuple[int, int, str]:
    kind, words = bid
    kinds = ("", "straight", "special", "no")
    return kinds.index(kind) if kind in kinds else len(kinds), int(words) if words.isdecimal() else 1000, words


def _steps() -> Iterable[int]:
    step = 1
    while True:
        yield from (step, 2 * step, 5 * step)
        step *= 10


def _span(start: int, step: int) -> str:
    words = [f"−{-number}" if number < 0 else str(number) for number in (start, start + step - 1)]
    return words[0] if step == 1 else f"{words[0]}…{words[1]}"
