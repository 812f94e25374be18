"""Writing on the sheet: a hand, a void, a ruling, many lines from paper, undoing the last. Entries are only added."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import IntegrityError
from django.utils import timezone

from scoring.game import NextHand
from scoring.ledger import Problem, bid_words, hyphenated
from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Entry, Event, Game
from tournament.models.game import AFTER_HAND, CAUSES, OPENING, REMOVED, RULED
from tournament.queries.bids import Locked, bids_field, contract_words, locked_bids
from tournament.queries.rules import ruleset_at
from tournament.queries.score_workbooks import differences, on_boards, why_closed
from tournament.queries.scored import (
    TIME,
    NotPossible,
    ScoredGame,
    active_entries,
    begin,
    kind_of,
    opening_faults,
    scored_game,
)
from tournament.services.signatures import locked_sheet, refresh_result, refresh_results
from tournament.services.transactions import Shown, announce, locked_game, look_again, place_of, show, writing
from tournament.words.phrases import VOID
from tournament.words.sentences import Reason


def record_entry(
    actor: Actor,
    game: Game,
    facts: dict[str, Any],
    *,
    position: int | None = None,
    client_key: uuid.UUID | None = None,
    source: str = "table",
) -> Entry:
    """Write the next entry of a game. `position` is where the writer saw it; None means the current end.

    A hand is stored with its dealer, whichever page it came from and whether or not that was online. Sending the same
    `client_key` again returns the entry it made before and writes nothing. Raises ValidationFailed if the rules refuse
    it, Conflict if the game is signed or this position already has another entry.
    """
    key = client_key or uuid.uuid4()
    with writing(game.round.event_id, Shown.INSIDE) as event:
        sheet = locked_sheet(event, game.pk)
        return write_entry(actor, sheet, facts, position=position, key=key, source=source)


def write_entry(
    actor: Actor,
    game: Game,
    facts: dict[str, Any],
    *,
    position: int | None,
    key: uuid.UUID,
    source: str = "table",
) -> Entry:
    """Do the same for a caller that already holds the `locked_sheet` of the game."""
    event, entries = game.round.event, list(game.entries.all())
    if (known := _known(entries, key)) is not None:
        return _same(known, facts)
    _must_be_open(game)
    before = scored_game(game)
    due = before.next_position
    if position is not None and position != due:
        raise Conflict(Reason("meanwhile"))
    try:
        after = before.with_entry(facts)
    except NotPossible as refusal:
        raise ValidationFailed(_faults(refusal.problems)) from refusal
    facts = after.lines[-1].facts
    entry = _add(actor, game, entries, due, facts, key, source, "")
    said = place_of(game) | {"kind": entry.kind, "line": due}
    announce(actor, event, "record", "game", game.pk, "line", said, after=facts)
    _note_other_bids(actor, game, before, entries[:-1], facts)
    if game.round.time_called_at is not None and after.ends_by_time(before, source):
        after = after.with_entry({"entry": TIME})
        end, why = after.lines[-1], CAUSES[AFTER_HAND]
        _add(actor, game, entries, end.position, end.facts, uuid.uuid4(), "desk", why, AFTER_HAND)
        announce(actor, event, "record", "game", game.pk, "time", place_of(game))
    refresh_result(game, after)
    return entry


def lock_bids(actor: Actor, game: Game, bids: Sequence[str], *, position: int, agreed: bool) -> None:
    """Accept the bids of the hand in play. They are no line of the sheet: the message that brings them is stored.

    Locked bids change only if both sides agree, and the log keeps both versions. Sending the same bids again changes
    nothing. Raises Conflict if the change is not agreed or another hand is due, ValidationFailed if the rules refuse a
    bid.
    """
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = locked_sheet(event, game.pk)
        _must_be_open(game)
        scored, names = scored_game(game), _names(game)
        if position != scored.next_position:
            raise Conflict(Reason("bids-late", line=position))
        due = scored.next_hand
        field = bids_field(due)
        if due is None or field is None:
            raise Conflict(Reason("no-bids"))
        seating = scored.rules.seating
        count = seating.sides if field.of == "side" else seating.seats
        if len(bids) != count:
            raise ValidationFailed([Fault("bids", Reason("bids-count", count=count, bids=len(bids)))])
        new = [hyphenated(bid) for bid in bids]
        for bid, choices in zip(new, map(field.offered, range(count)), strict=True):
            if bid not in {choice.value for choice in choices}:
                raise ValidationFailed([Fault("bids", Reason("not-bid", bid=bid_words(bid)))])
        if problems := scored.bid_problems({"entry": "hand", "bids": new}):
            raise ValidationFailed(_faults(problems))
        locked = locked_bids(game, scored, game.entries.all(), names)
        if locked is not None and list(locked.bids) != new:
            if not agreed:
                raise Conflict(Reason("not-agreed", bids=locked.words))
            _announce_bids(actor, game, "agreed", locked, new, scored, due)
        look_again(event, pk=game.pk)


def _note_other_bids(
    actor: Actor, game: Game, before: ScoredGame, entries: Sequence[Entry], facts: dict[str, Any]
) -> None:
    """The table's recorded hand counts. If it differs from the bids that its tablet had locked, the log keeps both."""
    locked = locked_bids(game, before, entries, _names(game)) if facts["entry"] == "hand" else None
    bids = [hyphenated(str(bid)) for bid in facts.get("bids") or ()]
    if locked is not None and before.next_hand is not None and bids != list(locked.bids):
        _announce_bids(actor, game, "differ", locked, bids, before, before.next_hand)


