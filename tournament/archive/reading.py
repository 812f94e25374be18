"""An event file read strictly: every fault is a sentence that names its row. Nothing is guessed, nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tournament.archive.checks import (
    check_decisions,
    check_entries,
    check_event,
    check_ledger,
    check_limits,
    check_names,
    check_notes,
    check_words,
)
from tournament.archive.earlier import brought_forward
from tournament.archive.games import FoundGame, Tell, check_games
from tournament.archive.manifest import manifest_fault, migrations
from tournament.archive.parts import PARTS, columns_of
from tournament.archive.rows import Rows, read_rows
from tournament.errors import ValidationFailed
from tournament.models import Event, Round, Team

MODELS = {part.name: part.model for part in PARTS}


@dataclass(frozen=True)
class EventFile:
    """An event file that was read: its rows, linked to each other, and the scores of its games."""

    rows: Rows
    games: list[FoundGame]

    @property
    def event(self) -> Event:
        event: Event = self.rows.of(Event)[0]
        return event

    @property
    def counts(self) -> dict[str, int]:
        """Its content in figures that people ask for."""
        return {
            "teams": len(self.rows.of(Team)),
            "rounds": len(self.rows.of(Round)),
            "games": len(self.games),
            "entries": sum(one.counting for one in self.games),
            "finished": sum(one.over for one in self.games),
        }


def read_event_file(data: Any, tell: Tell = lambda done, total: None) -> EventFile:
    """The content of an event file. One of an earlier migration is brought forward first.

    Raises ValidationFailed with all its faults (the first forty).
    """
    if fault := manifest_fault(data):
        raise ValidationFailed([fault])
    if data["manifest"]["migration"] != migrations()[-1]:
        data = brought_forward(data)
    rows = read_rows(data["models"], [*MODELS], MODELS.__getitem__, columns_of)
    check_limits(rows)
    check_names(rows)
    rows.must_be_sound()
    rules = check_event(rows)
    if rules is None:
        rows.must_be_sound()
        raise AssertionError("an event without rules has a fault")
    for check in (check_entries, check_notes, check_decisions, check_words, check_ledger):
        check(rows)
    games = check_games(rows, rules, tell)
    rows.must_be_sound()
    return EventFile(rows, games)


def told_of_event(data: Any) -> dict[str, Any]:
    """What a file says about its event, as far as that can be seen before it is read."""
    try:
        part = data["models"]["Event"]
        return dict(zip(part["columns"], part["rows"][0], strict=True))
    except (KeyError, IndexError, TypeError, ValueError):
        return {}
