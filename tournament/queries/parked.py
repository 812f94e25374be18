"""What tablets sent and the desk decides about: why, how old, from which tablet, and what stands in its place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tournament.models import Device, Event, Submission
from tournament.models.submission import PARKED
from tournament.phrases import CALLS
from tournament.queries.rules import ruleset_of
from tournament.queries.sheet import GameSheet, Row, game_sheet, sheet_games
from tournament.queries.wording import write_down

# A tablet's clock that is further off than this is shown beside ours.
CLOCK_OFF = timedelta(minutes=2)
SHOWN_DECIDED = 20
WHY = {
    "former-device": "From a tablet that the table no longer uses",
    "other-table": "For another table",
    "no-game": "Its game is no longer there",
    "closed": "After the round was closed",
    "final": "After both sides had signed",
    "not-writer": "Two tablets wrote at this table",
    "waiting": "Waits for something written before it",
    "gap": "A line before it is missing",
    "conflict": "Another line stands in its place",
    "refused": "The rules or the form refuse it",
    "changed": "The sheet was changed meanwhile",
    "uuid-reused": "Sent twice with different content",
    "fault": "The program failed on it",
}


@dataclass(frozen=True, slots=True)
class ParkedRow:
    """One thing that waits: `words` is what was sent, `standing` what stands on the sheet in its place.

    `may_apply` and `may_replace` say what can be decided besides discarding it.
    """

    pk: int
    table: int
    letter: str
    round: str
    game: int | None
    teams: str
    kind: str
    words: str
    standing: str
    why: str
    reason: str
    received_at: datetime
    claimed_at: datetime | None
    may_apply: bool
    may_replace: bool


@dataclass(frozen=True, slots=True)
class DecidedRow:
    """One that was decided."""

    table: int
    words: str
    status: str
    decision: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Parked:
    """Everything that waits, the oldest first, and what was decided last."""

    rows: tuple[ParkedRow, ...]
    decided: tuple[DecidedRow, ...]


def parked(event: Event) -> Parked:
    """What waits for the desk, in a constant number of queries."""
    found = Submission.objects.select_related("device", "game__round", "decided_by").filter(event=event)
    waiting = list(found.filter(status=PARKED))
    done = list(found.exclude(decided_at=None).order_by("-decided_at")[:SHOWN_DECIDED])
    keys = {row.game_id for row in (*waiting, *done)} - {None}
    sheets = {game.pk: game_sheet(game) for game in sheet_games().filter(pk__in=keys)}
    return Parked(
        tuple(_row(event, row, sheets.get(row.game_id)) for row in waiting),
        tuple(_decided(event, row, sheets.get(row.game_id)) for row in done),
    )


def _row(event: Event, row: Submission, sheet: GameSheet | None) -> ParkedRow:
    standing = _standing(row, sheet)
    claimed = row.claimed_at
    off = claimed is not None and abs(row.received_at - claimed) > CLOCK_OFF
    return ParkedRow(
        pk=row.pk,
        table=row.game.table if row.game else row.device.table,
        letter=_letter(row.device),
        round=str(row.game.round) if row.game else "",
        game=row.game_id,
        teams=" – ".join(side.name for side in sheet.sides) if sheet else "",
        kind=row.kind,
        words=_words(event, row, sheet),
        standing=_line(standing) if standing else "",
        why=WHY.get(row.code, "Kept for the desk"),
        reason=row.reason,
        received_at=row.received_at,
        claimed_at=claimed if off else None,
        may_apply=sheet is not None and row.kind != "other",
        may_replace=standing is not None and row.kind in ("hand", "void"),
    )


def _decided(event: Event, row: Submission, sheet: GameSheet | None) -> DecidedRow:
    by = row.decided_by.get_username() if row.decided_by else ""
    status = row.get_status_display()
    return DecidedRow(row.device.table, _words(event, row, sheet), status, row.decision, by, row.decided_at)


def _letter(device: Device) -> str:
    return f"{device.letter}, withdrawn" if device.revoked_at else device.letter


def _standing(row: Submission, sheet: GameSheet | None) -> Row | None:
    position = row.body.get("position")
    return next((line for line in sheet.rows if line.position == position), None) if sheet else None


def _line(row: Row) -> str:
    who = f"{row.written.who_name}: " if row.written.who_name else ""
    return f"Line {row.position}: {who}{row.written.text} ({row.by or row.source})"


def _words(event: Event, row: Submission, sheet: GameSheet | None) -> str:
    """What was sent, as a sentence; what cannot be put into words is shown as it came."""
    try:
        return _said(event, row, sheet)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return json.dumps(row.body, ensure_ascii=False)[:300]


def _said(event: Event, row: Submission, sheet: GameSheet | None) -> str:
    body: dict[str, Any] = row.body
    if row.kind == "hand":
        names = tuple(side.name for side in sheet.sides) if sheet else ("first side", "second side")
        written = write_down(ruleset_of(event), body["facts"], names, sheet.seats if sheet else (), ())
        who = f"{written.who_name}: " if written.who_name else ""
        tricks = f"bids {', '.join(written.bids)}; took {', '.join(map(str, written.tricks))}" if written.tricks else ""
        return f"Line {body['position']}: {who}{tricks or written.text}"
    if row.kind == "void":
        return f"Line {body['position']}: a hand that does not count, rule {body['rule']}"
    if row.kind == "undo":
        return f"Undo of line {body['position']}"
    if row.kind == "sign":
        return f"Signed by {body['name']} for {sheet.sides[body['side']].name if sheet else 'a side'}"
    if row.kind == "call":
        return f"Director called: {CALLS[body['about']].lower()}"
    if row.kind == "seat":
        return f"{sheet.sides[body['side']].name if sheet else 'A side'} is seated"
    if row.kind == "dealer":
        return f"{next(one.name for one in sheet.seats if one.seat == body['seat']) if sheet else 'Who'} deals first"
    return str(body.get("unreadable", body))[:300]