def _announce_bids(
    actor: Actor, game: Game, code: str, locked: Locked, bids: Sequence[str], scored: ScoredGame, due: NextHand
) -> None:
    new = contract_words(scored.rules, bids, due.cards, _names(game))
    said = place_of(game) | {"line": locked.position, "old": locked.words, "new": new}
    announce(actor, game.round.event, "bids", "game", game.pk, code, said, before=locked.bids, after=bids)


def _names(game: Game) -> list[str]:
    return [side.team.name for side in sorted(game.sides.all(), key=lambda side: side.index)]


def undo_entry(
    actor: Actor, game: Game, *, position: int, client_key: uuid.UUID | None = None, source: str = "table"
) -> Entry:
    """Take the last entry off the sheet. It stays on record, struck through. `position` is the one that was seen."""
    key = client_key or uuid.uuid4()
    with writing(game.round.event_id, Shown.INSIDE) as event:
        return take_off_last(actor, locked_sheet(event, game.pk), position=position, key=key, source=source)


def take_off_last(actor: Actor, game: Game, *, position: int, key: uuid.UUID, source: str = "table") -> Entry:
    """Do the same for a caller that already holds the `locked_sheet` of the game."""
    event, entries = game.round.event, list(game.entries.all())
    if (known := _known(entries, key)) is not None:
        return _same(known, {"entry": REMOVED})
    _must_be_open(game)
    active = active_entries(entries)
    if not active:
        raise Conflict(Reason("nothing"))
    last = active[-1]
    if last.kind == OPENING and actor.person is None:
        raise Conflict(Reason("from-paper"))
    if last.position != position:
        raise Conflict(Reason("another-last"))
    ends_by_itself = last.cause == AFTER_HAND and len(active) > 1
    if last.kind in RULED or (ends_by_itself and active[-2].kind in RULED):
        raise Conflict(Reason("ruling-last"))
    entry = _add(actor, game, entries, position, {"entry": REMOVED}, key, source, "undone")
    undone = [last]
    if ends_by_itself:
        # The end by time was written with the hand before it: the hand is what the user wants to undo.
        undone.append(active[-2])
        _add(actor, game, entries, active[-2].position, {"entry": REMOVED}, uuid.uuid4(), source, "undone")
    refresh_result(game, scored_game(game).before(undone[-1].position))
    for line in undone:
        facts = place_of(game) | {"line": line.position}
        announce(actor, event, "undo", "game", game.pk, "line", facts, before=line.facts)
    return entry


