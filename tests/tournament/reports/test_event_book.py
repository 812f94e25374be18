"""The event book: two sheets to a page, the teams with their games, charts that a gray print keeps."""

from __future__ import annotations

import io
import re
import subprocess
import tempfile
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from PIL import Image, ImageStat
from pypdf import PdfReader

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, pairs_of, play
from tests.programs import program
from tests.sure import fresh, sure
from tests.tournament.archive.filed import rows_of
from tests.tournament.reports.evenings import club_24, on_paper, pdf_pages, squeezed
from tournament.access import Actor
from tournament.archive.store import export_event
from tournament.lists.catalog import LISTS
from tournament.models import Entry, Event, Game, Official
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import BidCount, Bin, pictures, whole_book
from tournament.queries.playoffs import highlights
from tournament.queries.standings import standings
from tournament.reports.pdf.book import draw_event_book, team_cards
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers, draw_picture
from tournament.reports.pictures import NARROW, Played, all_pictures, bids_picture, wide_and_narrow
from tournament.services.corrections import correct_sheet
from tournament.services.rounds import close_round


@pytest.fixture
def two_rounds(dana: User) -> Event:
    """Four teams, two rounds: short games, and one with as many hands as a page has lines."""
    event = make_event(director=dana)
    aces, books, owls, eagles = make_teams(event, 4)
    for game in make_round(event, [(aces, books), (owls, eagles)]).games.order_by("table"):
        play(dana, game, MADE_FIVE)
    event.rounds.update(state="closed")
    second = make_round(event, [(aces, owls), (books, eagles)], 2)
    play(dana, second.games.get(table=1), *[{"entry": "void", "rule": "17"}] * 10, MADE_FIVE)
    play(dana, second.games.get(table=2), {"entry": "hand", "bidder": 1, "bid": "2-special", "books": 8}, MADE_FIVE)
    event.rounds.update(state="closed")
    return fresh(event)


def pages(event: Event) -> list[str]:
    content = on_paper(draw_event_book, whole_book(event), event_sheets(event))
    return pdf_pages(content)


def test_a_list_of_many_long_names_is_one_page_of_a_book(event: Event) -> None:
    """On the wall it is larger: a book is read from near."""
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
    assert [tables for tables in sheets if tables] == [["Game1Table1", "Game1Table2"], ["Game2Table1"], ["Game2Table2"]]


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
    text = "".join(page for page in pages(two_rounds) if " v. " in page)
    for expected in ("Aces", "Ann 1 and Bea 1", "L v. 3", "5–0", "2 of 2 games won, 10 points"):
        assert expected in text


def test_the_officials_stand_on_the_cover(two_rounds: Event, stranger: User) -> None:
    User.objects.filter(pk=stranger.pk).update(first_name="Vic", last_name="Lowe")
    Official.objects.create(event=two_rounds, user=stranger, role="verifier")
    assert "Director: dana, Verifier: Vic Lowe" in pages(two_rounds)[0]
    [told] = rows_of(export_event(two_rounds), Event)
    assert told["ran_by"] == [["dana", "director"], [stranger.username, "verifier"]]


def test_bids_that_were_set_are_told_from_those_made_on_gray_paper() -> None:
    picture = bids_picture([BidCount("Straight", "4", 6, 6)])
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
    made_bid, set_ = (
        ImageStat.Stat(page.crop((int(0.9 * x), int(0.9 * y), int(0.9 * right), int(0.9 * low)))).mean[0]
        for x, y, right, low in boxes
    )
    assert set_ - made_bid > 60


# Pictures say what the hands say, on the page and in the book, and need nothing from outside.
FOUR = {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}
THREE_NO = {"entry": "hand", "bidder": 1, "bid": "3-no", "books": 10}


def test_pictures_count_final_games(event: Event, dana: User) -> None:
    games = list(make_round(event, pairs_of(make_teams(event, 4))).games.order_by("table"))
    play(dana, games[0], FOUR)
    play(dana, games[1], THREE_NO)
    drawn = pictures(event, standings(event))
    assert drawn.bids == (BidCount("Straight", "4", 1, 0), BidCount("No", "3", 1, 0))
    assert [point for point in drawn.points if point.won or point.lost] == [
        Bin("0", 0, 2),
        Bin("5", 1, 0),
        Bin("8", 1, 0),
    ]
    assert [(runner.number, runner.places, runner.points) for runner in drawn.race.runners] == [
        (4, (1,), (8,)),
        (1, (2,), (5,)),
        (2, (3,), (0,)),
        (3, (3,), (0,)),
    ]


def counted(event: Event) -> tuple[list[str], int]:
    """The bids of the pictures, and the points of the biggest hand."""
    biggest = highlights(event).biggest
    return [bid.words for bid in pictures(event, standings(event)).bids], biggest.points if biggest else 0


