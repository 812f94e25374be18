"""Paper, spreadsheet and screen say the same: read back from the files themselves."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from scoring.document import all_sheets, find_sheet
from tests.factories import make_event, make_teams, play
from tests.sure import sure
from tests.tournament.archive.test_import import demo
from tests.tournament.reports.evenings import club_24, on_paper, pdf_pages, pdf_text, printed
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.forms.roster.file import read_list
from tournament.forms.roster.reader import read_roster
from tournament.lists.catalog import LISTS, rules_list
from tournament.lists.column import Column, Listing
from tournament.lists.sheets import corrections_list, hands_list
from tournament.models import Event, Game, Player, Team
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import corrected_sheets, whole_book
from tournament.queries.rules import ruleset
from tournament.queries.rulings import rulings_of
from tournament.queries.score_workbooks import blank_sheet
from tournament.queries.sheet import sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.lists import list_paper
from tournament.reports.pdf.paper import stacked
from tournament.reports.pdf.rules import said as rule_said
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.reports.pdf.sheet_table import items_of, sheet_table
from tournament.services.entries import undo_entry
from tournament.words.phrases import minus

HANDS = (
    {"entry": "hand", "bidder": 0, "bid": "3", "books": 8, "seat": 2, "trump": "hearts"},
    {"entry": "hand", "bidder": 1, "bid": "2-special", "books": 8},
    {"entry": "void", "rule": "17"},
    {"entry": "hand", "bidder": 0, "bid": "3-no", "books": 10},
)


@pytest.fixture
def played(game: Game, dana: User) -> Game:
    return play(dana, game, *HANDS)


def test_score_sheet_prints_teams_hands_verdict_and_code(played: Game) -> None:
    sheet = sheet_now(played)
    text = pdf_text(score_sheets([sheet]))
    for expected in (
        "Columbus Open",
        "Aces",
        "Books",
        "2-Special",
        "3-No",
        "♥",
        "rule 17",
        "Aces reached 5 (rule 6).",
    ):
        assert expected in text
    boxes = " ".join(text.split())
    for known in (
        "Winner Aces",
        "Ended by by points",
        "Points A 5 Points B 2",
        "Sets A 1 set of 2 Sets B 0",
        "Bostons A 0",
    ):
        assert known in boxes
    assert sheet.code[:4] not in text


def test_score_sheet_twice_is_the_same_file(played: Game) -> None:
    sheet, at = sheet_now(played), timezone.now()
    assert score_sheets([sheet], printed_at=at) == score_sheets([sheet], printed_at=at)


def test_score_sheet_with_more_than_fourteen_lines_continues_on_a_second_page(game: Game, dana: User) -> None:
    play(dana, game, *[{"entry": "void", "rule": "17"}] * 13, sign=False)
    assert len(PdfReader(io.BytesIO(score_sheets([sheet_now(game)]))).pages) == 1
    play(dana, game, *[{"entry": "void", "rule": "17"}] * 2, sign=False)
    pages = PdfReader(io.BytesIO(score_sheets([sheet_now(game)]))).pages
    assert len(pages) == 2
    assert "Continued on page 2" in pages[0].extract_text()


def test_blank_sheet_has_fourteen_lines_to_fill(event: Event) -> None:
    (page,) = PdfReader(io.BytesIO(score_sheets([blank_sheet(event)]))).pages
    sizes: list[tuple[str, float]] = []
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: sizes.append((text.strip(), size)))
    assert [text for text, size in sizes if size == 12 and text.isdigit()] == [str(one) for one in range(1, 15)]


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_score_sheet_is_printed_on_the_paper_of_the_event(played: Game, paper: str) -> None:
    page = PdfReader(io.BytesIO(score_sheets([sheet_now(played)], paper=paper))).pages[0]
    assert [round(float(side)) for side in page.mediabox[2:]] == {"letter": [612, 792], "a4": [595, 842]}[paper]


def test_why_teams_stand_as_they_do_is_read_in_9_points(event: Event) -> None:
    make_teams(event, 40)
    sizes: dict[str, float] = {}
    *_, page = PdfReader(io.BytesIO(list_paper(replace(LISTS["standings"](event), notes=("Aces drew a lot.",))))).pages
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: sizes.update({text.strip(): size}))
    assert sizes["Aces drew a lot."] >= 9


@pytest.mark.parametrize("name", ["autumn-open", "autumn-evening"])
def test_standings_of_24_with_every_tie_explained_are_one_page(dana: User, name: str) -> None:
    event = import_event(Actor(dana), demo(name))
    assert len(PdfReader(io.BytesIO(list_paper(LISTS["standings"](event)))).pages) == 1


def test_the_name_of_a_rule_sheet_keeps_its_capitals(event: Event) -> None:
    text = pdf_text(list_paper(rules_list(event)))
    assert find_sheet(event.sheet).title in text and "Columbus Open: rules" in text
    assert not re.search(r":\n", text.partition("How it is played")[2])


def test_the_rules_hang_as_sentences_in_type_for_standing_readers(dana: User) -> None:
    event = make_event(director=dana, options={"lowest_bid": 3}, place="Union Hall")
    (first, *_) = pages = PdfReader(io.BytesIO(printed(dana, event, "rules.pdf"))).pages
    sizes: list[tuple[str, float]] = []
    first.extract_text(visitor_text=lambda text, cm, tm, font, size: sizes.append((text.strip(), size)))
    assert min(size for text, size in sizes if text and not text.startswith(("Printed", "Page"))) >= 13
    text = " ".join(" ".join(page.extract_text().split()) for page in pages)
    chosen, printed_ = text.partition("Chosen by the club")[2].split("Bidding", 1)
    assert "The lowest bid is 3." in chosen and "The lowest bid" not in printed_
    for words in (
        "A No bid counts double, made or set.",
        "Sets that lose the game: 2.",
        "Rule 31. A No bidder led without naming a direction. The other side chooses: Set for the bid",
    ):
        assert words in printed_


@pytest.mark.parametrize("key", [sheet.key for _, sheet in all_sheets()])
def test_every_option_of_a_sheet_is_a_sentence(key: str) -> None:
    for option in ruleset(key).said:
        words = rule_said(option.title, option.words)
        assert words.endswith(".") and words.count(": none:") == 0 and ",:" not in words and "::" not in words, words
        assert option.title.rstrip(":,") in words


def test_workbook_has_panes_filters_and_titles(played: Game, event: Event) -> None:
    content = event_workbook(whole_book(event), event_sheets(event), with_money=True)
    book = openpyxl.load_workbook(io.BytesIO(content))
    # The result comes first, the rules last.
    assert book.sheetnames == [
        "Standings", "Cross table", "Games", "Hands", "Teams", "Boston pot", "Money", "Receipts", "Rules", "Event",
    ]  # fmt: skip
    hands = book["Hands"]
    assert (hands.freeze_panes, hands.print_title_rows, hands.auto_filter.ref) == ("D5", "$4:$4", "A4:S12")
    assert book.calculation.fullCalcOnLoad


def test_the_list_of_teams_is_read_back(event: Event, desk: Client) -> None:
    aces, _ = make_teams(event, 2)
    Player.objects.create(team=aces, position=2, name="Cal 1", key="cal 1")
    text = desk.get(f"/desk/{event.slug}/papers/teams.csv").content.decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text))) == [
        [
            "number", "name", "status", "joined_in", "players", "city", "club", "stays", "here", "paid", "in_pot",
            "entered", "entered_names", "owes_cents",
        ],
        ["1", "Aces", "", "", "Ann 1; Bea 1; Cal 1", "Columbus", "", "", "", "yes", "yes", "", "", ""],
        ["2", "Books", "", "", "Ann 2; Bea 2", "Columbus", "", "", "", "yes", "yes", "", "", ""],
    ]  # fmt: skip
    rows = desk.get(f"/desk/{event.slug}/papers/teams.json").json()
    assert [row["players"] for row in rows] == [["Ann 1", "Bea 1", "Cal 1"], ["Ann 2", "Bea 2"]]
    excel = read_list(desk.get(f"/desk/{event.slug}/papers/teams.xlsx").content).text
    from_excel = read_roster(excel, 2)
    assert from_excel.faults == []
    assert [(row.number, row.name, row.players) for row in from_excel.rows] == [
        (1, "Aces", ("Ann 1", "Bea 1", "Cal 1")),
        (2, "Books", ("Ann 2", "Bea 2")),
    ]
    roster = read_roster(text, 2)
    # The other columns are empty, and no word is lost over them.
    assert (roster.faults, roster.questions, roster.notes, roster.left_out) == ([], [], [], [])
    assert [(row.number, row.name, row.players, row.city, row.paid, row.in_pot) for row in roster.rows] == [
        (1, "Aces", ("Ann 1", "Bea 1", "Cal 1"), "Columbus", True, True),
        (2, "Books", ("Ann 2", "Bea 2"), "Columbus", True, True),
    ]


def test_only_what_is_new_is_printed_again(event: Event, dana: User, game: Game, desk: Client) -> None:
    address = f"/desk/{event.slug}/papers/new-score-sheets.pdf"
    assert desk.get(address).status_code == 405
    assert desk.post(address)["Content-Type"] == "application/pdf"
    assert desk.post(address).status_code == 302
    play(dana, game, HANDS[0])
    assert desk.post(address)["Content-Type"] == "application/pdf"
    assert desk.post(address).status_code == 302


def test_long_names_of_both_players_are_printed_whole(event: Event, game: Game) -> None:
    long = "Maximiliana Featherstonehaugh-Worthingto"
    sure(game.sides.first()).team.players.all().update(name=long)
    Team.objects.filter(event=event, number=1).update(name="Wednesday Wide Wanderers of West Wwwwwww")
    text = " ".join(pdf_text(score_sheets([sheet_now(game)])).split())
    assert "Wednesday Wide Wanderers of West Wwwwwww" in text
    assert f"1 {long} 2 {long}" in text


def test_a_long_text_of_a_list_is_printed_to_its_end(event: Event) -> None:
    words = [f"word-{number}" for number in range(300)]
    columns = (Column("why", "Why", " ".join), Column("rest", "Rest", lambda row: ""))
    text = pdf_text(list_paper(Listing("list", "List", event, columns, [words])))
    assert [word for word in text.split() if word.startswith("word")] == words


def test_a_line_that_was_taken_off_keeps_its_number_in_the_list_of_corrections(game: Game, dana: User) -> None:
    play(dana, game, *HANDS[:2])
    undo_entry(Actor(dana), game, position=2)
    (row,) = corrections_list(game.round.event, corrected_sheets(game.round.event)).rows
    assert row[3:6] == (2, "2-Special made with 8", "removed from the sheet")


def test_a_cut_stack_stays_in_order() -> None:
    pages = list(stacked(list(range(1, 8)), 4))
    assert pages == [[1, 3, 5, 7], [2, 4, 6, None]]
    piles = [[page[place] for page in pages] for place in range(4)]
    assert [item for pile in piles for item in pile if item] == [1, 2, 3, 4, 5, 6, 7]


def test_a_pdf_may_be_shown_by_a_plug_in_and_a_list_may_not(event: Event, desk: Client) -> None:
    """Safari on a Mac shows a PDF by a plug-in, and obeys what comes with the file."""

    def plug_ins(name: str) -> str:
        answer = desk.get(f"/desk/{event.slug}/papers/{name}")
        rules = dict(rule.strip().partition(" ")[::2] for rule in answer["Content-Security-Policy"].split(";"))
        return f"{answer.status_code} {rules['object-src']} {rules['style-src']} {rules['script-src']}"

    assert plug_ins("standings.pdf") == "200 'self' 'self' 'unsafe-inline' 'self'"
    assert plug_ins("teams.csv") == "200 'none' 'self' 'self'"


# Paper and page agree, read back from the file itself.
@pytest.mark.long
def test_club_24_is_a_book_of_every_sheet(dana: User) -> None:
    event = club_24(dana)
    whole = whole_book(event)
    pages = pdf_pages(on_paper(draw_event_book, whole, event_sheets(event)))
    assert "Contents" in pages[1]
    listed = re.findall(r"^(Results|Standings|Game 1|Rulings|The rules of this event)\n(\d+)$", pages[1], re.M)
    # Nobody has cut or ended this event: its poster has the standings, and no champion.
    heads = {"Results": "Standings · after 6 of 6 games", "The rules of this event": whole.rules.sheet.title}
    assert len(listed) == 5
    for title, number in listed:
        assert heads.get(title, title).lower() in pages[int(number) - 1].lower()
    for sheet in event_sheets(event):
        found = [page for page in pages if f"Game {sheet.round.number}\nTable {sheet.game.table}\n" in f"{page}\n"]
        assert len(found) == 1
        paper_agrees(sheet, found[0])
    for line in whole.standings.lines:
        assert line.team in pages[3] + pages[4]


def paper_agrees(sheet: GameSheet, text: str) -> None:
    """What is read on a printed sheet is what the page shows."""
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
    assert f"Table {sheet.game.table}" in flat
    # Our own names of clauses are no words for players.
    assert re.findall(r"\b(?:bw|tw|sp|ba|ok)\.[a-z_]+", flat) == []


# A ruling names its bidder and its offender each by itself, on paper and in files.
# What is ruled; who had bid, the bid, and who broke the rule. Side 0 are the Aces, side 1 the Books.
RULED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"rule": "32", "choice": "set", "side": 1, "bidder": 0, "bid": "4"}, "Aces", "4", "Books"),
    ({"rule": "35", "choice": "take-points", "side": 1, "bid": "2"}, "Aces", "2", "Books"),
    ({"rule": "34", "choice": "set", "side": 1, "bid": "2"}, "Books", "2", "Books"),
    ({"rule": "41", "choice": "game", "side": 1, "bidder": 0, "bid": "2-special"}, "Aces", "2-Special", "Books"),
    ({"rule": "13", "choice": "award", "side": 1}, "", "", "Books"),
    ({"rule": "46", "choice": "forfeit", "side": 0}, "", "", "Aces"),
]


def paper_text(sheet: GameSheet) -> str:
    """The words of the last line of a printed sheet."""
    return " ".join(piece.text for piece in [*items_of(sheet, sheet_table(sheet.rules))][-1].pieces)


@pytest.mark.parametrize(("facts", "bidder", "bid", "offender"), RULED)
def test_paper_lists_and_workbook_name_bidder_and_offender(
    game: Game, dana: User, facts: dict[str, Any], bidder: str, bid: str, offender: str
) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "2", "books": 9}, {"entry": "ruling", **facts}, sign=False)
    words = paper_text(sheet_now(game))
    assert (f"Bid: {bidder}, {bid}" if bidder else "Offender") in words
    assert (("Bid:" in words), f"Offender: {offender}" in words) == (bool(bidder), True)
    listing = hands_list(game.round.event, [sheet_now(game)])
    lines = [{one.key: one.value(row) for one in listing.columns} for row in listing.rows]
    said = {(one["bidder"], one["bid"], one["offender"]) for one in lines if one["line"] == 2}
    assert said == {(bidder, bid, offender)}
    event = game.round.event
    content = event_workbook(whole_book(event), event_sheets(event))
    page = openpyxl.load_workbook(io.BytesIO(content))["Hands"]
    titles, _, _, line = (list(row) for row in page.iter_rows(min_row=4, max_row=7, values_only=True))
    cells = [str(line[titles.index(title)] or "") for title in ("Line", "Bid by", "Bid", "Offender")]
    assert cells == ["2", bidder, bid, offender]


def test_a_hand_names_no_offender(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "2", "books": 9}, sign=False)
    assert "Offender" not in paper_text(sheet_now(game))


def test_a_given_game_has_no_bidder(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "award", "rule": "19", "to": 1}, sign=False)
    written = sheet_now(game).rows[0].written
    assert (written.who, written.who_name, written.offender, written.about) == (None, "", "", "Books")
    assert [ruling.line.written.about for ruling in rulings_of(game.round.event)] == ["Books"]
