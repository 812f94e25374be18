"""The end of an event on page, projector, papers and files: one list of places, read back from each of them."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from itertools import count, groupby

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from PIL import Image
from pypdf import PdfReader
from pytest_django.fixtures import DjangoAssertNumQueries

from tests.factories import page_of, signed_in, words_of
from tests.sure import fresh, sure
from tests.tournament.results.evenings import EXAMPLES, FOLDER, after_the_cut, play_example, win
from tests.tournament.results.test_playoffs import play_round, seeded
from tournament.access import Actor
from tournament.models import Event, Player, Team
from tournament.queries.final_places import FinalPlaces, final_places
from tournament.queries.ledger import payouts
from tournament.queries.playoffs import Fact, finale, shown_finale
from tournament.queries.rules import EVERYTHING
from tournament.queries.standings import standings
from tournament.services.payouts import set_prizes
from tournament.services.playoffs import finish_event

EXAMPLE = "third-place-is-played"
PLACES = [
    ("1", "Aces", "Won the final 7–3"),
    ("2", "Crowns", "Lost the final 3–7"),
    ("3", "Deuces", "Won the game for third 6–2"),
    ("4", "Books", "Lost the game for third 2–6"),
    ("5", "Eagles", "5th in qualifying: 0 games won, 4 points"),
    ("6", "Fives", "6th in qualifying: 0 games won, 3 points"),
    ("7", "Giants", "7th in qualifying: 0 games won, 2 points"),
    ("8", "Hearts", "8th in qualifying: 0 games won, 1 point"),
]
WIDE = "W" * 40
STRANGE = ("夜のフクロウ", "البوم الليلي", "🦉🂡 Night Owls 🎉", "a\u0301" * 20)


def rows_on(page: bytes, table: str) -> list[tuple[str, str, str]]:
    """The lines of a table of places on a page: place, team, how."""
    body = sure(re.search(rf'class="{table}".*?</table>', page.decode(), re.DOTALL))[0]
    lines = []
    for row in re.findall(r"<tr.*?</tr>", body.partition("<tbody>")[2], re.DOTALL):
        cells = re.findall(r"<td(?! class=\"num number)[^>]*>(.*?)</td>", row, re.DOTALL)
        first = (sure(re.search(r">\s*([^<>]*[^<>\s])\s*<", f">{cell}<"))[1] for cell in cells[:3])
        place, team, how = map(html.unescape, first)
        lines.append((place, team, how))
    return lines


def test_page_projector_files_and_papers_give_the_same_places(dana: User) -> None:
    event, client = play_example(dana, EXAMPLE), signed_in(dana)
    desk = f"/desk/{event.slug}/papers"
    assert rows_on(client.get(reverse("standings", args=[event.slug])).content, "list final-places") == PLACES
    assert rows_on(client.get(reverse("board", args=[event.slug])).content, "boardplaces") == PLACES
    rows = json.loads(client.get(f"{desk}/final-places.json").content)
    assert [(row["place"], row["name"], row["how"]) for row in rows] == PLACES
    assert rows[1] == {
        "place": "2", "number": 3, "name": "Crowns", "players": ["Ann 3", "Bea 3"], "how": "Lost the final 3–7",
        "qualifying": "3=", "played": 1, "won": 1, "points": 5, "prize_cents": None,
    }  # fmt: skip
    lines = list(csv.DictReader(io.StringIO(client.get(f"{desk}/final-places.csv").content.decode("utf-8-sig"))))
    assert [(row["place"], row["name"], row["how"]) for row in lines] == PLACES
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{desk}/workbook.xlsx").content))
    assert book.sheetnames[:3] == ["Final places", "Qualifying standings", "Ties"]
    cells = list(book["Final places"].iter_rows(min_row=5))
    shared = [cell.number_format for cell, *_ in cells]
    ranks = [f"{cell.value}{'=' * ('=' in form)}" for (cell, *_), form in zip(cells, shared, strict=True)]
    rows_shown = [(team.value, how.value) for _, _, team, _, how, *_ in cells]
    assert [(rank, *words) for rank, words in zip(ranks, rows_shown, strict=True)] == PLACES
    for name, head in (("poster", "Final places"), ("final-places", "How")):
        paper = PdfReader(io.BytesIO(client.get(f"{desk}/{name}.pdf").content))
        listed = " ".join(paper.pages[0].extract_text().partition(head)[2].split())
        positions = [listed.index(team) for _, team, _ in PLACES]
        assert (positions, [how for _, _, how in PLACES if how not in listed]) == (sorted(positions), []), name


def test_the_qualifying_standings_keep_their_order_under_their_name(dana: User) -> None:
    event, client = play_example(dana, "a-final-of-two"), signed_in(dana)
    assert [line.team for line in standings(event).lines] == ["Aces", "Books"]
    for address in (reverse("standings", args=[event.slug]), reverse("desk-standings", args=[event.slug])):
        page = client.get(address).content.decode()
        assert ("<h2>Qualifying standings</h2>" in page, "<h2>Standings</h2>" in page) == (True, False)
    board = client.get(reverse("board", args=[event.slug])).content.decode()
    assert re.search(r"<h2>Qualifying standings\s*<", board)
    paper = PdfReader(io.BytesIO(client.get(f"/desk/{event.slug}/papers/standings.pdf").content))
    assert "Told Open: qualifying standings" in paper.pages[0].extract_text()
    own = words_of(client.get(reverse("team", args=[event.slug, 2])))
    assert "Final place 1st Won the final 7–3" in own and "Qualifying standings: place 2" in own
    teams = client.get(reverse("teams", args=[event.slug])).content.decode()
    assert re.findall(r'<td class="place">(.*?)</td>', teams) == ["2", "1"]


def test_the_podium_stands_there_before_the_event_is_finished_and_shows_prizes(dana: User) -> None:
    event = seeded(dana, 4)
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [5000, 2000]})
    client, address = Client(), reverse("standings", args=[event.slug])
    assert "finale" not in client.get(address).content.decode()
    play_round(dana, event)
    play_round(dana, event)
    assert event.stage == "playoffs"
    words = words_of(client.get(address))
    assert "★ Champions ★ Aces Ann 1 and Bea 1 Won the final 5–0 against Night Owls" in words
    assert "1st Aces Ann 1, Bea 1 1 of 1 game, then 2 of 2 $50 2nd Night Owls Ann 3, Bea 3 $20" in words
    finish_event(Actor(dana), event)
    assert "★ Champions ★ Aces" in words_of(client.get(address))


def test_where_the_champion_is_disqualified_every_page_names_the_other_side(dana: User) -> None:
    event, client = play_example(dana, "champion-disqualified"), signed_in(dana)
    texts = {
        "standings": "★ Champions ★ Books Ann 2 and Bea 2 Lost the final 3–7; Aces was disqualified",
        "bracket": "Champions Books Second: Crowns",
        "board": "★ Champions ★ Books",
        "desk-playoffs": "Champions: Books",
    }
    for name, text in texts.items():
        assert text in words_of(client.get(reverse(name, args=[event.slug]))), name


def test_the_evening_in_four_facts(dana: User) -> None:
    event = after_the_cut(dana, 2, (1, 2, win(0, 7)), (3, 4, win(1, 5, 4)), pot_cents=500)
    play_round(dana, event)
    assert finale(event, standings(event)).facts == (
        Fact("+7", "Biggest hand: Aces, a bid of 4, Game 1"),
        Fact("★ 1", "Boston; the pot of $20 went to Aces"),
        Fact("5–4", "Closest game: Eagles over Night Owls, Game 1"),
        Fact("4", "Hands in 3 games at 2 tables"),
    )


NO_BOSTONS = (
    Fact("+30", "Biggest hand: Ada, Final"),
    Fact("21–18", "Closest game: Cy over Di, Third place"),
    Fact("30", "Highest score: Ada, Final"),
    Fact("6", "Hands in 6 games at 2 tables"),
)


@pytest.mark.parametrize(("example", "facts"), [("single-players", NO_BOSTONS), ("three-sides-at-a-table", ())])
def test_facts_of_an_evening_without_bostons_or_of_rulings_alone(
    dana: User, example: str, facts: tuple[Fact, ...]
) -> None:
    event = play_example(dana, example)
    assert finale(event, standings(event)).facts == facts


def test_strangers_see_of_the_end_what_the_bracket_shows(dana: User) -> None:
    games = [(1, 2, win(0, 7)), (3, 4, win(0, 6)), (5, 6, win(0, 5))]
    event = after_the_cut(dana, 2, *games, options={"standings_visible": "at-end"})
    client, address = Client(), reverse("standings", args=[event.slug])
    before = words_of(client.get(address))
    play_round(dana, event)
    assert rows_on(client.get(address).content, "list final-places") == [
        ("1", "Aces", "Won the final 5–0"),
        ("2", "Night Owls", "Lost the final 0–5"),
    ]
    words = words_of(client.get(address))
    assert ("The evening" in words, "Boston" in words, "Aces" in before) == (False, False, False)
    assert "Standings and results are shown at the end of the event." in words
    finish_event(Actor(dana), event)
    assert len(rows_on(client.get(address).content, "list final-places")) == 6


def test_without_playoffs_hidden_standings_hide_the_champion(dana: User) -> None:
    event = after_the_cut(dana, 1, (1, 2, win(0, 7)), (3, 4, win(0, 6)), options={"standings_visible": "at-end"})
    assert sure(final_places(event).champion).team == "Aces"
    client = Client()
    page = client.get(reverse("standings", args=[event.slug])).content.decode()
    assert ("Aces" in page, 'og:title" content="Columbus Open"' in page) == (False, True)
    unknown = client.get(reverse("event-picture", args=[event.slug]))
    # An official sees the standings; what the official shares is what a stranger sees.
    official = signed_in(dana).get(reverse("event-picture", args=[event.slug]))
    assert (official["ETag"], official.content) == (unknown["ETag"], unknown.content)
    finish_event(Actor(dana), event)
    shown = client.get(reverse("event-picture", args=[event.slug]))
    assert shown["ETag"] != unknown["ETag"] and shown.content != unknown.content


def test_a_link_has_a_preview_with_an_absolute_address(dana: User) -> None:
    event, client = play_example(dana, "a-final-of-two"), Client()
    page = client.get(reverse("standings", args=[event.slug])).content.decode()
    metas = re.findall(r'<meta (?:name|property)="(\S+)" content="(.*?)">', page)
    texts = {name: html.unescape(text) for name, text in metas}
    picture = texts.pop("og:image")
    assert {name: text for name, text in texts.items() if name.startswith(("og:", "twitter:"))} == {
        "og:type": "website",
        "og:site_name": "Uptown",
        "og:title": "Books won Told Open",
        "og:description": "Ann 2 and Bea 2. Won the final 7–3 against Aces. 2 teams · November 21, 2026",
        "og:url": "http://testserver/e/told-open/",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "Books won Told Open",
        "twitter:card": "summary_large_image",
    }
    assert re.fullmatch(r"http://testserver/e/told-open/picture\.png\?v=[0-9a-f]{16}", picture)
    answer = client.get(picture)
    heads = (answer["Content-Type"], answer["Cache-Control"])
    assert (answer.status_code, heads) == (200, ("image/png", "public, max-age=300"))
    image = Image.open(io.BytesIO(answer.content))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    again = client.get(picture, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", [WIDE, "Wwww " * 8, *STRANGE])
def test_names_of_forty_letters_and_of_any_script_stand_on_podium_poster_and_picture(
    dana: User, name: str, desk: Client
) -> None:
    event = seeded(dana, 3)
    play_round(dana, event)
    play_round(dana, event)
    for team in event.teams.all():
        Team.objects.filter(pk=team.pk).update(name=name.strip()[:40], key=f"{team.number}")
    Player.objects.filter(team__event=event).update(name=name.strip()[:40])
    Event.objects.filter(pk=event.pk).update(public_version=event.public_version + 1, name=f"{name.strip()[:40]} Open")
    picture = desk.get(reverse("event-picture", args=[event.slug]))
    assert Image.open(io.BytesIO(picture.content)).size == (1200, 630)
    assert name.strip()[:40] in page_of(desk.get(reverse("standings", args=[event.slug])))
    assert desk.get(f"/desk/{event.slug}/papers/poster.pdf").content.startswith(b"%PDF")


FAR = count(1000, 1000)


@pytest.fixture
def played(dana: User) -> Event:
    """Four teams to the champion, without players."""
    event = seeded(dana, 4)
    play_round(dana, event)
    play_round(dana, event)
    Player.objects.filter(team__event=event).delete()
    return event


def second_step(dana: User, event: Event, name: str) -> Image.Image:
    """The second step of the picture where every team has a name: its place, then the name."""
    for team in event.teams.all():
        Team.objects.filter(pk=team.pk).update(name=name, key=f"{team.number}")
    # No test before has made a picture of an event with this key and version.
    event.public_version += next(FAR)
    event.save()
    answer = signed_in(dana).get(reverse("event-picture", args=[event.slug]))
    return Image.open(io.BytesIO(answer.content)).convert("L").crop((100, 480, 410, 630))


def test_forty_letters_without_a_space_can_be_read_on_a_step_of_the_picture(dana: User, played: Event) -> None:
    step = second_step(dana, played, WIDE)
    lines = "".join("x" if max(row) > 200 else " " for row in rows_of(step)).split()
    assert len(lines) == 3 and min(len(line) for line in lines[1:]) >= 8


def test_a_long_name_on_a_step_of_the_picture_is_broken_behind_its_hyphen(dana: User, played: Event) -> None:
    name = "Konstantinopolska-Andersson Trumpeters"
    tied, apart = (second_step(dana, played, other_name) for other_name in (name, name.replace("-", "- ")))
    # The place, then from where to where each line of the name goes.
    assert widths(tied) == widths(apart)
    assert len(widths(tied)) == 3


def widths(image: Image.Image) -> list[tuple[int, int]]:
    """From where to where every line of text goes, from the top."""
    bright = [[x for x, light in enumerate(row) if light > 200] for row in rows_of(image)]
    lines = (list(rows) for written, rows in groupby(bright, key=bool) if written)
    return [(min(row[0] for row in rows), max(row[-1] for row in rows)) for rows in lines]


def rows_of(image: Image.Image) -> list[bytes]:
    return [image.crop((0, y, image.width, y + 1)).tobytes() for y in range(image.height)]


def test_the_end_costs_no_query_once_it_is_known(
    own_file: None, dana: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = Event.objects.get(pk=play_example(dana, EXAMPLE).pk)
    first = shown_finale(event, EVERYTHING)
    with django_assert_num_queries(0):
        assert shown_finale(event, EVERYTHING) is first


# The final places of every form of playoffs, as the examples tell them; prizes are paid by them.
PRIZES = [16000, 8000, 4000, 2000]
KEYS = {"title", "source", "shows", "sheet", "options", "qualifying", "cut", "best_of", "form", "playoffs"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_gives_the_places_and_prizes_that_it_says(name: str, dana: User) -> None:
    example = EXAMPLES[name]
    assert set(example) <= KEYS | {"open_from", "gives"}, "an example says nothing that is not checked"
    event = play_example(dana, name)
    places = final_places(event)
    assert (said(places), places.open_from) == (example["gives"], example.get("open_from"))
    set_prizes(Actor(dana), event, {"by": "place", "prizes": PRIZES})
    payouts_of = {payee.number: payee.cents for payee in payouts(fresh(event)).payees if payee.purpose == "prize"}
    assert payouts_of == ({} if places.open_from else by_place(places))


def test_every_example_stands_in_the_rules() -> None:
    rules = (FOLDER.parents[2] / "scoring/standings/RULES.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"`places/([\w-]+)\.toml`", rules)) == sorted(EXAMPLES)


def said(places: FinalPlaces) -> list[str]:
    return [f"{line.label or '–'} {line.team}: {line.how}" for line in places.lines]


def by_place(places: FinalPlaces) -> dict[int, int]:
    """Who shares a place divides the prizes of all the places that they take up; all of these divide evenly or not."""
    shares: dict[int, int] = {}
    for group in places.groups:
        first = sure(places.index_lines()[group[0]].rank) - 1
        each, odd = divmod(sum(PRIZES[first : first + len(group)]), len(group))
        shares |= {number: each + (rank < odd) for rank, number in enumerate(sorted(group))}
    return {number: cents for number, cents in shares.items() if cents}
