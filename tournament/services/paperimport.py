"""Lines from a file, entered many at once: all of them or none, and the same file again changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils import timezone

from tournament.access import Actor, may
from tournament.models import Entry, Event, Game
from tournament.models.entry import OPENING, RULED
from tournament.queries.rules import ruleset_at
from tournament.queries.scored import NotPossible, active_entries, scored_game
from tournament.refusals import Fault, Invalid, Refusal
from tournament.services.entries import entry_of, open_from_paper
from tournament.services.journal import note
from tournament.services.results import refresh_results
from tournament.services.rulings import note_ruling, sign_if_nobody_can
from tournament.services.transactions import locked_game, writing

# Where lines come from, as their source has it, in the words of the journal.
FILES = {"paper": "games of the score workbook", "import": "games of the results workbook"}


class Filled(NamedTuple):
    """A game's lines as a file has them, totals carried on from paper first.

    `lines` are the numbers that they have on the sheet they come from, where the file tells them.
    """

    game: int
    entries: Sequence[dict[str, Any]]
    lines: Sequence[int] = ()


class New(NamedTuple):
    """What a file adds to a sheet: entries with the least number that each may have."""

    game: Game
    place: str
    entries: list[tuple[int, dict[str, Any]]]

    @property
    def rulings(self) -> list[dict[str, Any]]:
        return [facts for _, facts in self.entries if facts["entry"] in RULED]


def enter_boards(actor: Actor, event: Event, boards: Sequence[Sequence[Any]], *, source: str = "paper") -> int:
    """Enter what stands on filled boards or in a results workbook, by game; returns how many lines are new.

    `boards` are `Filled`. Lines that stand on the sheet already must be the same, as far as a board tells them. Raises
    Invalid with the table where the file says otherwise or the rules refuse a line, and Refusal where it brings rulings
    and the actor may not rule; then nothing is entered at all.
    """
    with writing(event) as event:
        sheets = [_what_is_new(event, Filled(*board), source) for board in boards]
        if any(sheet.rulings for sheet in sheets) and not may(actor, "rule", event):
            raise Refusal("This file holds rulings: only a director enters them. Nothing was entered.")
        for sheet in sheets:
            _enter(actor, event, sheet, source)
        touched = [sheet.game.pk for sheet in sheets if sheet.entries]
        refresh_results(event, touched)
        for sheet in sheets:
            _rule(actor, event, sheet)
        new = sum(len(sheet.entries) for sheet in sheets)
        if new:
            text = f"{new} lines entered from {len(touched)} {FILES[source]}"
            note(actor, event, "enter-boards", "event", event.pk, text)
        return new


def _what_is_new(event: Event, filled: Filled, source: str) -> New:
    game = locked_game(event, filled.game)
    place = f"{game.round}, table {game.table}"
    stands = [entry.facts for entry in active_entries(game.entries.all())]
    entries = list(filled.entries)
    totals = bool(entries) and entries[0].get("entry") == OPENING
    if stands and stands[0].get("entry") == OPENING and not totals:
        raise Invalid([Fault(place, f"{place}: this game was continued from totals. Enter its hands at the desk.")])
    for number, (old, new) in enumerate(zip(stands, entries, strict=False), start=0 if totals else 1):
        if not (_says_the_same(old, new, game) if source == "paper" else old == new):
            which = f"line {number} of the sheet is different" if number else "it starts from other totals"
            raise Invalid([Fault(place, f"{place}: {which}. Nothing was entered.")])
    numbers = [*([0] if totals else []), *filled.lines] if filled.lines else [0] * len(entries)
    return New(game, place, list(zip(numbers, entries, strict=True))[len(stands) :])


def _says_the_same(old: dict[str, Any], new: dict[str, Any], game: Game) -> bool:
    """A board tells less than a tablet: neither the bidder's seat nor the trump. What it tells must be so."""
    seat = old.get("seat")
    known = old if seat is None else {"bidder": seat % ruleset_at(game).seating.sides} | old
    return all(known.get(key) == value for key, value in new.items())


def _enter(actor: Actor, event: Event, sheet: New, source: str) -> None:
    """Write what is new on a sheet; its result is computed with all others."""
    game, place, lines = sheet
    if not lines:
        return
    if game.round.state != "running":
        raise Invalid([Fault(place, f"{place}: this game is not being played. Nothing was entered.")])
    if game.state == "final":
        raise Invalid([Fault(place, f"{place}: the sheet is signed and final. Nothing was entered.")])
    if lines[0][1]["entry"] == OPENING:
        opening = {key: value for key, value in lines[0][1].items() if key != "entry"}
        try:
            open_from_paper(actor, game, opening)
        except Refusal as refusal:
            raise Invalid([Fault(place, f"{place}: {fault.text}", fault.rule) for fault in refusal.faults]) from refusal
        lines = lines[1:]
    before = after = scored_game(game)
    for number, facts in lines:
        # The other hall's lines stay as they are there, so that both sheets have one code: with their dealers, and a
        # number that was struck at the other table stays free here, too.
        facts = after.dealt(facts) if source == "paper" else facts
        try:
            after = after.with_line(max(after.next_position, number), facts)
        except NotPossible as refusal:
            faults = [Fault(place, f"{place}: {problem.text}", problem.rule) for problem in refusal.problems]
            raise Invalid(faults) from refusal
    entries = list(game.entries.all())
    new = after.lines[len(before.lines) :]
    Entry.objects.bulk_create(entry_of(actor, game, entries, line.position, line.facts, source) for line in new)
    Game.objects.filter(pk=game.pk).update(last_entry_at=timezone.now())
    note(actor, event, "record", "game", game.pk, f"{place}: {len(lines)} lines written from a file", after=lines)


def _rule(actor: Actor, event: Event, sheet: New) -> None:
    """What a ruling at the desk does besides: it stands in the log, and a game that nobody can sign is signed."""
    for facts in sheet.rulings:
        note_ruling(actor, event, sheet.game, facts)
    if sheet.rulings:
        sign_if_nobody_can(actor, locked_game(event, sheet.game.pk))
