"""What just happened at the tables: the event's latest acts in plain words, the newest first."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from scoring.words import listed
from tournament.models import Event, Journal
from tournament.phrases import CALLS, result, signed
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row
from tournament.words.journal import place_and_text

LATEST = 12
# Acts of the office, which nobody in the hall notices.
QUIET = ("import", "appoint", "dismiss", "pair", "card", "revoke", "take-over", "freeze", "board")


class Happening(NamedTuple):
    """One act. `table` is None for what concerns the whole hall; `gain` is what a hand came to."""

    at: datetime
    table: int | None
    text: str
    gain: str = ""
    boston: str = ""


def happenings(event: Event) -> tuple[Happening, ...]:
    """The latest acts of an event: a constant number of queries."""
    acts = list(Journal.objects.filter(event=event).exclude(action__in=QUIET)[:LATEST])
    keys = {int(act.key) for act in acts if act.noun == "game" and act.action in ("record", "sign")}
    sheets = {game.pk: game_sheet(game) for game in sheet_games().filter(pk__in=keys)}
    told, done = [], set()
    for act in acts:
        sheet = sheets.get(int(act.key)) if act.noun == "game" and act.key else None
        if sheet is not None and act.action == "sign":
            told.append(_signature(act, sheet, newest=sheet.pk not in done))
            done.add(sheet.pk)
        elif sheet is not None and (row := _row(sheet.rows, act.after)) is not None:
            told.append(_hand(act, sheet, row))
        else:
            told.append(_said(act))
    return tuple(told)


def _hand(act: Journal, sheet: GameSheet, row: Row) -> Happening:
    """“Full Deck: 4-No made with 11 books, +10”."""
    gained = [
        f"{side.name} {signed(points)}" for side, points in zip(sheet.sides, row.deltas, strict=True) if points != 0
    ]
    boston = sheet.sides[row.boston].name if row.boston is not None else ""
    return Happening(act.at, sheet.table, _words(sheet, row), listed(gained) if gained else "", boston)


def _words(sheet: GameSheet, row: Row) -> str:
    told = row.written
    if told.outcome == "void":
        return f"Void: {told.text}"
    if told.took is None:
        return told.text
    return f"{told.who_name}: {told.text} {sheet.word}"


def _signature(act: Journal, sheet: GameSheet, *, newest: bool) -> Happening:
    """The signature that ends a game tells how it went."""
    if not newest or sheet.unsigned or not sheet.over:
        return _said(act)
    winner = sheet.winner_side
    sides = sorted(sheet.sides, key=lambda side: side != winner)
    score = result(sheet.scores[side.index] for side in sides)
    how = f"{winner.name if winner else 'nobody'} won, {score}"
    return Happening(
        act.at, sheet.table, f"Signed by both: {how}" if len(sheet.sides) == 2 else f"Signed by all: {how}"
    )


def _said(act: Journal) -> Happening:
    table, text = place_and_text(act.action, act.code, act.facts)
    if act.action == "call" and "about" in act.facts:
        return Happening(act.at, None, f"Table {table} called the director: {CALLS[act.facts['about']].lower()}")
    return Happening(act.at, table, text[:1].upper() + text[1:] if table else text)


def _row(rows: Iterable[Row], facts: object) -> Row | None:
    """The line that an act wrote; None where it was taken back or corrected since."""
    return next((row for row in reversed(tuple(rows)) if row.facts == facts), None)
