"""Cells of a results workbook that were changed, moved or spoiled: they count, or are named with what is wrong."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl.worksheet.worksheet import Worksheet

from tests.factories import play
from tests.tournament.reports.otherhall import (
    ALONE,
    NO,
    SPECIAL,
    THREE,
    books_of,
    changed,
    enter,
    evening,
    games_of,
    said,
    saved,
    two_halls,
    workbook_of,
)
from tournament.access import Actor
from tournament.forms.boards import keys_of, read_boards
from tournament.models import Entry, Round, Side
from tournament.queries.rules import printed_by, ruleset_of
from tournament.services.paperimport import enter_boards

BY_EVENT_FILE = "Move the whole evening with its event file."
OTHER_VERSION = f"This workbook was made by another version of this site. {BY_EVENT_FILE}"
DAMAGED = f"The page “About” of this workbook is damaged. {BY_EVENT_FILE}"
NO_HEADS = f"The page “Hands” has lost its headings or its last column, “As written”. {BY_EVENT_FILE}"
NEITHER = "This is not a score workbook or a results workbook of this site. Download one, fill it in, upload it."
SPADES = (
    {"entry": "hand", "cards": 13, "bids": ["3", "nil", "2", "4"], "tricks": [4, 0, 3, 6]},
    {"entry": "hand", "cards": 13, "bids": ["3", "2", "2", "4"], "tricks": [4, 3, 3, 3]},
)
OKINAWA = (
    {"entry": "hand", "cards": 5, "bids": ["2", "pass", "1", "1"], "tricks": [3, 2]},
    {"entry": "hand", "cards": 5, "bids": ["pass", "okinawa", "1", "pass"], "tricks": [1, 4]},
)


def test_cells_of_bid_whist_that_were_changed_count_as_they_are_now(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE, SPECIAL, NO, sign=False)

    def change(page: Worksheet, at: dict[str, str]) -> None:
        page[f"{at['Books']}4"] = 10
        page[f"{at['Side']}5"], page[f"{at['Level']}5"], page[f"{at['Kind']}5"] = "A", 3.0, "straight"
        page[f"{at['Bid']}6"] = "3-No"

    read = read_boards(here, changed(workbook_of(there), change))
    assert said(read) == []
    assert [(one.field, one.text) for one in read.changes] == [
        ("Hands, M4", "9 → 10"), ("Hands, I5", "B → A"), ("Hands, J5", "2 → 3"), ("Hands, K5", "special → straight"),
        ("Hands, L6", "2-No → 3-No"),
    ]  # fmt: skip
    enter_boards(Actor(dana), here, keys_of(read.boards), source=read.source)
    assert [entry.facts for entry in Entry.objects.filter(game__round__event=here)] == [
        {**THREE, "books": 10, "dealer": 0},
        {"entry": "hand", "bidder": 0, "bid": "3", "books": 8, "dealer": 1},
        {"entry": "hand", "bidder": 0, "bid": "3-no", "books": 8, "dealer": 2},
    ]


def test_a_changed_side_forgets_the_seat(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE)
    read = read_boards(here, changed(workbook_of(there), lambda page, at: page.__setitem__(f"{at['Side']}4", "b")))
    assert read.boards[0].entries == [
        {"entry": "hand", "bidder": 1, "bid": "3", "books": 9, "trump": "hearts", "dealer": 0}
    ]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ({"Books": 17}, [("Hands, M5", "There are 13 books; 17 is not possible.")]),
        ({"Books": "many"}, [("Hands, M5", "“many” is not a whole number. How many books did the bidding side take?")]),
        ({"Books": None}, [("Hands, M5", "How many books did the bidding side take?")]),
        ({"Level": 9}, [("Hands, J5", "A bid is from 1 to 7; 9 is not.")]),
        ({"Side": "Zed"}, [("Hands, I5", "Who won the bid? Write A or B.")]),
        ({"Level": 3, "Bid": "4"}, [("Hands, L5", "This bid does not agree with Level and Kind. Which is right?")]),
        ({"Bid by": "Aces"}, [("Hands, H5", "Did side A win the bid? Change the column “Side”, too.")]),
        ({"Game": "9-9"}, [("Hands, A5", "“9-9” is not a game of this workbook."),
                           ("Hands", "line 2 of game 1-1 is missing. Remove lines at the desk.")]),
        ({"Line": "two"}, [("Hands, D5", "“two” is not the number of a line."),
                           ("Hands", "line 2 of game 1-1 is missing. Remove lines at the desk.")]),
        ({"Line": 1}, [("Hands, D5", "line 1 of game 1-1 is here twice."),
                       ("Hands", "line 2 of game 1-1 is missing. Remove lines at the desk.")]),
        ({"As written": None}, [("Hands, AC5", "this cell has lost line 2 of 1-1.")]),
        ({"As written": '["1-1",2,{'}, [("Hands, AC5", "what this cell held of the line is damaged."),
                                        ("Hands, AC5", "this cell has lost line 2 of 1-1.")]),
        ({"As written": '["1-1",2,{"entry":"dance"}]'},
         [("Hands, AC5", "what this cell held of the line is damaged.")]),
        ({"As written": '["1-1",2,{"entry":"hand","bidder":7,"bid":"2","books":8}]'},
         [("Hands, AC5", "what this cell held of the line is damaged.")]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line_is_said_at_its_cell(
    dana: User, cells: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE, SPECIAL, NO, sign=False)

    def change(page: Worksheet, at: dict[str, str]) -> None:
        for title, value in cells.items():
            page[f"{at[title]}5"] = value

    assert said(read_boards(here, changed(workbook_of(there), change))) == found


def test_a_fault_of_the_rules_names_its_rule(client: Client, dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE)
    content = changed(workbook_of(there), lambda page, at: page.__setitem__(f"{at['Level']}4", 0))
    assert [(fault.field, fault.rule) for fault in read_boards(here, content).faults] == [("Hands, J4", "24")]
    client.force_login(dana)
    upload = SimpleUploadedFile("results.xlsx", content)
    page = client.post(f"/desk/{here.slug}/papers/boards/", {"file": upload}).content.decode()
    assert '<b>Hands, J4</b>: A bid is from 1 to 7; 0 is not. <span class="muted">(rule 24)</span>' in page


def test_lines_that_are_no_hands_are_changed_at_the_desk(dana: User) -> None:
    there, here = evening(dana)
    read = read_boards(
        here, changed(workbook_of(there), lambda page, at: page.__setitem__(f"{at['Books']}5", 7)), may_rule=True
    )
    assert said(read) == [("Hands, M5", "This line is not a hand: change it at the desk.")]


def test_a_line_written_below_by_hand_is_named(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE)

    def add(page: Worksheet, at: dict[str, str]) -> None:
        for title, value in {"Game": "1-1", "Line": 2, "Side": "A", "Level": 2, "Books": 9}.items():
            page[f"{at[title]}5"] = value

    assert said(read_boards(here, changed(workbook_of(there), add))) == [
        ("Hands, D5", "this line was added by hand: enter the hand at the desk when the others are entered.")
    ]


def test_a_deleted_line_is_missed(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE, SPECIAL, NO, sign=False)
    read = read_boards(here, changed(workbook_of(there), lambda page, at: page.delete_rows(5)))
    assert said(read) == [("Hands", "line 2 of game 1-1 is missing. Remove lines at the desk.")]


def test_lines_sorted_without_their_last_column_are_put_together_again(dana: User) -> None:
    there, here = two_halls(dana, tables=2)
    for game in games_of(there):
        play(dana, game, THREE, SPECIAL, NO, sign=False)

    def turn(page: Worksheet, at: dict[str, str]) -> None:
        rows = [[cell.value for cell in row] for row in page.iter_rows(min_row=4)]
        for number, row in enumerate(reversed(rows), start=4):
            for column, value in enumerate(row[:-1], start=1):
                page.cell(number, column).value = value

    assert enter(dana, here, changed(workbook_of(there), turn)) == 6
    assert books_of(here) == books_of(there)


def test_columns_that_were_put_in_or_moved_are_found_by_their_heads(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE, SPECIAL, sign=False)
    assert enter(dana, here, changed(workbook_of(there), lambda page, at: page.insert_cols(3, 2))) == 2
    assert books_of(here) == books_of(there)


def test_cells_where_everybody_bids_count_as_they_are_now(dana: User) -> None:
    there, here = two_halls(dana, "back_alley/individual", at_a_table=3)
    play(dana, games_of(there)[0], *ALONE)

    def change(page: Worksheet, at: dict[str, str]) -> None:
        page[f"{at['Bid A']}4"], page[f"{at['Tricks A']}4"], page[f"{at['Tricks B']}4"] = 0, 4, 5
        page[f"{at['Bids B']}6"] = 2

    read = read_boards(here, changed(workbook_of(there), change))
    assert said(read) == []
    assert read.boards[0].entries == [
        {"entry": "hand", "cards": 13, "bids": ["pass", "pass", "4"], "tricks": [4, 5, 4], "dealer": 0},
        {"entry": "void"},
        {"entry": "hand", "cards": 12, "bids": ["pass", "2", "4"], "tricks": [3, 5, 4], "dealer": 1},
    ]


@pytest.mark.parametrize(
    ("sheet", "hands", "cells", "found"),
    [
        ("spades/standard", SPADES, {"Bid A": 6},
         [("Hands, I5", "This cell holds the bids of two partners: correct this hand at the desk.")]),
        ("spades/standard", SPADES, {"Tricks B": 7},
         [("Hands, R5", "This cell holds the tricks of two partners: correct this hand at the desk.")]),
        ("spades/standard", SPADES, {"Bids A": "6"},
         [("Hands, H5", "This cell does not show which partner bid what: correct this hand at the desk.")]),
        ("spades/standard", SPADES, {"Bids A": "4 + 2", "Bid A": 7},
         [("Hands, I5", "This number does not agree with the bid in words. Which is right?")]),
        ("okinawa/standard", OKINAWA, {"Tricks A": 3},
         [("Hands, J5", "5 tricks were played, but 7 are written down.")]),
        ("okinawa/standard", OKINAWA, {"Cards": 6}, [("Hands, J5", "6 tricks were played, but 5 are written down.")]),
        ("okinawa/standard", OKINAWA, {"Bids A": "9 + 1"},
         [("Hands, I5", "There are 5 tricks in this hand: 9 cannot be bid.")]),
    ],
)  # fmt: skip
def test_what_cannot_be_told_where_everybody_bids_is_said_at_the_cell(
    dana: User, sheet: str, hands: Any, cells: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    there, here = two_halls(dana, sheet)
    play(dana, games_of(there)[0], *hands, sign=False)

    def change(page: Worksheet, at: dict[str, str]) -> None:
        for title, value in cells.items():
            page[f"{at[title]}5"] = value

    assert said(read_boards(here, changed(workbook_of(there), change))) == found


def test_partners_bids_in_words_count_as_they_are_now(dana: User) -> None:
    there, here = two_halls(dana, "spades/standard")
    play(dana, games_of(there)[0], *SPADES, sign=False)
    read = read_boards(
        here, changed(workbook_of(there), lambda page, at: page.__setitem__(f"{at['Bids A']}5", "4 + 2"))
    )
    assert said(read) == []
    assert read.boards[0].entries[1] == {**SPADES[1], "bids": ["4", "2", "2", "4"], "dealer": 1}


def test_scores_that_the_spreadsheet_computed_otherwise_are_named(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE, SPECIAL, sign=False)

    def computed(page: Worksheet, at: dict[str, str]) -> None:
        page[f"{at['Score A']}4"], page[f"{at['Score A']}5"], page[f"{at['Score B']}5"] = 3, 3, 9

    read = read_boards(here, changed(workbook_of(there), computed))
    assert said(read) == [
        ("Hands, W5", "the workbook says 9, by the rules it is 2: another cell of it was changed too.")
    ]


def test_other_teams_other_rules_and_other_workbooks_are_refused(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE)
    content = workbook_of(there)
    for side, index in zip(Side.objects.filter(game__round__event=here).order_by("index"), (2, 3), strict=True):
        Side.objects.filter(pk=side.pk).update(index=index)
    for side in Side.objects.filter(game__round__event=here):
        Side.objects.filter(pk=side.pk).update(index=3 - side.index)
    assert said(read_boards(here, content)) == [
        ("Hands, game 1-1", "these lines are of Aces and Books; Books and Aces meet there.")
    ]
    Round.objects.filter(event=here).update(number=2)
    assert said(read_boards(here, content)) == [
        ("Hands, game 1-1", "the workbook has Aces and Books; this event has no such game.")
    ]
    here.options = {"standings_visible": "at-end", "backdoor_scope": "any-hand"}
    assert said(read_boards(here, content)) == [
        ("file", "These results were played with other options of the rule sheet than are chosen here.")
    ]
    here.sheet, here.options, here.printed = "spades/standard", {}, printed_by("spades/standard")
    assert said(read_boards(here, content)) == [
        ("file", f"These results belong to another rule sheet: {ruleset_of(here).sheet.title} is played here.")
    ]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda book: book.remove(book["About"]), OTHER_VERSION),
        (lambda book: book["About"].__setitem__("A1", "uptown results 2"), OTHER_VERSION),
        (lambda book: book["About"].__setitem__("A2", None), DAMAGED),
        (lambda book: book["About"].__setitem__("A3", '["1-1",[1,1,1],[1],[1],null]'), DAMAGED),
        (lambda book: book["About"].__setitem__("A3", "x" * 40_000), DAMAGED),
        (lambda book: book["About"].__setitem__("A4", book["About"]["A3"].value), DAMAGED),
        (lambda book: book["Hands"].delete_cols(29), NO_HEADS),
        (lambda book: book.remove(book["Hands"]), OTHER_VERSION),
        (lambda book: [book.remove(book[title]) for title in ("About", "Hands")], NEITHER),
    ],
)  # fmt: skip
def test_a_workbook_that_cannot_be_read_is_refused_with_a_sentence(
    dana: User, spoil: Callable[[Any], Any], sentence: str
) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE)
    book = openpyxl.load_workbook(io.BytesIO(workbook_of(there)))
    spoil(book)
    assert said(read_boards(here, saved(book))) == [("file", sentence)]


def test_more_than_forty_faults_are_counted(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], *[{"entry": "void", "rule": "17"}] * 50, sign=False)

    def spoil(page: Worksheet, at: dict[str, str]) -> None:
        for row in range(4, 54):
            page[f"{at['As written']}{row}"] = None

    read = read_boards(here, changed(workbook_of(there), spoil))
    assert [said(read)[at] for at in (0, -1)] == [
        ("Hands, AC4", "this cell has lost line 1 of 1-1."), ("file", "And 10 more."),
    ]  # fmt: skip
    assert len(read.faults) == 41
