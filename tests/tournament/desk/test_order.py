"""Order at the desk and in the hall: ties that matter, options in words, the projector's pages, names of tabs."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, make_round, make_teams
from tests.pages import signed_in
from tests.sure import sure
from tests.tournament.results.evenings import played_round, win
from tournament.forms.event import OptionsForm
from tournament.models import Event
from tournament.queries.projector import board
from tournament.queries.rules import EVERYTHING
from tournament.queries.standings import standings

TOKENS = Path(__file__).parents[3] / "tournament/static/tournament/css/tokens.css"


def explained(event: Event) -> list[tuple[str, str]]:
    """The lines of the standings under which a tie is explained, with the words that open it."""
    page = Client().get(f"/e/{event.slug}/").content.decode()
    rows = re.findall(r'<tr[^>]*id="team-.*?</tr>', page, re.DOTALL)
    found = [
        (re.search(r'href="[^"]*">([^<]+)</a>', row), re.search(r"<summary>([^<]+)</summary>", row)) for row in rows
    ]
    return [(name[1], why[1]) for name, why in found if name and why]


def test_a_tie_that_points_part_is_explained_only_at_the_cut(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, cut=3)
    make_teams(event, 8)
    played_round(event, [(1, 2, win(0, 9)), (3, 4, win(0, 8)), (5, 6, win(0, 7)), (7, 8, win(0, 6))])
    order = [line.team for line in standings(event).lines[:4]]
    assert {name for name, _ in explained(event)} & set(order[:2]) == set()
    assert [one for one in explained(event) if one[0] in order[2:4]] == [
        (order[2], "tied: why"),
        (order[3], "tied: why"),
    ]


def test_shared_places_are_explained(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 4)
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0, 7))])
    shared = [line.team for line in standings(event).lines if line.label.endswith("=")]
    assert explained(event) == [(name, "shared: why") for name in shared] and len(shared) > 1


def test_the_round_clock_stands_first_among_the_options(event: Event) -> None:
    title, lines = OptionsForm(event).groups()[0]
    assert (title, {line.field.name for line in lines}) == ("Time", {"round_minutes", "grace_minutes"})


def test_options_of_a_started_event_are_words_and_no_fields(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    page = signed_in(dana).get(f"/desk/{event.slug}/setup/options/").content.decode()
    assert 'name="option-win_at"' not in page and 'name="option-round_minutes"' in page
    assert re.search(r"A side wins at</span> <b>5 points</b>", page)


@pytest.mark.parametrize(("teams", "pages"), [(25, [13, 12]), (24, [12, 12]), (13, [13]), (27, [9, 9, 9])])
def test_the_projector_shows_a_clubs_evening_on_two_pages(dana: User, teams: int, pages: list[int]) -> None:
    event = make_event(director=dana, rounds_planned=2)
    made = make_teams(event, teams)
    played_round(event, [(1, 2, win(0, 7))], byes=range(3, teams + 1))
    slides = board(event, standings(event), EVERYTHING).slides
    assert ([len(slide.lines) for slide in slides if slide.lines], len(made)) == (pages, teams)


def test_the_projector_says_what_the_star_means(client: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2)
    make_teams(event, 4)
    boston = [{"entry": "hand", "bidder": 0, "seat": 0, "bid": "6", "books": 13}]
    played_round(event, [(1, 2, boston), (3, 4, win(0, 7))])
    page = client.get(f"/e/{event.slug}/board/").content.decode()
    assert re.search(r'class="pageno">(\d of \d · )?<b class="boston">★</b> Boston', page)


def test_the_public_tab_of_the_charts_says_charts(client: Client, event: Event) -> None:
    page = client.get(f"/e/{event.slug}/pictures/").content.decode()
    assert ">Charts</a>" in page and "<h2>Charts</h2>" in page and "Pictures" not in page


def test_paper_card_and_notice_are_apart_in_the_dark() -> None:
    dark = TOKENS.read_text(encoding="utf-8").split("prefers-color-scheme: dark")[1].split("[data-theme")[1]
    light = {name: luminance(sure(re.search(rf"--{name}: (#\w+)", dark))[1]) for name in ("paper", "card", "felt-soft")}
    ratios = [contrast(light["paper"], light["card"]), contrast(light["card"], light["felt-soft"])]
    assert min(ratios) > 1.2, ratios


def luminance(colour: str) -> float:
    """The relative luminance of a colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


LABELLED = re.compile(r"<(a|button)\b[^>]*aria-label=\"([^\"]+)\"[^>]*>(.*?)</\1>", re.DOTALL)


def test_what_is_spoken_holds_the_words_that_are_read(event: Event, dana: User) -> None:
    Event.objects.update(fee_cents=1000, pot_cents=500)
    teams = make_teams(event, 4)
    event.teams.filter(number=1).update(paid=False)
    make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])])
    desk, wrong = signed_in(dana), []
    for page in ("", "teams/", "money/", "verify/", "tablets/", "setup/", "papers/", "standings/", "playoffs/", "log/"):
        content = html.unescape(desk.get(f"/desk/{event.slug}/{page}").content.decode())
        for _, spoken, inner in LABELLED.findall(content):
            read = " ".join(re.sub(r"<[^>]+>", " ", inner).split())
            if read.casefold() not in spoken.casefold():
                wrong.append((page, read, spoken))
    assert wrong == []
