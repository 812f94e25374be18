"""How far a bracket is: slots are filled from the games that were played, never from earlier fillings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tournament.pairing.bracket import Bracket, Match, Slot

# Marks a slot that nobody reaches: both teams of the match before it had left, or nobody lost it.
NOBODY = 0


class MatchGame(NamedTuple):
    """A game of a match. `winner` is None if nobody won it; `written` means that a line was written in it."""

    teams: tuple[int, int]
    winner: int | None
    written: bool = True


class Stale(NamedTuple):
    """A game that does not count: its teams are no longer in the slots, or its match was decided before it."""

    match: str
    game: int
    text: str


class Decided(NamedTuple):
    """A decision about a match whose result was changed after `before` had gone on: now `after` has won it.

    With `keep` the later games count as they were played and `before` stays in; otherwise `after` goes on.
    """

    before: int
    after: int
    keep: bool


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match as it is now: `teams` are None while a slot is not filled, `wins` counts games, in slot order.

    A head start is among the `wins`.

    `through` goes on and `out` does not: the winner and the loser, or the other way round if that was decided, and for
    as long as it is undecided. `asked` is the team that went on before the result was changed, `stays` means that it
    was decided to keep it in. `both_out` means that nobody goes on, because both teams have left.
    """

    match: Match
    teams: tuple[int | None, int | None]
    wins: tuple[int, int]
    winner: int | None
    loser: int | None
    through: int | None
    out: int | None
    asked: int | None = None
    stays: bool = False
    both_out: bool = False

    @property
    def undecided(self) -> bool:
        """Tell whether the team that went on is in the next match only until the question is decided."""
        return self.asked is not None and self.asked == self.through and not self.stays

    @property
    def is_decided(self) -> bool:
        """Tell whether it is known who goes on from here, even if that is nobody."""
        return self.winner is not None or self.both_out


@dataclass(frozen=True, slots=True)
class Progress:
    """The whole bracket as it is now. `stale` lists the games that were played and do not count."""

    bracket: Bracket
    states: tuple[MatchState, ...]
    champion: int | None
    stale: tuple[Stale, ...]

    def state(self, key: str) -> MatchState:
        """Return one match by its key; KeyError if there is none."""
        return {state.match.key: state for state in self.states}[key]


def follow(
    bracket: Bracket,
    games: Mapping[str, Sequence[MatchGame]],
    names: Mapping[int, str] | None = None,
    decisions: Mapping[str, Decided] | None = None,
    gone: Collection[int] = (),
    put_out: Mapping[str, Collection[int]] | None = None,
) -> Progress:
    """Play the bracket through: `games` are the games of each match by its key, in order.

    A game counts only if it was played by the two teams that are in the slots now, and before its match was decided.
    Every other game is reported as stale and ignored. If the loser of a match has played a later game as its winner,
    the loser stays in until a decision is made; if nothing is written in such a game yet, the winner goes on at once.
    `decisions` has the latest decision about each match, and it applies only to the change that it names. If both teams
    of a match that nobody won are among the `gone`, both are out, and the team that waits for its winner goes on
    without a game; `put_out` has the matches for which the director said so, with the two teams. An unknown key raises
    KeyError.
    """
    if unknown := games.keys() - {match.key for match in bracket.matches}:
        raise KeyError(min(unknown))
    takers = _takers(bracket)
    states: dict[str, MatchState] = {}
    stale: list[Stale] = []
    for match in bracket.matches:
        state, unused = _follow_match(bracket, match, states, games.get(match.key, ()), names or {})
        state = _without(state, games.get(match.key, ()), {*gone, *(put_out or {}).get(match.key, ())})
        states[match.key] = _gone_on(takers[match.key], state, games, (decisions or {}).get(match.key))
        stale += unused
    return Progress(bracket, tuple(states.values()), states[bracket.final.key].winner, tuple(stale))


