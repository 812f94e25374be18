"""What a draw could not avoid, in sentences: rematches, second byes, neighbours at one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tournament.pairing.plan import Draw, Entrant, History, byes_so_far, pairs_of


def annotate(draw: Draw, entrants: Sequence[Entrant], history: History, apart: Sequence[str] = ()) -> Draw:
    """This function will add a sentence for each rematch, each second bye and each pair that was to be kept apart."""
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
            notes.append(f"{by_number[team].label} has another bye in round {number}: no other way was found.")
    return replace(draw, notes=tuple(notes))


def annotate_all(
    draws: Sequence[Draw], entrants: Sequence[Entrant], history: History, apart: Sequence[str] = ()
) -> tuple[Draw, ...]:
    """This function will annotate rounds that follow one another."""
    made = []
    for draw in draws:
        made.append(annotate(draw, entrants, history, apart))
        history = history.after(draw)
    return tuple(made)


def rematch_text(first: Entrant, second: Entrant, number: int, rounds: Sequence[int]) -> str:
    """This function will say that two teams meet again, in which round, and when they met before."""
    before = f"round {rounds[0]}" if len(rounds) == 1 else f"rounds {', '.join(str(one) for one in rounds)}"
    return f"{first.label} and {second.label} meet again in round {number}; they met in {before}."


def apart_texts(first: Entrant, second: Entrant, number: int, apart: Sequence[str]) -> list[str]:
    """This function will say for each wish (city, club) that two teams of the same one meet."""
    return [
        f"{first.label} and {second.label}, both of {getattr(first, wish)}, meet in round {number}."
        for wish in apart
        if in_common(first, second, wish)
    ]


def in_common(first: Entrant, second: Entrant, wish: str) -> bool:
    """This function will tell whether two entrants have the same city or club."""
    return first.home(wish) != "" and first.home(wish) == second.home(wish)
