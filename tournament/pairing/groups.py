"""Tables of three to five single players who are to meet as many different opponents as possible.

The players of one column never meet; each column goes round at its own speed. With a number of tables that no
difference of columns divides, nobody meets twice. Other fields are seated one by one and mended by exchanges.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tournament.pairing.notes import annotate_all
from tournament.pairing.plan import NOTHING_PLAYED, Draw, Entrant, History, byes_so_far, drawn_order, pairs_of

Met = dict[tuple[int, int], int]

EXCHANGES = 2_000


def table_sizes(players: int, size: int, smallest: int | None = None) -> tuple[int, ...]:
    """Return the sizes of the tables: `size` where possible, else at least `smallest`.

    Who finds no seat has a bye; as few as possible do. Raises ValueError for tables smaller than 2.
    """
    smallest = size if smallest is None else smallest
    if not 2 <= smallest <= size:
        raise ValueError("a table has at least two seats, and the smallest is no larger than the others")
    best: tuple[int, ...] = ()
    for tables in range(1, players // smallest + 1):
        seated = min(players, tables * size)
        each, more = divmod(seated, tables)
        if seated > sum(best):
            best = (each + 1,) * more + (each,) * (tables - more)
    return best


def group_tables(
    entrants: Sequence[Entrant],
    rounds: int,
    size: int,
    smallest: int | None = None,
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
) -> tuple[Draw, ...]:
    """Draw the next `rounds` rounds at tables of `size` players (or down to `smallest`).

    Players without a seat have a bye, those with the fewest byes first. Every meeting that is repeated is noted.
    """
    order = [entrant.number for entrant in drawn_order(entrants, seed)]
    sizes = table_sizes(len(order), size, smallest)
    if not history.rounds and len(order) > sum(sizes[:1]) and sum(sizes) == len(order):
        turning = _turning_rounds(order, rounds, sizes)
        if not _repeats(turning):
            return annotate_all(turning, entrants, history)
    byes = byes_so_far(entrants, history)
    met: Met = {pair: len(met_in) for pair, met_in in history.meetings().items()}
    draws = []
    for number in range(history.next_round, history.next_round + rounds):
        draw = _seat_round(order, sizes, byes, met, Random(f"{seed}/{number}"))  # noqa: S311
        draws.append(draw)
        for team in draw.byes:
            byes[team] += 1
        for table in draw.tables:
            for pair in pairs_of(table):
                met[pair] = met.get(pair, 0) + 1
    return annotate_all(draws, entrants, history)


def _turning_rounds(order: Sequence[int], rounds: int, sizes: Sequence[int]) -> tuple[Draw, ...]:
    """Column k moves k tables a round; a table that misses a seat misses it in the last column."""
    tables = len(sizes)
    return tuple(
        Draw(
            tuple(
                tuple(
                    order[column * tables + (table - column * step) % tables]
                    for column in range(sizes[0])
                    if column * tables + (table - column * step) % tables < len(order)
                )
                for table in range(tables)
            )
        )
        for step in range(rounds)
    )


def _repeats(draws: Sequence[Draw]) -> bool:
    met: set[tuple[int, int]] = set()
    for draw in draws:
        for table in draw.tables:
            for pair in pairs_of(table):
                if pair in met:
                    return True
                met.add(pair)
    return False


def _seat_round(order: Sequence[int], sizes: Sequence[int], byes: dict[int, int], met: Met, chance: Random) -> Draw:
    players = list(order)
    chance.shuffle(players)
    players.sort(key=lambda player: -byes[player])
    seated, out = players[: sum(sizes)], players[sum(sizes) :]
    chance.shuffle(seated)
    tables = _seat_one_by_one(seated, sizes, met)
    _exchange(tables, met, chance)
    return Draw(tuple(tuple(table) for table in tables), tuple(sorted(out)))


def _seat_one_by_one(players: Sequence[int], sizes: Sequence[int], met: Met) -> list[list[int]]:
    tables: list[list[int]] = [[] for _ in sizes]
    waiting = list(players)
    for table, size in zip(tables, sizes, strict=True):
        while len(table) < size:
            chosen = _best_company(table, waiting, met)
            waiting.remove(chosen)
            table.append(chosen)
    return tables


def _best_company(table: Sequence[int], waiting: Sequence[int], met: Met) -> int:
    """The first who has met nobody at the table; else whoever repeats least."""
    stranger = next((player for player in waiting if not _cost(player, table, met)), None)
    return min(waiting, key=lambda player: _cost(player, table, met)) if stranger is None else stranger


def _exchange(tables: list[list[int]], met: Met, chance: Random) -> None:
    """Exchange two players of different tables as long as that lessens the repeated meetings."""
    if len(tables) < 2:
        return
    for _ in range(EXCHANGES):
        troubled = [index for index, table in enumerate(tables) if any(pair in met for pair in pairs_of(table))]
        if not troubled:
            return
        one = chance.choice(troubled)
        other = chance.choice([index for index in range(len(tables)) if index != one])
        seat, seat_there = chance.randrange(len(tables[one])), chance.randrange(len(tables[other]))
        here, there = tables[one], tables[other]
        before = _cost(here[seat], here, met) + _cost(there[seat_there], there, met)
        here[seat], there[seat_there] = there[seat_there], here[seat]
        if _cost(here[seat], here, met) + _cost(there[seat_there], there, met) > before:
            here[seat], there[seat_there] = there[seat_there], here[seat]


def _cost(player: int, table: Sequence[int], met: Met) -> int:
    return sum(met.get((min(player, other), max(player, other)), 0) ** 2 for other in table if other != player)
