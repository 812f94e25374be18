"""Lines from filled score workbooks, entered many at once: all or none, and the same file again changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils import timezone

from tournament.access import Actor
from tournament.models import Entry, Event, Game
from tournament.models.game import OPENING
from tournament.queries.rules import ruleset_at
from tournament.queries.score_workbooks import differences, on_boards, why_closed
from tournament.queries.scored import NotPossible, active_entries, scored_game
from tournament.refusals import Fault, Invalid
from tournament.services.entries import entry_of
from tournament.services.journal import note, place_of
from tournament.services.results import refresh_results
from tournament.services.transactions import locked_game, writing

Facts = dict[str, Any]


class New(NamedTuple):
    game: Game
    place: str
    entries: Sequence[Facts]


def enter_boards(actor: Actor, event: Event, boards: Sequence[tuple[int, Sequence[Facts]]]) -> int:
    """Enter what stands on filled boards, games by key with their lines; returns how many lines are new.

    Lines that stand on the sheet already must be the same, as far as a board tells them. Raises Invalid with the table
    where a board says otherwise or the rules refuse a line; then nothing is entered at all.
    """
    with writing(event) as event:
        sheets = [_what_is_new(event, pk, entries) for pk, entries in boards]
        for sheet in sheets:
            _enter(actor, event, sheet)
        touched = [sheet.game.pk for sheet in sheets if sheet.entries]
        refresh_results(event, touched)
        new = sum(len(sheet.entries) for sheet in sheets)
        if new:
            note(actor, event, "enter-boards", "event", event.pk, "lines", {"count": new, "games": len(touched)})
        return new


def _what_is_new(event: Event, pk: int, entries: Sequence[Facts]) -> New:
    game = locked_game(event, pk)
    place = f"{game.round}, table {game.table}"
    lines = [entry.facts for entry in active_entries(game.entries.all())]
    if lines and lines[0].get("entry") == OPENING:
        raise Invalid([Fault(place, f"{place}: this game was continued from totals. Enter its hands at the desk.")])
    stands, sides = on_boards(lines), ruleset_at(game).seating.sides
    for number, (old, new) in enumerate(zip(stands, entries, strict=False), start=1):
        if differences(old, new, sides):
            text = f"{place}: line {number} of the sheet is different. Nothing was entered."
            raise Invalid([Fault(place, text)])
    return New(game, place, entries[len(stands) :])


def _enter(actor: Actor, event: Event, sheet: New) -> None:
    """Write what is new on a sheet; its result is computed with all others."""
    game, place, lines = sheet
    if not lines:
        return
    if closed := why_closed(game):
        raise Invalid([Fault(place, f"{place}: {closed} Nothing was entered.")])
    before = after = scored_game(game)
    for facts in lines:
        try:
            after = after.with_entry(facts)
        except NotPossible as refusal:
            faults = [Fault(place, f"{place}: {problem.text}", problem.rule) for problem in refusal.problems]
            raise Invalid(faults) from refusal
    entries = list(game.entries.all())
    new = after.lines[len(before.lines) :]
    Entry.objects.bulk_create(entry_of(actor, game, entries, line.position, line.facts, "paper") for line in new)
    Game.objects.filter(pk=game.pk).update(last_entry_at=timezone.now())
    note(actor, event, "record", "game", game.pk, "file", place_of(game) | {"count": len(lines)}, after=lines)
