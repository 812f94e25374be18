"""The results workbook of another hall is read back: the same as if its hands had been typed here."""

from __future__ import annotations

import io
import json
from random import Random

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories import make_event, make_user, play
from tests.programs import recalculated, recalculated_all
from tests.tournament.reports.evenings import SHEETS, random_entries, write
from tests.tournament.reports.otherhall import (
    ALONE,
    NO,
    SPECIAL,
    THREE,
    WHIST,
    books_of,
    changed,
    enter,
    evening,
    games_of,
    said,
    sign_all,
    two_halls,
    workbook_of,
)
from tournament.access import Actor
from tournament.forms.boards import keys_of, read_boards
from tournament.models import Entry, Event, Journal, Official, Round
from tournament.models.entry import RULED
from tournament.queries.rules import every_pinned, ruleset_of
from tournament.refusals import Invalid, Refusal
from tournament.services.archive import export_event
from tournament.services.entries import open_from_paper, record_entry, undo_entry
from tournament.services.paperimport import enter_boards
from tournament.services.results import refresh_results


def test_an_evening_of_bid_whist_is_the_same_here_as_there(dana: User) -> None:
    there, here = evening(dana)
    content = workbook_of(there)
    assert enter(dana, here, content) == 13
    assert {entry.source for entry in Entry.objects.filter(game__round__event=here)} == {"import", "paper"}
    for event in (there, here):
        sign_all(dana, event)
    assert books_of(here) == books_of(there)
    assert [game.state for game in games_of(here)] == ["playing", "final", "final", "final", "playing"]
    before = export_event(here)
    assert enter(dana, here, content) == 0
    assert export_event(here) == before
    assert enter(dana, here, workbook_of(here)) == 0


def test_the_log_tells_what_was_read_and_every_ruling(dana: User) -> None:
    there, here = evening(dana)
    enter(dana, here, workbook_of(there))
    notes = Journal.objects.filter(event=here, user=dana).order_by("pk")
    told = [(note.action, note.text) for note in notes if note.action in ("rule", "enter-boards")]
    assert [action for action, _ in told] == ["rule", "rule", "rule", "enter-boards"]
    assert told[-1] == ("enter-boards", "13 lines entered from 5 games of the results workbook")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("family", SHEETS)
def test_random_evenings_of_every_game_are_the_same_here_as_there(family: str, seed: int, dana: User) -> None:
    chance = Random(f"read back {family} {seed}")
    sheet = f"{family}/{chance.choice(SHEETS[family])}"
    sides = ruleset_of(make_event("Rules", sheet=sheet, slug="rules")).seating.sides
    there, here = two_halls(dana, sheet, tables=3, at_a_table=sides)
    for game in games_of(there):
        write(dana, game, random_entries(chance, there))
    refresh_results(there, [game.pk for game in games_of(there)])
    content = workbook_of(there)
    lines = Entry.objects.filter(game__round__event=there).count()
    assert enter(dana, here, content) == lines
    for event in (there, here):
        sign_all(dana, event)
    assert books_of(here) == books_of(there)
    assert enter(dana, here, content) == 0


def test_a_smaller_table_of_single_players_is_the_same_here_as_there(dana: User) -> None:
    there, here = two_halls(dana, "back_alley/individual", tables=2, at_a_table=3)
    for game in games_of(there):
        play(dana, game, *ALONE)
    assert enter(dana, here, workbook_of(there)) == 6
    assert books_of(here) == books_of(there)


@pytest.mark.office
def test_a_copy_that_libreoffice_saved_reads_the_same(dana: User) -> None:
    there, here = evening(dana)
    copy = recalculated(workbook_of(there)).read_bytes()
    assert enter(dana, here, copy) == 13
    for event in (there, here):
        sign_all(dana, event)
    assert books_of(here) == books_of(there)


