"""Corrections and rulings: a line is rewritten, later lines are set aside, and both teams are told."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django.utils import timezone

from tournament.access import Actor
from tournament.errors import Conflict, DomainError, Fault, ValidationFailed
from tournament.models import Entry, Event, Game, Notice, Result
from tournament.models.game import CAUSES, RULED, SET_ASIDE
from tournament.queries.corrections import SheetState, impact, picture_of
from tournament.queries.rulings import SIGNED_BY_DIRECTOR, is_leaving
from tournament.queries.scored import NotPossible, ScoredGame, active_entries, scored_game, set_aside, sheet_code
from tournament.queries.season import others_in_season
from tournament.queries.sheet import printed_sheets
from tournament.queries.standings import full_standings, standings
from tournament.queries.wording import write_down
from tournament.services.bracket_repair import follow_bracket, keep_seeds
from tournament.services.confirming import ask_first
from tournament.services.entries import SheetDraft, add_line, record_entry, restore, retype, rewrite, sheet_draft
from tournament.services.rounds import answer_open_call
from tournament.services.signatures import locked_sheet, refresh_result, sign_for_all, witness_all
from tournament.services.teams import send_away
from tournament.services.transactions import Shown, announce, locked_game, place_of, writing
from tournament.words.phrases import rule as cited

# Record that a team has read what an official changed.


def acknowledge_notice(actor: Actor, notice: Notice) -> Notice:
    """Record that a team has read a notice. The time of the first reading stays."""
    with writing(notice.team.event_id, Shown.PUBLIC) as event:
        notice = Notice.objects.select_related("team").get(pk=notice.pk)
        if notice.seen_at is None:
            notice.seen_at = timezone.now()
            notice.seen_by = actor.person
            notice.seen_on = actor.device if actor.person is None else None
            notice.save(update_fields=["seen_at", "seen_by", "seen_on"])
            told = {"team": notice.team.name, "notice": {"said": notice.code} | notice.facts}
            announce(actor, event, "read", "notice", notice.pk, "notice", told)
    return notice


# Corrections: a line is rewritten, later lines that no longer fit are set aside, and both teams are told.


def correct_sheet(
    actor: Actor,
    game: Game,
    *,
    position: int,
    revision: int,
    facts: dict[str, Any] | None,
    reason: str,
    confirmed: str | None = None,
) -> None:
    """Replace a line of a sheet, or take it off (None). Final games can be corrected, too.

    If the game now ends earlier, later lines are set aside, never thrown away. If it goes on again, they come back as
    far as they fit. Raises Conflict if the line has changed since.
    """

    def write(draft: SheetDraft) -> None:
        was_over, new = draft.game.state in ("to-sign", "final"), draft.scored.dealt_at(position, facts)
        _set_aside(actor, draft, position, new)
        rewrite(actor, draft, position=position, revision=revision, facts=new, reason=reason)
        if was_over and draft.scored.verdict is None:
            _bring_back(actor, draft, f"Brought back: {reason.strip()}"[:200])

    _correct(actor, game, write, reason, confirmed)


def retype_sheet(
    actor: Actor,
    game: Game,
    *,
    opening: dict[str, Any] | None,
    lines: Sequence[dict[str, Any]],
    code: str,
    reason: str,
    confirmed: str | None = None,
) -> None:
    """Rewrite the whole sheet in one correction: for lines that begin or end the game, or several wrong lines.

    Raises Conflict if the sheet no longer has this `code`.
    """

    def write(draft: SheetDraft) -> None:
        if sheet_code(draft.game, draft.scored) != code:
            raise Conflict("The sheet was changed since you opened it. Compare it with what you typed.")
        retype(actor, draft, opening, lines, reason)

    _correct(actor, game, write, reason, confirmed)


def _correct(actor: Actor, game: Game, write: Callable[[SheetDraft], None], reason: str, confirmed: str | None) -> None:
    """Correct a sheet. A final game stays final.

    The official who corrects a final game signs the new sheet for both sides, and both teams get a notice. Raises
    ValidationFailed if the rules refuse the change or a closed round would be left without a result. It is done only if
    it changes exactly what was `confirmed` (the key of an impact); pass None for an act that asks nothing. Otherwise
    nothing is stored, and NeedsConfirmation describes the changes.
    """
    seen, asks = game.round.event, confirmed is not None
    known = full_standings(seen) if asks else None
    others = others_in_season(seen) if asks else ()
    with writing(seen.pk) as event:
        draft = sheet_draft(locked_sheet(event, game.pk))
        game = draft.game
        if game.round.stage != "playoff":
            keep_seeds(event)
        was_final = game.state == "final"
        if known is None or (event.epoch, event.public_version) != (seen.epoch, seen.public_version):
            known = standings(event) if asks else None
            # The event may count in another season by now.
            others = others_in_season(event) if asks else ()
        # Nothing is printed in between.
        printed = printed_sheets(event) if asks else {}
        before = picture_of(event, known, [_state_of(draft)], printed, others) if asks and known else None
        write(draft)
        signed = was_final and _sign_again(actor, draft, reason)
        refresh_result(game, draft.scored, signed=signed)
        if was_final:
            said = place_of(game) | {"reason": reason.strip()}
            announce(actor, event, "correct-final", "game", game.pk, "corrected", said)
            follow_bracket(actor, event)
        if before is not None:
            after = picture_of(event, standings(event), [_state_of(draft)], printed, others)
            ask_first(impact(before, after), confirmed)


def later_lines(scored: ScoredGame, position: int, facts: dict[str, Any] | None) -> list[int]:
    """The positions after a corrected line that would no longer fit, because the game is over before them."""
    places = [line.position for line in scored.lines]
    try:
        if position in places:
            scored.replacing(position, facts)
    except NotPossible as refusal:
        if refusal.position > position and all(one.field == "entry" for one in refusal.problems):
            return [place for place in places if place >= refusal.position]
    return []


def bring_back(actor: Actor, game: Game, reason: str, confirmed: str | None = None) -> None:
    """Put lines that were set aside back on the sheet, as far as they fit, once that was `confirmed`.

    Raises Conflict if no line is set aside anymore or none fits, and Invalid without a reason.
    """
    if not reason.strip():
        raise ValidationFailed([Fault("reason", "Say why these lines count again.")])

    def write(draft: SheetDraft) -> None:
        if draft.game.state == "final":
            raise Conflict(
                "The sheet is final: correct the line that ends the game, and these lines come back with it."
            )
        if not _bring_back(actor, draft, f"Brought back: {reason.strip()}"[:200]):
            raise Conflict("No line that was set aside fits on the sheet as it is now.")

    _correct(actor, game, write, reason, confirmed)


def _state_of(draft: SheetDraft) -> SheetState:
    return SheetState(draft.game, draft.scored, draft.entries)


def _bring_back(actor: Actor, draft: SheetDraft, reason: str) -> int:
    lines = set_aside(draft.entries)
    for count, line in enumerate(lines):
        try:
            restore(actor, draft, line.position, reason)
        except DomainError:
            return count
    return len(lines)


def _set_aside(actor: Actor, draft: SheetDraft, position: int, facts: dict[str, Any] | None) -> None:
    """Take off the lines after the end of the game, the last one first."""
    revisions = {one.position: one.revision for one in active_entries(draft.entries)}
    for place in reversed(later_lines(draft.scored, position, facts)):
        said, revision = CAUSES[SET_ASIDE], revisions[place]
        rewrite(actor, draft, position=place, revision=revision, facts=None, reason=said, cause=SET_ASIDE)


def _sign_again(actor: Actor, draft: SheetDraft, reason: str) -> bool:
    """Sign the sheet for all sides, provided the game is still over."""
    if draft.scored.verdict is not None:
        witness_all(actor, draft.game, draft.scored, f"Corrected: {reason.strip()}"[:200])
    elif draft.game.round.state == "closed":
        closed = draft.game.round.inside
        text = f"The game would not be over then, and {closed} is closed. Type the whole sheet again, or make a ruling."
        raise ValidationFailed([Fault("entry", text)])
    return draft.scored.verdict is not None


# Rulings: a director applies them, they stay on record whatever they cost, and they are withdrawn with a reason.


def apply_ruling(
    actor: Actor,
    game: Game,
    facts: dict[str, Any],
    *,
    position: int | None = None,
    client_key: uuid.UUID | None = None,
    leaves: bool = False,
) -> Entry:
    """Write a ruling on the sheet and answer the table's call. `position` is where the director saw the end.

    If nobody came or a team has left, the director signs the awarded game for both sides. `leaves` means that the side
    at fault is out of the event: it forfeits its other games when their rounds start.
    """
    with writing(game.round.event_id) as event:
        entry = record_entry(actor, game, facts, position=position, client_key=client_key, source="desk")
        game = locked_game(event, game.pk)
        answer_open_call(actor, event, game)
        sign_if_nobody_can(actor, game)
        if leaves and is_leaving(str(facts.get("rule"))) and facts.get("side") is not None:
            send_away(actor, event, game, int(facts["side"]), str(facts["rule"]))
        note_ruling(actor, event, game, facts)
        return entry


def replace_by_ruling(
    actor: Actor,
    game: Game,
    facts: dict[str, Any],
    *,
    position: int,
    revision: int,
    reason: str,
    confirmed: str | None = None,
) -> None:
    """Replace a line on the sheet with a ruling. Like a correction, this works for final games, too."""
    with writing(game.round.event_id) as event:
        correct_sheet(
            actor, game, position=position, revision=revision, facts=facts, reason=reason, confirmed=confirmed
        )
        answer_open_call(actor, event, locked_game(event, game.pk))
        note_ruling(actor, event, game, facts)


def rule_on_final(
    actor: Actor, game: Game, facts: dict[str, Any], *, reason: str, confirmed: str | None = None
) -> None:
    """Rule on a hand of a final game: a line is added and both teams are told, as with a correction."""
    with writing(game.round.event_id) as event:
        _correct(actor, game, lambda draft: add_line(actor, draft, facts, reason), reason, confirmed)
        note_ruling(actor, event, game, facts)


def withdraw_ruling(
    actor: Actor, game: Game, *, position: int, revision: int, reason: str, confirmed: str | None = None
) -> None:
    """Withdraw a ruling: it stays on record, struck through, and the score is computed without it."""
    with writing(game.round.event_id) as event:
        stands = Entry.objects.filter(game=game, position=position, revision=revision, kind__in=RULED).first()
        if stands is None:
            raise Conflict("This ruling is no longer on the sheet.")
        correct_sheet(actor, game, position=position, revision=revision, facts=None, reason=reason, confirmed=confirmed)
        said = place_of(game) | {"reason": reason.strip()}
        announce(actor, event, "withdraw", "ruling", stands.pk, "ruling", said, before=stands.facts)


def sign_if_nobody_can(actor: Actor, game: Game) -> None:
    """If a game was awarded because a side is not there, nobody can sign at the table: the director signs it."""
    result = Result.objects.get(game=game)
    if result.over and result.how in SIGNED_BY_DIRECTOR and game.state != "final":
        sign_for_all(actor, game, f"By ruling under {cited(result.rule)}")


def note_ruling(actor: Actor, event: Event, game: Game, facts: dict[str, Any]) -> None:
    """The journal says what happened and what was chosen, in the words of the sheet."""
    names = tuple(game.sides.order_by("index").values_list("team__name", flat=True))
    scored = scored_game(game)
    written = write_down(scored.rules, facts, names, (), (), hands=scored.hands)
    said = place_of(game) | {"rule": written.rule, "what": written.text}
    announce(actor, event, "rule", "game", game.pk, "ruled", said, after=facts)
