"""Names of 34 to 38 wide letters without a blank, on a phone: no page is pushed sideways, no placeholder is cut."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.browser.conftest import PHONE, look
from tests.browser.test_desk import THREE, at_desk
from tests.browser.test_looks import DESK, STICKS_OUT
from tests.factories import make_event, make_round, pairs_of, play
from tests.public import addresses_in, asked_in
from tests.tournament.results.evenings import played_round, win
from tests.tournament.results.test_playoffs import play_round
from tournament.access import Actor
from tournament.models import Event, Game, Player, Season, Team
from tournament.pairing.bracket import Form, Losers
from tournament.services.draws import draw_rounds
from tournament.services.playoffs import finish_event, make_cut
from tournament.words.texts import name_key

WIDE = "W" * 38
# Placeholders that are wider than the room for them.
CUT = """() => [...document.querySelectorAll("input[placeholder]")].filter((one) => one.checkVisibility() && !one.value)
    .filter((one) => { const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
        pen.font = style.font;
        const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return pen.measureText(one.placeholder).width > room; })
    .map((one) => `cut: ${one.placeholder}`)"""
# Numbers and what buttons say are not broken to make room for a name.
BROKEN = """() => [...document.querySelectorAll(".btn, td.num, .chip")].flatMap((one) => { const found = [];
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), span = document.createRange();
    while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[^\\s/–-]+/g)) {
        span.setStart(texts.currentNode, word.index);
        span.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...span.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1 && !/WWW/.test(word[0])) found.push(`broken: ${word[0]}`); }
    return found; })"""
# What a desk on a phone has beside the pages that every look walks.
MORE = (
    "/desk/{slug}/check-in/",
    "/desk/{slug}/entries/",
    "/desk/{slug}/people/",
    "/desk/{slug}/money/teams/1/",
    "/desk/{slug}/draw/1/by-hand/",
    "/desk/{slug}/papers/boards/",
    "/seasons/wide/setup/",
    "/seasons/wide/members/",
    "/seasons/wide/dues/",
    "/seasons/wide/invite/",
    "/new/",
    "/people/",
    "/seasons/",
)


def evening(dana: User, name: str, season: Season, **fields: Any) -> Event:
    """An event in which everything is called W."""
    known = {"cut": 2, "checks_in": True, "fee_cents": 2500, "entries_from": timezone.now()}
    event = make_event(f"{name}{WIDE}", dana, slug=name, season=season, place=WIDE, teams=8, **known | fields)
    event.teams.update(here_at=timezone.now(), city=WIDE[:34], club=WIDE[:34])
    for number, team in enumerate(event.teams.all()):
        called = f"{number}{'W' * (33 + number % 5)}"
        Team.objects.filter(pk=team.pk).update(name=called, key=name_key(called))
        for player in team.players.all():
            called = f"{number}{player.position}{'W' * (32 + number % 5)}"
            Player.objects.filter(pk=player.pk).update(name=called, key=name_key(called))
    return event


@pytest.fixture
def evenings(dana: User) -> list[Event]:
    """One that is drawn, one in play, and one that is over, all of one season."""
    season = Season.objects.create(slug="wide", name=WIDE)
    drawn = evening(dana, "drawn", season)
    draw_rounds(Actor(dana), drawn, seed=1)
    playing = evening(dana, "playing", season, rounds_planned=2)
    pairs = pairs_of(list(playing.teams.all()))
    play(dana, make_round(playing, pairs).games.get(table=1), *win(0))
    play(dana, Game.objects.get(round__event=playing, table=2), THREE)
    over = evening(dana, "over", season, rounds_planned=1, pot_cents=1000)
    played_round(over, [(1, 2, win(0, 7)), (3, 4, win(0)), (5, 6, win(1)), (7, 8, win(0))])
    make_cut(Actor(dana), over, 4, form=Form(Losers.PLACES, 4))
    for _ in range(2):
        over.refresh_from_db()
        play_round(dana, over)
    finish_event(Actor(dana), over)
    return [drawn, playing, over]


def wrong(page: Any, addresses: Iterable[str]) -> dict[str, list[str]]:
    """What is pushed sideways, cut or broken, by page."""
    found: dict[str, list[str]] = {}
    for address in addresses:
        page.goto(address)
        page.locator("main").first.wait_for()
        look(page, f"wide{address.replace('/', '-').replace('?', '-')}")
        over = page.evaluate(STICKS_OUT)
        faults = [f"{over} px too wide"] * (over > 0) + page.evaluate(CUT) + page.evaluate(BROKEN)
        found |= {address: faults} if faults else {}
    return found


def test_public_pages_hold_the_widest_names_on_a_phone(new_page: Any, evenings: list[Event]) -> None:
    pages = [address for event in evenings for address in (addresses_in(event) | asked_in(event)).values()]
    pages += [f"/e/{event.slug}/enter/" for event in evenings]
    assert wrong(new_page(PHONE), ["/", "/seasons/wide/", *(page for page in pages if "/board/" not in page)]) == {}


@pytest.mark.nightly
def test_the_desk_holds_the_widest_names_on_a_phone(new_page: Any, dana: User, evenings: list[Event]) -> None:
    User.objects.update(is_staff=True)
    pages = []
    for event in evenings:
        games = Game.objects.filter(round__event=event).order_by("pk")
        final = games.filter(state="final").first() or games[0]
        playing = games.filter(state="playing").last() or games[1]
        places = {"slug": event.slug, "final": final.pk, "playing": playing.pk}
        pages += [
            address.format(**places) for address in (*DESK, *MORE) if final.state == "final" or "final" not in address
        ]
    assert wrong(at_desk(new_page, dana, PHONE), dict.fromkeys(pages)) == {}
