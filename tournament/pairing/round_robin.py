"""All-play-all by the circle method: one stays, the others go round; everybody meets everybody once."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.pairing.notes import annotate_all
from tournament.pairing.plan import NOTHING_PLAYED, Draw, Entrant, History
from tournament.pairing.redraw import carry_on
from tournament.pairing.spread import spread

Slot = int | None


def all_play_all(
    entrants: Sequence[Entrant],
    rounds: int | None = None,
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
    apart: Sequence[str] = (),
) -> tuple[Draw, ...]:
    """Draw the next `rounds` rounds of all-play-all; None draws until everybody has met once.

    After a whole turn it starts again, and every rematch is noted. With a history the circle goes on: a late team takes
    an empty seat, a team that left leaves one; where that brings rematches the remaining rounds are re-seated.
    """
    whole = len(entrants) - 1 + len(entrants) % 2
    if history.rounds:
        rounds = max(0, whole - len(history.rounds)) if rounds is None else rounds
        return carry_on(entrants, rounds, history, go_on_circling(entrants, rounds, history), seed, apart)
    rounds = whole if rounds is None else rounds
    order = spread(entrants, lambda order: circle_rounds(order, rounds), seed, apart)
    return annotate_all(circle_rounds(order, rounds), entrants, history, apart)


def circle_rounds(order: Sequence[int], rounds: int) -> tuple[Draw, ...]:
    """Return the plain circle for teams in order; with an odd number each has a bye in turn."""
    circle: list[Slot] = [*([None] if len(order) % 2 else []), *order]
    return tuple(_round(circle, step) for step in range(rounds))


def go_on_circling(entrants: Sequence[Entrant], rounds: int, history: History) -> tuple[Draw, ...] | None:
    """Continue the circle that the first round of the history began, None if it began none."""
    first = history.rounds[0]
    if len(first.byes) > 1 or any(len(table) != 2 for table in first.tables):
        return None
    pairs: list[tuple[Slot, Slot]] = [(None, team) for team in first.byes]
    pairs += [(table[0], table[1]) for table in first.tables]
    began = [one for one, _ in pairs] + [other for _, other in reversed(pairs)]
    present = {entrant.number for entrant in entrants}
    circle = [team if team in present else None for team in began]
    late = sorted(present - set(circle))
    for index, team in enumerate(circle):
        if team is None and late:
            circle[index] = late.pop(0)
    if late or len(circle) < 2:
        return None
    return tuple(_round(circle, step) for step in range(len(history.rounds), len(history.rounds) + rounds))


def _round(circle: Sequence[Slot], step: int) -> Draw:
    """The first of the circle stays and changes sides; the others have moved on by `step` seats."""
    if not circle:
        return Draw(())
    stays, others = circle[0], list(circle[1:])
    turned = step % len(others)
    seats = [stays, *others[len(others) - turned :], *others[: len(others) - turned]]
    tables, byes = [], []
    for index in range(len(seats) // 2):
        pair = (seats[index], seats[-1 - index])
        one, other = pair if index or step % 2 == 0 else (pair[1], pair[0])
        if one is not None and other is not None:
            tables.append((one, other))
        else:
            byes += [team for team in (one, other) if team is not None]
    return Draw(tuple(tables), tuple(byes))
