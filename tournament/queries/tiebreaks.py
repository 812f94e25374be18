"""What was decided between level teams beside the qualifying games: tie-break games, lots, games between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scoring.standings import tiebreaks
from scoring.standings.tiebreaks import Competitors, Ordering, Record
from tournament.models import Decision, Event, Game, Round
from tournament.pairing.bracket import MatchGame, build_bracket, finish, follow
from tournament.queries.authors import shown_author
from tournament.queries.wording import BY_DEFAULT, how_words

PREFIX = "T"
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PlayoffGame:
    """A game of a tie-break, or of a match of the bracket. `winner` is a team number, None while it is not final.

    `points` are shown and of no value (rule 10). `by_default` says that no hand decided it: a side was late, had left,
    or the director gave it. `stale` says that its teams are no longer those of its match; such a game does not count,
    nor one that was made void.
    """

    pk: int
    match: str
    leg: int
    round: int
    round_state: str
    title: str
    table: int
    state: str
    teams: tuple[int, ...]
    winner: int | None
    points: tuple[int, ...]
    how: str
    by_default: bool
    counts: bool = True
    stale: bool = False


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One attempt to separate level teams: `method` is games, lots, head-to-head or bye; `teams` are numbers.

    `order` is set once it is decided: best first, teams that are still level together. `due` are the pairs that can
    play now; games that are drawn from the start have none.
    """

    number: int
    method: str
    teams: tuple[int, ...]
    games: tuple[PlayoffGame, ...]
    order: Ordering | None
    seed: int | None
    witness: str
    by: str
    due: Pairs = ()

    @property
    def lost(self) -> tuple[int, ...]:
        """The teams that lost a game of it, in order: with byes they are out of it."""
        done = (game for game in self.games if game.winner is not None)
        return tuple(team for game in done for team in game.teams if team != game.winner)

    @property
    def left(self) -> tuple[int, ...]:
        """The teams that have lost no game of it."""
        return tuple(team for team in self.teams if team not in self.lost)

    @property
    def is_open(self) -> bool:
        return self.order is None


def tie_breaks(event: Event, rounds: Iterable[Round] | None = None) -> tuple[TieBreak, ...]:
    """All of them, the latest last, in three queries; in one where none of these `rounds` of the event is for games."""
    games: dict[int, list[PlayoffGame]] = defaultdict(list)
    played = rounds is None or any(one.stage == "tiebreak" for one in rounds)
    for match, rows in games_of(event, "tiebreak").items() if played else ():
        games[_number(match)] += rows
    decided = [
        _decision(one, tuple(games.pop(one.number, ())) if one.method == "bye" else ())
        for one in Decision.objects.filter(event=event).select_related("made_by")
    ]
    attempts = [_attempt(number, tuple(rows)) for number, rows in games.items()]
    made = sorted([*decided, *attempts], key=lambda one: one.number)
    return tuple(_stopped(one, made) for one in made)


def field_of(records: tuple[Record, ...], breaks: tuple[TieBreak, ...]) -> Competitors:
    """What the keys of the order look at: every record and the tie-breaks; of several lots the latest drawn count."""
    decided = [
        one.order if one.method in ("games", "bye") else tiebreaks.Decision(one.order, one.method)
        for one in breaks
        if one.order is not None
    ]
    lots = {team: lot for one in breaks if one.method == "lots" for lot, team in enumerate(one.teams, start=1)}
    return Competitors(records, decided, lots)


def _decision(one: Decision, games: tuple[PlayoffGame, ...]) -> TieBreak:
    teams = tuple(one.teams)
    by = shown_author(one.by, one.made_by)
    order, due = _knock_out(teams, games) if one.method == "bye" else (teams, ())
    return TieBreak(one.number, one.method, teams, games, order, one.seed, one.witness, by, due)


def _knock_out(
    lots: tuple[int, ...], games: tuple[PlayoffGame, ...]
) -> tuple[Ordering | None, tuple[tuple[int, int], ...]]:
    """A small bracket whose seeds are the lots: the first lots have the byes. Games belong to it by their pair."""
    drawn = build_bracket(lots)
    rows: dict[str, list[MatchGame]] = {}
    progress = follow(drawn, rows)
    for match in drawn.matches:
        pair = set(progress.state(match.key).teams)
        played = [game for game in games if set(game.teams) == pair]
        rows[match.key] = [MatchGame((game.teams[0], game.teams[1]), game.winner) for game in played]
        progress = follow(drawn, rows)
    open_ = [state.teams for state in progress.states if state.winner is None]
    due = tuple(
        (one, other)
        for one, other in open_
        if one is not None
        and other is not None
        and not any(set(game.teams) == {one, other} and game.state != "final" for game in games)
    )
    places = finish(progress)
    return (tuple(place[0] if len(place) == 1 else place for place in places) or None), due


def _stopped(one: TieBreak, made: Sequence[TieBreak]) -> TieBreak:
    """A tie-break with byes that was ended by lots, because all who were left were in: their lots go first."""
    if one.method != "bye" or one.order is not None:
        return one
    left = one.left
    lots = next((other for other in made if other.method == "lots" and set(other.teams) == set(left)), None)
    if lots is None or lots.number < one.number:
        return one
    lost = [team for team in reversed(one.lost) if team not in left]
    return replace(one, order=(*lots.teams, *lost), due=())


def games_of(event: Event, stage: str) -> dict[str, list[PlayoffGame]]:
    """The games of a stage by the match that they belong to, in the order of their rounds."""
    rows = Game.objects.filter(round__event=event, round__stage=stage).select_related("round", "result")
    games: dict[str, list[PlayoffGame]] = defaultdict(list)
    for row in rows.prefetch_related("sides__team").order_by("round__number", "leg", "table"):
        games[row.match].append(_game(row))
    return games


def _game(row: Game) -> PlayoffGame:
    teams = tuple(side.team.number for side in row.sides.all())
    result = getattr(row, "result", None) if row.state == "final" else None
    return PlayoffGame(
        pk=row.pk,
        match=row.match,
        leg=row.leg,
        round=row.round.number,
        round_state=row.round.state,
        title=str(row.round),
        table=row.table,
        state=row.state,
        teams=teams,
        # A file from elsewhere may name a side as the winner that is not there.
        winner=dict(enumerate(teams)).get(result.winner) if result is not None else None,
        points=tuple(result.points) if result is not None else (),
        how=how_words(result.how) if result is not None else "",
        by_default=result is not None and result.how in BY_DEFAULT,
    )


def _number(match: str) -> int:
    return int(match[len(PREFIX) :]) if match[len(PREFIX) :].isdecimal() else 0


def _attempt(number: int, games: tuple[PlayoffGame, ...]) -> TieBreak:
    teams = tuple(sorted({team for game in games for team in game.teams}))
    done = all(game.state == "final" for game in games)
    order = _by_games_won(teams, games) if done else None
    return TieBreak(number, "games", teams, games, order, None, "", "")


def _by_games_won(teams: tuple[int, ...], games: tuple[PlayoffGame, ...]) -> Ordering:
    """Most games won in the tie-break first; its points are of no value (rule 10)."""
    won = {team: sum(game.winner == team for game in games) for team in teams}
    ordered = sorted(teams, key=lambda team: (-won[team], team))
    return tuple(
        level[0] if len(level) == 1 else level
        for level in (tuple(group) for _, group in groupby(ordered, key=won.__getitem__))
    )