@dataclass(slots=True)
class SheetDraft:
    """A `locked_sheet` while its lines are rewritten: all its entries, and their current result.

    The caller refreshes its result once, after the last line is written.
    """

    game: Game
    entries: list[Entry]
    scored: ScoredGame


def sheet_draft(game: Game) -> SheetDraft:
    return SheetDraft(game, list(game.entries.all()), scored_game(game))


def rewrite(
    actor: Actor,
    draft: SheetDraft,
    *,
    position: int,
    revision: int,
    facts: dict[str, Any] | None,
    reason: str,
    cause: str = "",
) -> Entry:
    """Replace an entry anywhere on the sheet, or take it off (None). Every later entry must still be possible.

    Raises Conflict if somebody else revised it first, ValidationFailed if the rules refuse the new sheet.
    """
    if not reason.strip():
        raise ValidationFailed([Fault("reason", "A correction needs a reason.")])
    game, stands = draft.game, {entry.position: entry for entry in active_entries(draft.entries)}
    old = stands.get(position)
    if old is None or old.revision != revision:
        raise Conflict("This hand was changed since you opened it. Look at it again before you correct it.")
    facts, draft.scored = _replaced(draft.scored, position, facts)
    new = facts if facts is not None else {"entry": REMOVED}
    entry = _add(actor, game, draft.entries, position, new, uuid.uuid4(), "desk", reason.strip()[:200], cause)
    said = place_of(game) | {"line": position, "reason": reason.strip()}
    announce(actor, game.round.event, "correct", "game", game.pk, "line", said, before=old.facts, after=facts)
    return entry


def add_line(actor: Actor, draft: SheetDraft, facts: dict[str, Any], reason: str) -> None:
    """Write a line after the last one. Raises ValidationFailed if the rules refuse it."""
    position = draft.scored.next_position
    try:
        draft.scored = draft.scored.with_entry(facts)
    except NotPossible as refusal:
        raise ValidationFailed(_faults(refusal.problems)) from refusal
    written = draft.scored.lines[-1].facts
    entry = _add(actor, draft.game, draft.entries, position, written, uuid.uuid4(), "desk", reason[:200])
    said = place_of(draft.game) | {"kind": entry.kind, "line": position}
    announce(actor, draft.game.round.event, "record", "game", draft.game.pk, "line", said, after=written)


def retype(
    actor: Actor, draft: SheetDraft, opening: dict[str, Any] | None, lines: Sequence[dict[str, Any]], reason: str
) -> None:
    """Rewrite all lines of a sheet: changed ones are replaced, missing ones are struck, new ones are added.

    A hand without a dealer keeps the dealer of the line it replaces. Raises ValidationFailed with each line that the
    rules refuse, and if nothing differs.
    """
    if not reason.strip():
        raise ValidationFailed([Fault("reason", "A correction needs a reason.")])
    game = draft.game
    stands = {entry.position: entry.facts for entry in active_entries(draft.entries)}
    scored = _retyped(draft, stands, opening, lines)
    new = {line.position: line.facts for line in scored.lines}
    if opening is not None:
        new[0] = opening
    changed = [position for position in sorted({*stands, *new}) if stands.get(position) != new.get(position)]
    if not changed:
        raise ValidationFailed([Fault("", "Nothing is different from the sheet as it is.")])
    draft.scored = scored
    for position in changed:
        old, written = stands.get(position), new.get(position)
        facts = written or {"entry": REMOVED}
        _add(actor, game, draft.entries, position, facts, uuid.uuid4(), "desk", reason.strip()[:200])
        said = place_of(game) | {"line": position, "reason": reason.strip()}
        announce(actor, game.round.event, "correct", "game", game.pk, "line", said, before=old, after=written)


