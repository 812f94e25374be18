"""The journal of an event: searched, filtered and turned page by page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import overload

from django.db.models import QuerySet

from tournament.models import Event, Game, Journal
from tournament.queries.signatures import author
from tournament.words.journal import before_and_after

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Act:
    at: datetime
    by: str
    address: str
    action: str
    text: str
    before: object
    after: object


class Acts(Sequence[Act]):
    """Lines of the journal, the newest first. Only those that are looked at are read."""

    def __init__(self, rows: QuerySet[Journal]) -> None:
        self._rows = rows

    @cached_property
    def _count(self) -> int:
        return self._rows.count()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Act]:
        return map(_act, self._rows)

    @overload
    def __getitem__(self, at: int) -> Act: ...
    @overload
    def __getitem__(self, at: slice) -> list[Act]: ...
    def __getitem__(self, at: int | slice) -> Act | list[Act]:
        return [_act(one) for one in self._rows[at]] if isinstance(at, slice) else _act(self._rows[at])


def actions_of(event: Event) -> tuple[str, ...]:
    return tuple(Journal.objects.filter(event=event).order_by("action").values_list("action", flat=True).distinct())


def game_history(game: Game) -> tuple[Act, ...]:
    """Everything that was done to one game, the newest first."""
    acts = Journal.objects.filter(event=game.round.event_id, noun="game", key=str(game.pk))
    return tuple(_act(one) for one in acts.select_related("user", "device")[:PER_PAGE])


def acts_found(event: Event, text: str = "", action: str = "") -> Sequence[Act]:
    """The acts of an event with every one of these words in what they say, who did them and where, before or after."""
    rows = Journal.objects.filter(event=event).select_related("user", "device")
    acts = Acts(rows.filter(action=action[:30]) if action else rows)
    words = [word.casefold() for word in text.replace("\0", "").split()[:8]]
    return [act for act in acts if _has(act, words)] if words else acts


def _has(act: Act, words: Sequence[str]) -> bool:
    kept = json.dumps([act.before, act.after], ensure_ascii=False, default=str)
    told = "\n".join((act.text, act.by, act.address, kept)).casefold()
    return all(word in told for word in words)


def _act(one: Journal) -> Act:
    before, after = before_and_after(one.action, one.code, one.facts)
    return Act(
        one.at,
        author(one.by, one.user, one.device),
        one.address,
        one.action,
        one.text,
        one.before if before is None else before,
        one.after if after is None else after,
    )
