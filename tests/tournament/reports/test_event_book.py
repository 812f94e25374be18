"""The event book: two sheets to a page, the teams with their games, charts that a gray print keeps."""

from __future__ import annotations

import io
import subprocess
import tempfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from PIL import Image, ImageStat
from pypdf import PdfReader

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, play
from tests.pages import squeezed
from tests.programs import program
from tests.sure import sure
from tests.tournament.reports.papers import on_paper
from tournament.archive.store import export_event
from tournament.lists.catalog import LISTS
from tournament.models import Event, Official
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import BidCount, whole_book
from tournament.reports.pdf.book import draw_event_book, team_cards
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers, draw_picture
from tournament.reports.pictures import Played, bids_picture


@pytest.fixture
def two_rounds(dana: User) -> Event:
    """Four teams, two rounds: short games, and one with as many hands as a page has lines."""
    event = make_event(director=dana)
    aces, books, owls, eagles = make_teams(event, 4)
    first = make_round(event, [(aces, books), (owls, eagles)])
    for game in first.games.order_by("table"):
        play(dana, game, MADE_FIVE)
    event.rounds.update(state="closed")
    second = make_round(event, [(aces, owls), (books, eagles)], 2)
    play(dana, second.games.get(table=1), *[{"entry": "void", "rule": "17"}] * 10, MADE_FIVE)
    play(dana, second.games.get(table=2), {"entry": "hand", "bidder": 1, "bid": "2-special", "books": 8}, MADE_FIVE)
    event.rounds.update(state="closed")
    event.refresh_from_db()
    return event


def pages(event: Event) -> list[str]:
    content = on_paper(draw_event_book, whole_book(event), event_sheets(event))
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


def test_a_list_of_many_long_names_is_one_page_of_a_book(dana: User) -> None:
    """On the wall it is larger: a book is read from near."""
    event = make_event(director=dana)
    make_teams(event, 38, [f"{number:02} Wednesday Wanderers of the West Side" for number in range(38)])
    papers = {foot: Papers("Teams") for foot in ("", "Columbus Open")}
    for foot, paper in papers.items():
        paper.foot = foot
        draw_lists(paper, LISTS["teams"](event))
    on_wall, in_book = (len(PdfReader(io.BytesIO(paper.finish())).pages) for paper in papers.values())
    assert on_wall > in_book == 1


def test_two_finished_sheets_share_a_page_and_a_long_one_has_its_own(two_rounds: Event) -> None:
    sheets = [
        [table for table in ("Game1Table1", "Game1Table2", "Game2Table1", "Game2Table2") if table in squeezed(page)]
        for page in pages(two_rounds)
    ]
    assert [found for found in sheets if found] == [["Game1Table1", "Game1Table2"], ["Game2Table1"], ["Game2Table2"]]


def test_both_sheets_of_a_page_stand_on_it(two_rounds: Event) -> None:
    content = on_paper(draw_event_book, whole_book(two_rounds), event_sheets(two_rounds))
    page = next(page for page in PdfReader(io.BytesIO(content)).pages if "Game1Table2" in squeezed(page.extract_text()))
    command = [program("REQUIRE_OFFICE", "pdftotext"), "-bbox"]
    number = sure(page.page_number) + 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "book.pdf"
        file.write_bytes(content)
        subprocess.run([*command, "-f", str(number), "-l", str(number), str(file), f"{folder}/words"], check=True)
        words = (Path(folder) / "words").read_text(encoding="utf-8")
    tops = [float(line.split('yMin="')[1].split('"')[0]) for line in words.splitlines() if ">Signed<" in line]
    # Two boxes and a line above them on each sheet.
    assert [top < 396 for top in sorted(tops)] == [True, True, True, False, False, False]
    lows = [float(line.split('yMax="')[1].split('"')[0]) for line in words.splitlines() if "yMax" in line]
    assert max(lows) <= 792 - 15


def test_every_team_stands_in_the_book_with_its_games(two_rounds: Event) -> None:
    aces, *_, eagles = team_cards(whole_book(two_rounds))
    assert (aces.number, aces.name, aces.players) == (1, "Aces", ("Ann 1", "Bea 1"))
    assert aces.games == (Played("Game 1", "W", "2", (5, 0)), Played("Game 2", "W", "3", (5, 0)))
    assert eagles.games[0] == Played("Game 1", "L", "3", (0, 5))
    text = next(page for page in pages(two_rounds) if "W v. 2" in page)
    for expected in ("Aces", "Ann 1 and Bea 1", "L v. 3", "5–0", "2 of 2 games won, 10 points"):
        assert expected in text


def test_the_officials_stand_on_the_cover(two_rounds: Event, stranger: User) -> None:
    User.objects.filter(pk=stranger.pk).update(first_name="Vic", last_name="Lowe")
    Official.objects.create(event=two_rounds, user=stranger, role="verifier")
    assert "Director: dana, Verifier: Vic Lowe" in pages(two_rounds)[0]
    assert export_event(two_rounds)["officials"] == [["dana", "director"], [stranger.username, "verifier"]]


def test_bids_that_were_set_are_told_from_those_made_on_gray_paper() -> None:
    picture = bids_picture([BidCount("straight", "4", 6, 6)])
    papers = Papers("chart")
    draw_picture(papers.pen, picture, 0, 792, 0.9)
    papers.next_page()
    command = [program("REQUIRE_OFFICE", "pdftoppm"), "-r", "72", "-gray", "-png"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "chart.pdf"
        file.write_bytes(papers.finish())
        subprocess.run([*command, str(file), f"{folder}/chart"], check=True, timeout=60)
        page = Image.open(next(Path(folder).glob("chart*.png"))).convert("L")
        page.load()
    bars = [shape for shape in picture.shapes if shape.kind == "bar" and shape.size[1] > 50]
    boxes = [(x, y, x + shape.size[0], y + shape.size[1]) for shape in bars for x, y in shape.points]
    made, set_ = (
        ImageStat.Stat(page.crop((int(0.9 * x), int(0.9 * y), int(0.9 * right), int(0.9 * low)))).mean[0]
        for x, y, right, low in boxes
    )
    assert set_ - made > 60
