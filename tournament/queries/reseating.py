"""Two draws of the same event laid side by side: which tables, byes and notes of which rounds change."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from tournament.models import Event, Journal, Round
from tournament.pairing.plan import Note, rounds_text
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
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Reseating:
    """What a change of teams does to the draw. `why_not` says why nothing is drawn anew, where nothing is.

    `can_keep` is whether the old draw can stay: an entry that goes off the list takes it along. `summary` says of every
    round how many tables it has, who sits out and how many meet again. `awards` are games in
    play that end with the change.
    """

    rounds: tuple[ReseatedRound, ...]
    why_not: str
    can_keep: bool = True
    summary: tuple[str, ...] = ()
    awards: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Names exactly this list: who confirms it confirms no other."""
        said = [[one.title, one.lines, one.notes] for one in self.rounds] + [[self.why_not, *self.awards]]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Lost:
    """What drawing again throws away: rounds seated by hand, and when papers of the draw were printed last."""

    by_hand: tuple[int, ...]
    printed: datetime | None

    @property
    def exists(self) -> bool:
        return bool(self.by_hand or self.printed)

    @property
    def by_hand_words(self) -> str:
        return rounds_text(self.by_hand) if self.by_hand else ""

    @property
    def key(self) -> str:
        """Names exactly this: who confirms it confirms no other."""
        return hashlib.sha256(repr((self.by_hand, self.printed)).encode()).hexdigest()[:20]


def lost_by_redraw(event: Event) -> Lost:
    """What the rounds that have not started hold beyond a draw that can be drawn again."""
    planned = Round.objects.filter(event=event, stage="qualifying", state="planned")
    if not planned.exists():
        return Lost((), None)
    acts = Journal.objects.filter(event=event)
    drawn = acts.filter(action="draw").order_by("-pk").values_list("pk", flat=True).first() or 0
    printed = acts.filter(action="print", pk__gt=drawn).order_by("-pk").values_list("at", flat=True).first()
    return Lost(tuple(planned.filter(by_hand=True).values_list("number", flat=True)), printed)


def redrawn_words(before: DrawOverview, after: DrawOverview, count: int) -> str:
    """What a draw did to the rounds that wait; where nothing has moved, that it is the draw that was there."""
    said = f"{count} round{'' if count == 1 else 's'} drawn"
    if before.planned and not reseating(before, after, "").rounds:
        return (
            f"{said}: every table is the same as before, because this movement follows from the rounds that have begun."
        )
    return f"{said}."


def reseating(before: DrawOverview, after: DrawOverview, why_not: str, *, can_keep: bool = True) -> Reseating:
    """The rounds in which anything differs."""
    old = {one.number: one for one in before.rounds}
    new = {one.number: one for one in after.rounds}
    rounds = [_round(old.get(number), new.get(number)) for number in sorted({*old, *new})]
    changed = tuple(one for one in rounds if one.lines)
    titles = {one.title for one in changed}
    shown = [one for one in after.rounds if one.title in titles]
    return Reseating(changed, why_not, can_keep, _summary(shown, _meetings(after)))


def _summary(shown: Sequence[DrawnRound], met: Counter[frozenset[int]]) -> tuple[str, ...]:
    """For each of the rounds that change how many play, who sits out and how many meet again."""
    said = []
    for one in shown:
        again = sum(
            met[frozenset((first[0], second[0]))] > 1
            for table in one.tables
            for first, second in combinations(table.teams, 2)
        )
        tables = f"{len(one.tables)} table{'' if len(one.tables) == 1 else 's'}"
        byes = f"bye: {', '.join(name for _, name in one.byes)}" if one.byes else "no bye"
        said.append(f"{one.title}: {tables}, {byes}, {_again(again)}")
    return tuple(said)


def _again(count: int) -> str:
    return f"{count} rematch{'' if count == 1 else 'es'}" if count else "no rematch"


def _meetings(overview: DrawOverview) -> Counter[frozenset[int]]:
    return Counter(
        frozenset((first[0], second[0]))
        for round_ in overview.rounds
        for table in round_.tables
        for first, second in combinations(table.teams, 2)
    )


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
