"""Paper, workbook and page agree: club-24 and random events of every game, read back from the files themselves."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from pypdf import PdfReader

from tests.programs import recalculated, recalculated_all
from tests.tournament.reports.evenings import SHEETS, club_24, random_event
from tournament.models import Event
from tournament.phrases import minus
from tournament.queries.book import event_sheets
from tournament.queries.eventbook import WholeBook, whole_book
from tournament.queries.sheet import GameSheet
from tournament.reports.excel.hands import game_key
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.pdf.book import event_book_paper
from tournament.reports.pdf.score_sheet import score_sheets

# The events of each game; the full measure of 50 is for a long run.
EVENTS = int(os.environ.get("AGREEMENT_EVENTS", "4"))


def pages_of(content: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


@pytest.mark.long
@pytest.mark.parametrize("family", SHEETS)
def test_random_events_print_what_the_page_shows(family: str, dana: User) -> None:
    for seed in range(EVENTS):
        event = random_event(family, seed, dana)
        assert list(event_sheets(event))
        for sheet in event_sheets(event):
            _paper_agrees(sheet, "\n".join(pages_of(score_sheets([sheet]))))


@pytest.mark.office
@pytest.mark.parametrize("family", SHEETS)
def test_random_events_compute_to_what_the_page_shows(family: str, dana: User) -> None:
    events = [random_event(family, seed, dana) for seed in range(EVENTS)]
    books = recalculated_all(event_workbook(whole_book(event), event_sheets(event)) for event in events)
    for event, book in zip(events, books, strict=True):
        _workbook_agrees(event, _read(book))


@pytest.mark.long
def test_club_24_is_a_book_of_every_sheet(dana: User) -> None:
    event = club_24(dana)
    whole = whole_book(event)
    pages = pages_of(event_book_paper(whole, event_sheets(event)))
    assert "Contents" in pages[1]
    listed = re.findall(r"^(Results|Standings|Game 1|Rulings|The rules that were played)\n(\d+)$", pages[1], re.M)
    # Nobody has cut or ended this event: its poster has the standings, and no champion.
    heads = {"Results": "Standings after 6 of 6 games", "The rules that were played": whole.book.event.sheet_title}
    assert len(listed) == 5
    for title, number in listed:
        assert heads.get(title, title).lower() in pages[int(number) - 1].lower()
    sheets = list(event_sheets(event))
    for sheet in sheets:
        found = [page for page in pages if f"Game {sheet.round_number} · Table {sheet.table}\n" in f"{page}\n"]
        assert len(found) == 1
        _paper_agrees(sheet, found[0])
    for line in whole.book.standings.lines:
        assert line.team in pages[3] + pages[4]


@pytest.mark.office
def test_club_24_computes_to_what_the_page_shows(dana: User) -> None:
    event = club_24(dana)
    _workbook_agrees(event, _computed(event_workbook(whole_book(event), event_sheets(event))))


@pytest.mark.office
def test_a_changed_cell_changes_game_standings_and_pot(dana: User) -> None:
    event = club_24(dana)
    whole = whole_book(event)
    before = _computed(event_workbook(whole, event_sheets(event)))
    book = openpyxl.load_workbook(io.BytesIO(event_workbook(whole, event_sheets(event))))
    hands = book["Hands"]
    # The first hand of all: one book more for the side that made its bid.
    assert hands["O4"].value == '=IF(M4>=N4,"made","set")'
    hands["M4"] = hands["M4"].value + 1
    number = next(row for row in before["Games"] if row["Game"] == "1-1")[f"No. {hands['I4'].value}"]
    file = io.BytesIO()
    book.save(file)
    after = _computed(file.getvalue())
    changed = {
        (row["No."], row["Points"] - old["Points"])
        for row, old in zip(after["Standings"], before["Standings"], strict=True)
        if row["Points"] != old["Points"]
    }
    assert changed == {(number, 1)}


def _paper_agrees(sheet: GameSheet, text: str) -> None:
    flat = " ".join(text.split())
    for row in sheet.rows:
        for side in sheet.sides:
            assert minus(row.scores[side.index]) in flat
        if row.written.bid:
            assert row.written.bid in flat
    if sheet.over:
        points = ", ".join(f"{side.name} {minus(sheet.points[side.index])}" for side in sheet.sides)
        assert f"Game points: {points}" in flat
        if sheet.winner_side:
            assert f"{sheet.winner_side.name} won" in flat
    assert f"Table {sheet.table}" in flat
    # Our own names of clauses are no words for players.
    assert re.findall(r"\b(?:bw|tw|sp|ba|ok)\.[a-z_]+", flat) == []


def _workbook_agrees(event: Event, pages: dict[str, list[dict[str, Any]]]) -> None:
    whole = whole_book(event)
    _standings_agree(whole, pages["Standings"])
    _pot_agrees(whole, pages["Boston pot"])
    games = {str(row["Game"]): row for row in pages["Games"]}
    hands: dict[str, list[dict[str, Any]]] = {}
    for row in pages["Hands"]:
        hands.setdefault(str(row["Game"]), []).append(row)
    for sheet in event_sheets(event):
        key = game_key(sheet)
        for side, name in zip(sheet.sides, "ABCDEF", strict=False):
            at = side.index
            figures = [games[key][f"{what} {name}"] for what in ("No.", "Points", "Sets", "Bostons")]
            assert figures == [side.number, sheet.points[at], sheet.sets[at], sheet.bostons[at]], key
            lines = [(row[f"± {name}"], row[f"Score {name}"]) for row in hands.get(key, [])]
            assert lines == [(row.deltas[at], row.scores[at]) for row in sheet.rows], key
        winner = sheet.winner_side
        assert games[key]["Winner no."] == (winner.number if winner else None)


def _standings_agree(whole: WholeBook, rows: list[dict[str, Any]]) -> None:
    names = ("Place", "No.", "Won", "Points", "Sets")
    found = [(*(row[name] for name in names), row.get("Bostons", 0)) for row in rows]
    lines = whole.book.standings.lines
    assert found == [(line.label, line.number, line.won, line.points, line.sets, line.bostons) for line in lines]
    assert all(("Bostons" in row) == whole.book.standings.bostons for row in rows)


def _pot_agrees(whole: WholeBook, rows: list[dict[str, Any]]) -> None:
    found = {row["No."]: (row["Bostons"], round((row["Gets"] or 0) * 100)) for row in rows if row["No."]}
    assert found == {team.number: (team.bostons, team.cents) for team in whole.pot.teams}


def _computed(content: bytes) -> dict[str, list[dict[str, Any]]]:
    """Every list of the workbook as LibreOffice computed it."""
    return _read(recalculated(content))


def _read(file: Path) -> dict[str, list[dict[str, Any]]]:
    """The lists of a workbook; no cell may hold an error."""
    book = openpyxl.load_workbook(file, data_only=True)
    pages = {}
    for page in book:
        rows = [[cell.value for cell in row] for row in page.iter_rows()]
        wrong = [cell for row in rows for cell in row if isinstance(cell, str) and cell.startswith(("#", "Err:"))]
        assert wrong == [], page.title
        pages[page.title] = [dict(zip(rows[2], row, strict=True)) for row in rows[3:]] if len(rows) > 2 else []
    return pages
