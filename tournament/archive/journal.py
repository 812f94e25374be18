"""The journal in an event file: acts on games name them by round, table and leg, because keys differ elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.fields import Fields
from tournament.archive.changes import filled, read_moment
from tournament.models import Event, Game, Journal
from tournament.queries.authors import author
from tournament.refusals import Fault

ACT = frozenset("at by address action noun key text before after".split())
# Nouns whose keys mean the same everywhere: numbers of teams, rounds, tables and places in the bracket.
LASTING = frozenset("team teams table money bracket".split())
GAME = "game"


@dataclass(frozen=True, slots=True)
class FileAct:
    """An act. The key of a game is “round/table/leg”."""

    at: datetime
    by: str
    address: str
    action: str
    noun: str
    key: str
    text: str
    before: Any
    after: Any


def journal_of(event: Event) -> list[dict[str, Any]]:
    """The journal from its beginning, as the file has it."""
    rows = Game.objects.filter(round__event=event).values_list("pk", "round__number", "table", "leg")
    games = {str(pk): game_name(*place) for pk, *place in rows}
    acts = Journal.objects.filter(event=event).select_related("user", "device").order_by("pk")
    return [_act(one, games) for one in acts.iterator(chunk_size=1000)]


def game_name(number: int, table: int, leg: int) -> str:
    """A game as the journal of a file names it."""
    return f"{number}/{table}/{leg}"


def read_journal(data: Any, faults: list[Fault]) -> list[FileAct]:
    """The acts of a file, a fault for each that is none."""
    acts: list[FileAct] = []
    for index, one in enumerate(data if isinstance(data, list) else [] if data is None else [None], start=1):
        fields = Fields(one if isinstance(one, Mapping) else {"": one})
        fields.only(ACT)
        at, texts = read_moment(fields, "at"), {name: fields.text(name) for name in ("action", "noun", "text")}
        by, address, key = fields.text("by")[:150], fields.text("address")[:45], fields.text("key")[:40]
        wrong = [f", field {problem.field}: {problem.text}" for problem in fields.problems]
        if wrong or at is None or not all(texts.values()):
            needed = ": it needs a time, an action, a noun and a text."
            faults.append(Fault("journal", f"Journal, line {index}{(*wrong, needed)[0]}"))
            continue
        action, noun, text = texts["action"][:30], texts["noun"][:20], texts["text"][:300]
        acts.append(FileAct(at, by, address, action, noun, key, text, one.get("before"), one.get("after")))
    return acts


def _act(one: Journal, games: Mapping[str, str]) -> dict[str, Any]:
    key = games.get(one.key, "") if one.noun == GAME else one.key if one.noun in LASTING else ""
    said = {
        "at": one.at.isoformat(),
        "by": author(one.by, one.user, one.device),
        "address": one.address,
        "action": one.action,
        "noun": one.noun,
        "key": key,
        "text": one.text,
    }
    return filled(said) | {k: v for k, v in (("before", one.before), ("after", one.after)) if v is not None}
