"""All-play-all by the circle method: one stays, the others go round; everybody meets everybody once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from tournament.pairing.plan import (
    NOTHING_PLAYED,
    RE_SEATED,
    Draw,
    Entrant,
    History,
    Note,
    annotate_all,
    byes_so_far,
    drawn_order,
    in_common,
    pairs_of,
)
from tournament.pairing.swiss import pair_in_order

# Remaining rounds re-seated after a team joined or left: the planned ones if they are clean, else the best found.


Faults = tuple[int, int, int]

# Small fields run into dead ends; they are cheap to try again. Large fields find a clean draw at once.
MOST_TRIES = 200
TRIED_ENTRANTS = 4000


def carry_on(
    entrants: Sequence[Entrant],
    rounds: int,
    history: History,
    planned: tuple[Draw, ...] | None,
    seed: int | None,
    apart: Sequence[str] = (),
) -> tuple[Draw, ...]:
    """Keep the `planned` rounds unless matching round by round makes fewer faults.

    Faults are, in this order: needless and repeated byes, rematches, pairs of one city or club that should be kept
    apart. If rounds were re-seated, the first note says so.
    """
    if rounds == 0:
        return ()
    if planned is not None and not any(count_faults(planned, entrants, history)[:2]):
        return annotate_all(planned, entrants, history, apart)
    matched = match_rounds(entrants, rounds, history, seed, apart)
    if planned is not None and count_faults(planned, entrants, history) <= count_faults(matched, entrants, history):
        return annotate_all(planned, entrants, history, apart)
    first = matched[0]
    return annotate_all((replace(first, notes=(Note(RE_SEATED),)), *matched[1:]), entrants, history, apart)


def match_rounds(
    entrants: Sequence[Entrant], rounds: int, history: History, seed: int | None, apart: Sequence[str] = ()
) -> tuple[Draw, ...]:
    """Draw rounds one by one by matching, trying several orders, and keep the best."""
    best: tuple[Draw, ...] = ()
    fewest: Faults | None = None
    tries = max(1, min(MOST_TRIES, TRIED_ENTRANTS // max(1, len(entrants))))
    for attempt in range(tries):
        draws = _match_once(entrants, rounds, history, Random(f"{seed}/{attempt}"), apart)  # noqa: S311
        faults = count_faults(draws, entrants, history, apart)
        if fewest is None or faults < fewest:
            best, fewest = draws, faults
        if not any(faults[:2]):
            break
    return best


def count_faults(
    draws: Sequence[Draw], entrants: Sequence[Entrant], history: History, apart: Sequence[str] = ()
) -> Faults:
    """Count needless byes, rematches, and pairs that should be kept apart."""
    by_number = {entrant.number: entrant for entrant in entrants}
    met = set(history.meetings())
    byes = byes_so_far(entrants, history)
    needless = rematches = together = 0
    for draw in draws:
        needless += max(0, len(draw.byes) - len(entrants) % 2)
        for team in draw.byes:
            needless += byes[team] > 0
            byes[team] += 1
        for table in draw.tables:
            for pair in pairs_of(table):
                rematches += pair in met
                met.add(pair)
                together += any(in_common(by_number[pair[0]], by_number[pair[1]], wish) for wish in apart)
    return needless, rematches, together


def _match_once(
    entrants: Sequence[Entrant], rounds: int, history: History, chance: Random, apart: Sequence[str]
) -> tuple[Draw, ...]:
    level = [replace(entrant, won=0, points=0) for entrant in sorted(entrants, key=lambda entrant: entrant.number)]
    draws = []
    for _ in range(rounds):
        chance.shuffle(level)
        draw = replace(pair_in_order(level, history, apart), notes=())
        draws.append(draw)
        history = history.after(draw)
    return tuple(draws)


# The order of seats for a draw with a fixed schedule, changed until neighbors from one place seldom meet.

Plan = Callable[[Sequence[int]], tuple[Draw, ...]]

# Each trial reads the whole plan once; this keeps the largest fields within a second.
MOST_TRIALS = 4000
PAIRS_READ = 600_000


def spread(entrants: Sequence[Entrant], plan: Plan, seed: int | None, apart: Sequence[str] = ()) -> list[int]:
    """Return the numbers in seat order: by number or seed, changed only if `apart` asks for it.

    Seats are exchanged, two at a time and by the seed, as long as fewer pairs of one city or club meet in `plan`.
    """
    order = [entrant.number for entrant in drawn_order(entrants, seed)]
    if not apart or len(order) < 3:
        return order
    homes = {entrant.number: tuple(entrant.home(wish) for wish in apart) for entrant in entrants}
    fewest = _together(plan(order), homes)
    chance = Random(f"{seed}/spread")  # noqa: S311
    pairs = sum(len(draw.tables) for draw in plan(order)) or 1
    for _ in range(min(MOST_TRIALS, PAIRS_READ // pairs)):
        if not fewest:
            break
        first, second = chance.sample(range(len(order)), 2)
        order[first], order[second] = order[second], order[first]
        together = _together(plan(order), homes)
        if together > fewest:
            order[first], order[second] = order[second], order[first]
        else:
            fewest = together
    return order


def _together(draws: tuple[Draw, ...], homes: dict[int, tuple[str, ...]]) -> int:
    return sum(
        any(own and own == other for own, other in zip(homes[first], homes[second], strict=True))
        for draw in draws
        for table in draw.tables
        for first, second in pairs_of(table)
    )


Slot = int | None


def all_play_all(
    entrants: Sequence[Entrant],
    rounds: int | None = None,
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
    apart: Sequence[str] = (),
) -> tuple[Draw, ...]:
    """Draw the next `rounds` rounds of all-play-all; None draws until everybody has met once.

    After a whole turn it starts again, and every rematch is noted. With a history the circle continues: a late team
    takes an empty seat, a team that left leaves one; if that brings rematches, the remaining rounds are re-seated.
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
    began = [first for first, _ in pairs] + [second for _, second in reversed(pairs)]
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
        first, second = pair if index or step % 2 == 0 else (pair[1], pair[0])
        if first is not None and second is not None:
            tables.append((first, second))
        else:
            byes += [team for team in (first, second) if team is not None]
    return Draw(tuple(tables), tuple(byes))
