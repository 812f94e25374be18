"""The Swiss draw by maximum-weight matching: equal records meet, nobody meets twice if it can be avoided.

The matching looks at near neighbors of the order first and widens only when it must: no pair of the best draw is far
apart, and a complete graph of 2,000 teams has two million pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import rustworkx

from tournament.pairing.plan import (
    NOTHING_PLAYED,
    Draw,
    Entrant,
    History,
    Stake,
    annotate,
    annotate_all,
    byes_so_far,
    differ_in_stakes,
    drawn_order,
    pairs_of,
    settled_against_open,
)

NEAR = 8
WIDER = 4
# A rematch is avoided at any price in time; neighbors from one city are kept apart among this many.
WIDE_ENOUGH = 64


class Weights(NamedTuple):
    """The cost of each fault. One fault of a kind costs more than all faults of lesser kinds together.

    `out` and `through` are the costs of a pair in which such a team meets one for which the game is open.
    """

    record: int
    out: int
    through: int
    apart: int
    bye: int
    rematch: int


class Matching(NamedTuple):
    """A matching by positions in the order; `bye` is the position that sits out.

    `settled` counts the teams that are through, and those that are out, and meet one for which the game is open.
    """

    pairs: list[tuple[int, int]]
    bye: int | None
    rematches: int
    together: int
    settled: Counter[Stake]


def swiss(
    entrants: Sequence[Entrant], history: History = NOTHING_PLAYED, seed: int | None = None, apart: Sequence[str] = ()
) -> Draw:
    """Draw a round by record: games won, then points; equal records in the seed's order.

    With an odd number the lowest record without a bye sits out. `apart` may name city and club.
    """
    return pair_in_order(record_order(entrants, f"{seed}/{history.next_round}"), history, apart)


def record_order(entrants: Sequence[Entrant], seed: str) -> list[Entrant]:
    """Order entrants by games won, then points; equal records as the seed draws them."""
    order = sorted(entrants, key=lambda entrant: entrant.number)
    Random(seed).shuffle(order)  # noqa: S311
    order.sort(key=lambda entrant: (-entrant.won, -entrant.points))
    return order


def pair_in_order(order: Sequence[Entrant], history: History = NOTHING_PLAYED, apart: Sequence[str] = ()) -> Draw:
    """Pair entrants near each other in `order`, best first, and note what it could not avoid.

    In this order of weight: at most one bye each, no rematch, the bye to the last in the order, no pair that should be
    kept apart, no team that is through (then none that is out) against one for which the game is open, equal games won,
    neighbors in the order. Table 1 has the first of the order.
    """
    if len({entrant.number for entrant in order}) != len(order):
        raise ValueError("an entrant is twice in the draw")
    if len(order) < 2:
        return annotate(Draw((), tuple(entrant.number for entrant in order)), order, history, apart)
    positions = Positions(order, history, apart)
    width = NEAR
    matching = positions.match(width)
    while width < len(order) and not positions.is_good(matching, width):
        width *= WIDER
        matching = positions.match(width)
    tables = tuple((order[first].number, order[second].number) for first, second in sorted(matching.pairs))
    byes = () if matching.bye is None else (order[matching.bye].number,)
    return annotate(Draw(tables, byes), order, history, apart)


class Positions:
    """The order of a round, best first, whose positions are paired."""

    def __init__(self, order: Sequence[Entrant], history: History, apart: Sequence[str]) -> None:
        """Note for every position whom it has met, and who is of the same city or club if `apart` says so."""
        self.size = len(order)
        self.won = [entrant.won for entrant in order]
        position = {entrant.number: index for index, entrant in enumerate(order)}
        self.met: dict[tuple[int, int], int] = {}
        for (first, second), rounds in history.meetings().items():
            if first in position and second in position:
                low, high = sorted((position[first], position[second]))
                self.met[low, high] = len(rounds)
        byes = byes_so_far(order, history)
        fewest = min(byes.values())
        self.may_sit_out = [index for index, entrant in enumerate(order) if byes[entrant.number] == fewest]
        self.places = [tuple(entrant.home(wish) for wish in apart) for entrant in order]
        self.stakes = [entrant.stake for entrant in order]
        self.differ_in_stakes = differ_in_stakes(order)
        # Where the game is open for some only, these, and all others, are looked for past those in between.
        self.alike: list[list[int]] = []
        if self.differ_in_stakes:
            self.alike = [
                [position for position, stake in enumerate(self.stakes) if (stake is Stake.OPEN) == is_open]
                for is_open in (True, False)
            ]

    def match(self, width: int) -> Matching:
        """Find the best matching among the pairs that `links` allows at this width."""
        matched = rustworkx.max_weight_matching(self.graph(width), max_cardinality=True, weight_fn=int)
        pairs, bye = [], None
        for pair in matched:
            low, high = sorted(pair)
            if high == self.size:
                bye = low
            else:
                pairs.append((low, high))
        rematches = sum(pair in self.met for pair in pairs)
        together = sum(self.together(*pair) for pair in pairs)
        settled: Counter[Stake] = Counter()
        for pair in pairs:
            if stake := self.settled(*pair):
                settled[stake] += 1
        return Matching(pairs, bye, rematches, together, settled)

    def graph(self, width: int) -> rustworkx.PyGraph[None, int]:
        """Link positions as `links` says, at the price of their faults; a last node represents the bye, if any."""
        size, met, won = self.size, self.met, self.won
        width = min(width, size - 1)
        farthest = size - 1 if self.differ_in_stakes else width
        weights = self.weights(farthest)
        apart = any(any(places) for places in self.places)
        most = weights.rematch * (max(self.met.values(), default=0) ** 2 + 1)
        prices = {Stake.OUT: weights.out, Stake.THROUGH: weights.through}
        gaps = [most - gap * gap for gap in range(farthest + 1)]
        edges = []
        for low, high in self.links(width):
            weight = gaps[high - low]
            if won[low] != won[high]:
                weight -= (won[low] - won[high]) ** 2 * weights.record
            if (low, high) in met:
                weight -= met[low, high] ** 2 * weights.rematch
            if apart and self.together(low, high):
                weight -= weights.apart
            if self.differ_in_stakes and (settled := self.settled(low, high)):
                weight -= prices[settled]
            edges.append((low, high, weight))
        if size % 2:
            edges += [(low, size, most - (size - low) * weights.bye) for low in self.may_sit_out]
        graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from([None] * (size + size % 2))
        graph.add_edges_from(edges)
        return graph

    def links(self, width: int) -> Iterator[tuple[int, int]]:
        """Return the pairs that are looked at: every position with the next `width`.

        Where stakes differ, also with the next `width` of those that may meet it without a fault: the last that is
        through may have to meet the first that is out, and all open ones are between them.
        """
        for low in range(self.size):
            for high in range(low + 1, min(self.size, low + width + 1)):
                yield low, high
        for positions in self.alike:
            for index, low in enumerate(positions):
                for high in positions[index + 1 : index + width + 1]:
                    if high - low > width:
                        yield low, high

    def weights(self, farthest: int) -> Weights:
        """Price faults so that many small ones never outweigh a greater one; no pair is farther apart than this."""
        pairs = self.size // 2 + 1
        settled = pairs if self.differ_in_stakes else 0
        record = pairs * farthest * farthest + 1
        out = record * (pairs * (max(self.won) - min(self.won)) ** 2 + 1)
        through = out * (settled + 1)
        apart = through * (settled + 1)
        bye = apart * (pairs + 1)
        return Weights(record, out, through, apart, bye, bye * (self.size + 2))

    def together(self, low: int, high: int) -> bool:
        """Tell whether two positions should be kept apart."""
        return any(own and own == other for own, other in zip(self.places[low], self.places[high], strict=True))

    def settled(self, low: int, high: int) -> Stake | None:
        """Return whether one of two positions is through, or out, and the game is open for the other one."""
        return settled_against_open(self.stakes[low], self.stakes[high])

    def is_good(self, matching: Matching, width: int) -> bool:
        """Tell whether a wider search cannot, or need not, do better."""
        if matching.rematches:
            return False
        if width >= WIDE_ENOUGH:
            return True
        return matching.together <= self.unavoidable() and not self.may_seat_better(matching)

    def may_seat_better(self, matching: Matching) -> bool:
        """Tell whether fewer teams that are through, or out, could meet one for which the game is open.

        If the number of both together is odd, one of them has to: one that is out, if there is any.
        """
        seated = Counter(stake for position, stake in enumerate(self.stakes) if position != matching.bye)
        left_over = (seated[Stake.THROUGH] + seated[Stake.OUT]) % 2
        through = 0 if seated[Stake.OUT] else left_over
        return matching.settled.total() > left_over or matching.settled[Stake.THROUGH] > through

    def unavoidable(self) -> int:
        """Count the unavoidable pairs of one city (or club), if more than half come from it."""
        largest = 0
        for places in zip(*self.places, strict=True):
            largest = max(largest, *Counter(home for home in places if home).values(), 0)
        return max(0, 2 * largest - self.size) // 2


# Tables of three to five single players who should meet as many different opponents as possible. The players of one
# column never meet; each column goes round at its own speed. With a number of tables that no difference of columns
# divides, nobody meets twice. Other fields are seated one by one and improved by exchanges.

Met = dict[tuple[int, int], int]

EXCHANGES = 2_000


def table_sizes(players: int, size: int, smallest: int | None = None) -> tuple[int, ...]:
    """Return the sizes of the tables: `size` if possible, else at least `smallest`.

    Players without a seat have a bye; as few as possible do. Raises ValueError for tables smaller than 2.
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
        # Column k moves k tables a round; a table that misses a seat misses it in the last column.
        tables = len(sizes)
        turning = tuple(
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
            # The first who has met nobody at the table; else the one with the fewest repeats.
            stranger = next((player for player in waiting if not _cost(player, table, met)), None)
            chosen = min(waiting, key=lambda player: _cost(player, table, met)) if stranger is None else stranger
            waiting.remove(chosen)
            table.append(chosen)
    return tables


def _exchange(tables: list[list[int]], met: Met, chance: Random) -> None:
    """Exchange two players of different tables as long as that reduces repeated meetings."""
    if len(tables) < 2:
        return
    for _ in range(EXCHANGES):
        troubled = [index for index, table in enumerate(tables) if any(pair in met for pair in pairs_of(table))]
        if not troubled:
            return
        first = chance.choice(troubled)
        second = chance.choice([index for index in range(len(tables)) if index != first])
        here, there = tables[first], tables[second]
        seat, seat_there = chance.randrange(len(here)), chance.randrange(len(there))
        before = _cost(here[seat], here, met) + _cost(there[seat_there], there, met)
        here[seat], there[seat_there] = there[seat_there], here[seat]
        if _cost(here[seat], here, met) + _cost(there[seat_there], there, met) > before:
            here[seat], there[seat_there] = there[seat_there], here[seat]


def _cost(player: int, table: Sequence[int], met: Met) -> int:
    return sum(met.get((min(player, other), max(player, other)), 0) ** 2 for other in table if other != player)
