"""Single elimination of any size: byes for the top seeds, slots filled from results, and the final places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

FINAL, THIRD_PLACE = "Final", "Third place"
THIRD_KEY = "M3P"


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a side of a match comes from: a seed (1 is the top), the winner of a match, or its loser."""

    seed: int | None = None
    winner_of: str = ""
    loser_of: str = ""

    @property
    def words(self) -> str:
        """Say where the side comes from: “seed 3”, “winner of M3”, “loser of M3”."""
        if self.seed is not None:
            return f"seed {self.seed}"
        return f"winner of {self.winner_of}" if self.winner_of else f"loser of {self.loser_of}"


@dataclass(frozen=True, slots=True)
class Match:
    """One match. `round` counts from 1, `position` from 1 within the round, from the top of the bracket.

    `best_of` is the largest number of games; the side that wins more than half of them wins the match.
    """

    key: str
    round: int
    position: int
    slots: tuple[Slot, Slot]
    title: str
    best_of: int = 1


@dataclass(frozen=True, slots=True)
class Bracket:
    """Teams by seed, the top seed first, and the matches in an order in which each follows those it waits for."""

    teams: tuple[int, ...]
    matches: tuple[Match, ...]
    rounds: int

    @property
    def final(self) -> Match:
        """Return the match that makes the champion."""
        return next(match for match in self.matches if match.title == FINAL)

    @property
    def round_titles(self) -> tuple[str, ...]:
        """Name the rounds in order."""
        return tuple(round_title(number, self.rounds) for number in range(1, self.rounds + 1))


def build_bracket(teams: Sequence[int], *, best_of: int = 1, third_place: bool = False) -> Bracket:
    """Seat teams (in the order of their seeds) in a bracket.

    Seeds meet as in every standard bracket: 1 and 2 only in the final, 1 to 4 not before the semifinals. If the field
    is not a power of two, the top seeds start a round later. A third-place match needs at least four teams and is left
    out below that. Raises ValueError for fewer than two teams, a team twice, and an even number of games.
    """
    size = len(teams)
    if size < 2 or len(set(teams)) != size:
        raise ValueError("a bracket needs at least two teams, each of them once")
    if best_of < 1 or not best_of % 2:
        raise ValueError("a match is best of an odd number of games")
    rounds = (size - 1).bit_length()
    matches: list[Match] = []
    slots = [Slot(seed=seed) if seed <= size else None for seed in seed_order(2**rounds)]
    for number in range(1, rounds + 1):
        slots = _play_round(slots, number, rounds, best_of, matches)
    if third_place and size >= 4:
        # The losers of the semifinals; played before the final, in the final's round.
        first, second = (Slot(loser_of=match.key) for match in matches if match.round == rounds - 1)
        matches.insert(len(matches) - 1, Match(THIRD_KEY, rounds, 2, (first, second), THIRD_PLACE, best_of))
    return Bracket(tuple(teams), tuple(matches), rounds)


