"""The vocabulary of the draw: who can be drawn, a round as drawn, and sentences about what it could not avoid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, count
from random import Random
from typing import Any, NamedTuple

# Notes about a draw: codes and values, and the sentences that a director reads.


REMATCH, SECOND_BYE, TOGETHER, INSTEAD, RE_SEATED = "rematch", "second-bye", "together", "instead", "re-seated"
NO_WINNER, UNSEATED, HAD_BYE, TEXT = "no-winner", "unseated", "had-bye", "text"
BOTH_STAY, AWAY = "both-stay", "away"
BY_STAKE, THROUGH_PLAYS_OPEN, OUT_PLAYS_OPEN = "by-stake", "through-plays-open", "out-plays-open"
SENTENCES = {
    REMATCH: "{first} and {second} meet again in game {number}; they met in {met}.",
    SECOND_BYE: "Another bye for {first} in game {number}: no other way was found.",
    TOGETHER: "{first} and {second}, both of {home}, meet in game {number}.",
    INSTEAD: "With {tables} moving teams would meet again in game {number}: a round robin is drawn instead.",
    RE_SEATED: (
        "The remaining games are re-seated so that nobody meets again or sits out twice where that can be avoided."
    ),
    NO_WINNER: "Nobody won at table {number} of the last game: the side listed first moves up.",
    UNSEATED: "Not at a table, and without a bye: {first}.",
    HAD_BYE: "{first} already had a bye.",
    BOTH_STAY: (
        "{first} and {second} both stay at their tables; they meet in {met} at table {number}, so {second} moves."
    ),
    AWAY: "{first} stays at table {home}, but sits at table {number} in {met}.",
    BY_STAKE: "Teams that are through, or out, play each other in this last game.",
    THROUGH_PLAYS_OPEN: "{first} is through, but plays {second} in game {number}, and {second} can still make it.",
    OUT_PLAYS_OPEN: "{first} is out, but plays {second} in game {number}, and {second} can still make it.",
    TEXT: "{first}",
}
# The plural for many notes of a kind.
MANY = {
    REMATCH: "rematches",
    SECOND_BYE: "second byes",
    TOGETHER: "meetings within a city or club",
    THROUGH_PLAYS_OPEN: "meetings of a team that is through with one that can still make it",
    OUT_PLAYS_OPEN: "meetings of a team that is out with one that can still make it",
}
# These say how a team stands. Where the standings are hidden, they are not shown either.
TELLS_STANDINGS = frozenset({THROUGH_PLAYS_OPEN, OUT_PLAYS_OPEN})


class Note(NamedTuple):
    """What a draw could not avoid.

    It has a code of SENTENCES, the round or table, who, in which rounds they met, and where both are from; or the table
    that a team stays at.
    """

    said: str
    number: int = 0
    teams: tuple[str, ...] = ()
    rounds: tuple[int, ...] = ()
    home: str = ""

    def __str__(self) -> str:
        """Return the sentence that SENTENCES has for its code."""
        first, second = (*self.teams, "", "")[:2]
        tables = "one table" if self.number == 2 else f"{self.number - 1} tables"
        met = f"game{'s' if len(self.rounds) > 1 else ''} {', '.join(map(str, self.rounds))}"
        values = {"first": first, "second": second, "number": self.number, "home": self.home}
        return SENTENCES[self.said].format(**values, met=met, tables=tables)

    @property
    def row(self) -> dict[str, Any]:
        """The note as it is stored, without empty values."""
        return {name: value for name, value in self._asdict().items() if value}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Note:
        """Return the note that was stored."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
        }
        return cls(**values)


def rounds_text(numbers: Iterable[int]) -> str:
    """Name some rounds: “game 3”, “games 2–6”."""
    rounds = sorted(numbers)
    if len(rounds) == 1:
        return f"game {rounds[0]}"
    gaps = rounds[-1] - rounds[0] >= len(rounds)
    return f"games {', '.join(map(str, rounds))}" if gaps else f"games {rounds[0]}–{rounds[-1]}"


# The vocabulary of the draw: who can be drawn, what was drawn before, and a round as it was drawn.

Pair = tuple[int, int]

CITY, CLUB = "city", "club"


