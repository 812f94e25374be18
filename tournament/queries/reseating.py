"""Two draws of the same event laid side by side: which tables, byes and notes of which rounds change."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import NamedTuple

from tournament.queries.draws import DrawnRound, DrawOverview


class Seating(NamedTuple):
    """One line of a round: a table, or who has a bye. An empty text says that there is none."""

    place: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ReseatedRound:
    """A round that changes; `same` counts its tables that stay as they are."""

    title: str
    lines: tuple[Seating, ...]
    same: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reseating:
    """What a change of teams does to the draw. `why_not` says why nothing is drawn anew, where nothing is.

    `can_keep` is whether the old draw can stand: an entry that goes off the list takes it along.
    """

    rounds: tuple[ReseatedRound, ...]
    why_not: str
    can_keep: bool = True

    @property
    def key(self) -> str:
        """Names exactly this list: who confirms it confirms no other."""
        said = [[one.title, one.lines, one.notes] for one in self.rounds] + [[self.why_not]]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:20]


def reseating(before: DrawOverview, after: DrawOverview, why_not: str, *, can_keep: bool = True) -> Reseating:
    """The rounds in which anything differs."""
    old = {one.number: one for one in before.rounds}
    new = {one.number: one for one in after.rounds}
    rounds = [_round(old.get(number), new.get(number)) for number in sorted({*old, *new})]
    return Reseating(tuple(one for one in rounds if one.lines), why_not, can_keep)


def _round(old: DrawnRound | None, new: DrawnRound | None) -> ReseatedRound:
    before, after = _places(old), _places(new)
    places = dict.fromkeys((*before, *after))
    lines = [Seating(place, before.get(place, ""), after.get(place, "")) for place in places]
    changed = tuple(line for line in lines if line.before != line.after)
    shown = new or old
    return ReseatedRound(shown.title if shown else "", changed, len(lines) - len(changed), new.notes if new else ())


def _places(one: DrawnRound | None) -> dict[str, str]:
    if one is None:
        return {}
    tables = {f"Table {at.table}": " – ".join(name for _, name in at.teams) for at in one.tables}
    byes = {"Bye": ", ".join(name for _, name in one.byes)} if one.byes else {}
    return tables | byes