def _retyped(
    draft: SheetDraft,
    stands: Mapping[int, dict[str, Any]],
    opening: dict[str, Any] | None,
    lines: Sequence[dict[str, Any]],
) -> ScoredGame:
    """The game with these lines, each in the place of the line that `stands` there, or after the last one."""
    places = [line.position for line in draft.scored.lines]
    scored = begin(draft.scored.rules, draft.game.first_dealer, opening)
    for number, facts in enumerate(lines, start=1):
        position = places[number - 1] if number <= len(places) else scored.next_position
        dealer = stands[position].get("dealer") if position in stands else None
        if dealer is not None and facts["entry"] == "hand":
            facts = {"dealer": dealer, **facts}
        try:
            scored = scored.with_line(position, scored.dealt(facts))
        except NotPossible as refusal:
            faults = [
                Fault(f"{number}", f"Line {number}: {problem.text}", problem.rule) for problem in refusal.problems
            ]
            raise ValidationFailed(faults) from refusal
    return scored


def restore(actor: Actor, draft: SheetDraft, position: int, reason: str) -> Entry:
    """Put a line that was taken off back on the sheet in its last form. It must fit there.

    Raises Conflict if another line is there or the game is over without it, ValidationFailed if the rules refuse it.
    """
    game, stands = draft.game, {entry.position: entry for entry in active_entries(draft.entries)}
    versions = [entry for entry in draft.entries if entry.position == position and entry.kind != REMOVED]
    if position in stands or not versions:
        raise Conflict("This line cannot come back: look at the sheet again.")
    old = max(versions, key=lambda entry: entry.revision)
    _, draft.scored = _replaced(draft.scored, position, old.facts)
    entry = _add(actor, game, draft.entries, position, old.facts, uuid.uuid4(), old.source, reason[:200])
    said = place_of(game) | {"line": position, "reason": reason}
    announce(actor, game.round.event, "restore", "game", game.pk, "line", said, after=old.facts)
    return entry


def open_from_paper(actor: Actor, game: Game, opening: dict[str, Any]) -> Entry:
    """Continue a game from the totals of a paper sheet; only before its first entry.

    Raises Conflict if the sheet has entries, Invalid with each impossible total, or if these totals already end the
    game: then its hands must be typed.
    """
    with writing(game.round.event_id) as event:
        game = locked_sheet(event, game.pk)
        _must_be_open(game)
        entries = list(game.entries.all())
        if active_entries(entries):
            raise Conflict("The sheet already has hands: totals from paper can only come before the first one.")
        rules = ruleset_at(game)
        if faults := opening_faults(rules, opening, new=True):
            raise ValidationFailed(_faults(faults))
        facts = {"entry": OPENING, **opening}
        entry = _add(actor, game, entries, 0, facts, uuid.uuid4(), "paper", "")
        refresh_result(game, begin(rules, game.first_dealer, facts))
        announce(actor, event, "record", "game", game.pk, "paper", place_of(game), after=opening)
        return entry


def entry_of(
    actor: Actor, game: Game, entries: Sequence[Entry], position: int, facts: dict[str, Any], source: str
) -> Entry:
    """An unsaved line of the sheet: the next revision of its position among `entries`."""
    before = [entry for entry in entries if entry.position == position]
    last = max(before, key=lambda entry: entry.revision, default=None)
    return Entry(
        game=game,
        position=position,
        revision=last.revision + 1 if last else 0,
        replaces=last,
        kind=kind_of(facts),
        facts=facts,
        entered_by=actor.person,
        device=actor.device if actor.person is None else None,
        source=source,
    )


def _known(entries: Sequence[Entry], key: uuid.UUID) -> Entry | None:
    """The entry that was written under this key before."""
    return next((entry for entry in entries if entry.client_key == key), None)


def _same(known: Entry, facts: dict[str, Any]) -> Entry:
    """The dealer was added here, because a message does not have to name one."""
    said = {"dealer": known.facts["dealer"], **facts} if "dealer" in known.facts else facts
    if known.facts != said:
        raise Conflict(Reason("sent-before"))
    return known


def _must_be_open(game: Game) -> None:
    if game.round.state != "running":
        raise Conflict(Reason("not-played", **place_of(game)))
    if game.state == VOID:
        raise Conflict(Reason("void"))
    if game.state == "final":
        raise Conflict(Reason("final"))


