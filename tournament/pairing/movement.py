"""The movement of a club evening: half of the teams sit, the other half goes up one table after each round.

Team *i* of the first half sits at table *i* and is side 0; the second half starts at tables 1, 2, … and goes up: from
table 1 to 2, from the last table to table 1. With an odd number the last table is no table: whoever comes to it has a
bye. With *n* tables nobody meets anybody twice in *n* rounds; for more rounds all-play-all is drawn instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.pairing.notes import annotate_all
from tournament.pairing.plan import NOTHING_PLAYED, Draw, Entrant, History
from tournament.pairing.redraw import carry_on
from tournament.pairing.round_robin import circle_rounds
from tournament.pairing.spread import spread
from tournament.pairing.words import INSTEAD, Note

Slot = int | None


def moving_teams(
    entrants: Sequence[Entrant],
    rounds: int,
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
    apart: Sequence[str] = (),
) -> tuple[Draw, ...]:
    """Draw the next `rounds` rounds of the movement.

    Without a history the teams take their seats by number, or as the seed draws them. With one, the movement goes on:
    a late team takes an empty seat or opens a table, a team that left leaves an empty seat. Where that would bring
    rematches or needless byes, the remaining rounds are re-seated and the first note says so.
    """
    if history.rounds:
        return carry_on(entrants, rounds, history, go_on_moving(entrants, rounds, history), seed, apart)
    tables = (len(entrants) + 1) // 2
    if rounds > tables > 0:
        order = spread(entrants, lambda order: circle_rounds(order, rounds), seed, apart)
        draws = circle_rounds(order, rounds)
        first = Draw(draws[0].tables, draws[0].byes, (Note(INSTEAD, tables + 1),))
        return annotate_all((first, *draws[1:]), entrants, history, apart)
    order = spread(entrants, lambda order: movement_rounds(order, rounds), seed, apart)
    return annotate_all(movement_rounds(order, rounds), entrants, history, apart)


def movement_rounds(order: Sequence[int], rounds: int) -> tuple[Draw, ...]:
    """Return the plain movement for teams in the order of their seats."""
    sitting: list[Slot] = [*order[: len(order) // 2], *[None] * (len(order) % 2)]
    moving: list[Slot] = list(order[len(order) // 2 :])
    return tuple(_round(sitting, moving, steps) for steps in range(rounds))


def go_on_moving(entrants: Sequence[Entrant], rounds: int, history: History) -> tuple[Draw, ...] | None:
    """Continue the movement that the first round of the history began.

    None means that there is nothing to continue: the first round was no round of tables of two.
    """
    first = history.rounds[0]
    if not first.tables or any(len(table) != 2 for table in first.tables):
        return None
    present = {entrant.number for entrant in entrants}
    sitting: list[Slot] = [*(table[0] for table in first.tables), *(None for _ in first.byes)]
    moving: list[Slot] = [*(table[1] for table in first.tables), *first.byes]
    seated = {team for team in (*sitting, *moving) if team is not None}
    steps = len(history.rounds)
    # From here on, seat i meets whoever has come to table i by now.
    moving = [moving[(index - steps) % len(moving)] for index in range(len(moving))]
    sitting = [team if team in present else None for team in sitting]
    moving = [team if team in present else None for team in moving]
    for late in sorted(present - seated):
        _seat(late, sitting, moving)
    return tuple(_round(sitting, moving, step) for step in range(rounds))


def _round(sitting: Sequence[Slot], moving: Sequence[Slot], steps: int) -> Draw:
    tables, byes = [], []
    for index, sits in enumerate(sitting):
        comes = moving[(index - steps) % len(moving)]
        if sits is not None and comes is not None:
            tables.append((sits, comes))
        else:
            byes += [team for team in (sits, comes) if team is not None]
    return Draw(tuple(tables), tuple(byes))


def _seat(late: int, sitting: list[Slot], moving: list[Slot]) -> None:
    for seats in (sitting, moving):
        if None in seats:
            seats[seats.index(None)] = late
            return
    sitting.append(late)
    moving.append(None)
