"""One game at the desk: its sheet, and what officials may do with it now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.shortcuts import get_object_or_404

from tournament.access import Actor, rights_in
from tournament.errors import Conflict
from tournament.models import Game, Signature
from tournament.models.game import RULED
from tournament.queries.bids import Locked, locked_on
from tournament.queries.clocks import minutes_of
from tournament.queries.rules import Ruleset
from tournament.queries.rulings import letter_of
from tournament.queries.scored import active_entries
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row, SeatFacts, SideFacts
from tournament.words.phrases import DONE, VOID, minus


@dataclass(frozen=True, slots=True)
class DeskGame:
    """A game with its sheet. The flags say what the actor may do with it in its current state."""

    game: Game
    sheet: GameSheet
    rules: Ruleset
    writes: bool
    rules_on_it: bool
    corrects: bool
    seats: bool
    witnesses: bool
    notes_paper: bool
    returns_paper: bool
    returns_one: bool
    answers: bool
    opens: bool
    undo_position: int | None
    timed: bool
    director: bool
    typed_it: bool
    locked: Locked | None

    @property
    def chairs(self) -> tuple[tuple[str, SeatFacts], ...]:
        """The seats in the order of their letters, which are the keys that name them."""
        seats = sorted(self.sheet.seats, key=lambda seat: seat.seat)
        return tuple((letter_of(seat.seat), seat) for seat in seats)

    @property
    def next_open(self) -> Game | None:
        """The next table of this round whose game is not final, starting over after the last table."""
        if self.game.round.state != "running":
            return None
        here = (self.game.table, self.game.leg)
        others = self.game.round.games.exclude(state__in=DONE).exclude(pk=self.game.pk)
        return min(others, key=lambda game: ((game.table, game.leg) < here, game.table, game.leg), default=None)

    @property
    def last_hand(self) -> int | None:
        """The line that a ruling would replace, if the hands ended a game that is not signed yet."""
        if not self.rules.game.need_line or not self.sheet.over or self.sheet.game.state == "final":
            return None
        if self.game.round.state != "running":
            return None
        rows = [row for row in self.sheet.rows if row.kind == "hand" or row.kind in RULED]
        return rows[-1].position if rows and rows[-1].kind == "hand" else None

    @property
    def score_before_last(self) -> str:
        """The score without the line that an undo would remove."""
        scores = self.sheet.scored.before(self.undo_position).carry.scores if self.undo_position else ()
        sides = ((side.name, scores[side.index] if scores else 0) for side in self.sheet.sides)
        return ", ".join(f"{name} {minus(score)}" for name, score in sides)

    @property
    def may_be_ruled_on(self) -> bool:
        """Whether the ruling page offers anything: a ruling at the end of the sheet, or instead of the last hand."""
        return self.rules_on_it or (self.director and self.last_hand is not None)

    @property
    def dealt_first(self) -> int | None:
        return self.game.first_dealer if self.sheet.begun else None

    @property
    def tone(self) -> str:
        return "gold" if self.game.waits_for_seats else {"to-sign": "sky", "playing": ""}.get(self.game.state, "plain")

    @property
    def paper_words(self) -> str:
        """How the sheet came from paper; empty if it did not."""
        totals = "Continued from paper totals" if self.flagged else ""
        return " · ".join(filter(None, (totals, self.sheet.paper.words if self.sheet.paper else "")))

    @property
    def sign_lines(self) -> tuple[tuple[SideFacts, Signature | None], ...]:
        """Each side with its signature under the current sheet."""
        signed = {signature.side: signature for signature in self.sheet.signatures}
        return tuple((side, signed.get(side.index)) for side in self.sheet.sides)

    @property
    def who_signed(self) -> str:
        """The sides that one press marks as signed on paper: those that have not signed yet."""
        if len(self.sheet.unsigned) == len(self.sheet.sides):
            return "Both" if len(self.sheet.sides) == 2 else "All"
        return f"{', '.join(side.name for side in self.sheet.unsigned)}:"

    @property
    def flagged(self) -> bool:
        """Whether the game was continued from totals that nobody can recompute."""
        return self.sheet.opening is not None

    @property
    def verifies(self) -> bool:
        """Whether the sheet waits for an official to compare it with its paper."""
        return self.sheet.paper is not None and self.sheet.paper.look is None

    @property
    def needs_another(self) -> bool:
        """Whether another official must compare it, because the actor typed it."""
        return self.verifies and self.typed_it and not self.game.round.event.verify_own


def desk_game(actor: Actor, pk: int) -> DeskGame:
    """The current state of a game."""
    return desk_sheet(actor, get_object_or_404(sheet_games(), pk=pk))


def desk_sheet(actor: Actor, game: Game) -> DeskGame:
    """The sheet of a game that was read by `sheet_games` or `with_sheet`, and what the actor may do to it."""
    sheet, event = game_sheet(game, whole=True), game.round.event
    rules, rights = sheet.rules, rights_in(actor, event)
    lines = active_entries(game.entries.all())
    is_running = game.round.state == "running"
    is_open = is_running and game.state not in DONE
    is_untouched = is_open and not lines
    lacks_signatures = sheet.over and game.state != VOID and bool(sheet.unsigned)
    has_paper_signature = any(signature.on_paper for signature in sheet.signatures)
    if sheet.over and rules.game.need_line:
        # Here rulings replace a hand: a game that is over has no room for one at the end of its sheet.
        takes_rulings = False
    else:
        # A final game takes a ruling as a correction.
        takes_rulings = is_open or (game.state == "final" and "correct" in rights)
    undo_position = None
    if is_open and lines and lines[-1].kind not in RULED:
        undo_position = lines[-1].position
    return DeskGame(
        game=game,
        sheet=sheet,
        rules=rules,
        writes="record" in rights and is_open and not sheet.over,
        rules_on_it="rule" in rights and takes_rulings,
        corrects="correct" in rights and game.state != VOID,
        seats="seat" in rights and is_untouched,
        witnesses="witness" in rights and lacks_signatures,
        notes_paper="paper-signatures" in rights and lacks_signatures,
        returns_paper="paper-signatures" in rights and is_running and has_paper_signature,
        returns_one="paper-signatures" in rights and is_open and bool(sheet.signatures),
        answers="answer" in rights and sheet.call is not None,
        opens="record" in rights and is_untouched,
        undo_position=undo_position,
        timed=minutes_of(game.round, rules.rules) is not None,
        director="rule" in rights,
        locked=locked_on(sheet) if is_open else None,
        typed_it=_has_typed(actor, sheet),
    )


def _has_typed(actor: Actor, sheet: GameSheet) -> bool:
    """Whether the actor typed any part of the sheet from paper."""
    if sheet.paper is None or actor.person is None:
        return False
    return actor.person.get_username() in sheet.paper.typed_by


def sheet_line(desk: DeskGame, position: int) -> Row:
    """The line at a position. Raises Conflict if it is no longer there."""
    row = next((row for row in desk.sheet.rows if row.position == position), None)
    if row is None:
        raise Conflict("This line is no longer on the sheet.")
    return row


def sheet_before(desk: DeskGame, position: int) -> GameSheet:
    """The sheet as it was before a position, so that the form can ask for that line again, with the same cards."""
    scored = desk.sheet.scored.before(position)
    due = desk.rules.game.next_hand(desk.rules.rules, scored.carry)
    row = next((row for row in desk.sheet.rows if row.position == position), None)
    if row is not None and row.written.cards is not None:
        due = due._replace(cards=row.written.cards)
    return replace(desk.sheet, scored=scored, next=due)