@pytest.mark.office
def test_copies_that_libreoffice_saved_read_the_same_in_every_game(dana: User) -> None:
    halls = []
    for family, chance in ((family, Random(f"office {family}")) for family in SHEETS):
        sheet = f"{family}/{SHEETS[family][0]}"
        there, here = two_halls(dana, sheet, tables=2, at_a_table=2)
        for game in games_of(there):
            write(dana, game, random_entries(chance, there))
        refresh_results(there, [game.pk for game in games_of(there)])
        Event.objects.filter(pk=there.pk).update(slug=f"there-{family}")
        halls.append((there, here))
    copies = recalculated_all(workbook_of(there) for there, _ in halls)
    for (there, here), copy in zip(halls, copies, strict=True):
        enter(dana, here, copy.read_bytes())
        assert books_of(here) == books_of(there)


def test_a_line_that_stands_otherwise_here_is_named(dana: User) -> None:
    there, here = two_halls(dana, tables=2)
    for game in games_of(there):
        play(dana, game, THREE, SPECIAL, sign=False)
    content = workbook_of(there)
    read = read_boards(here, content)
    play(dana, games_of(here)[1], THREE, {**SPECIAL, "books": 9}, sign=False)
    with pytest.raises(Invalid) as refused:
        enter_boards(Actor(dana), here, keys_of(read.boards), source=read.source)
    assert str(refused.value) == "Game 1, table 2: line 2 of the sheet is different. Nothing was entered."
    assert Entry.objects.filter(game=games_of(here)[0]).count() == 0
    assert said(read_boards(here, content)) == [
        ("Hands, D7", "this line is different on the sheet here: compare them at the desk.")
    ]


def test_what_stands_here_already_is_told_and_the_rest_is_entered(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE, SPECIAL, NO, sign=False)
    play(dana, games_of(here)[0], THREE)
    read = read_boards(here, workbook_of(there))
    assert (read.new, read.stands, read.rulings) == (2, 1, 0)
    assert enter(dana, here, workbook_of(there)) == 2
    assert enter(dana, there, workbook_of(here)) == 0


def test_a_line_that_was_undone_here_is_entered_again(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], THREE, SPECIAL, sign=False)
    content = workbook_of(there)
    enter(dana, here, content)
    undo_entry(Actor(dana), games_of(here)[0], position=2)
    assert enter(dana, here, content) == 1
    assert books_of(here) == books_of(there)


def test_a_game_that_begins_with_other_totals_here_is_named(dana: User) -> None:
    there, here = two_halls(dana)
    content = workbook_of(there)
    assert said(read_boards(here, content)) == [("file", "There are no hands in this workbook.")]
    open_from_paper(Actor(dana), games_of(there)[0], {"scores": [3, -1]})
    read = read_boards(here, workbook_of(there))
    open_from_paper(Actor(dana), games_of(here)[0], {"scores": [2, -1]})
    assert said(read_boards(here, workbook_of(there))) == [
        ("Hands, game 1-1", "this game starts from other totals here.")
    ]
    with pytest.raises(Invalid, match="Game 1, table 1: it starts from other totals"):
        enter_boards(Actor(dana), here, keys_of(read.boards), source=read.source)


def test_new_lines_need_a_game_that_is_being_played(dana: User) -> None:
    there, here = two_halls(dana, tables=2)
    for game in games_of(there):
        play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11})
    content = workbook_of(there)
    play(dana, games_of(here)[0], {"entry": "hand", "bidder": 0, "bid": "4", "books": 11})
    read = read_boards(here, content)
    Round.objects.filter(event=here).update(state="closed")
    assert said(read_boards(here, content)) == [
        ("Hands, D5", "Game 1 is not being played here: new lines cannot be entered.")
    ]
    with pytest.raises(Invalid, match=r"Game 1, table 2: this game is not being played\."):
        enter_boards(Actor(dana), here, keys_of(read.boards), source=read.source)
    assert enter_boards(Actor(dana), here, keys_of(read.boards[:1]), source=read.source) == 0


