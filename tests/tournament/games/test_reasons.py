"""Reasons on every screen: their points, their clause in words, and nothing that only the program reads."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring import document
from scoring.decisions import Scored
from scoring.game import CardGame
from tests.factories import make_event, make_game, play, signed_in
from tests.scoring.examples import PREFIXES
from tests.tournament.reports.evenings import SHEETS, random_event
from tests.tournament.tablet.conftest import at
from tests.tournament.tablet.test_practice import table, turns
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries import rules as queried
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rules import ruleset_at
from tournament.queries.rulings import rulings_of
from tournament.queries.score_workbooks import blank_boards
from tournament.queries.sheet import effect_of_hand, sheet_games, sheet_now
from tournament.reports.excel.boards import boards_workbook
from tournament.reports.excel.workbook import event_workbook
from tournament.services.signatures import rebuild_results, sign_for_all

NIL = {"entry": "hand", "cards": 13, "bids": ["nil", "4", "4", "3"], "tricks": [0, 4, 4, 5]}
PASSED = {"entry": "hand", "cards": 13, "bids": ["pass"] * 4, "tricks": [0, 0]}
KEY = re.compile(rf"\b(?:{'|'.join(sorted(PREFIXES))})\.[a-z_]")


def read(browser: Client, address: str) -> str:
    """The text of a page, without its markup."""
    page = html.unescape(browser.get(address).content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def screens(dana: User, tablet: Client, game: Game) -> list[str]:
    """The tablet, the desk, and the public page once the sheet is signed."""
    desk = signed_in(dana)
    shown = [read(tablet, reverse("tablet")), read(desk, reverse("desk-game", args=["evening", game.pk]))]
    play(dana, game, {"entry": "agreed_stop"}, sign=False)
    sign_for_all(Actor(dana), game, "test")
    return [*shown, read(Client(), reverse("public-game", args=["evening", game.pk]))]


def test_points_and_clause_stand_beside_each_reason(dana: User) -> None:
    tablet, game = table(dana, "spades/standard")
    play(dana, game, NIL, sign=False)
    lines = sheet_now(game).rows[0].lines
    assert [(line.side, line.points, line.rule) for line in lines] == [
        (0, 40, "sp.contract"),
        (0, 100, "sp.nil"),
        (1, 72, "sp.contract"),
    ]
    for page in screens(dana, tablet, game):
        assert re.search(r"\+100 .{0,60}nil", page) and "· nil" in page
        assert re.search(r"\+40 ", page) and "· contract" in page
        assert not KEY.search(page)


def test_points_and_clause_stand_beside_each_reason_before_the_hand_is_written(dana: User) -> None:
    tablet, game = table(dana, "spades/standard")
    said = read(tablet, at("tablet-preview", game) + "?" + "&".join(f"{k}={v}" for k, v in NIL_FORM.items()))
    assert ", +100 (nil)" in said and ", +40 (contract)" in said and ", +72 (contract)" in said


NIL_FORM = turns(13, "nil 4 4 3", "0 4 4 5")


def test_one_reason_alone_needs_no_points_beside_the_score(dana: User) -> None:
    tablet, game = table(dana, "bid_whist/no-kitty-2021")
    play(dana, game, {"entry": "hand", "seat": 0, "bid": "3", "books": 9}, sign=False)
    assert "+3 3 over six" not in read(tablet, reverse("tablet"))


@pytest.mark.parametrize(("sheet", "cards"), [("back_alley/partnership", 13), ("okinawa/standard", 5)])
def test_a_hand_that_all_passed_says_so_with_its_clause(dana: User, sheet: str, cards: int) -> None:
    tablet, game = table(dana, sheet)
    play(dana, game, PASSED | {"cards": cards}, sign=False)
    sentence = sheet_now(game).rows[0].written.text
    assert sentence.startswith("all passed") and str(cards) in sentence
    for page in screens(dana, tablet, game):
        assert f"{sentence} · all pass" in page


def test_the_preview_of_a_hand_that_all_passed_says_so(dana: User) -> None:
    tablet, game = table(dana, "back_alley/partnership")
    page = read(tablet, at("tablet-preview", game) + "?bid-0=pass&bid-1=pass&bid-2=pass&bid-3=pass&cards=13")
    assert "This hand: nobody scores All passed: thrown in, the next player deals 13 cards (all pass)." in page


def test_no_rule_of_another_game_is_cited(dana: User) -> None:
    _, game = table(dana, "spades/standard")
    page = read(Client(), reverse("public-game", args=["evening", game.pk]))
    assert "The sheet is shown when every side has signed it." in page and "rule" not in page.lower().replace(
        "rules", ""
    )
    assert ruleset_at(game).cited("45") == ""


def test_the_tournament_sheet_cites_its_own_rules(dana: User) -> None:
    _, game = table(dana, "bid_whist/no-kitty-2021")
    page = read(Client(), reverse("public-game", args=["evening", game.pk]))
    assert "The sheet is shown when every side has signed it (rules 42, 45)." in page


@pytest.mark.parametrize(
    ("rule", "said"), [("late", "Game to Aces: Books came late."), ("forfeit", "Forfeit by Books: game to Aces.")]
)
def test_a_given_game_is_said_in_words(dana: User, rule: str, said: str) -> None:
    tablet, game = table(dana, "spades/standard")
    play(dana, game, {"entry": "award", "rule": rule, "to": 0}, sign=False)
    assert said in read(tablet, reverse("tablet"))


def test_the_forms_of_a_void_hand_name_no_key(dana: User, desk: Client) -> None:
    tablet, game = table(dana, "spades/standard")
    for page in (read(tablet, reverse("tablet")), read(desk, reverse("desk-game", args=["evening", game.pk]))):
        assert "A misdeal" in page and "(misdeal)" not in page
        assert "Void this hand" in page and "Why is this hand void?" in page


def test_the_rules_page_says_who_chooses(dana: User) -> None:
    table(dana, "bid_whist/no-kitty-2021")
    page = read(Client(), reverse("rules", args=["evening"]))
    assert "The other side chooses: Set for the bid · Play on, no penalty" in page
    assert "The bidding side chooses: Take the points of the bid · Play on, no penalty" in page


# Reasons name sides and players: nobody reads “the other side” or “player 1”.
HIGH_TWO = {"entry": "hand", "cards": 1, "bids": ["pass", "1", "board", "pass"], "tricks": [0, 0, 0, 1]}


def test_reasons_of_the_high_two_name_the_players(dana: User) -> None:
    game = make_game(dana, sheet="back_alley/high-two")
    shown = effect_of_hand(sheet_games().get(pk=game.pk), HIGH_TWO)
    sheet = sheet_now(play(dana, game, HIGH_TWO))
    names = [seat.name for seat in sorted(sheet.seats, key=lambda seat: seat.seat)]
    assert [line.text for line in sheet.rows[0].lines] == [
        f"{names[2]}: board with 1 card: lost",
        f"{names[1]}: 1 bid with one card: lost",
        f"{names[3]}: no bid, 1 trick",
    ]
    assert shown is not None and f"{names[1]}: 1 bid with one card: lost" in shown.lines[0]


@pytest.mark.parametrize(
    ("sheet", "entries", "reasons", "text"),
    [
        (
            "bid_whist/no-kitty-2021",
            [{"entry": "ruling", "rule": "41", "choice": "game", "side": 0, "bidder": 0, "bid": "2"}],
            [(1, 5, "Renege by Aces: game to Books")],
            "Renege by Aces: game to Books.",
        ),
        (
            "bid_whist/no-kitty-2021",
            [
                {"entry": "hand", "bidder": 1, "bid": "2", "books": 7},
                {"entry": "hand", "bidder": 1, "bid": "2", "books": 7},
            ],
            [(1, -2, "2 bid, 7 of 8 books: set"), (0, 5, "Two sets for Books")],
            "Two sets for Books.",
        ),
        (
            "bid_whist/standard",
            [{"entry": "hand", "bidder": 0, "bid": "7-no", "books": 12}],
            [(0, -7, "7 no trump bid, 12 of 13 books: set"), (0, -7, "no trump bid, doubled")],
            "Aces fell to −14.",
        ),
        (
            "bid_whist/52-card",
            [{"entry": "hand", "bidder": 0, "bid": "3", "books": 8}],
            [(1, 3, "Aces bid 3 uptown, 8 of 9 books: set")],
            "",
        ),
        (
            "spades/new-york",
            [{"entry": "hand", "bids": [], "tricks": [6, 7]}]
            + [{"entry": "hand", "bids": ["6", "5"], "tricks": [5, 8]}] * 2,
            [(0, -60, "6 bid, 5 tricks: set"), (1, -50, "5 bid, 8 tricks, set: 3 over is too many")],
            "Two sets in a row for Aces, two sets in a row for Books: Books won with the higher score.",
        ),
        (
            "spades/new-york",
            [{"entry": "hand", "bids": [], "tricks": [6, 7]}]
            + [{"entry": "hand", "bids": ["6", "7"], "tricks": [5, 8]}] * 2,
            [(0, -60, "6 bid, 5 tricks: set"), (1, 70, "7 bid, 8 tricks: made, 1 over")],
            "Two sets in a row for Aces.",
        ),
        (
            "bid_whist/no-kitty-2021",
            [{"entry": "ruling", "rule": "13", "choice": "award", "side": 0}],
            [(1, 5, "Game to Books: Aces came late")],
            "Game to Books: Aces came late.",
        ),
        (
            "bid_whist/boston-parr",
            [
                {"entry": "hand", "bidder": 0, "bid": "3", "books": 8},
                {"entry": "hand", "bidder": 0, "bid": "4", "books": 13},
                {"entry": "hand", "bidder": 0, "bid": "4", "books": 12},
                {"entry": "hand", "bidder": 0, "bid": "1", "books": 7},
            ],
            [(0, 1, "1 bid, 7 books: 1 over six"), (1, 6, "6 books against the bid")],
            "Both reached 11: the bidding side won.",
        ),
    ],
)
def test_reasons_and_endings_name_the_side(
    sheet: str, entries: list[dict[str, Any]], reasons: list[tuple[int, int, str]], text: str, dana: User
) -> None:
    shown = sheet_now(play(dana, make_game(dana, sheet=sheet), *entries))
    assert [(line.side, line.points, line.text) for line in shown.rows[-1].lines] == reasons
    assert shown.text == text


def test_a_tied_game_decided_by_one_more_hand_is_not_ahead_when_time_ran_out(dana: User) -> None:
    game = make_game(dana, sheet="bid_whist/no-kitty-2021")
    sheet = sheet_now(play(dana, game, {"entry": "time"}, {"entry": "hand", "bidder": 0, "bid": "3", "books": 8}))
    assert (sheet.winner, sheet.how, sheet.how_words) == (1, "deciding-hand", "in the deciding hand")
    assert sheet.text == "Tied when time ran out: Books won the deciding hand."
    assert [(line.side, line.points, line.text, line.rule) for line in sheet.rows[1].lines] == [
        (0, 0, "deciding hand, worth −3 but not scored: 3 bid, 8 of 9 books: set", "4")
    ]
    assert (sheet.scores, sheet.sets) == ((0, 0), (1, 0))


def test_every_game_of_a_rubber_has_its_line_and_its_hand_a_number(dana: User) -> None:
    game = make_game(dana, sheet="bid_whist/boston-parr", options={"rubber_games": 2})
    hands = (
        {"entry": "hand", "bidder": 0, "bid": "7", "books": 13},
        {"entry": "hand", "bidder": 0, "bid": "4", "books": 11},
    )
    sheet = sheet_now(play(dana, game, *hands, *hands))
    assert [row.number for row in sheet.rows] == [1, 2, 1, 2]
    told = [[line.text for line in row.lines if line.kind == "rubber"] for row in sheet.rows]
    assert told == [
        [],
        [
            "game 1 of the rubber, 12 to 2: Aces reached 12",
            "the next game of the rubber begins at 0",
            "the next game of the rubber begins at 0",
        ],
        [],
        ["game 2 of the rubber, 12 to 2: Aces reached 12"],
    ]
    assert sheet.text == "Aces won the rubber, 2 to 0 in games. Aces reached 12."


def test_a_wrong_number_of_cards_names_who_holds_it_and_who_gains(dana: User) -> None:
    game = make_game(dana, sheet="bid_whist/no-kitty-2021")
    play(dana, game, {"entry": "ruling", "rule": "35", "choice": "take-points", "side": 1, "bid": "2"}, sign=False)
    assert [(line.side, line.points) for line in sheet_now(game).rows[0].lines] == [(0, 2)]
    assert (
        rulings_of(game.round.event)[0].line.written.text
        == "Wrong number of cards held by Books: points of the bid to Aces"
    )


def test_the_report_of_rulings_names_who_gains(dana: User) -> None:
    game = make_game(dana, sheet="bid_whist/no-kitty-2021")
    play(dana, game, {"entry": "ruling", "rule": "41", "choice": "game", "side": 0, "bidder": 0, "bid": "2"})
    [line] = rulings_of(game.round.event)
    assert line.line.written.text == "Renege by Aces: game to Books"
    assert line.effect == ("Books +5: Renege by Aces: game to Books", "Game over: Books won (renege)")


# No program reads a sentence: with every sentence of scoring changed, everything that is computed stays as it was.
EVENTS = 1
NUMBERS = ("scores", "sets", "bags", "bostons", "points", "hands", "over", "winner", "how", "rule", "code")
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


def saying(game: CardGame[Any], text: str) -> CardGame[Any]:
    """The same game, which says one thing only."""

    class Saying(CardGame[Any]):
        def scored(self, rules: Any, carry: Any, entry: Any) -> Any:
            lines, after, result = super().scored(rules, carry, entry)
            if after.verdict is not None:
                after = after._replace(verdict=after.verdict._replace(text=text))
            if result is not None:
                result = result._replace(note=text if result.note else "")
            return Scored(tuple(line._replace(text=text, short=text) for line in lines), after, result)

        def problems(self, rules: Any, carry: Any, entry: Any) -> Any:
            return tuple(problem._replace(text=text) for problem in super().problems(rules, carry, entry))

    def next_hand(rules: Any, carry: Any) -> Any:
        return game.next_hand(rules, carry)._replace(note=text)

    parts = {part.name: getattr(game, part.name) for part in fields(game)}
    return Saying(**parts | {"next_hand": next_hand})


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
        "games": [[sheet.game.state, *(getattr(sheet, name) for name in NUMBERS)] for sheet in sheets],
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
