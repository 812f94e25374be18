"""Paper and page agree: club-24 and random events of every game, read back from the files themselves."""

from __future__ import annotations

import os
import re

import pytest
from django.contrib.auth.models import User

from tests.pages import pdf_pages
from tests.tournament.reports.evenings import SHEETS, club_24, random_event
from tests.tournament.reports.papers import on_paper
from tournament.phrases import minus
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.score_sheet import score_sheets

# The events of each game; the full measure of 50 is for a long run.
EVENTS = int(os.environ.get("AGREEMENT_EVENTS", "4"))


@pytest.mark.long
@pytest.mark.parametrize("family", SHEETS)
def test_random_events_print_what_the_page_shows(family: str, dana: User) -> None:
    for seed in range(EVENTS):
        event = random_event(family, seed, dana)
        assert list(event_sheets(event))
        for sheet in event_sheets(event):
            _paper_agrees(sheet, "\n".join(pdf_pages(score_sheets([sheet]))))


@pytest.mark.long
def test_club_24_is_a_book_of_every_sheet(dana: User) -> None:
    event = club_24(dana)
    whole = whole_book(event)
    pages = pdf_pages(on_paper(draw_event_book, whole, event_sheets(event)))
    assert "Contents" in pages[1]
    listed = re.findall(r"^(Results|Standings|Game 1|Rulings|The rules that were played)\n(\d+)$", pages[1], re.M)
    # Nobody has cut or ended this event: its poster has the standings, and no champion.
    heads = {"Results": "Standings · after 6 of 6 games", "The rules that were played": whole.book.rules.sheet.title}
    assert len(listed) == 5
    for title, number in listed:
        assert heads.get(title, title).lower() in pages[int(number) - 1].lower()
    sheets = list(event_sheets(event))
    for sheet in sheets:
        found = [page for page in pages if f"Game {sheet.round_number}\nTable {sheet.table}\n" in f"{page}\n"]
        assert len(found) == 1
        _paper_agrees(sheet, found[0])
    for line in whole.book.standings.lines:
        assert line.team in pages[3] + pages[4]


def _paper_agrees(sheet: GameSheet, text: str) -> None:
    flat = " ".join(text.split())
    for row in sheet.rows:
        for side in sheet.sides:
            assert minus(row.scores[side.index]) in flat
        if row.written.bid:
            assert row.written.bid in flat
    if sheet.over:
        points = (f"Points {'ABCDE'[side.index]} {minus(sheet.points[side.index])}" for side in sheet.sides)
        assert " ".join(points) in flat
        if sheet.winner_side:
            assert f"Winner {sheet.winner_side.name}" in flat
    assert f"Table {sheet.table}" in flat
    # Our own names of clauses are no words for players.
    assert re.findall(r"\b(?:bw|tw|sp|ba|ok)\.[a-z_]+", flat) == []
