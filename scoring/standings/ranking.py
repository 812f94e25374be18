"""Places in the sheet's order, shared where nothing decides, with a sentence for every tie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.standings.explain import Common, Passed, Tie
from scoring.standings.record import Record, by_number
from scoring.standings.tiebreaks import BY_KEY, PLAYOFF, Competitors, Tiebreak


@dataclass(frozen=True, slots=True)
class Place:
    """Where a team stands. `ties` explains the neighbour above, then the one below, as far as they are tied.

    Teams that share a place have the same rank; the next rank leaves out as many numbers as teams share.
    """

    rank: int
    shared: bool
    record: Record
    ties: tuple[Tie, ...]

    @property
    def team(self) -> int:
        """Return the team's number."""
        return self.record.team

    @property
    def label(self) -> str:
        """Write the rank as standings do: “4”, or “4=” where it is shared."""
        return f"{self.rank}=" if self.shared else str(self.rank)


def rank(
    records: Iterable[Record],
    order: Sequence[str],
    field: Competitors | None = None,
    names: Mapping[int, str] | None = None,
) -> tuple[Place, ...]:
    """Return every team its place by the keys of `order`, one after another.

    A key looks at all teams that are level so far; teams that it leaves level go on to the next key. The order within
    a shared place is by team number and means nothing. The records are the `field` where none is given. Raises
    ValueError for an unknown key and for a team given twice.
    """
    if unknown := [key for key in order if key not in BY_KEY]:
        raise ValueError(f"{unknown[0]} orders no standings")
    records = list(by_number(records))
    board = _Board(records, field or Competitors(tuple(records)), names or {}, [BY_KEY[key] for key in order])
    if records:
        board.sort(0, len(records), 0, ())
    return board.places()


class _Board:
    """Records being put in order. Between two neighbours stands what separates them, once something does."""

    def __init__(
        self, records: list[Record], field: Competitors, names: Mapping[int, str], order: Sequence[Tiebreak]
    ) -> None:
        self.records = records
        self.field = field
        self.names = names
        self.order = order
        # One tie per gap between neighbours; None where the first key separates them.
        self.ties: list[Tie | None] = [None] * len(records)

    def sort(self, start: int, end: int, depth: int, passed: tuple[Passed, ...]) -> None:
        """Order the records from start to end (not included), which are level on all keys before `depth`."""
        if end - start == 1:
            return
        if depth == len(self.order):
            common = Common(passed, self.names)
            for index in range(start, end - 1):
                self.ties[index] = common.shared(*self._numbers(index))
            return
        asked, level = self.order[depth], self.records[start:end]
        values, silent, key = asked.values(level, self.field)
        if silent:
            self.sort(start, end, depth + 1, (*passed, Passed(asked, 0, silent)))
            return
        by = BY_KEY[key] if key else asked
        ranked = sorted(range(end - start), key=values.__getitem__, reverse=by.sign > 0)
        self.records[start:end] = [level[index] for index in ranked]
        decided = [values[index] for index in ranked]
        gaps = [index for index in range(1, len(decided)) if decided[index] != decided[index - 1]]
        for first, last in pairwise([0, *gaps, len(decided)]):
            # Teams that came level in a playoff may have played another one among themselves.
            again = asked is PLAYOFF and last - first < len(decided)
            still = Passed(by, decided[first], "")
            level_on = passed if passed[-1:] == (still,) else (*passed, still)
            self.sort(start + first, start + last, depth if again else depth + 1, level_on)
        # Only now do the right teams stand on both sides of each gap.
        if passed and gaps:
            common = Common(passed, self.names)
            for gap in gaps:
                numbers = self._numbers(start + gap - 1)
                self.ties[start + gap - 1] = common.decided(*numbers, by, (decided[gap - 1], decided[gap]))

    def places(self) -> tuple[Place, ...]:
        """The places, best first."""
        made = []
        above: Tie | None = None
        rank = 1
        for index, record in enumerate(self.records):
            below = self.ties[index]
            level_above = above is not None and above.key is None
            level_below = below is not None and below.key is None
            if not level_above:
                rank = index + 1
            ties = tuple([tie for tie in (above, below) if tie is not None])
            made.append(Place(rank, level_above or level_below, record, ties))
            above = below
        return tuple(made)

    def _numbers(self, index: int) -> tuple[int, int]:
        """The teams on both sides of a gap."""
        return self.records[index].team, self.records[index + 1].team
