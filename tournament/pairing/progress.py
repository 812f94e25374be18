"""How far a bracket has come: slots filled from the games that were played, never from what was filled in before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tournament.pairing.bracket import THIRD_PLACE, Bracket, Match, Slot

# Stands in a slot that nobody comes to: both teams of the match before it had gone.
NOBODY = 0


class MatchGame(NamedTuple):
    """A game that was played for a match. `winner` is None where nobody won it."""

    teams: tuple[int, int]
    winner: int | None


class Stale(NamedTuple):
    """A game that does not count: its teams are no longer in the slots, or its match was decided before it."""

    match: str
    game: int
    text: str


class Decided(NamedTuple):
    """What was decided about a match whose result was changed after `before` had gone on: now `after` has won it.

    With `keep` the later games stand as they were played and `before` stays in; otherwise `after` goes on.
    """

    before: int
    after: int
    keep: bool


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match as it stands: `teams` are None where a slot is not filled yet, `wins` counts games, in slot order.

    `through` goes on and `out` does not: the winner and the loser, or the other way round where that was decided.
    Both are None while it is asked: `asked` is the team that went on before the result was changed, `kept` says that
    it stays in. `both_out` says that nobody goes on, because both teams have gone.
    """

    match: Match
    teams: tuple[int | None, int | None]
    wins: tuple[int, int]
    winner: int | None
    loser: int | None
    through: int | None
    out: int | None
    asked: int | None = None
    kept: bool = False
    both_out: bool = False

    @property
    def went_out(self) -> tuple[int, ...]:
        """Return the teams that go no further: the loser, or both where both have gone."""
        if self.both_out:
            return tuple(team for team in self.teams if team)
        return () if self.out is None else (self.out,)


@dataclass(frozen=True, slots=True)
class Progress:
    """The whole bracket as it stands. `stale` lists the games that were played and do not count."""

    states: tuple[MatchState, ...]
    champion: int | None
    stale: tuple[Stale, ...]

    def state(self, key: str) -> MatchState:
        """Return one match by its key; KeyError if there is none."""
        for state in self.states:
            if state.match.key == key:
                return state
        raise KeyError(key)


def follow(
    bracket: Bracket,
    games: Mapping[str, Sequence[MatchGame]],
    names: Mapping[int, str] | None = None,
    decisions: Mapping[str, Decided] | None = None,
    gone: Collection[int] = (),
    put_out: Mapping[str, Collection[int]] | None = None,
) -> Progress:
    """Play the bracket through: `games` are the games of each match by its key, in order.

    A game counts only if it was played by the two teams that are in the slots now, and as long as its match was not
    decided. Every other game is reported as stale and used for nothing. Where the loser of a match has played a later
    game as its winner, nobody goes on until it is decided; `decisions` has the latest decision about each match, and
    it holds for exactly the change that it names. Where both teams of a match that nobody won are among the `gone`,
    both are out, and whoever waits for its winner goes on without a game; `put_out` has the matches of which the
    director said so, with the two teams. An unknown key raises KeyError.
    """
    if unknown := games.keys() - {match.key for match in bracket.matches}:
        raise KeyError(min(unknown))
    states: dict[str, MatchState] = {}
    stale: list[Stale] = []
    for match in bracket.matches:
        state, unused = _follow_match(bracket, match, states, games.get(match.key, ()), names or {})
        state = _without(state, games.get(match.key, ()), {*gone, *(put_out or {}).get(match.key, ())})
        states[match.key] = _gone_on(bracket, state, games, (decisions or {}).get(match.key))
        stale += unused
    return Progress(tuple(states.values()), states[bracket.final.key].winner, tuple(stale))


def resolve(bracket: Bracket, winners: Mapping[str, int]) -> Progress:
    """Fill the slots from the winners alone, as if each match had been won without a loss.

    A winner who is not in a slot of its match is reported as stale and used for nothing.
    """
    states: dict[str, MatchState] = {}
    stale: list[Stale] = []
    for match in bracket.matches:
        teams = _fill(bracket, match, states)
        winner = winners.get(match.key)
        if winner is not None and (winner not in teams or None in teams):
            stale.append(Stale(match.key, 0, f"Team {winner} is recorded as winner of {match.key} but is not in it."))
            winner = None
        needed = match.best_of // 2 + 1
        wins = (0, 0) if winner is None else (needed, 0) if winner == teams[0] else (0, needed)
        states[match.key] = _state(match, teams, wins, winner)
    return Progress(tuple(states.values()), states[bracket.final.key].winner, tuple(stale))


