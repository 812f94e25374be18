"""What tablets sent and the desk must decide: why, how old, from which tablet, and which line is in its place."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import QuerySet

from scoring.ledger import bid_words, listed
from tournament.models import Device, Event, Game, Submission
from tournament.models.game import PENDING
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.scored import NotPossible, scored_game
from tournament.queries.sheet import game_sheet, seats_of, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row, SeatFacts, SideFacts
from tournament.queries.sitting import sat
from tournament.queries.wording import write_down
from tournament.words.phrases import CALLS, minus
from tournament.words.sentences import WHY

WAITING = "waiting"


def known_uids(event: Event, uids: Sequence[uuid.UUID]) -> dict[str, str]:
    """The status of each of these that the event has; the others were never received, or have been lost since."""
    rows = Submission.objects.filter(event=event, uid__in=uids).values_list("uid", "status")
    return {str(uid): status for uid, status in rows}


def pending_count(event: Event) -> int:
    """How many cases the desk has to decide; what waits behind one of them is not a case of its own."""
    return cases(event).count()


def cases(event: Event) -> QuerySet[Submission]:
    """What waits for the desk, and not merely for another item that does."""
    waiting = Submission.objects.filter(event=event, status=PENDING)
    return waiting.exclude(code=WAITING, after__in=waiting.values("uid"))


def chained(waiting: Sequence[Submission]) -> list[list[Submission]]:
    """What waits, case by case: the item to decide, and behind it what the tablet wrote on top of it, in order."""
    uids = {row.uid for row in waiting}
    behind = {row.pk for row in waiting if row.code == WAITING and row.after in uids}
    chains = []
    for first in waiting:
        if first.pk in behind:
            continue
        chain = [first]
        for sent in chain:
            chain += [row for row in waiting if row.pk in behind and row.after == sent.uid]
        chains.append(chain)
    return chains


# If a tablet's clock is off by more than this, it is shown next to ours.
CLOCK_OFF = timedelta(minutes=2)
SHOWN_DECIDED = 20


@dataclass(frozen=True, slots=True)
class PendingChoice:
    """A decision: its words, and the score that it leads to, if that can be computed."""

    key: str
    words: str
    score: str


@dataclass(frozen=True, slots=True)
class PendingRow:
    """One waiting item: `words` is what was `sent`, `standing` the line that is on the sheet in its place.

    `choices` are the possible decisions, the likely one first; `behind` is what the tablet wrote on top of it and waits
    for this decision, one sentence each.
    """

    sent: Submission
    teams: str
    words: str
    standing: str
    why: str
    claimed_at: datetime | None
    choices: tuple[PendingChoice, ...]
    behind: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PendingMessages:
    """Every case, oldest first, and what was decided last."""

    rows: tuple[PendingRow, ...]
    decided: tuple[tuple[Submission, str], ...]


def pending(event: Event) -> PendingMessages:
    """What waits for the desk, in a constant number of queries."""
    messages = Submission.objects.select_related("device", "game__round", "decided_by").filter(event=event)
    waiting = list(messages.filter(status=PENDING))
    done = list(messages.exclude(decided_at=None).order_by("-decided_at", "-pk")[:SHOWN_DECIDED])
    keys = {row.game_id for row in (*waiting, *done)} - {None}
    games = {game.pk: game for game in sheet_games().filter(pk__in=keys)}
    sheets = {pk: game_sheet(game, whole=True) for pk, game in games.items()}
    return PendingMessages(
        tuple(
            _row(event, first, sheets, games, tuple(_words(event, row, sheets.get(row.game_id)) for row in rest))
            for first, *rest in chained(waiting)
        ),
        tuple((row, _words(event, row, sheets.get(row.game_id or 0))) for row in done),
    )


def _row(
    event: Event,
    row: Submission,
    sheets: Mapping[int, GameSheet],
    games: Mapping[int, Game],
    behind: tuple[str, ...],
) -> PendingRow:
    sheet = sheets.get(row.game_id or 0)
    position = row.body.get("position")
    standing = next((line for line in sheet.rows if line.position == position), None) if sheet else None
    stands = f"Line {position}: {standing.written.headed} ({standing.by or standing.source})" if standing else ""
    may_apply = sheet is not None and row.kind != "other"
    may_replace = standing is not None and row.kind in ("hand", "void")
    claimed = row.claimed_at
    off = claimed is not None and abs(row.received_at - claimed) > CLOCK_OFF
    return PendingRow(
        sent=row,
        teams=" – ".join(side.name for side in sheet.sides) if sheet else "",
        words=_words(event, row, sheet),
        standing=stands,
        why=WHY.get(row.code, "It waits for a decision"),
        claimed_at=claimed if off else None,
        choices=_choices(row, games.get(row.game_id or 0), standing, may_apply, may_replace, len(behind)),
        behind=behind,
    )


def _choices(
    row: Submission, game: Game | None, standing: Row | None, may_apply: bool, may_replace: bool, behind: int
) -> tuple[PendingChoice, ...]:
    """The possible decisions.

    If the place already has a line, the sheet is probably right; what the rules refuse will probably be discarded with
    everything that was written on top of it.
    """
    position = standing.position if standing else None
    now = _score(row, game, None, added=False)
    keep = PendingChoice("discard", f"Keep line {position} as it is" if position else "Discard", now)
    replace = PendingChoice("replace", f"Use this as line {position} instead", _score(row, game, position, added=True))
    words = "Add it as one more hand" if row.kind in ("hand", "void") and position else "Add it to the sheet"
    apply = PendingChoice("apply", words, _score(row, game, None, added=True))
    together = [PendingChoice("discard-all", f"Discard it and the {behind} behind it", now)] * bool(behind)
    if row.code in ("refused", "others-sit"):
        return (*together, keep, *[apply] * may_apply)
    order = [keep, *[replace] * may_replace, *[apply] * may_apply]
    return (*(order if position or not may_apply else [apply, keep]), *together)


def _score(row: Submission, game: Game | None, position: int | None, *, added: bool) -> str:
    """The score with what was sent: after the existing lines, in the place of one, or left out."""
    if game is None or row.kind != "hand":
        return ""
    scored = scored_game(game)
    try:
        if added and position is not None:
            scored = scored.replacing(position, scored.dealt_at(position, dict(row.body["facts"])))
        elif added:
            scored = scored.with_entry(dict(row.body["facts"]))
    except NotPossible:
        return "the rules do not allow it"
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return ""
    names = [side.team.full_name for side in game.sides.all()]
    return ", ".join(f"{name} {minus(now)}" for name, now in zip(names, scored.carry.scores, strict=True))


def _words(event: Event, row: Submission, sheet: GameSheet | None) -> str:
    """What was sent, as a sentence; what cannot be put into words is shown as it came."""
    try:
        return _said(event, row, sheet)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return json.dumps(row.body, ensure_ascii=False)[:300]


def _said(event: Event, row: Submission, sheet: GameSheet | None) -> str:
    """What was sent, as a sentence. Raises KeyError and the like if a body is not what messages of its kind have."""
    body: dict[str, Any] = row.body
    rules = sheet.rules if sheet else ruleset_of(event)
    sides, seats = _there(row, sheet, rules)
    if row.kind == "hand":
        names = tuple(side.name for side in sides)
        if not names:
            names = ("first side", "second side")
        written = write_down(rules, body["facts"], names, seats, ())
        who = f"{written.who_name}: " if written.who_name else ""
        return f"Line {body['position']}: {who}{written.told or written.text}"
    if row.kind == "void":
        why = write_down(rules, {"entry": "void", "rule": body["rule"]}, (), (), ())
        return f"Line {body['position']}: void hand. {why.text}"
    if row.kind == "bids":
        return f"Bids of line {body['position']}: {', '.join(map(bid_words, body['bids']))}"
    if row.kind == "undo":
        return f"Undo of line {body['position']}"
    if row.kind == "sign":
        return f"Signed by {body['name']} for {_side_name(sides, body)}"
    if row.kind == "call":
        return f"Director called: {CALLS[body['about']].lower()}"
    if row.kind == "seat":
        return f"Seated: {_side_name(sides, body)}"
    if row.kind == "dealer":
        dealer = next((seat.name for seat in seats if seat.seat == body["seat"]), "Who")
        return f"{dealer} deals first"
    return str(body.get("unreadable", body))[:300]


def _side_name(sides: Sequence[SideFacts], body: Mapping[str, Any]) -> str:
    """The side that a message is about; nobody knows its name if nobody knows who sat there."""
    return sides[body["side"]].name if sides else "a side"


def _there(
    row: Submission, sheet: GameSheet | None, rules: Ruleset
) -> tuple[tuple[SideFacts, ...], tuple[SeatFacts, ...]]:
    """Who sat there according to the sender; if that is not known, who sits there now."""
    if then := sat(row.body):
        names = [tuple(name for _, name in side.players) for side in then]
        sides = tuple(SideFacts(i, side.team, 0, side.name, names[i], None) for i, side in enumerate(then))
        return sides, seats_of(sides, rules, 0)
    return (sheet.sides, sheet.seats) if sheet else ((), ())


# What a table has waiting at the desk from a tablet other than the one that shows its page: an earlier one, or a second
# one.

HELD = {"hand": "hand {}", "void": "a void hand", "undo": "an undo", "sign": "a signature", "call": "a call"}
BEFORE = "the tablet before"


class HeldRow(NamedTuple):
    """An item that another tablet of this table has sent and that waits for the desk: which tablet, and what it is."""

    uid: str
    tablet: str
    kind: str
    position: int


def held_from_others(game: Game, device: Device) -> tuple[HeldRow, ...]:
    """What waits for the desk on the game of a table from its other tablets, in one query."""
    rows = Submission.objects.filter(game=game, status=PENDING).exclude(device=device.pk).select_related("device")
    return tuple(
        HeldRow(
            str(row.uid),
            f"tablet {row.device.letter}" if row.device.revoked_at is None else BEFORE,
            row.kind,
            row.body.get("position", 0),
        )
        for row in rows
    )


def held_words(held: Sequence[HeldRow], sheet: GameSheet) -> tuple[str, ...]:
    """“Hand 2 from the tablet before waits with the director.” for each tablet."""
    return tuple(_held(tablet, [row for row in held if row.tablet == tablet], sheet) for tablet in _tablets(held))


def _tablets(held: Sequence[HeldRow]) -> list[str]:
    return list(dict.fromkeys(row.tablet for row in held))


def _held(tablet: str, held: Sequence[HeldRow], sheet: GameSheet) -> str:
    lines = {row.position for row in sheet.rows if row.number is not None}
    lines |= {row.position for row in held if row.kind == "hand"}
    words = dict.fromkeys(
        HELD.get(row.kind, "something").format(1 + sum(line < row.position for line in lines)) for row in held
    )
    text = f"{listed(words)} from {tablet} {'waits' if len(words) == 1 else 'wait'} with the director."
    return text[0].upper() + text[1:]