@pytest.mark.django_db(transaction=True)
def test_what_a_transaction_takes_back_is_not_counted(event: Event, dana: User) -> None:
    first, two = make_round(event, pairs_of(make_teams(event, 4))).games.order_by("table")
    with transaction.atomic():
        play(dana, first, FOUR)
        assert counted(event) == (["4"], 5)
        transaction.set_rollback(True)
    play(dana, two, THREE_NO)
    assert counted(event) == (["3"], 8)


@pytest.mark.django_db(transaction=True)
def test_another_final_game_in_the_place_of_one_that_goes_on_is_counted(event: Event, dana: User) -> None:
    first, two = make_round(event, pairs_of(make_teams(event, 4))).games.order_by("table")
    play(dana, first, FOUR)
    assert counted(event) == (["4"], 5)
    with CaptureQueriesContext(connection) as again:
        assert counted(event) == (["4"], 5)
    assert not [query["sql"] for query in again.captured_queries if "tournament_entry" in query["sql"]]
    facts = {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}
    correct_sheet(Actor(dana), first, position=1, revision=0, facts=facts, reason="two books too many")
    play(dana, two, THREE_NO)
    assert counted(event) == (["3"], 8)


@pytest.mark.django_db(transaction=True)
def test_a_final_game_is_counted_again_when_it_was_corrected_and_when_a_restore_changed_it(
    event: Event, game: Game, dana: User
) -> None:
    play(dana, game, FOUR)
    assert counted(event) == (["4"], 5)
    five = {"entry": "hand", "bidder": 0, "bid": "5", "books": 12}
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=five, reason="as on paper")
    corrected = counted(event)
    assert corrected[0] == ["5"]
    # The same game under the same version: only the epoch of the event is another.
    QuerySet(Entry).filter(game=game, revision=1).update(facts=Entry.objects.get(game=game, revision=0).facts)
    assert counted(event) == corrected
    Event.objects.filter(pk=event.pk).update(epoch=uuid4())
    assert counted(fresh(event)) == (["4"], 5)


@pytest.mark.django_db(transaction=True)
def test_a_round_that_is_closed_is_drawn_for_those_who_waited_for_it(client: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, options={"standings_visible": "after-round"})
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    play(dana, game, FOUR)
    before = client.get(f"/e/{event.slug}/pictures/").content.decode()
    close_round(Actor(dana), event, 1)
    after = client.get(f"/e/{event.slug}/pictures/").content.decode()
    assert ["Bids made and set" in page for page in (before, after)] == [False, True]


def test_a_game_that_is_played_on_shows_no_picture(client: Client, event: Event, game: Game, dana: User) -> None:
    page = client.get(f"/e/{event.slug}/pictures/").content.decode()
    assert "There is nothing to draw yet: no game is final." in page
    assert ("<svg" in page, "In the lead" in page) == (False, False)
    play(dana, game, FOUR)
    page = client.get(f"/e/{event.slug}/pictures/").content.decode()
    assert ("<svg" in page, "In the lead: Aces" in page, "nothing to draw" in page) == (True, True, False)


def test_pictures_page_needs_no_style_no_script_and_no_internet(client: Client, dana: User) -> None:
    event = club_24(dana)
    drawings = re.findall(r"<svg.*?</svg>", client.get(f"/e/{event.slug}/pictures/").content.decode(), re.S)
    assert len(drawings) == 6
    for drawing in drawings:
        assert not re.search(r"style=|<script|https?:|<image", drawing)
    words = [picture.words for picture in all_pictures(pictures(event, standings(event)))]
    assert words[1] == "Game points of the winners and the losers of 72 games."


def test_narrow_pictures_say_the_same_within_a_phone(event: Event, dana: User) -> None:
    event = club_24(dana)
    facts = pictures(event, standings(event))
    for wide, narrow in wide_and_narrow(facts):
        assert (wide.title, wide.words, wide.key) == (narrow.title, narrow.words, narrow.key)
        assert max(x for shape in narrow.shapes for x, _ in shape.points) <= narrow.width == NARROW.width
    race = wide_and_narrow(facts)[0][1]
    ends = [shape.text for shape in race.shapes if shape.look.startswith("name")]
    assert ends == [str(runner.number) for runner in facts.race.runners]
    assert [words for _, words in race.key] == [f"{one.number} {one.team}" for one in facts.race.runners]


def test_labels_below_narrow_bars_keep_off_one_another(dana: User) -> None:
    facts = pictures(event := club_24(dana), standings(event))
    drawn = all_pictures(facts, NARROW)[1:]
    assert [picture.title for picture in drawn] == ["Points per game", "Bids made and set"]
    for picture in drawn:
        labels = [(*shape.points[0], len(shape.text)) for shape in picture.shapes if shape.look == "label"]
        assert labels
        for (x1, y1, first), (x2, y2, two) in pairwise(labels):
            assert y1 != y2 or x2 - x1 > 3.5 * (first + two) - 1
