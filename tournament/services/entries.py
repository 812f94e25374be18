"""Writing on the sheet: a hand, a void, a ruling; undoing the last; correcting one. Entries are only added."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

from scoring.problem import Problem
from tournament.access import Actor
from tournament.models import Entry, Event, Game
from tournament.models.entry import AFTER_HAND, CAUSES, OPENING, REMOVED, RULED
from tournament.phrases import VOID
from tournament.queries.lines import (
    active_entries,
    carry_of,
    first_fault,
    next_position,
    opening_carry,
    opening_faults,
    with_dealer,
)
from tournament.queries.rules import ruleset_at
from tournament.queries.timing import TIME, ends_by_time
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.results import locked_sheet, refresh_result
from tournament.services.transactions import writing


def record_entry(
    actor: Actor,
    game: Game,
    facts: dict[str, Any],
    *,
    position: int | None = None,
    client_key: uuid.UUID | None = None,
    source: str = "table",
    reason: str = "",
) -> Entry:
    """Write the next entry of a game. `position` is where the writer saw it; None means wherever the end is.

    A hand is written with its dealer: from this page or that one, with a connection or without.
    The same `client_key` again gives the entry it made before and writes nothing. Raises Invalid where the rules
    refuse it, Changed where the game is signed or another entry stands at this position already.
    """
    key = client_key or uuid.uuid4()
    with writing(game.round.event_id) as event:
        game = locked_sheet(event, game.pk)
        if (known := Entry.objects.filter(client_key=key).first()) is not None:
            return _same(known, game, facts)
        _must_be_open(game)
        entries = list(game.entries.all())
        due = next_position(entries)
        if position is not None and position != due:
            raise Changed(
                "Another hand was recorded meanwhile. Look at the sheet, then record yours if it is still right."
            )
        rules = ruleset_at(game)
        carry = carry_of(rules, entries)
        facts = with_dealer(rules, carry, game.first_dealer, facts)
        if fault := first_fault(rules, carry, [facts]):
            raise Invalid(_faults(fault[1]))
        entry = _add(actor, game, entries, due, facts, key, source, reason)
        refresh_result(game, entries)
        note(actor, event, "record", "game", game.pk, f"{_place(game)}: {entry.kind} {due} written", after=facts)
        if ends_by_time(game, entry, entries[:-1], source):
            _end_by_time(actor, event, game, entries)
        return entry


def undo_entry(
    actor: Actor, game: Game, *, position: int, client_key: uuid.UUID | None = None, source: str = "table"
) -> Entry:
    """Take the last entry off the sheet; it stays on record, struck through. `position` is the one that was seen."""
    key = client_key or uuid.uuid4()
    with writing(game.round.event_id) as event:
        game = locked_sheet(event, game.pk)
        if (known := Entry.objects.filter(client_key=key).first()) is not None:
            return _same(known, game, {"entry": REMOVED})
        _must_be_open(game)
        entries = list(game.entries.all())
        active = active_entries(entries)
        if not active:
            raise Changed("There is nothing to undo.")
        last = active[-1]
        if last.kind == OPENING and actor.person is None:
            raise Changed("The game was continued from paper: only an official can take these totals back.")
        if last.position != position:
            raise Changed("The sheet has changed: another hand is the last one now.")
        ends_by_itself = last.cause == AFTER_HAND and len(active) > 1
        if last.kind in RULED or (ends_by_itself and active[-2].kind in RULED):
            raise Changed("The last line is a ruling: only the director can withdraw it, with a reason.")
        entry = _add(actor, game, entries, position, {"entry": REMOVED}, key, source, "undone")
        undone = [last]
        if ends_by_itself:
            # The end by time came with the hand before it: the hand is what was meant.
            undone.append(active[-2])
            _add(actor, game, entries, active[-2].position, {"entry": REMOVED}, uuid.uuid4(), source, "undone")
        refresh_result(game, entries)
        for one in undone:
            text = f"{_place(game)}: entry {one.position} undone"
            note(actor, event, "undo", "game", game.pk, text, before=one.facts)
        return entry


def revise_entry(
    actor: Actor,
    game: Game,
    *,
    position: int,
    revision: int,
    facts: dict[str, Any] | None,
    reason: str,
    cause: str = "",
) -> Entry:
    """Replace an entry anywhere on the sheet (None takes it off). Every later entry must still be possible.

    Raises Changed where somebody else revised it first, Invalid where the rules refuse the sheet that would result.
    """
    if not reason.strip():
        raise Invalid([Fault("reason", "A correction needs a reason.")])
    with writing(game.round.event_id) as event:
        game = locked_sheet(event, game.pk)
        entries = list(game.entries.all())
        stands = {entry.position: entry for entry in active_entries(entries)}
        old = stands.get(position)
        if old is None or old.revision != revision:
            raise Changed("This hand was changed since you opened it. Look at it again before you correct it.")
        facts = dealt_again(game, position, facts)
        _must_fit(game, stands, position, facts)
        new = facts if facts is not None else {"entry": REMOVED}
        entry = _add(actor, game, entries, position, new, uuid.uuid4(), "desk", reason.strip()[:200], cause)
        refresh_result(game, entries)
        text = f"{_place(game)}: entry {position} corrected: {reason.strip()}"
        note(actor, event, "correct", "game", game.pk, text, before=old.facts, after=facts)
        return entry


def dealt_again(game: Game, position: int, facts: dict[str, Any] | None) -> dict[str, Any] | None:
    """The facts of a correction; a hand was dealt by whoever dealt it before, otherwise by whoever was due."""
    if facts is None or facts.get("entry") != "hand" or facts.get("dealer") is not None:
        return facts
    stands = active_entries(game.entries.all())
    before = next((one.facts.get("dealer") for one in stands if one.position == position), None)
    if before is not None:
        return {**facts, "dealer": before}
    rules = ruleset_at(game)
    carry = carry_of(rules, [one for one in stands if one.position < position])
    return with_dealer(rules, carry, game.first_dealer, facts)


def restore_entry(actor: Actor, game: Game, position: int, reason: str) -> Entry:
    """Put a line back on the sheet that was taken off, as it last stood; it must fit where it stands.

    Raises Changed where another line stands there or the game is over without it, Invalid where the rules refuse it.
    """
    with writing(game.round.event_id) as event:
        game = locked_sheet(event, game.pk)
        entries = list(game.entries.all())
        stands = {entry.position: entry for entry in active_entries(entries)}
        versions = [entry for entry in entries if entry.position == position and entry.kind != REMOVED]
        if position in stands or not versions:
            raise Changed("This line cannot come back: look at the sheet again.")
        old = max(versions, key=lambda entry: entry.revision)
        _must_fit(game, stands, position, old.facts)
        entry = _add(actor, game, entries, position, old.facts, uuid.uuid4(), old.source, reason[:200])
        refresh_result(game, entries)
        note(
            actor,
            event,
            "restore",
            "game",
            game.pk,
            f"{_place(game)}: line {position} is back: {reason}",
            after=old.facts,
        )
        return entry


def open_from_paper(actor: Actor, game: Game, opening: dict[str, Any]) -> Entry:
    """Carry a game on from the totals of a paper sheet; only before its first entry.

    Raises Changed where the sheet has entries, Invalid with each total that cannot be, and where the game is over by
    them: then its hands are typed.
    """
    with writing(game.round.event_id) as event:
        game = locked_sheet(event, game.pk)
        _must_be_open(game)
        entries = list(game.entries.all())
        if active_entries(entries):
            raise Changed("The sheet already has hands: totals from paper can only come before the first one.")
        if faults := opening_faults(ruleset_at(game), opening):
            raise Invalid(_faults(faults))
        facts = {"entry": OPENING, **opening}
        entry = _add(actor, game, entries, 0, facts, uuid.uuid4(), "paper", "")
        refresh_result(game, entries)
        note(actor, event, "record", "game", game.pk, f"{_place(game)}: continued from paper", after=opening)
        return entry


def entry_of(
    actor: Actor, game: Game, entries: Sequence[Entry], position: int, facts: dict[str, Any], source: str
) -> Entry:
    """A line of the sheet that is not stored yet: the next revision of its position among `entries`."""
    before = [entry for entry in entries if entry.position == position]
    last = max(before, key=lambda entry: entry.revision, default=None)
    return Entry(
        game=game,
        position=position,
        revision=last.revision + 1 if last else 0,
        replaces=last,
        kind=facts["entry"].replace("-", "_"),
        facts=facts,
        entered_by=actor.person,
        device=actor.device if actor.person is None else None,
        source=source,
    )


def _end_by_time(actor: Actor, event: Event, game: Game, entries: list[Entry]) -> None:
    due = next_position(entries)
    _add(actor, game, entries, due, {"entry": TIME}, uuid.uuid4(), "desk", CAUSES[AFTER_HAND], AFTER_HAND)
    refresh_result(game, entries)
    note(actor, event, "record", "game", game.pk, f"{_place(game)}: time written {CAUSES[AFTER_HAND]}")


def _same(known: Entry, game: Game, facts: dict[str, Any]) -> Entry:
    """The dealer was added here: the message did not have to name one."""
    said = {"dealer": known.facts["dealer"], **facts} if "dealer" in known.facts else facts
    if known.game_id != game.pk or known.facts != said:
        raise Changed("The tablet sent this before, with different content.")
    return known


def _must_be_open(game: Game) -> None:
    if game.round.state != "running":
        raise Changed(f"{game.round} is not in play: nothing can be recorded at table {game.table}.")
    if game.state == VOID:
        raise Changed("This game no longer counts: its match is replayed or played by others.")
    if game.state == "final":
        raise Changed("Both sides have signed: the sheet is final. Only an official can correct it.")


def _must_fit(game: Game, stands: dict[int, Entry], position: int, facts: dict[str, Any] | None) -> None:
    """The sheet with the new entry must be possible from its first line to its last."""
    rules = ruleset_at(game)
    sheet = {place: entry.facts for place, entry in stands.items() if entry.kind != OPENING}
    if facts is None:
        del sheet[position]
    else:
        sheet[position] = facts
    places = sorted(sheet)
    begin = opening_carry(rules, [entry for _, entry in sorted(stands.items())])
    fault = first_fault(rules, begin, [sheet[place] for place in places])
    if fault is None:
        return
    index, problems = fault
    if places[index] == position:
        raise Invalid(_faults(problems))
    raise Invalid(
        [
            Fault(
                "entry",
                f"After this, line {index + 1} of the sheet would be refused: {problems[0].text}",
                problems[0].rule,
            )
        ]
    )


def _add(
    actor: Actor,
    game: Game,
    entries: list[Entry],
    position: int,
    facts: dict[str, Any],
    key: uuid.UUID,
    source: str,
    reason: str,
    cause: str = "",
) -> Entry:
    """Write an entry behind `entries`, which are those of the game and stay so."""
    entry = entry_of(actor, game, entries, position, facts, source)
    entry.client_key, entry.reason, entry.cause = key, reason, cause
    try:
        entry.save(force_insert=True)
    except IntegrityError as clash:
        raise Changed("Somebody else recorded a line at the same moment. Look at the sheet and try again.") from clash
    entries.append(entry)
    game.last_entry_at = timezone.now()
    return entry


def _faults(problems: tuple[Problem, ...]) -> list[Fault]:
    return [Fault(problem.field, problem.text, problem.rule) for problem in problems]


def _place(game: Game) -> str:
    return f"{game.round}, table {game.table}"
