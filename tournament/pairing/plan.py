"""The vocabulary of the draw: who can be drawn, what was drawn before, and a round as it was drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from tournament.pairing.words import Note

Pair = tuple[int, int]

CITY, CLUB = "city", "club"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A team, or a player where there are no teams, as the draw sees it. `byes` counts the byes it has had."""

    number: int
    city: str = ""
    club: str = ""
    won: int = 0
    points: int = 0
    byes: int = 0
    name: str = ""

    @property
    def label(self) -> str:
        """Return the name for a sentence, or “Team 7” where there is none."""
        return self.name or f"Team {self.number}"

    def home(self, wish: str) -> str:
        """Return the city or the club as two entrants are compared by it; "" is nobody's."""
        return {CITY: self.city, CLUB: self.club}[wish].strip().casefold()


@dataclass(frozen=True, slots=True)
class Draw:
    """One round: who sits at table 1, 2, …, in side order, and who has a bye.

    Entrants stand by number. `notes` says what could not be avoided.
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A round that is drawn or played already. `winners` may be left empty where the next draw does not ask."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    winners: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class History:
    """The rounds so far, in order."""

    rounds: tuple[Played, ...] = ()

    @property
    def next_round(self) -> int:
        """Return the number of the round that is drawn next."""
        return len(self.rounds) + 1

    def meetings(self) -> dict[Pair, list[int]]:
        """List for each pair that has met (lower number first) the rounds in which it did."""
        met: dict[Pair, list[int]] = {}
        for number, played in enumerate(self.rounds, start=1):
            for table in played.tables:
                for pair in pairs_of(table):
                    met.setdefault(pair, []).append(number)
        return met

    def byes(self) -> Counter[int]:
        """Count the byes of these rounds by team."""
        return Counter(team for played in self.rounds for team in played.byes)

    def after(self, draw: Draw) -> History:
        """Return the history with one more round."""
        return History((*self.rounds, Played(draw.tables, draw.byes)))


NOTHING_PLAYED = History()


def pairs_of(table: Collection[int]) -> Iterable[Pair]:
    """Return the pairs that meet at a table, lower number first."""
    if len(table) == 2:
        # Nearly every table of the large fields: this is read for all games so far.
        one, other = table
        return ((one, other) if one < other else (other, one),)
    return combinations(sorted(table), 2)


def byes_so_far(entrants: Iterable[Entrant], history: History) -> dict[int, int]:
    """Count each entrant's byes: those it brings, or those of the history where they are more."""
    known = history.byes()
    return {entrant.number: max(entrant.byes, known[entrant.number]) for entrant in entrants}


def drawn_order(entrants: Sequence[Entrant], seed: int | None) -> list[Entrant]:
    """Order entrants by number (seed None), or as the seed draws them.

    Every number draws its own lot from the seed: a team that joins or leaves does not change the order of the others.
    A number that stands twice raises ValueError.
    """
    if len({entrant.number for entrant in entrants}) != len(entrants):
        raise ValueError("an entrant is twice in the draw")
    if seed is None:
        return sorted(entrants, key=lambda entrant: entrant.number)
    return sorted(entrants, key=lambda entrant: (Random(f"{seed}/{entrant.number}").random(), entrant.number))  # noqa: S311
