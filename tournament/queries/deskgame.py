"""One game at the desk: its sheet, what may be done to it now, and how a single line stands for correcting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.shortcuts import get_object_or_404

from tournament.access import Actor, may
from tournament.models import Entry, Game
from tournament.models.entry import RULED
from tournament.queries.rules import Ruleset, ruleset_at
from tournament.queries.rulingeffect import carry_before
from tournament.queries.sheet import GameSheet, Row, SideFacts, SignatureFacts, active_entries, game_sheet, sheet_games
from tournament.queries.sides import state_words, waits_for_seats
from tournament.refusals import Changed


@dataclass(frozen=True, slots=True)
class DeskGame:
    """A game with its sheet. The flags say what the actor may do to it as it stands now."""

    game: Game
    sheet: GameSheet
    rules: Ruleset
    writes: bool
    rules_on_it: bool
    corrects: bool
    seats: bool
    witnesses: bool
    answers: bool
    opens: bool
    undo_position: int | None
    timed: bool
    director: bool
    typed_it: bool

    @property
    def state_words(self) -> str:
        return state_words(self.game)

    @property
    def waits(self) -> bool:
        """Whether somebody is still to sit down."""
        return waits_for_seats(self.game)

    @property
    def ruled_kinds(self) -> frozenset[str]:
        """The kinds of lines that only a director takes back."""
        return RULED

    @property
    def sign_lines(self) -> tuple[tuple[SideFacts, SignatureFacts | None], ...]:
        """Each side with the signature that stands under the sheet as it is now."""
        signed = {one.side: one for one in self.sheet.signatures}
        return tuple((side, signed.get(side.index)) for side in self.sheet.sides)

    @property
    def flagged(self) -> bool:
        """Whether the game was carried on from totals that nobody can recompute."""
        return self.sheet.opening is not None

    @property
    def verifies(self) -> bool:
        """Whether the sheet waits for a second person who compares it with its paper."""
        return self.sheet.paper is not None and self.sheet.paper.look is None

    @property
    def needs_another(self) -> bool:
        """Whether the second person must be somebody else than whoever looks: they have typed it."""
        return self.verifies and self.typed_it and not self.game.round.event.verify_own


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of the sheet that is looked at for a correction. `ruled` says that only a director may touch it."""

    row: Row
    facts: dict[str, Any]
    ruled: bool


def desk_game(actor: Actor, pk: int) -> DeskGame:
    """A game as the desk shows it to this actor."""
    game = get_object_or_404(sheet_games(), pk=pk)
    sheet, event = game_sheet(game), game.round.event
    rules = ruleset_at(game)
    open_ = game.round.state == "running" and game.state != "final"
    active = active_entries(game.entries.all())
    last = active[-1] if active else None
    undoes = open_ and last is not None and last.kind not in RULED
    return DeskGame(
        game=game,
        sheet=sheet,
        rules=rules,
        writes=open_ and not sheet.over and may(actor, "record", event),
        rules_on_it=open_ and not sheet.over and may(actor, "rule", event),
        corrects=may(actor, "correct", event),
        seats=open_ and not active and may(actor, "seat", event),
        witnesses=sheet.over and bool(sheet.unsigned) and may(actor, "witness", event),
        answers=sheet.call is not None and may(actor, "answer", event),
        opens=open_ and not active and may(actor, "record", event),
        undo_position=last.position if undoes and last else None,
        timed=rules.rules.round_minutes is not None,
        director=may(actor, "rule", event),
        typed_it=sheet.paper is not None and _name(actor) in sheet.paper.typed_by,
    )


def _name(actor: Actor) -> str:
    return actor.person.get_username() if actor.person else ""


def sheet_line(found: DeskGame, position: int) -> SheetLine:
    """The line that stands at a position; Changed where none does any more."""
    row = next((one for one in found.sheet.rows if one.position == position), None)
    if row is None:
        raise Changed("This line is no longer on the sheet.")
    entry = Entry.objects.get(pk=row.entry)
    return SheetLine(row, entry.facts, row.kind in RULED)


def sheet_before(found: DeskGame, position: int) -> GameSheet:
    """The sheet as the entry form needs it to ask for the line at a position anew, with the cards it was dealt."""
    carry = carry_before(found.rules, list(found.game.entries.all()), position)
    due = found.rules.game.next_hand(found.rules.rules, carry)
    row = next((one for one in found.sheet.rows if one.position == position), None)
    if row is not None and row.written.cards is not None:
        due = due._replace(cards=row.written.cards)
    return replace(found.sheet, next=due, over=False)
