"""What a draw could not avoid, in sentences: rematches, second byes, neighbours at one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from tournament.pairing.plan import Draw, Entrant, History, byes_so_far, pairs_of

# How the sentences below end, with the round in them; and what so many of them are called.
KINDS = (
    (re.compile(r" meet again in round (\d+); they met in rounds? [\d, ]+\.$"), "rematches"),
    (re.compile(r"^Another bye for .+ in round (\d+): no other way was found\.$"), "second byes"),
    (re.compile(r", both of .+, meet in round (\d+)\.$"), "meetings within a city or club"),
)
# So many sentences of a kind are read one by one.
FEW = 3


class Line(NamedTuple):
    """A sentence about a draw; or, with the sentences that it stands for, a count of one kind."""

    text: str
    details: tuple[str, ...] = ()


def annotate(draw: Draw, entrants: Sequence[Entrant], history: History, apart: Sequence[str] = ()) -> Draw:
    """Add a sentence for each rematch, each second bye and each pair that was to be kept apart."""
    by_number = {entrant.number: entrant for entrant in entrants}
    met = history.meetings()
    byes = byes_so_far(entrants, history)
    number = history.next_round
    notes = list(draw.notes)
    for table in draw.tables:
        for pair in pairs_of(table):
            first, second = by_number[pair[0]], by_number[pair[1]]
            if pair in met:
                notes.append(rematch_text(first, second, number, met[pair]))
            notes += apart_texts(first, second, number, apart)
    for team in draw.byes:
        if byes[team]:
            notes.append(f"Another bye for {by_number[team].label} in round {number}: no other way was found.")
    return replace(draw, notes=tuple(notes))


def annotate_all(
    draws: Sequence[Draw], entrants: Sequence[Entrant], history: History, apart: Sequence[str] = ()
) -> tuple[Draw, ...]:
    """Annotate rounds that follow one another."""
    made = []
    for draw in draws:
        made.append(annotate(draw, entrants, history, apart))
        history = history.after(draw)
    return tuple(made)


def in_short(notes: Sequence[str]) -> tuple[Line, ...]:
    """Count the notes of a kind in one line, “26 rematches in rounds 2–6”, where they are many."""
    many: list[Line] = []
    for pattern, words in KINDS:
        found = {note: int(match[1]) for note in notes if (match := pattern.search(note))}
        if len(found) > FEW:
            many.append(Line(f"{len(found)} {words} in {rounds_text(sorted({*found.values()}))}", tuple(found)))
    counted = {note for line in many for note in line.details}
    return (*(Line(note) for note in notes if note not in counted), *many)


def rematch_text(first: Entrant, second: Entrant, number: int, rounds: Sequence[int]) -> str:
    """Say that two teams meet again, in which round, and when they met before."""
    before = f"round {rounds[0]}" if len(rounds) == 1 else f"rounds {', '.join(str(one) for one in rounds)}"
    return f"{first.label} and {second.label} meet again in round {number}; they met in {before}."


def apart_texts(first: Entrant, second: Entrant, number: int, apart: Sequence[str]) -> list[str]:
    """Say for each wish (city, club) that two teams of the same one meet."""
    return [
        f"{first.label} and {second.label}, both of {getattr(first, wish)}, meet in round {number}."
        for wish in apart
        if in_common(first, second, wish)
    ]


def in_common(first: Entrant, second: Entrant, wish: str) -> bool:
    """Tell whether two entrants have the same city or club."""
    return first.home(wish) != "" and first.home(wish) == second.home(wish)


def rounds_text(numbers: Iterable[int]) -> str:
    """Say some rounds: “round 3”, “rounds 2–6”."""
    rounds = sorted(numbers)
    if len(rounds) == 1:
        return f"round {rounds[0]}"
    gaps = rounds[-1] - rounds[0] >= len(rounds)
    return f"rounds {', '.join(str(one) for one in rounds)}" if gaps else f"rounds {rounds[0]}–{rounds[-1]}"