def test_only_a_director_enters_rulings(client: Client, dana: User) -> None:
    there, here = evening(dana)
    vic = make_user("vic")
    Official.objects.create(event=here, user=vic, role="verifier")
    content, address = workbook_of(there), f"/desk/{here.slug}/papers/boards/"
    client.force_login(dana)
    signed = client.post(address, {"file": SimpleUploadedFile("results.xlsx", content)}).context["signed"]
    client.force_login(vic)
    looked = client.post(address, {"file": SimpleUploadedFile("results.xlsx", content)})
    assert (looked.status_code, said(looked.context["read"]), looked.context["signed"]) == (
        422, [("file", "3 of the new lines are rulings: only a director enters what was ruled.")], ""
    )  # fmt: skip
    # What the director was shown is no way around.
    sent = client.post(f"{address}entries/", {"boards": signed})
    assert sent.status_code == 422
    assert "This file holds rulings: only a director enters them. Nothing was entered." in sent.content.decode()
    with pytest.raises(Refusal):
        enter_boards(Actor(vic), here, keys_of(read_boards(here, content, may_rule=True).boards), source="import")
    assert Entry.objects.filter(game__round__event=here).count() == 0
    # What a director has ruled stands, and a verifier enters the hands that follow.
    enter(dana, here, content)
    record_entry(Actor(dana), games_of(there)[4], SPECIAL)
    again = client.post(address, {"file": SimpleUploadedFile("results.xlsx", workbook_of(there))})
    assert (again.status_code, again.context["read"].new) == (200, 1)
    assert client.post(f"{address}entries/", {"boards": again.context["signed"]}).status_code == 302
    assert [entry.entered_by for entry in Entry.objects.filter(game=games_of(here)[4])] == [dana, vic]
    assert Entry.objects.filter(game__round__event=here, kind__in=RULED).count() == 3


def test_the_page_says_what_would_be_entered_and_what_does_not_come_along(client: Client, dana: User) -> None:
    there, here = evening(dana)
    address = f"/desk/{here.slug}/papers/boards/"
    client.force_login(dana)
    plain = client.get(address).content.decode()
    assert "Signatures are not included, so the games are signed here." in plain
    upload = changed(workbook_of(there), lambda page, at: page.__setitem__(f"{at['Books']}4", 10))
    page = client.post(address, {"file": SimpleUploadedFile("results.xlsx", upload)})
    text = " ".join(page.content.decode().split())
    assert "To be entered: 13 lines, 3 of them rulings.</p>" in text
    assert "1 cell of the workbook was changed by hand. The changed values will be used:" in text
    assert "<li><b>Hands, M4</b>: 9 → 10</li>" in text
    assert client.post(f"{address}entries/", {"boards": page.context["signed"]}).status_code == 302
    done = client.post(address, {"file": SimpleUploadedFile("results.xlsx", upload)})
    assert "Every line of this file is already here." in done.content.decode()


def test_the_last_column_is_neither_seen_nor_printed_nor_filtered(dana: User) -> None:
    there, _ = two_halls(dana)
    play(dana, games_of(there)[0], THREE, {"entry": "void", "reason": "=HYPERLINK(1) _x0041_ Łódź"}, sign=False)
    book = openpyxl.load_workbook(io.BytesIO(workbook_of(there)))
    hands, about = book["Hands"], book["About"]
    assert (hands.auto_filter.ref, hands.print_area, hands.calculate_dimension()) == (
        "A3:AB5", "'Hands'!$A$1:$AB$5", "A1:AC5",
    )  # fmt: skip
    assert hands.column_dimensions["AC"].hidden
    assert not hands.column_dimensions["AB"].hidden
    assert [hands[f"AC{row}"].value for row in (3, 4, 5)] == [
        "As written",
        '["1-1",1,{"bid":"3","bidder":0,"books":9,"dealer":0,"entry":"hand","seat":2,"trump":"hearts"}]',
        '["1-1",2,{"entry":"void","reason":"=HYPERLINK(1) \\u005fx0041_ \\u0141\\u00f3d\\u017a"}]',
    ]
    assert about.sheet_state == "hidden"
    played = json.dumps(
        {"event": "Two Halls", "options": every_pinned(there), "sheet": WHIST}, sort_keys=True, separators=(",", ":")
    )
    assert [row[0].value for row in about.iter_rows()] == [
        "uptown results 1",
        played,
        '["1-1",[1,1,1],["Aces","Books"],[1,2],null]',
    ]
