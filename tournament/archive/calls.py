"""A table's calls for the director, and what its teams were told, in an event file."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from scoring.fields import Fields
from tournament.archive.changes import filled, objects, read_moment
from tournament.models import Call, Game, Notice
from tournament.phrases import CALLS
from tournament.words.notices import read_back
from tournament.words.notices import text as told
from tournament.words.saying import can_be_said

CALL = frozenset("kind at answered_at".split())
NOTICE = frozenset("team text code facts at seen_at".split())


def calls_of(game: Game) -> list[dict[str, Any]]:
    return [
        filled({"kind": one.kind, "at": one.called_at.isoformat(), "answered_at": _time(one.answered_at)})
        for one in sorted(game.calls.all(), key=lambda one: one.pk)
    ]


def notices_of(game: Game) -> list[dict[str, Any]]:
    return [
        filled(
            {
                "team": one.team.number,
                "code": one.code,
                "facts": one.facts,
                "at": one.made_at.isoformat(),
                "seen_at": _time(one.seen_at),
            }
        )
        for one in sorted(game.notices.all(), key=lambda one: one.pk)
    ]


def read_calls(data: Any, fields: Fields) -> list[Call]:
    """The calls of a table: only the last one can be open."""
    calls: list[Call] = []
    for said in objects(data, CALL):
        kind, at, answered = said.text("kind"), read_moment(said, "at"), read_moment(said, "answered_at")
        if said.problems or kind not in CALLS or at is None or (calls and calls[-1].answered_at is None):
            fields.refuse("calls", "each needs a kind and a time; the next one comes when it was answered.")
            return []
        calls.append(Call(kind=kind, called_at=at, answered_at=answered))
    return calls


def read_notices(data: Any, teams: Collection[int], fields: Fields) -> list[tuple[int, Notice]]:
    """The notices about a table, each with the number of its team: one that was swapped away sits there no longer."""
    notices = []
    for said in objects(data, NOTICE):
        team, text, at = said.number("team"), said.text("text")[:300], read_moment(said, "at")
        seen, code = read_moment(said, "seen_at"), said.text("code")
        facts: Any = said.facts.get("facts")
        if text:
            # Until version 2 a file had the sentence.
            code, facts = read_back(text)
        if said.problems or team is None or team not in teams or at is None or not can_be_said(told, code, facts):
            fields.refuse("notices", "each needs a team of the event, what it was told and a time.")
            return []
        notices.append((team, Notice(code=code, facts=facts, made_at=at, seen_at=seen)))
    return notices


def _time(at: datetime | None) -> str:
    return at.isoformat() if at else ""