def _follow_match(
    bracket: Bracket,
    match: Match,
    states: Mapping[str, MatchState],
    games: Sequence[MatchGame],
    names: Mapping[int, str],
) -> tuple[MatchState, list[Stale]]:
    first, second = match.slots
    teams = _team(bracket, first, states), _team(bracket, second, states)
    wins = [match.head_start, 0]
    winner: int | None = None
    stale = []
    for index, game in enumerate(games):
        if None in teams or set(game.teams) != set(teams):
            played = " and ".join(_name(team, names) for team in game.teams)
            now = " and ".join("nobody yet" if team is None else _name(team, names) for team in teams)
            text = f"{match.title}, {match.key}: the game of {played} does not count; the match is now {now}."
            stale.append(Stale(match.key, index, text))
        elif winner is not None:
            text = f"{match.title}, {match.key}: game {index + 1} does not count, the match was decided before it."
            stale.append(Stale(match.key, index, text))
        elif game.winner in teams:
            side = teams.index(game.winner)
            wins[side] += 1
            winner = game.winner if wins[side] > match.best_of // 2 else None
    return _state(match, teams, (wins[0], wins[1]), winner), stale


def _without(state: MatchState, games: Sequence[MatchGame], gone: Collection[int]) -> MatchState:
    """The match if somebody does not come: nobody against a team is a win, and two that have left are both out."""
    teams = [team for team in state.teams if team is not None]
    here = [team for team in teams if team != NOBODY]
    if len(teams) < 2 or state.winner is not None:
        return state
    if len(here) == 1:
        return replace(state, winner=here[0], through=here[0])
    given = any(game.winner is None and set(game.teams) == set(teams) for game in games)
    return replace(state, both_out=not here or (given and all(team in gone for team in here)))


class _Taker(NamedTuple):
    """A later match that takes the winner or the loser of a match."""

    key: str
    takes_winner: bool


def _takers(bracket: Bracket) -> dict[str, list[_Taker]]:
    takers: dict[str, list[_Taker]] = {match.key: [] for match in bracket.matches}
    for match in bracket.matches:
        for slot in match.slots:
            if slot.winner_of:
                takers[slot.winner_of].append(_Taker(match.key, takes_winner=True))
            elif slot.loser_of:
                takers[slot.loser_of].append(_Taker(match.key, takes_winner=False))
    return takers


def _gone_on(
    takers: Sequence[_Taker], state: MatchState, games: Mapping[str, Sequence[MatchGame]], decided: Decided | None
) -> MatchState:
    """Who goes on from a match: the winner, unless the loser has played later games in that place."""
    later = [] if state.winner is None or state.loser is None else _played_on(takers, state, games)
    if not later:
        return state
    is_decided = decided is not None and (decided.before, decided.after) == (state.loser, state.winner)
    stays = decided is not None and is_decided and decided.keep
    if stays or (not is_decided and any(game.written for game in later)):
        return replace(state, through=state.loser, out=state.winner, asked=state.loser, stays=stays)
    return replace(state, asked=state.loser)


def _played_on(
    takers: Sequence[_Taker], state: MatchState, games: Mapping[str, Sequence[MatchGame]]
) -> list[MatchGame]:
    """The later games in which the loser plays as the winner, or the winner as the loser.

    Where both of them play, each is in its own slot: the loser came back through the losers’ bracket.
    """
    played = []
    for taker in takers:
        right, wrong = (state.winner, state.loser) if taker.takes_winner else (state.loser, state.winner)
        for game in games.get(taker.key, ()):
            if wrong in game.teams and right not in game.teams:
                played.append(game)
    return played


def team_in(progress: Progress, slot: Slot) -> int | None:
    """Return who is in a slot now: NOBODY if nobody ever will be, None while it is not known."""
    return _team(progress.bracket, slot, {state.match.key: state for state in progress.states})


def _team(bracket: Bracket, slot: Slot, states: Mapping[str, MatchState]) -> int | None:
    """Who is in a slot now, NOBODY if nobody ever will be, None while it is not known."""
    seeded = None if slot.seed is None else bracket.teams[slot.seed - 1]
    if not (slot.winner_of or slot.loser_of):
        return seeded
    before = states[slot.winner_of or slot.loser_of]
    if before.both_out:
        return NOBODY
    if slot.winner_of or before.winner is None:
        return before.through
    if before.out is None or seeded not in (None, before.out):
        return NOBODY
    return before.out


def _state(match: Match, teams: tuple[int | None, int | None], wins: tuple[int, int], winner: int | None) -> MatchState:
    loser = None if winner is None else teams[1] if winner == teams[0] else teams[0]
    return MatchState(match, teams, wins, winner, loser, winner, loser)


def _name(team: int, names: Mapping[int, str]) -> str:
    return names.get(team) or f"Team {team}"