class Stake(StrEnum):
    """What the last game before the cut can change for a team: nothing if it is through or out, else it is open."""

    THROUGH = "through"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A team, or a player if there are no teams, as the draw sees it.

    `byes` counts the byes it has had; `table` is the one that it never leaves, 0 for those who move. `stake` is open
    unless it matters for this draw.
    """

    number: int
    city: str = ""
    club: str = ""
    won: int = 0
    points: int = 0
    byes: int = 0
    name: str = ""
    table: int = 0
    stake: Stake = Stake.OPEN

    @property
    def label(self) -> str:
        """Return the name for a sentence, or “Team 7” if there is none."""
        return self.name or f"Team {self.number}"

    def home(self, wish: str) -> str:
        """Return the city or the club in the form for comparing two entrants; "" matches nobody."""
        return {CITY: self.city, CLUB: self.club}[wish].strip().casefold()


@dataclass(frozen=True, slots=True)
class Draw:
    """One round: who meets whom, table by table, in side order, and who has a bye; `table_numbers` numbers the tables.

    Entrants are given by number. `notes` says what could not be avoided.
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A round that is drawn or played already, its tables in the order in which they were drawn.

    `winners` may be left empty if the next draw does not use it, `numbers` if the tables count from 1.
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    winners: frozenset[int] = frozenset()
    numbers: tuple[int, ...] = ()


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

    def after(self, draw: Draw) -> History:
        """Return the history with one more round."""
        return History((*self.rounds, Played(draw.tables, draw.byes)))


NOTHING_PLAYED = History()


def pairs_of(table: Collection[int]) -> Iterable[Pair]:
    """Return the pairs that meet at a table, lower number first."""
    if len(table) == 2:
        # Nearly every table of the large fields: this is read for all games so far.
        first, second = table
        return ((first, second) if first < second else (second, first),)
    return combinations(sorted(table), 2)


def byes_so_far(entrants: Iterable[Entrant], history: History) -> dict[int, int]:
    """Count each entrant's byes: the entrant's own count, or that of the history if it is higher."""
    had = Counter(team for played in history.rounds for team in played.byes)
    return {entrant.number: max(entrant.byes, had[entrant.number]) for entrant in entrants}


def drawn_order(entrants: Sequence[Entrant], seed: int | None) -> list[Entrant]:
    """Order entrants by number (seed None), or as the seed draws them.

    Every number draws its own lot from the seed: a team that joins or leaves does not change the order of the others. A
    repeated number raises ValueError.
    """
    if len({entrant.number for entrant in entrants}) != len(entrants):
        raise ValueError("an entrant is twice in the draw")
    if seed is None:
        return sorted(entrants, key=lambda entrant: entrant.number)
    return sorted(entrants, key=lambda entrant: (Random(f"{seed}/{entrant.number}").random(), entrant.number))  # noqa: S311


# A seat that stays: a team that never leaves its table. It changes only the table numbers, not who meets whom.


def table_numbers(
    tables: Sequence[Sequence[int]], entrants: Iterable[Entrant], previous: Sequence[int | None] = ()
) -> tuple[int, ...]:
    """Number the tables of a round, none twice, so that teams with their own table sit there.

    If several teams of a table have one, the first in side order decides. `previous` has the number that each table had
    before, or nothing; a table keeps it if no team stays there. All others take the free numbers from 1.
    """
    own = {entrant.number: entrant.table for entrant in entrants if entrant.table}
    numbers = [next((own[team] for team in table if team in own), 0) for table in tables]
    taken = set(numbers)
    for index, number in enumerate(previous):
        if number and not numbers[index] and number not in taken:
            numbers[index] = number
            taken.add(number)
    free = (number for number in count(1) if number not in taken)
    return tuple(number or next(free) for number in numbers)


def moved_from_home(
    tables: Sequence[Sequence[int]], numbers: Sequence[int], entrants: Iterable[Entrant], round_: int
) -> list[Note]:
    """Explain for each team that does not sit at its own table why, or only where it sits."""
    by_number = {entrant.number: entrant for entrant in entrants}
    notes = []
    for table, number in zip(tables, numbers, strict=True):
        seated = [by_number[team] for team in table if team in by_number]
        at_home = next((entrant.label for entrant in seated if entrant.table == number), "")
        for entrant in seated:
            if entrant.table in (0, number):
                continue
            if at_home:
                notes.append(Note(BOTH_STAY, number, (at_home, entrant.label), (round_,)))
            else:
                notes.append(Note(AWAY, number, (entrant.label,), (round_,), str(entrant.table)))
    return notes


