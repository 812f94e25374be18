"""Every list gives the same headings and the same values on page and paper, in the workbook, as CSV and JSON."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from pypdf import PdfReader

from scoring.document import all_sheets, print_score
from tests.factories import make_event, make_round, make_teams, pairs_of, play
from tests.sure import sure
from tests.tournament.reports.evenings import club_24, pdf_pages, pdf_text, random_event, squeezed
from tournament.lists.catalog import LISTS, seating
from tournament.lists.column import CENTS, MARKS, RANK, Column, Listing
from tournament.lists.money import cash_lists
from tournament.models import Event, Player, Team
from tournament.queries.ledger import cash
from tournament.queries.papers import event_sheets
from tournament.queries.rules import ruleset_of
from tournament.reports.excel.workbook import HEAD_ROW, list_workbook
from tournament.reports.files import list_csv, list_json
from tournament.reports.pdf.lists import list_paper
from tournament.tables import page_table

SHEETS = [sheet.key for _, sheet in all_sheets()]
# The longest names that may be entered: one that cannot be broken between words, one of wide letters, one of words.
LONG = ("Donaudampfschifffahrtsgesellschaftskapit", "W" * 40, "The Magnificent Ladies of Upper Sandusky")


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_list_is_the_same_in_all_renderings(dana: User, sheet: str) -> None:
    family, _, name = sheet.partition("/")
    for listing in every_list(random_event(family, 7, dana, rounds=1, sheet=name)):
        agree(listing)


def test_every_list_of_an_evening_that_has_everything_is_the_same(dana: User) -> None:
    event = club_24(dana)
    for name in ("standings", "cross-table", "teams", "games", "rounds", "pot", "money", "receipts"):
        agree(LISTS[name](event))


@pytest.mark.parametrize("name", LISTS)
def test_a_list_without_rows_says_so(event: Event, name: str) -> None:
    listing = LISTS[name](event)
    assert list(listing.rows) == []
    agree(listing)
    assert squeezed(listing.empty) in paper(listing)
    request = RequestFactory().get("/")
    page = render_to_string("components/table.html", {"table": page_table(listing, request)}, request)
    assert listing.empty in html.unescape(page)


def test_500_teams_are_whole_in_every_rendering_and_on_pages(event: Event) -> None:
    teams = [Team(event=event, number=at, name=f"Team {at}", key=f"team {at}") for at in range(1, 501)]
    Team.objects.bulk_create(teams)
    for name in ("standings", "teams"):
        listing = LISTS[name](event)
        assert len(listing.rows) == 500
        agree(listing, pages=3)
        pages = pdf_pages(list_paper(listing))
        assert f"Page {len(pages)} of {len(pages)}" in pages[-1]


@pytest.mark.parametrize("name", LONG)
def test_names_of_40_letters_are_whole_in_every_rendering(dana: User, name: str) -> None:
    event = make_event(director=dana, pot_cents=500)
    aces, books = make_teams(event, 2)
    Team.objects.filter(pk=aces.pk).update(name=name)
    Player.objects.filter(team=aces).update(name=name)
    game = make_round(event, [(aces, books)]).games.get()
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}, sign=False)
    for listing in every_list(event):
        agree(listing)
    assert squeezed(name) in paper(seating(event.rounds.get())[1])


def test_the_wall_reads_24_teams_on_one_page_in_large_type(dana: User) -> None:
    event = club_24(dana)
    names = {team.name for team in event.teams.all()}
    hung = [LISTS["standings"](event), LISTS["teams"](event), LISTS["pot"](event), *seating(sure(event.rounds.first()))]
    for listing in hung:
        pages = PdfReader(io.BytesIO(list_paper(listing))).pages
        assert len(pages) == 1, listing.name
        page = pages[0]
        sizes: list[tuple[str, float]] = []
        page.extract_text(visitor_text=lambda text, cm, tm, font, size: sizes.append((text, size)))  # noqa: B023
        told = [size for text, size in sizes if any(name in text for name in names) and " both " not in text]
        assert len(told) >= len(listing.rows), listing.name
        ties = [size for text, size in sizes if "still tied" in text or ": " in text]
        assert min(size for size in told if size not in ties) >= 12, listing.name


@pytest.mark.parametrize(
    ("cut", "stage", "notes"),
    [
        (5, "playing", ("still tied: a one-game playoff decides.",)),
        (5, "over", ("still tied: they share the place.",)),
        (4, "playing", ()),
        (None, "playing", ()),
    ],
)
def test_paper_explains_a_tie_at_the_cut_that_points_leave(
    dana: User, cut: int | None, stage: str, notes: tuple[str, ...]
) -> None:
    event = club_24(dana, cut=cut)
    event.stage = stage
    listing = LISTS["standings"](event)
    level = "Five or Better and Rise and Fly both won 4 games and have 21 points; "
    assert listing.notes == tuple(level + note for note in notes)
    text = paper(listing)
    assert [text.count(squeezed(note)) for note in listing.notes] == [1] * len(notes)
    assert "points to" not in text


def test_a_sheet_that_counts_no_bostons_shows_them_nowhere(dana: User, client: Client) -> None:
    event = random_event("okinawa", 1, dana, rounds=1)
    assert not ruleset_of(event).rules.counts_bostons
    for name in ("standings", "games"):
        listing = LISTS[name](event)
        assert "bostons" not in [column.key for column in listing.columns]
        # Files have the same columns for every event: here this one is empty.
        assert {row["bostons"] for row in json.loads(list_json(listing))} == {None}
        for said in (paper(listing), *on_page(listing)[0]):
            assert "oston" not in said
    board = client.get(f"/e/{event.slug}/board/").content.decode()
    heads = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', board)
    assert heads == [column.heading for column in LISTS["standings"](event).pick_paper_columns()]


def test_games_lost_by_sets_are_a_column_of_the_standings(event: Event, dana: User) -> None:
    round_ = make_round(event, pairs_of(make_teams(event, 4)))
    play(dana, round_.games.get(table=1), *[{"entry": "hand", "bidder": 1, "bid": "3", "books": 5}] * 2)
    play(dana, round_.games.get(table=2), {"entry": "hand", "bidder": 0, "bid": "5", "books": 11})
    listing = LISTS["standings"](event)
    rows = json.loads(list_json(listing))
    assert [(row["name"], row["lost_by_sets"]) for row in rows if row["lost_by_sets"]] == [("Books", 1)]
    assert len(rows) == 4
    assert "lost_by_sets" not in [column.key for column in listing.pick_paper_columns()]
    agree(listing)
    # On the wall it is on phones too, where a list has no heads: the cell says its own.
    wall = tuple(replace(column, wall=True) for column in listing.columns)
    body = page_table(replace(listing, columns=wall), RequestFactory().get("/")).body()
    assert body.count(' data-head="Lost by sets">') == len(rows)


def test_a_page_is_sorted_by_numbers_not_by_their_digits(dana: User) -> None:
    listing = LISTS["standings"](club_24(dana))
    for sort, at in (("place", 0), ("-place", 0), ("number", 1), ("-number", 1)):
        rows = on_page(listing, sort=sort)[1]
        numbers = [int(row[at].rstrip("=")) for row in rows]
        assert numbers == sorted(numbers, reverse=sort.startswith("-"))
    assert (numbers[0], numbers[-1]) == (24, 1)


def test_another_program_scores_every_game_again_from_its_document(dana: User) -> None:
    event = random_event("spades", 5, dana)
    rows = json.loads(list_json(LISTS["games-by-table"](event)))
    again = []
    for row in rows:
        scored = print_score(row["document"])
        again.append((scored["problems"], scored["points"], scored["over"]))
    assert again == [([], row["points"], row["how"] != "") for row in rows]
    played = [(sheet.round.number, sheet.game.table, sheet.document) for sheet in event_sheets(event)]
    assert [(int(row["round"].split()[-1]), row["table"], row["document"]) for row in rows] == played


def test_only_json_has_the_documents(dana: User) -> None:
    listing = LISTS["games-by-table"](random_event("okinawa", 5, dana, rounds=1))
    said = list_csv(listing).decode() + paper(listing) + str(on_page(listing))
    assert ("document" in said, "entries" in said) == (False, False)


def test_a_document_names_players_as_the_lists_do(dana: User) -> None:
    event = make_event(director=dana)
    aces, books = make_teams(event, 2, ("Alaric Z.", "Books"))
    Team.objects.filter(pk=aces.pk).update(entered="Alaric Zebedee")
    make_round(event, [(aces, books)])
    [row] = json.loads(list_json(LISTS["games-by-table"](event)))
    assert row["document"]["sides"] == row["sides"] == ["Alaric Z.", "Books"]


def every_list(event: Event) -> list[Listing]:
    lists = [make(event) for make in LISTS.values()]
    lists += cash_lists(event, cash(event))
    return [*lists, *seating(sure(event.rounds.first()))]


def agree(listing: Listing, pages: int = 1) -> None:
    """Compare all renderings of a list with what its columns say."""
    filed = listing.pick_file_columns()
    keys, heads = [column.key for column in filed], [column.heading for column in filed]
    values = [[listing.machine(column, row) for column in filed] for row in listing.rows]
    said = [[listing.said(column, row) for column in listing.columns] for row in listing.rows]
    file = csv.reader(io.StringIO(list_csv(listing).decode("utf-8-sig")))
    assert next(file) == keys
    assert list(file) == [[cell_of_csv(value) for value in row] for row in values]
    plain = [dict(zip(keys, map(cell_of_json, row), strict=True)) for row in values]
    for row, cells in zip(listing.rows, plain, strict=True):
        cells |= {key: structure(row) for key, structure in listing.in_json.items()}
    assert json.loads(list_json(listing)) == plain
    sheet = openpyxl.load_workbook(io.BytesIO(list_workbook(listing))).worksheets[0]
    head, *body = sheet.iter_rows(min_row=HEAD_ROW, values_only=True)
    assert list(head) == heads
    body = body[: len(values)]
    assert [list(row) for row in body] == [list(map(cell_of_excel, filed, row)) for row in values]
    text = paper(listing)
    for at, column in enumerate(listing.columns):
        if column in listing.pick_paper_columns() and listing.rows:
            assert column.unit == MARKS or squeezed(column.heading) in text
            assert [row[at] for row in said if squeezed(row[at]) not in text] == [], column.key
    _agree_on_page(listing, said, pages)


def _agree_on_page(listing: Listing, said: list[list[str]], pages: int) -> None:
    shown = [at for at, column in enumerate(listing.columns) if not column.within]
    rows: list[list[str]] = []
    for page in range(1, pages + 1):
        heads, found = on_page(listing, page)
        assert heads == [listing.columns[at].heading for at in shown]
        rows += found
    assert len(rows) == len(listing.rows)
    for row, cells in zip(said, rows, strict=True):
        wanted = [squeezed(row[at]) for at in shown]
        assert [text for text, cell in zip(wanted, cells, strict=True) if text not in cell] == []


def on_page(listing: Listing, page: int = 1, sort: str = "") -> tuple[list[str], list[list[str]]]:
    """The headings and the cells of a list on a page, without what only a screen reader says."""
    table = page_table(listing, RequestFactory().get(f"/?page={page}&sort={sort}"))
    body = re.sub(r'<span class="hidden-text">.*?</span>', "", table.body())
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)]
    cells = [[squeezed(html.unescape(re.sub(r"<[^>]*>", "", cell))) for cell in row] for row in rows]
    return [str(column.header) for column in table.columns], cells


def paper(listing: Listing) -> str:
    return squeezed(pdf_text(list_paper(listing)))


def cell_of_csv(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    text = "; ".join(map(str, value)) if isinstance(value, tuple) else "" if value is None else str(value)
    return f"'{text}" if isinstance(value, str | tuple) and text.startswith(("=", "+", "-", "@")) else text


def cell_of_json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else list(value) if isinstance(value, tuple) else value


def cell_of_excel(column: Column, value: Any) -> Any:
    if column.unit == CENTS:
        return value / 100 if value else None
    if column.unit == RANK and value and value != "–":
        return int(value.rstrip("="))
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return ("; ".join(map(str, value)) if isinstance(value, tuple) else value) or (0 if value == 0 else None)
