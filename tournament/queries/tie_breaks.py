"""What was decided between level teams beside the qualifying games: tie-break games, lots, games between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scoring.standings import tiebreaks
from scoring.standings.tiebreaks import Competitors, Ordering, Record
from tournament.models import Decision, Event, Placing, Round
from tournament.models.stored import shown_author
from tournament.pairing.bracket import build_bracket
from tournament.pairing.final_places import finish
from tournament.pairing.progress import MatchGame, Progress, follow
from tournament.queries.schedule import Table, games_of

PREFIX = "T"
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One attempt to separate level teams: `method` is games, lots, head-to-head or bye; `teams` are numbers.

    `order` is set once it is decided: best first, teams that are still level together. `due` are the pairs that can
    play now; games that are drawn from the start have none. `set_aside` says that it decides nothing any more: the
    results changed, and others of its teams play off.
    """

    number: int
    method: str
    teams: tuple[int, ...]
    games: tuple[Table, ...]
    order: Ordering | None
    seed: int | None
    witness: str
    by: str
    due: Pairs = ()
    set_aside: bool = False

    def find_lost(self) -> tuple[int, ...]:
        """The teams that lost a game of it, in order: with byes they are out of it."""
        done = (game for game in self.games if game.winner is not None)
        return tuple(team for game in done for team in game.teams if team != game.winner)

    def find_left(self) -> tuple[int, ...]:
        """The teams that have lost no game of it."""
        lost = set(self.find_lost())
        return tuple(team for team in self.teams if team not in lost)

    @property
    def is_open(self) -> bool:
        return self.order is None and not self.set_aside


def tie_breaks(
    event: Event, rounds: Iterable[Round] | None = None, placed: Sequence[Placing] = ()
) -> tuple[TieBreak, ...]:
    """All of them, the latest last, in three queries; in one where none of these `rounds` of the event is for games.

    What the officials decided about them is among the placings `placed`.
    """
    games: dict[int, tuple[Table, ...]] = {}
    if rounds is None or any(round_.stage == "tiebreak" for round_ in rounds):
        games = _games_by_number(event)
    attempts = []
    for decision in Decision.objects.filter(event=event).select_related("made_by"):
        # Only with byes the teams that were drawn play games, too.
        own = games.pop(decision.number, ()) if decision.method == "bye" else ()
        attempts.append(_decided(decision, own))
    attempts += [_by_games(number, own) for number, own in games.items()]
    attempts.sort(key=lambda attempt: attempt.number)
    latest = {placing.source: placing.kind for placing in placed}
    attempts = [replace(attempt, set_aside=latest.get(f"{PREFIX}{attempt.number}") == "replay") for attempt in attempts]
    return tuple(_ended_by_lots(attempt, attempts) for attempt in attempts)


def field_of(records: tuple[Record, ...], breaks: tuple[TieBreak, ...]) -> Competitors:
    """What the keys of the order look at: every record and the tie-breaks; of several lots the latest drawn count."""
    decided: list[Ordering | tiebreaks.Decision] = []
    lots: dict[int, int] = {}
    for attempt in breaks:
        if attempt.set_aside:
            continue
        if attempt.method == "lots":
            lots |= {team: lot for lot, team in enumerate(attempt.teams, start=1)}
        if attempt.order is None:
            continue
        if attempt.method in ("games", "bye"):
            decided.append(attempt.order)
        else:
            decided.append(tiebreaks.Decision(attempt.order, attempt.method))
    return Competitors(records, decided, lots)


def _games_by_number(event: Event) -> dict[int, tuple[Table, ...]]:
    """The games of each tie-break by its number; 0 has those whose match bears no number."""
    games: dict[int, tuple[Table, ...]] = defaultdict(tuple)
    for match, rows in games_of(event, "tiebreak").items():
        number = match[len(PREFIX) :]
        games[int(number) if number.isdecimal() else 0] += tuple(rows)
    return games


def _decided(decision: Decision, games: tuple[Table, ...]) -> TieBreak:
    """A tie-break by lots, by games that the teams had played before, or by games of teams of which some have a bye."""
    teams = tuple(decision.teams)
    order: Ordering | None = teams
    due: Pairs = ()
    if decision.method == "bye":
        order, due = _knock_out(teams, games)
    return TieBreak(
        number=decision.number,
        method=decision.method,
        teams=teams,
        games=games,
        order=order,
        seed=decision.seed,
        witness=decision.witness,
        by=shown_author(decision.by, decision.made_by),
        due=due,
    )


def _knock_out(lots: tuple[int, ...], games: tuple[Table, ...]) -> tuple[Ordering | None, Pairs]:
    """A small bracket whose seeds are the lots: the first lots have the byes. Games belong to it by their pair."""
    drawn = build_bracket(lots)
    rows: dict[str, list[MatchGame]] = {}
    progress = follow(drawn, rows)
    for match in drawn.matches:
        pair = set(progress.state(match.key).teams)
        played = [game for game in games if set(game.teams) == pair]
        rows[match.key] = [MatchGame((game.teams[0], game.teams[1]), game.winner) for game in played]
        progress = follow(drawn, rows)
    return _in_order(finish(progress)) or None, _due(progress, games)


def _due(progress: Progress, games: Sequence[Table]) -> Pairs:
    """The pairs that can play now: both teams are known, and no game of theirs is still in play."""
    in_play = [set(game.teams) for game in games if game.state != "final"]
    due = []
    for state in progress.states:
        first, other = state.teams
        if state.winner is not None or first is None or other is None:
            continue
        if {first, other} not in in_play:
            due.append((first, other))
    return tuple(due)


def _in_order(levels: Iterable[tuple[int, ...]]) -> Ordering:
    """Teams by place, best first: one alone as a number, several that share a place together."""
    return tuple(teams[0] if len(teams) == 1 else teams for teams in levels)


def _ended_by_lots(attempt: TieBreak, attempts: Sequence[TieBreak]) -> TieBreak:
    """A tie-break with byes that was ended by lots, because all who were left were in: their lots go first."""
    if attempt.method != "bye" or attempt.order is not None:
        return attempt
    left = attempt.find_left()
    lots = next((other for other in attempts if other.method == "lots" and set(other.teams) == set(left)), None)
    if lots is None or lots.number < attempt.number:
        return attempt
    lost = [team for team in reversed(attempt.find_lost()) if team not in left]
    return replace(attempt, order=(*lots.teams, *lost), due=())


def _by_games(number: int, games: tuple[Table, ...]) -> TieBreak:
    """A tie-break of games alone: it is decided when all of them are final."""
    teams = tuple(sorted({team for game in games for team in game.teams}))
    order = _most_won(teams, games) if all(game.state == "final" for game in games) else None
    return TieBreak(number=number, method="games", teams=teams, games=games, order=order, seed=None, witness="", by="")


def _most_won(teams: Sequence[int], games: Sequence[Table]) -> Ordering:
    """Most games won in the tie-break first; its points are of no value (rule 10)."""
    won = {team: sum(game.winner == team for game in games) for team in teams}
    ordered = sorted(teams, key=lambda team: (-won[team], team))
    return _in_order(tuple(level) for _, level in groupby(ordered, key=won.__getitem__))
