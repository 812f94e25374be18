"""Hands from paper, entered many at once: all of them or none, and the same file again changes nothing."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from tournament.access import Actor
from tournament.models import Event
from tournament.models.entry import OPENING
from tournament.queries.lines import active_entries
from tournament.refusals import Fault, Invalid, Refusal
from tournament.services.entries import record_entry
from tournament.services.journal import note
from tournament.services.transactions import locked_game, writing


def enter_boards(actor: Actor, event: Event, boards: Sequence[tuple[int, Sequence[dict[str, Any]]]]) -> int:
    """Enter the hands of filled boards, by game; returns how many lines are new.

    Lines that stand on the sheet already must be the same. Raises Invalid with the table where a board says otherwise
    or the rules refuse a hand; then nothing is entered at all.
    """
    with writing(event) as event:
        new = sum(_enter(actor, event, pk, entries) for pk, entries in boards)
        if new:
            text = f"{new} lines entered from {len(boards)} score boards"
            note(actor, event, "enter-boards", "event", event.pk, text)
        return new


def _enter(actor: Actor, event: Event, pk: int, entries: Sequence[dict[str, Any]]) -> int:
    game = locked_game(event, pk)
    place = f"{game.round}, table {game.table}"
    stands = [entry.facts for entry in active_entries(game.entries.all())]
    if stands and stands[0].get("entry") == OPENING:
        raise Invalid([Fault(place, f"{place}: this game was carried on from totals. Enter its hands at the desk.")])
    for number, (old, new) in enumerate(zip(stands, entries, strict=False), start=1):
        if old != new:
            raise Invalid([Fault(place, f"{place}: line {number} of the sheet is another one. Nothing was entered.")])
    try:
        for position, facts in enumerate(entries[len(stands) :], start=len(stands) + 1):
            record_entry(actor, game, facts, client_key=_key(event, pk, position, facts), source="paper")
    except Refusal as refusal:
        raise Invalid([Fault(place, f"{place}: {fault.text}", fault.rule) for fault in refusal.faults]) from refusal
    return max(0, len(entries) - len(stands))


def _key(event: Event, pk: int, position: int, facts: dict[str, Any]) -> uuid.UUID:
    """The same line of the same board has the same key, so that it is never written twice."""
    return uuid.uuid5(event.epoch, json.dumps([pk, position, facts], sort_keys=True))
