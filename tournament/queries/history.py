"""The journal of an event: searched, filtered and turned page by page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from tournament.models import Event, Game, Journal
from tournament.queries.authors import author

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Act:
    """One line of the journal."""

    at: datetime
    by: str
    address: str
    action: str
    text: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the journal. `actions` are those that occur in the event."""

    acts: tuple[Act, ...]
    number: int
    pages: int
    found: int
    actions: tuple[str, ...]


def log_page(event: Event, text: str = "", action: str = "", page: str = "1") -> LogPage:
    """One page of the journal, the newest first; a page that does not exist gives the nearest one."""
    paginator = Paginator(_found(event, text, action), PER_PAGE)
    shown = paginator.get_page(page if page.isascii() and page.isdigit() and len(page) < 7 else 1)
    actions = Journal.objects.filter(event=event).order_by("action").values_list("action", flat=True).distinct()
    return LogPage(
        tuple(_act(one) for one in shown), shown.number, paginator.num_pages, paginator.count, tuple(actions)
    )


def acts_found(event: Event, text: str = "", action: str = "") -> list[Act]:
    """All that was found, for a file."""
    return [_act(one) for one in _found(event, text, action)]


def game_history(game: Game) -> tuple[Act, ...]:
    """Everything that was done to one game, the newest first."""
    acts = Journal.objects.filter(event=game.round.event_id, noun="game", key=str(game.pk))
    return tuple(_act(one) for one in acts.select_related("user", "device")[:PER_PAGE])


def _found(event: Event, text: str, action: str) -> QuerySet[Journal]:
    acts = Journal.objects.filter(event=event).select_related("user", "device")
    if action:
        acts = acts.filter(action=action[:30])
    acts = acts.annotate(was=Cast("before", TextField()), then=Cast("after", TextField()))
    for word in text.replace("\0", "").split()[:8]:
        who = Q(by__icontains=word) | Q(user__username__icontains=word) | Q(address__startswith=word)
        # SQLite keeps letters beyond ASCII in escapes, PostgreSQL as they are.
        spellings = {word, json.dumps(word)[1:-1]}
        kept = reduce(or_, (Q(was__icontains=one) | Q(then__icontains=one) for one in spellings))
        acts = acts.filter(Q(text__icontains=word) | who | kept)
    return acts


def _act(one: Journal) -> Act:
    return Act(one.at, _author(one), one.address, one.action, one.text, one.before, one.after)


def _author(one: Journal) -> str:
    return author(one.by, one.user, one.device)