def _replaced(
    scored: ScoredGame, position: int, facts: dict[str, Any] | None
) -> tuple[dict[str, Any] | None, ScoredGame]:
    """The facts of a correction with their dealer, and the whole sheet with the correction."""
    facts = scored.dealt_at(position, facts)
    try:
        return facts, scored.replacing(position, facts)
    except NotPossible as refusal:
        if refusal.position == position:
            raise ValidationFailed(_faults(refusal.problems)) from refusal
        first = refusal.problems[0]
        text = f"After this, line {refusal.line} of the sheet would be refused: {first.text}"
        raise ValidationFailed([Fault("entry", text, first.rule)]) from refusal


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
    """Write an entry after `entries`, which are the unchanged entries of the game."""
    entry = entry_of(actor, game, entries, position, facts, source)
    entry.client_key, entry.reason, entry.cause = key, reason, cause
    try:
        entry.save(force_insert=True)
    except IntegrityError as clash:
        raise Conflict(Reason("same-moment")) from clash
    entries.append(entry)
    if game.waits_for_seats:
        # A table with a line on its sheet is waiting for nobody, so the schedule shows that it plays.
        show(Shown.PUBLIC)
    game.last_entry_at = timezone.now()
    return entry


def _faults(problems: tuple[Problem, ...]) -> list[Fault]:
    return [Fault(problem.field, problem.text, problem.rule) for problem in problems]


# Lines from filled score workbooks, many at once: all or none. Reading the same file again changes nothing.

Facts = dict[str, Any]


class New(NamedTuple):
    game: Game
    place: str
    entries: Sequence[Facts]


def enter_boards(actor: Actor, event: Event, boards: Sequence[tuple[int, Sequence[Facts]]]) -> int:
    """Enter the lines of filled boards, given by game key. Returns how many lines are new.

    Lines that are on the sheet already must be the same, as far as a board shows them. Raises ValidationFailed with the
    table if a board disagrees or the rules refuse a line; then nothing is entered at all.
    """
    with writing(event) as event:
        sheets = [_what_is_new(event, pk, entries) for pk, entries in boards]
        for sheet in sheets:
            _enter(actor, event, sheet)
        touched = [sheet.game.pk for sheet in sheets if sheet.entries]
        refresh_results(event, touched)
        new = sum(len(sheet.entries) for sheet in sheets)
        if new:
            announce(actor, event, "enter-boards", "event", event.pk, "lines", {"count": new, "games": len(touched)})
        return new


def _what_is_new(event: Event, pk: int, entries: Sequence[Facts]) -> New:
    game = locked_game(event, pk)
    place = f"{game.round}, table {game.table}"
    lines = [entry.facts for entry in active_entries(game.entries.all())]
    if lines and lines[0].get("entry") == OPENING:
        raise ValidationFailed(
            [Fault(place, f"{place}: this game was continued from totals. Enter its hands at the desk.")]
        )
    stands, sides = on_boards(lines), ruleset_at(game).seating.sides
    for number, (old, new) in enumerate(zip(stands, entries, strict=False), start=1):
        if differences(old, new, sides):
            text = f"{place}: line {number} of the sheet is different. Nothing was entered."
            raise ValidationFailed([Fault(place, text)])
    return New(game, place, entries[len(stands) :])


def _enter(actor: Actor, event: Event, sheet: New) -> None:
    """Write what is new on a sheet. Its result is computed later with all others."""
    game, place, lines = sheet
    if not lines:
        return
    if closed := why_closed(game):
        raise ValidationFailed([Fault(place, f"{place}: {closed} Nothing was entered.")])
    before = after = scored_game(game)
    for facts in lines:
        try:
            after = after.with_entry(facts)
        except NotPossible as refusal:
            faults = [Fault(place, f"{place}: {problem.text}", problem.rule) for problem in refusal.problems]
            raise ValidationFailed(faults) from refusal
    entries = list(game.entries.all())
    new = after.lines[len(before.lines) :]
    Entry.objects.bulk_create(entry_of(actor, game, entries, line.position, line.facts, "paper") for line in new)
    Game.objects.filter(pk=game.pk).update(last_entry_at=timezone.now())
    announce(actor, event, "record", "game", game.pk, "file", place_of(game) | {"count": len(lines)}, after=lines)
