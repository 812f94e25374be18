"""Single elimination of any size from two: byes to the top seeds, every later slot named by the match that fills it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

    `best_of` is the greatest number of games; whoever wins more than half of them wins the match.
    """

    key: str
    round: int
    position: int
    slots: tuple[Slot, Slot]
    title: str
    best_of: int = 1


@dataclass(frozen=True, slots=True)
class Bracket:
    """Teams by seed, the top seed first, and the matches in an order in which each can follow those it waits for."""

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


def build_bracket(
    teams: Sequence[int], *, best_of: int = 1, final_best_of: int | None = None, third_place: bool = False
) -> Bracket:
    """Seat teams (in the order of their seeds) in a bracket.

    Seeds meet as in every standard bracket: 1 and 2 only in the final, 1 to 4 not before the semifinals. Where the
    field is no power of two the top seeds start a round later. A third-place match needs at least four teams and is
    left out below that. Raises ValueError for fewer than two teams, a team twice, and an even number of games.
    """
    size = len(teams)
    if size < 2 or len(set(teams)) != size:
        raise ValueError("a bracket needs at least two teams, each of them once")
    final_games = best_of if final_best_of is None else final_best_of
    if min(best_of, final_games) < 1 or not best_of % 2 or not final_games % 2:
        raise ValueError("a match is best of an odd number of games")
    rounds = (size - 1).bit_length()
    matches: list[Match] = []
    slots = [Slot(seed=seed) if seed <= size else None for seed in seed_order(2**rounds)]
    for number in range(1, rounds + 1):
        games = final_games if number == rounds else best_of
        slots = _play_round(slots, number, rounds, games, matches)
    if third_place and size >= 4:
        matches.insert(len(matches) - 1, _third_place(matches, rounds, best_of))
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
    """Add the matches of a round; a slot without opponent goes through to the next round."""
    through: list[Slot | None] = []
    for index in range(0, len(slots), 2):
        one, other = slots[index], slots[index + 1]
        if one is None or other is None:
            through.append(one or other)
            continue
        key = f"M{len(matches) + 1}"
        matches.append(Match(key, number, index // 2 + 1, (one, other), round_title(number, rounds), best_of))
        through.append(Slot(winner_of=key))
    return through


def _third_place(matches: Sequence[Match], rounds: int, best_of: int) -> Match:
    """The losers of the semifinals; played before the final, in the final's round."""
    one, other = (match.key for match in matches if match.round == rounds - 1)
    return Match(THIRD_KEY, rounds, 2, (Slot(loser_of=one), Slot(loser_of=other)), THIRD_PLACE, best_of)
