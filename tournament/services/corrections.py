"""Corrections: a line is written anew, later lines that no longer fit are set aside, and both teams are told."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from tournament.access import Actor
from tournament.models import Event, Game
from tournament.models.entry import CAUSES, SET_ASIDE
from tournament.queries.impact import Impact, impact, picture
from tournament.queries.scored import NotPossible, active_entries, scored_game, set_aside
from tournament.refusals import Changed, Fault, Invalid, Refusal
from tournament.services.entries import restore_entry, revise_entry
from tournament.services.journal import note, place_of
from tournament.services.notices import tell_teams
from tournament.services.repairing import follow_bracket
from tournament.services.signatures import sign_for_all
from tournament.services.transactions import locked_game, writing


def correct_sheet(
    actor: Actor, game: Game, *, position: int, revision: int, facts: dict[str, Any] | None, reason: str
) -> None:
    """Replace a line of a sheet (None takes it off), of a final game too.

    Where the game now ends earlier, later lines are set aside, never thrown away; where it goes on again, they come
    back as far as they fit. A final game stays final: whoever
    corrects signs the new sheet for both sides, and both teams get a notice. Raises Changed where the line was
    changed meanwhile, Invalid where the rules refuse the line or a closed round would be left without a result.
    """
    with writing(game.round.event_id) as event:
        game = locked_game(event, game.pk)
        was_final = game.state == "final"
        facts = scored_game(game).dealt_at(position, facts)
        _set_aside(actor, event, game, position, facts)
        was_over = game.state != "playing"
        revise_entry(actor, game, position=position, revision=revision, facts=facts, reason=reason)
        game = locked_game(event, game.pk)
        if was_over and game.state == "playing":
            _bring_back(actor, game, f"Brought back: {reason.strip()}"[:200])
            game = locked_game(event, game.pk)
        if was_final:
            _keep_final(actor, game, reason)
            said = place_of(game) | {"reason": reason.strip()}
            tell_teams(event, game, "corrected", said)
            note(actor, event, "correct-final", "game", game.pk, "corrected", said)
            follow_bracket(actor, event)


def announce_correction(
    actor: Actor, game: Game, *, position: int, revision: int, facts: dict[str, Any] | None, reason: str
) -> Impact:
    """What a correction would change everywhere: it is made, looked at, and taken back; nothing is stored."""
    with transaction.atomic():
        before = picture(game.round.event, game.pk)
        correct_sheet(actor, game, position=position, revision=revision, facts=facts, reason=reason)
        after = picture(game.round.event, game.pk)
        transaction.set_rollback(True)
    return impact(before, after)


def later_lines(game: Game, position: int, facts: dict[str, Any] | None) -> list[int]:
    """The positions behind a corrected line that would no longer fit, because the game is over before them."""
    scored = scored_game(game)
    places = [line.position for line in scored.lines]
    try:
        if position in places:
            scored.replacing(position, facts)
    except NotPossible as refusal:
        if refusal.position > position and all(one.field == "entry" for one in refusal.problems):
            return [place for place in places if place >= refusal.position]
    return []


def bring_back(actor: Actor, game: Game, reason: str) -> int:
    """Put the lines that were set aside on the sheet again, as far as they fit; gives how many.

    Raises Changed where none is set aside any more or none fits, Invalid without a reason.
    """
    if not reason.strip():
        raise Invalid([Fault("reason", "Say why these lines count again.")])
    with writing(game.round.event_id) as event:
        game = locked_game(event, game.pk)
        if game.state == "final":
            raise Changed("The sheet is final: correct the line that ends the game, and these lines come back with it.")
        count = _bring_back(actor, game, f"Brought back: {reason.strip()}"[:200])
        if not count:
            raise Changed("No line that was set aside fits on the sheet as it is now.")
    return count


def _bring_back(actor: Actor, game: Game, reason: str) -> int:
    lines = set_aside(game.entries.all())
    for count, line in enumerate(lines):
        try:
            restore_entry(actor, game, line.position, reason)
        except Refusal:
            return count
    return len(lines)


def _set_aside(actor: Actor, event: Event, game: Game, position: int, facts: dict[str, Any] | None) -> None:
    """Take the lines off that would stand behind the end of the game, the last one first."""
    revisions = {one.position: one.revision for one in active_entries(game.entries.all())}
    for place in reversed(later_lines(game, position, facts)):
        revise_entry(
            actor,
            game,
            position=place,
            revision=revisions[place],
            facts=None,
            reason=CAUSES[SET_ASIDE],
            cause=SET_ASIDE,
        )


def _keep_final(actor: Actor, game: Game, reason: str) -> None:
    if game.state == "to-sign":
        sign_for_all(actor, game, f"Corrected: {reason.strip()}"[:200])
    elif game.state == "playing" and game.round.state == "closed":
        text = "The game would not be over then, and its round is closed. Replace the line with a ruling instead."
        raise Invalid([Fault("entry", text)])


def _place(game: Game) -> str:
    return f"{game.round}, table {game.table}"
