"""What the tablet's script knows of its table, as plain data beside the page: facts of the sheet, nothing computed."""

from __future__ import annotations

import time
from typing import Any

from scoring.game import Field
from tournament.phrases import CALLED
from tournament.queries.coming import coming_key
from tournament.queries.outcomes import limits, outcomes
from tournament.queries.sheetfacts import GameSheet, SideFacts
from tournament.queries.tablet import DEALER, PLAY, SEATS, TabletPage

MILLISECONDS = 1000


def tablet_state(page: TabletPage) -> dict[str, Any]:
    """The page as data. `stamp` is when it was made: of two pages the newer one is right.

    `reached` is the event's version: what was answered at a later one may not be on the page yet. `dealer` deals first,
    None while nobody is named; `coming` changes with what the tablet is sent ahead. `hands` have been scored; with
    `timed` the server has to be asked what a hand does: time was called.
    """
    sheet = page.sheet
    state: dict[str, Any] = {
        "stamp": int(time.time() * MILLISECONDS),
        "reached": page.event.version,
        "instance": page.instance,
        "epoch": str(page.event.epoch),
        "event": page.event.slug,
        "event_name": page.event.name,
        "table": page.table,
        "device": page.device,
        "letter": page.letter,
        "writes": page.writes,
        "phase": page.phase,
        "version": page.version,
        "game": sheet.pk if sheet else None,
    }
    if sheet is not None:
        state |= {
            "coming": coming_key(page),
            "dealer": None if page.phase in (SEATS, DEALER) else sheet.seats[0].seat,
            "lines": page.lines,
            "scores": sheet.scores,
            "call": sheet.call.kind if sheet.call else None,
            "calls": CALLED,
            "hand": sheet.next.number if sheet.next else None,
            "hands": sheet.hands,
            "fields": [_field(field) for field in sheet.next.fields if field.needed] if sheet.next else [],
            "sides": [_side(sheet, side) for side in sheet.sides],
            "seats": {seat.seat: seat.name for seat in sheet.seats},
        }
        if page.writes and page.phase in (SEATS, DEALER, PLAY):
            found = outcomes(sheet.scored)
            state |= {"outcomes": found and found._asdict(), "limits": limits(sheet.scored)._asdict()}
            state["timed"] = page.times is not None and page.times.called
    return state


def _field(field: Field) -> dict[str, str]:
    return {"key": field.key, "layout": field.layout, "short": field.short}


def _side(sheet: GameSheet, side: SideFacts) -> dict[str, Any]:
    signed = sheet.over and side not in sheet.unsigned
    return {
        "name": side.name,
        "players": side.players or (side.name,),
        "seated": side.seated_at is not None,
        "signed": signed,
    }