# What a draw could not avoid: rematches, second byes, neighbors at one table; counted if there are many.

# Up to this many of a kind are listed one by one.
FEW = 3


class ShortNote(NamedTuple):
    """A sentence about a draw; or a count of one kind, with the sentences that it replaces."""

    text: str
    details: tuple[str, ...] = ()


def annotate(draw: Draw, entrants: Sequence[Entrant], history: History, apart: Sequence[str] = ()) -> Draw:
    """Add a note for each rematch, each second bye, and each pair that should be kept apart, also by its stakes."""
    by_number = {entrant.number: entrant for entrant in entrants}
    met = history.meetings()
    byes = byes_so_far(entrants, history)
    number = history.next_round
    notes = [*draw.notes, *notes_on_stakes(draw, by_number, number)]
    for table in draw.tables:
        for pair in pairs_of(table):
            first, second = by_number[pair[0]], by_number[pair[1]]
            if pair in met:
                notes.append(rematch(first, second, number, met[pair]))
            notes += together(first, second, number, apart)
    for team in draw.byes:
        if byes[team]:
            notes.append(Note(SECOND_BYE, number, (by_number[team].label,)))
    return replace(draw, notes=tuple(notes))


def annotate_all(
    draws: Sequence[Draw], entrants: Sequence[Entrant], history: History, apart: Sequence[str] = ()
) -> tuple[Draw, ...]:
    """Annotate rounds that follow one another."""
    annotated = []
    for draw in draws:
        annotated.append(annotate(draw, entrants, history, apart))
        history = history.after(draw)
    return tuple(annotated)


def in_short(notes: Sequence[Note]) -> tuple[ShortNote, ...]:
    """Count the notes of a kind in one line, “26 rematches in games 2–6”, if there are many."""
    many: list[ShortNote] = []
    counted: set[str] = set()
    for code, words in MANY.items():
        these = [note for note in notes if note.said == code]
        if len(these) > FEW:
            rounds = rounds_text({note.number for note in these})
            many.append(ShortNote(f"{len(these)} {words} in {rounds}", tuple(map(str, these))))
            counted.add(code)
    return (*(ShortNote(str(note)) for note in notes if note.said not in counted), *many)


def differ_in_stakes(entrants: Iterable[Entrant]) -> bool:
    """Tell whether the game is open for some and cannot change anything for others."""
    return len({entrant.stake is Stake.OPEN for entrant in entrants}) == 2


def settled_against_open(first: Stake, second: Stake) -> Stake | None:
    """Return what the team is that meets an open one: through or out. None for every other pair."""
    if (first is Stake.OPEN) == (second is Stake.OPEN):
        return None
    return second if first is Stake.OPEN else first


def notes_on_stakes(draw: Draw, by_number: Mapping[int, Entrant], number: int) -> list[Note]:
    """Say that teams that are through or out play each other, and which of them play an open one.

    Nothing is said if the stakes are the same for all.
    """
    if not differ_in_stakes(by_number.values()):
        return []
    among_themselves = False
    against_open = []
    for table in draw.tables:
        for pair in pairs_of(table):
            first, second = by_number[pair[0]], by_number[pair[1]]
            settled = settled_against_open(first.stake, second.stake)
            if settled is None:
                among_themselves = among_themselves or first.stake is not Stake.OPEN
                continue
            if first.stake is Stake.OPEN:
                first, second = second, first
            said = THROUGH_PLAYS_OPEN if settled is Stake.THROUGH else OUT_PLAYS_OPEN
            against_open.append(Note(said, number, (first.label, second.label)))
    return [Note(BY_STAKE), *against_open] if among_themselves else against_open


def rematch(first: Entrant, second: Entrant, number: int, rounds: Sequence[int]) -> Note:
    """Note that two teams meet again, in which round, and when they met before."""
    return Note(REMATCH, number, (first.label, second.label), tuple(rounds))


def together(first: Entrant, second: Entrant, number: int, apart: Sequence[str]) -> list[Note]:
    """Note for each wish (city, club) that two teams of the same one meet."""
    return [
        Note(TOGETHER, number, (first.label, second.label), home=getattr(first, wish))
        for wish in apart
        if in_common(first, second, wish)
    ]


def in_common(first: Entrant, second: Entrant, wish: str) -> bool:
    """Tell whether two entrants have the same city or club."""
    return first.home(wish) != "" and first.home(wish) == second.home(wish)
