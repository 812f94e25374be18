"""What a draw could not avoid: rematches, second byes, neighbours at one table; counted where it is much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tournament.pairing.plan import Draw, Entrant, History, byes_so_far, pairs_of
from tournament.pairing.words import MANY, REMATCH, SECOND_BYE, TOGETHER, Note, rounds_text

# So many of a kind are read one by one.
FEW = 3


class ShortNote(NamedTuple):
    """A sentence about a draw; or, with the sentences that it stands for, a count of one kind."""

    text: str
    details: tuple[str, ...] = ()


def annotate(draw: Draw, entrants: Sequence[Entrant], history: History, apart: Sequence[str] = ()) -> Draw:
    """Add a note for each rematch, each second bye and each pair that was to be kept apart."""
    by_number = {entrant.number: entrant for entrant in entrants}
    met = history.meetings()
    byes = byes_so_far(entrants, history)
    number = history.next_round
    notes = list(draw.notes)
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
    made = []
    for draw in draws:
        made.append(annotate(draw, entrants, history, apart))
        history = history.after(draw)
    return tuple(made)


def in_short(notes: Sequence[Note]) -> tuple[ShortNote, ...]:
    """Count the notes of a kind in one line, “26 rematches in rounds 2–6”, where they are many."""
    many: list[ShortNote] = []
    counted: set[str] = set()
    for said, words in MANY.items():
        found = [note for note in notes if note.said == said]
        if len(found) > FEW:
            rounds = rounds_text({note.number for note in found})
            many.append(ShortNote(f"{len(found)} {words} in {rounds}", tuple(map(str, found))))
            counted.add(said)
    return (*(ShortNote(str(note)) for note in notes if note.said not in counted), *many)


def rematch(first: Entrant, second: Entrant, number: int, rounds: Sequence[int]) -> Note:
    """Say that two teams meet again, in which round, and when they met before."""
    return Note(REMATCH, number, (first.label, second.label), tuple(rounds))


def together(first: Entrant, second: Entrant, number: int, apart: Sequence[str]) -> list[Note]:
    """Say for each wish (city, club) that two teams of the same one meet."""
    return [
        Note(TOGETHER, number, (first.label, second.label), home=getattr(first, wish))
        for wish in apart
        if in_common(first, second, wish)
    ]


def in_common(first: Entrant, second: Entrant, wish: str) -> bool:
    """Tell whether two entrants have the same city or club."""
    return first.home(wish) != "" and first.home(wish) == second.home(wish)
