"""The journal in an event file: acts on games name them by round, table and leg, because keys differ elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tournament.archive.changes import filled, objects, read_moment
from tournament.models import Event, Game, Journal
from tournament.queries.authors import author
from tournament.refusals import Fault
from tournament.words.journal import in_full, read_back
from tournament.words.saying import can_be_said

ACT = frozenset("at by address action noun key text code facts before after".split())
# Nouns whose keys mean the same everywhere: numbers of teams, rounds, tables and places in the bracket.
LASTING = frozenset("team teams table money bracket".split())
GAME = "game"


def journal_of(event: Event) -> list[dict[str, Any]]:
    rows = Game.objects.filter(round__event=event).values_list("pk", "round__number", "table", "leg")
    games = {str(pk): game_name(*place) for pk, *place in rows}
    acts = Journal.objects.filter(event=event).select_related("user", "device").order_by("pk")
    return [_act(one, games) for one in acts.iterator(chunk_size=1000)]


def game_name(number: int, table: int, leg: int) -> str:
    """A game as the journal of a file names it."""
    return f"{number}/{table}/{leg}"


def read_journal(data: Any, faults: list[Fault]) -> list[Journal]:
    """The acts of a file, a fault for each that is none. The key of a game is “round/table/leg”."""
    acts: list[Journal] = []
    for index, fields in enumerate(objects(data, ACT), start=1):
        at, action, noun = read_moment(fields, "at"), fields.text("action")[:30], fields.text("noun")[:20]
        by, address, key = fields.text("by")[:150], fields.text("address")[:45], fields.text("key")[:40]
        text, code = fields.text("text")[:300], fields.text("code")
        facts: Any = fields.facts.get("facts")
        before, after = fields.facts.get("before"), fields.facts.get("after")
        if text:
            # Until version 2 a file had the sentence.
            code, facts, before, after = read_back(action, text, before, after)
        wrong = [f", field {problem.field}: {problem.text}" for problem in fields.problems]
        if wrong or at is None or not action or not noun or not can_be_said(partial(in_full, action), code, facts):
            needed = ": it needs a time, an action, a noun, and a code with its facts."
            faults.append(Fault("journal", f"Journal, line {index}{(*wrong, needed)[0]}"))
            continue
        who = {"by": by, "address": address, "action": action, "noun": noun, "key": key}
        acts.append(Journal(at=at, code=code, facts=facts, before=before, after=after, **who))
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
        "code": one.code,
        "facts": one.facts,
    }
    return filled(said) | {k: v for k, v in (("before", one.before), ("after", one.after)) if v is not None}
