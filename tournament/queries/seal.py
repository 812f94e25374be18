"""The seal of an event: a digest of the rows that are changed as the evening goes on and decide its results.

What is only ever added is in the chain (`models/stored.py`). A seal is written with each act that changes such a row.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from django.db import models
from django.db.models import Case, Value, When

from tournament.models import Bye, Event, Game, Ledger, Player, Round, Side, Substitution, Team
from tournament.models.stored import canonical
from tournament.phrases import VOID

SIGNS = 16
STATEMENT = re.compile(r'(INSERT|UPDATE|DELETE)\b[^"]*"(\w+)"')
COLUMN = re.compile(r'"(\w+)" = ')
# How far a game is, follows from its rows; whether it was begun or does not count, a director decides.
PLAYED = Case(When(state__in=["planned", VOID], then="state"), default=Value(""))


class Part(NamedTuple):
    """One table: what is said of it, where its event is, and the columns that the seal leaves out."""

    words: str
    model: type[models.Model]
    event: str
    loose: frozenset[str] = frozenset()

    @property
    def fields(self) -> list[str]:
        return sorted(one.attname for one in self.model._meta.concrete_fields if one.attname not in self.loose)


PARTS = (
    Part(
        "the event’s own settings",
        Event,
        "pk",
        frozenset("slug version public_version books_version links head seal epoch board_shows created_at".split()),
    ),
    Part("the list of teams", Team, "event"),
    Part("the players", Player, "team__event"),
    Part("the substitutes", Substitution, "team__event"),
    Part(
        "the rounds",
        Round,
        "event",
        frozenset("version started_at closed_at paused_at paused_seconds extra_seconds time_called_at".split()),
    ),
    Part(
        "the games",
        Game,
        "round__event",
        frozenset("state first_dealer begun_at version last_entry_at finished_at".split()),
    ),
    Part("who plays whom", Side, "game__round__event", frozenset({"seated_at"})),
    Part("the byes", Bye, "round__event"),
    Part("the teams of receipts", Ledger, "event"),
)
SEALED = {part.model._meta.db_table: frozenset(part.fields) for part in PARTS}
RECEIPT = ["pk", "team_id"]


def breaks_seal(sql: str) -> bool:
    """Whether a statement writes what the seal covers. A result that is computed anew changes no more than a cache."""
    told = STATEMENT.match(sql)
    if told is None or told[2] not in SEALED:
        return False
    if told[1] != "UPDATE":
        return True
    columns = set(COLUMN.findall(sql.partition(" WHERE ")[0] if "CASE" not in sql else sql))
    begins_or_voids = told[2] == Game._meta.db_table and "state" in columns and "last_entry_at" not in columns
    return begins_or_voids or bool(columns & SEALED[told[2]] - {"id"})


def seal_of(event: int) -> str:
    """The seal as the rows are now: a digest for each part, so that a difference tells where it is."""
    return "-".join(_digest(part, event) for part in PARTS)


def broken_parts(event: Event) -> list[str]:
    """What is not as it was when the program wrote it last."""
    kept, now = event.seal.split("-"), seal_of(event.pk).split("-")
    if len(kept) != len(now):
        return [part.words for part in PARTS]
    return [part.words for part, before, after in zip(PARTS, kept, now, strict=True) if before != after]


def _digest(part: Part, event: int) -> str:
    rows: Any = part.model._default_manager.filter(**{part.event: event}).order_by("pk")
    if part.model is Game:
        found = rows.annotate(played=PLAYED).values_list(*part.fields, "played")
    else:
        found = rows.values_list(*(RECEIPT if part.model is Ledger else part.fields))
    return hashlib.sha256(canonical(list(found)).encode()).hexdigest()[:SIGNS]


def watching(told: Callable[[], None]) -> Callable[..., Any]:
    """For `connection.execute_wrapper`: call `told` whenever a statement breaks the seal."""

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if breaks_seal(sql):
            told()
        return execute(sql, params, many, context)

    return watch