def finish(progress: Progress) -> tuple[tuple[int, ...], ...]:
    """Return the final places: champion, runner-up, then those who went out in the same round.

    Empty while there is no champion. A third-place match separates the third from the fourth.
    """
    if progress.champion is None:
        return ()
    places: list[tuple[int, ...]] = [(progress.champion,)]
    third = next((state for state in progress.states if state.match.title == THIRD_PLACE), None)
    last = max(state.match.round for state in progress.states)
    for number in range(last, 0, -1):
        in_round = (state for state in progress.states if state.match.round == number and state is not third)
        out = sorted(team for state in in_round for team in state.went_out)
        if third is not None and number == last - 1 and third.winner is not None:
            played = [team for team in (third.winner, third.loser) if team is not None]
            places += [(team,) for team in played]
            out = [team for team in out if team not in played]
        places.append(tuple(out))
    return tuple(place for place in places if place)


def _follow_match(
    bracket: Bracket,
    match: Match,
    states: Mapping[str, MatchState],
    games: Sequence[MatchGame],
    names: Mapping[int, str],
) -> tuple[MatchState, list[Stale]]:
    teams = _fill(bracket, match, states)
    wins = [0, 0]
    winner: int | None = None
    stale = []
    for index, game in enumerate(games):
        if None in teams or set(game.teams) != set(teams):
            stale.append(Stale(match.key, index, _stale_text(match, game, teams, names)))
        elif winner is not None:
            text = f"{match.title}, {match.key}: game {index + 1} does not count, the match was decided before it."
            stale.append(Stale(match.key, index, text))
        elif game.winner in teams:
            side = teams.index(game.winner)
            wins[side] += 1
            winner = game.winner if wins[side] > match.best_of // 2 else None
    return _state(match, teams, (wins[0], wins[1]), winner), stale


def _without(state: MatchState, games: Sequence[MatchGame], gone: Collection[int]) -> MatchState:
    """The match where somebody does not come: nobody against a team is a win, and two that have gone are both out."""
    teams = [team for team in state.teams if team is not None]
    here = [team for team in teams if team != NOBODY]
    if len(teams) < 2 or state.winner is not None:
        return state
    if len(here) == 1:
        return replace(state, winner=here[0], through=here[0])
    given = any(game.winner is None and set(game.teams) == set(teams) for game in games)
    return replace(state, both_out=not here or (given and all(team in gone for team in here)))


def _gone_on(
    bracket: Bracket, state: MatchState, games: Mapping[str, Sequence[MatchGame]], decided: Decided | None
) -> MatchState:
    """Who goes on from a match: the winner, unless the loser has played later games in that place."""
    if state.winner is None or state.loser is None or not _played_on(bracket, state, games):
        return state
    if decided is None or (decided.before, decided.after) != (state.loser, state.winner):
        return replace(state, through=None, out=None, asked=state.loser)
    if decided.keep:
        return replace(state, through=state.loser, out=state.winner, asked=state.loser, kept=True)
    return replace(state, asked=state.loser)


def _played_on(bracket: Bracket, state: MatchState, games: Mapping[str, Sequence[MatchGame]]) -> bool:
    """Whether the loser stands in a later game as the winner, or the winner in one for third place."""
    key = state.match.key
    for later in bracket.matches:
        for slot in later.slots:
            team = state.loser if slot.winner_of == key else state.winner if slot.loser_of == key else None
            if team is not None and any(team in game.teams for game in games.get(later.key, ())):
                return True
    return False


def _fill(bracket: Bracket, match: Match, states: Mapping[str, MatchState]) -> tuple[int | None, int | None]:
    one, other = match.slots
    return _team(bracket, one, states), _team(bracket, other, states)


def _team(bracket: Bracket, slot: Slot, states: Mapping[str, MatchState]) -> int | None:
    if slot.seed is not None:
        return bracket.teams[slot.seed - 1]
    before = states[slot.winner_of or slot.loser_of]
    if before.both_out:
        return NOBODY
    if slot.loser_of and before.winner is not None and before.loser is None:
        return NOBODY
    return before.through if slot.winner_of else before.out


def _state(match: Match, teams: tuple[int | None, int | None], wins: tuple[int, int], winner: int | None) -> MatchState:
    loser = None if winner is None else teams[1] if winner == teams[0] else teams[0]
    return MatchState(match, teams, wins, winner, loser, winner, loser)


def _stale_text(match: Match, game: MatchGame, teams: tuple[int | None, int | None], names: Mapping[int, str]) -> str:
    played = " and ".join(_name(team, names) for team in game.teams)
    now = " and ".join("nobody yet" if team is None else _name(team, names) for team in teams)
    return f"{match.title}, {match.key}: the game of {played} does not count; the match is now {now}."


def _name(team: int, names: Mapping[int, str]) -> str:
    return names.get(team) or f"Team {team}"
