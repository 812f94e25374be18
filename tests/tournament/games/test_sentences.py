"""No program reads a sentence: with every sentence of scoring changed, everything that is computed stays as it was."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User

from scoring import document
from scoring.game import CardGame
from tests.factories import make_event
from tests.tournament.reports.evenings import SHEETS, random_event
from tournament.models import Event
from tournament.queries import rules as queried
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.score_workbooks import blank_boards
from tournament.reports.excel.boards import boards_workbook
from tournament.reports.excel.workbook import event_workbook
from tournament.services.signatures import rebuild_results

EVENTS = 1
NUMBERS = ("scores", "sets", "bags", "bostons", "points", "hands", "over", "winner", "how", "rule", "state", "code")
OF_A_LINE = ("number", "kind", "deltas", "scores", "sets", "bags", "leader", "boston", "ends_game")


@pytest.fixture
def changed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Change every sentence of every game to the same text."""

    def change(text: str) -> None:
        monkeypatch.setattr(document, "GAMES", tuple(saying(game, text) for game in document.GAMES))
        queried.ruleset.cache_clear()

    yield change
    monkeypatch.undo()
    queried.ruleset.cache_clear()


def saying(game: CardGame[Any, Any], text: str) -> CardGame[Any, Any]:
    """The same game, which says one thing only."""

    def score_entry(rules: Any, carry: Any, entry: Any) -> Any:
        lines, after = game.score_entry(rules, carry, entry)
        if after.verdict is not None:
            after = after._replace(verdict=after.verdict._replace(text=text))
        return tuple(line._replace(text=text, short=text) for line in lines), after

    def result(rules: Any, carry: Any, entry: Any) -> Any:
        found = game.result(rules, carry, entry)
        return found._replace(note=text if found.note else "")

    def problems(rules: Any, carry: Any, entry: Any) -> Any:
        return tuple(problem._replace(text=text) for problem in game.problems(rules, carry, entry))

    def next_hand(rules: Any, carry: Any) -> Any:
        return game.next_hand(rules, carry)._replace(note=text)

    return replace(game, score_entry=score_entry, result=result, problems=problems, next_hand=next_hand)


@pytest.mark.parametrize("text", ["x", "x: x"])
@pytest.mark.parametrize("family", SHEETS)
def test_every_number_stays_when_every_sentence_changes(family: str, text: str, dana: User, changed: Any) -> None:
    events = [random_event(family, seed, dana) for seed in range(EVENTS)]
    before = [computed(event) for event in events]
    changed(text)
    assert [computed(event) for event in events] == before


@pytest.mark.parametrize("key", [sheet.key for _, sheet in document.all_sheets()])
def test_every_board_computes_the_same_when_every_sentence_changes(key: str, dana: User, changed: Any) -> None:
    event = make_event("Club", dana, sheet=key)
    before = [cells(boards_workbook(blank_boards(event, simple=simple))) for simple in (False, True)]
    changed("x")
    assert [cells(boards_workbook(blank_boards(event, simple=simple))) for simple in (False, True)] == before


def computed(event: Event) -> dict[str, Any]:
    """All numbers and formulas of an event's pages and its workbook."""
    rebuild_results(event)
    sheets = list(event_sheets(event))
    book = event_workbook(whole_book(event), event_sheets(event))
    return {
        "games": [[getattr(sheet, name) for name in NUMBERS] for sheet in sheets],
        "lines": [
            [
                [getattr(row, name) for name in OF_A_LINE],
                (row.written.outcome, row.written.words),
                [(line.rule, line.side, line.points, line.kind) for line in row.lines],
            ]
            for sheet in sheets
            for row in sheet.rows
        ],
        "cells": cells(book),
    }


def cells(content: bytes) -> list[Any]:
    """What is computed in a workbook: the numbers and the formulas of every page."""
    book = openpyxl.load_workbook(io.BytesIO(content))
    found = [(page.title, cell.coordinate, cell.value) for page in book for row in page.iter_rows() for cell in row]
    return [one for one in found if isinstance(one[2], int | float) or str(one[2]).startswith("=")]
