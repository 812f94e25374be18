"""Remaining rounds re-seated after a team joined or left: the planned ones if they are clean, else the best found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from tournament.pairing.notes import annotate_all, in_common
from tournament.pairing.plan import Draw, Entrant, History, byes_so_far, pairs_of
from tournament.pairing.swiss import pair_in_order
from tournament.pairing.words import RE_SEATED, Note

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

    Faults are, in this order: needless and repeated byes, rematches, pairs of one city or club where they were to be
    kept apart. Where rounds were re-seated the first note says so.
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
    """Count byes that need not be, rematches, and pairs that were to be kept apart."""
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