def seed_order(size: int) -> tuple[int, ...]:
    """List the seeds of a full bracket (a power of two) from the top: 1, 8, 4, 5, 2, 7, 3, 6."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for first in order for seed in (first, total - first)]
    return tuple(order)


def round_title(number: int, rounds: int) -> str:
    """Name a round in words, such as Quarterfinal or Round of 16."""
    left = 2 ** (rounds - number + 1)
    return {2: FINAL, 4: "Semifinal", 8: "Quarterfinal"}.get(left, f"Round of {left}")


def _play_round(
    slots: Sequence[Slot | None], number: int, rounds: int, best_of: int, matches: list[Match]
) -> list[Slot | None]:
    """Add the matches of a round; a slot without an opponent goes through to the next round."""
    through: list[Slot | None] = []
    for index in range(0, len(slots), 2):
        first, second = slots[index], slots[index + 1]
        if first is None or second is None:
            through.append(first or second)
            continue
        key = f"M{len(matches) + 1}"
        matches.append(Match(key, number, index // 2 + 1, (first, second), round_title(number, rounds), best_of))
        through.append(Slot(winner_of=key))
    return through


# How far a bracket is: slots are filled from the games that were played, never from earlier fillings.

# Marks a slot that nobody reaches: both teams of the match before it had left.
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
    def went_out(self) -> tuple[int, ...]:
        """Return the teams that go no further: the loser, or both if both have left."""
        if self.both_out:
            return tuple(team for team in self.teams if team)
        return () if self.out is None else (self.out,)


@dataclass(frozen=True, slots=True)
class Progress:
    """The whole bracket as it is now. `stale` lists the games that were played and do not count."""

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
    states: dict[str, MatchState] = {}
    stale: list[Stale] = []
    for match in bracket.matches:
        state, unused = _follow_match(bracket, match, states, games.get(match.key, ()), names or {})
        state = _without(state, games.get(match.key, ()), {*gone, *(put_out or {}).get(match.key, ())})
        states[match.key] = _gone_on(bracket, state, games, (decisions or {}).get(match.key))
        stale += unused
    return Progress(tuple(states.values()), states[bracket.final.key].winner, tuple(stale))


def finish(progress: Progress) -> tuple[tuple[int, ...], ...]:
    """Return the final places: champion, runner-up, then those who went out in the same round.

    Empty while there is no champion. A third-place match separates the third from the fourth.
    """
    if progress.champion is None:
        return ()
    third = next((state for state in progress.states if state.match.title == THIRD_PLACE), None)
    last = max(state.match.round for state in progress.states)
    places: list[tuple[int, ...]] = [(progress.champion,)]
    for number in range(last, 0, -1):
        out = _out_in(progress, number)
        if number == last - 1 and third is not None and third.winner is not None:
            # Those who lost their semifinals have a place each, by the match for third place.
            separated = [team for team in (third.winner, third.loser) if team is not None]
            places += [(team,) for team in separated]
            out = [team for team in out if team not in separated]
        if out:
            places.append(tuple(out))
    return tuple(places)


def _out_in(progress: Progress, number: int) -> list[int]:
    """The teams that went out in a round, by number. The match for third place puts nobody out."""
    out: list[int] = []
    for state in progress.states:
        if state.match.round == number and state.match.title != THIRD_PLACE:
            out += state.went_out
    return sorted(out)


def _follow_match(
    bracket: Bracket,
    match: Match,
    states: Mapping[str, MatchState],
    games: Sequence[MatchGame],
    names: Mapping[int, str],
) -> tuple[MatchState, list[Stale]]:
    first, second = match.slots
    teams = _team(bracket, first, states), _team(bracket, second, states)
    wins = [0, 0]
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


def _gone_on(
    bracket: Bracket, state: MatchState, games: Mapping[str, Sequence[MatchGame]], decided: Decided | None
) -> MatchState:
    """Who goes on from a match: the winner, unless the loser has played later games in that place."""
    later = [] if state.winner is None or state.loser is None else _played_on(bracket, state, games)
    if not later:
        return state
    is_decided = decided is not None and (decided.before, decided.after) == (state.loser, state.winner)
    stays = decided is not None and is_decided and decided.keep
    if stays or (not is_decided and any(game.written for game in later)):
        return replace(state, through=state.loser, out=state.winner, asked=state.loser, stays=stays)
    return replace(state, asked=state.loser)


def _played_on(bracket: Bracket, state: MatchState, games: Mapping[str, Sequence[MatchGame]]) -> list[MatchGame]:
    """The later games in which the loser plays as the winner, or the winner in one for third place."""
    key = state.match.key
    played = []
    for later in bracket.matches:
        for slot in later.slots:
            team = state.loser if slot.winner_of == key else state.winner if slot.loser_of == key else None
            played += [game for game in games.get(later.key, ()) if team is not None and team in game.teams]
    return played


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


def _name(team: int, names: Mapping[int, str]) -> str:
    return names.get(team) or f"Team {team}"


# The final places: first what the bracket decided, then everybody else as they qualified, with ties shared.

# How a team came to its place: by the final, by the match for third place, by going out before it, by the qualifying
# games alone, or by disqualification.
WON_FINAL, LOST_FINAL = "won-final", "lost-final"
WON_THIRD, LOST_THIRD = "won-third", "lost-third"
WENT_OUT, QUALIFIED, DISQUALIFIED = "went-out", "qualified", "disqualified"
WON = {FINAL: WON_FINAL, THIRD_PLACE: WON_THIRD}
LOST = {FINAL: LOST_FINAL, THIRD_PLACE: LOST_THIRD}


class Placed(NamedTuple):
    """A team and its place; a disqualified team has none. `match` is the key of the match that decided it."""

    team: int
    rank: int | None
    shared: bool
    ending: str
    match: str = ""


def final_places(
    progress: Progress | None, qualifying: Sequence[Sequence[int]], disqualified: Collection[int] = ()
) -> tuple[Placed, ...]:
    """Return every team with its final place, best first.

    `qualifying` are the teams in the order of the standings, those that share a place together; if there were no
    playoffs (no `progress`) they are the final places. A disqualified team comes last, without a place, and those
    behind it move up. Empty while the playoffs have no champion.
    """
    if progress is not None and progress.champion is None:
        return ()
    endings = _endings(progress.states) if progress else {}
    first = finish(progress) if progress else ()
    decided = {team for teams in first for team in teams}
    rest = tuple(tuple(team for team in teams if team not in decided) for teams in qualifying)
    placed: list[Placed] = []
    away: list[Placed] = []
    rank = 1
    for teams in (*first, *rest):
        here = [team for team in teams if team not in disqualified]
        for team in here:
            placed.append(Placed(team, rank, len(here) > 1, *endings.get(team, (QUALIFIED,))))
        away += [Placed(team, None, False, DISQUALIFIED) for team in teams if team in disqualified]
        rank += len(here)
    return (*placed, *away)


def _endings(states: Iterable[MatchState]) -> dict[int, tuple[str, str]]:
    """How the playoffs ended for each of their teams, and in which match: the last one that it lost, or won.

    If both left before the match for third place, they share the place of the round before it.
    """
    endings = {}
    for state in states:
        key, title = state.match.key, state.match.title
        for team in state.went_out if title != THIRD_PLACE or not state.both_out else ():
            endings[team] = (LOST.get(title, WENT_OUT), key)
        if title in WON and state.through is not None:
            endings[state.through] = (WON[title], key)
    return endings
