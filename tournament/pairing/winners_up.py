"""Winners up, losers down: after each round the winner goes up a table and the loser goes down one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tournament.pairing.plan import NOTHING_PLAYED, Draw, Entrant, History
from tournament.pairing.random_draw import random_draw
from tournament.pairing.swiss import pair_in_order
from tournament.pairing.words import NO_WINNER, Note


def winners_up(
    entrants: Sequence[Entrant], history: History = NOTHING_PLAYED, seed: int | None = None, apart: Sequence[str] = ()
) -> Draw:
    """Draw the next round of winners up, losers down; the first round is drawn at random.

    The winner of table 1 and the loser of the last table stay. A table without a winner counts the side that is named
    first as its winner, and the draw says so. Teams that had a bye or come late start at the bottom. Where two would
    meet again they are drawn against their nearest neighbours instead.
    """
    if not history.rounds:
        return random_draw(entrants, history, seed, apart)
    level = {entrant.number: replace(entrant, won=0, points=0) for entrant in entrants}
    last = history.rounds[-1]
    ladder, notes = _ladder(last.tables, last.winners, level)
    newcomers = sorted(level.keys() - set(ladder))
    draw = pair_in_order([level[number] for number in (*ladder, *newcomers)], history, apart)
    return replace(draw, notes=(*notes, *draw.notes))


def _ladder(
    tables: Sequence[Sequence[int]], winners: frozenset[int], level: dict[int, Entrant]
) -> tuple[list[int], list[Note]]:
    """Best seat first: two neighbours are to meet, so each winner stands beside the loser that comes down to it."""
    placed: list[tuple[int, int]] = []
    notes = []
    for index, table in enumerate(tables):
        won = [team for team in table if team in winners]
        if not won:
            notes.append(Note(NO_WINNER, index + 1))
            won = [table[0]]
        for team in table:
            # A loser of table 1 goes to table 2, where the winner of table 3 comes up to it.
            placed.append((2 * index - 2 if team in won else 2 * index + 1, team))
    placed.sort(key=lambda seat: seat[0])
    return [team for _, team in placed if team in level], notes
