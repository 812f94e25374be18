"""Places in the sheet's order, shared where nothing decides, with a sentence for every tie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.standings.explain import Passed, Tie, explain
from scoring.standings.record import Record, by_number
from scoring.standings.tiebreaks import BY_KEY, Decision, Evidence, Ordering


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
    *,
    playoffs: Iterable[Ordering | Decision] = (),
    lots: Mapping[int, int] | None = None,
    names: Mapping[int, str] | None = None,
) -> tuple[Place, ...]:
    """Return every team its place by the keys of `order`, one after another.

    A key looks at all teams that are level so far; teams that it leaves level go on to the next key. The order within
    a shared place is by team number and means nothing. Raises ValueError for an unknown key and for a team given twice.
    """
    if unknown := [key for key in order if key not in BY_KEY]:
        raise ValueError(f"{unknown[0]} orders no standings")
    records = list(by_number(records))
    board = _Board(records, Evidence(tuple(playoffs), lots or {}), names or {}, tuple(order))
    if records:
        board.sort(0, len(records), 0, ())
    return board.places()


class _Board:
    """Records being put in order. Between two neighbours stands what separates them, once something does."""

    def __init__(
        self, records: list[Record], evidence: Evidence, names: Mapping[int, str], order: tuple[str, ...]
    ) -> None:
        self.records = records
        self.evidence = evidence
        self.names = names
        self.order = order
        # One tie per gap between neighbours; None where the first key separates them.
        self.ties: list[Tie | None] = [None] * len(records)

    def sort(self, start: int, end: int, depth: int, passed: tuple[Passed, ...]) -> None:
        """Order the records from start to end (not included), which are level on all keys before `depth`."""
        if end - start == 1:
            return
        if depth == len(self.order):
            for index in range(start, end - 1):
                self._tie(index, passed, None, (0, 0))
            return
        key, level = self.order[depth], self.records[start:end]
        values, silent, decider = BY_KEY[key](level, self.evidence)
        if silent:
            self.sort(start, end, depth + 1, (*passed, Passed(key, 0, silent)))
            return
        shown = decider or key
        ranked = sorted(range(end - start), key=values.__getitem__, reverse=True)
        self.records[start:end] = [level[index] for index in ranked]
        decided = [values[index] for index in ranked]
        gaps = [index for index in range(1, len(decided)) if decided[index] != decided[index - 1]]
        for first, last in pairwise([0, *gaps, len(decided)]):
            # Teams that came level in a playoff may have played another one among themselves.
            again = key == "playoff" and last - first < len(decided)
            still = Passed(shown, decided[first], "")
            level_on = passed if passed[-1:] == (still,) else (*passed, still)
            self.sort(start + first, start + last, depth if again else depth + 1, level_on)
        # Only now do the right teams stand on both sides of each gap.
        if passed:
            for gap in gaps:
                self._tie(start + gap - 1, passed, shown, (decided[gap - 1], decided[gap]))

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

    def _tie(self, index: int, passed: tuple[Passed, ...], key: str | None, values: tuple[int, int]) -> None:
        above, below = self.records[index], self.records[index + 1]
        self.ties[index] = explain(above.team, below.team, passed, key, values, self.names)
