"""The same event on two laptops, in two halls: what the other hall played comes home in its event file."""

from __future__ import annotations

import datetime
import json
from typing import Any

from django.contrib.auth.models import User

from tests.factories import make_event, make_round, make_teams, play
from tests.remembered import remembered
from tournament.access import Actor
from tournament.archive.reading import EventFile, read_event_file
from tournament.archive.store.event import export_event, import_event
from tournament.archive.store.hall import take_over
from tournament.models import Event, Game
from tournament.queries.book import event_sheets
from tournament.queries.scored import document_of
from tournament.queries.sheet import sheet_games
from tournament.queries.standings import standings
from tournament.services.corrections import correct_sheet
from tournament.services.entries import open_from_paper, record_entry, undo_entry
from tournament.services.rulings import apply_ruling, withdraw_ruling
from tournament.services.signatures import sign_for_all

WHIST = "bid_whist/no-kitty-2021"
THREE = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9, "seat": 2, "trump": "hearts"}
SPECIAL = {"entry": "hand", "bidder": 1, "bid": "2-special", "books": 8}
NO = {"entry": "hand", "bidder": 0, "bid": "2-no", "books": 8}
TWO = {"entry": "hand", "bidder": 1, "bid": "2", "books": 8}
SET = {"entry": "ruling", "rule": "31", "choice": "set", "side": 0, "bid": "2-no", "reason": "_x0041_ =1+1 Łódź"}

# Three who play alone at one table.
ALONE = (
    {"entry": "hand", "cards": 13, "bids": ["3", "pass", "4"], "tricks": [3, 6, 4]},
    {"entry": "void"},
    {"entry": "hand", "cards": 12, "bids": ["pass", "pass", "4"], "tricks": [3, 5, 4]},
)


@remembered
def two_halls(director: User, sheet: str = WHIST, *, tables: int = 1, at_a_table: int = 2) -> tuple[Event, Event]:
    """The same event on two laptops: round 1 is being played, no hand is written yet."""
    there = make_event("Two Halls", director, sheet=sheet)
    teams = make_teams(there, tables * at_a_table)
    make_round(there, [tuple(teams[at : at + at_a_table]) for at in range(0, len(teams), at_a_table)])
    return there, import_event(Actor(director), json.loads(json.dumps(export_event(there))))


def games_of(event: Event) -> list[Game]:
    return list(sheet_games().filter(round__event=event).order_by("round__number", "table", "leg"))


def file_of(event: Event) -> dict[str, Any]:
    """The event file of a hall, as it comes out of a download."""
    return dict(json.loads(json.dumps(export_event(event))))


def read(file: dict[str, Any]) -> EventFile:
    return read_event_file(file, datetime.date(2026, 11, 21))


def take(director: User, event: Event, file: dict[str, Any]) -> list[str]:
    """Take over what the file brings: the places of the games."""
    return [one.place for one in take_over(Actor(director), event, read(file)).comes]


def books_of(event: Event) -> list[Any]:
    """Every sheet as a document with its code and result, and the standings."""
    sheets = [
        (document_of(game), sheet.code, sheet.scores, sheet.sets, sheet.bostons, sheet.points, sheet.how, sheet.state)
        for game, sheet in zip(games_of(event), event_sheets(event), strict=True)
    ]
    lines = [(one.label, one.number, one.won, one.points, one.bostons, one.sets) for one in standings(event).lines]
    return [sheets, lines]


def sign_all(director: User, event: Event) -> None:
    for game in games_of(event):
        if game.state == "to-sign":
            sign_for_all(Actor(director), game, "at the end")


@remembered
def evening(director: User) -> tuple[Event, Event]:
    """Four tables of Bid Whist with all that can stand on a sheet: rulings, voids, totals, time, lines struck."""
    there, here = two_halls(director, tables=5)
    actor = Actor(director)
    one, two, three, four, five = games_of(there)
    play(director, one, THREE, {"entry": "void", "rule": "17"}, SPECIAL, sign=False)
    apply_ruling(actor, one, SET)
    apply_ruling(actor, one, {"entry": "adjustment", "points": [-1, 2], "sets": [0, 0], "reason": "talk"})
    open_from_paper(actor, two, {"scores": [3, -1], "sets": [0, 1], "hands": 2})
    play(director, two, SPECIAL, {"entry": "agreed_stop"}, sign=False)
    apply_ruling(actor, three, {"entry": "award", "rule": "46", "to": 1, "reason": "nobody came"})
    play(director, four, THREE, SPECIAL, TWO, sign=False)
    correct_sheet(actor, four, position=2, revision=0, facts=None, reason="written twice")
    correct_sheet(actor, four, position=1, revision=0, facts={**THREE, "books": 10}, reason="miscounted")
    record_entry(actor, four, {"entry": "time"}, source="desk")
    play(director, five, THREE)
    apply_ruling(actor, five, SET)
    withdraw_ruling(actor, five, position=2, revision=0, reason="in turn")
    record_entry(actor, five, NO)
    undo_entry(actor, five, position=2)
    sign_all(director, there)
    return there, here
