"""Where the database is asked: never while a public template or a tablet's renders; as often for many as for few."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.template import Template
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import public
from tests.factories import MADE_FIVE, make_event, play, signed_in
from tests.sure import fresh, statements_of
from tests.tournament.reports.evenings import eventful
from tests.tournament.results.evenings import played_round, win
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.lists.catalog import LISTS
from tournament.models import Event, Game, Season
from tournament.services.corrections import correct_sheet
from tournament.services.playoffs import make_cut, start_playoff_round
from tournament.services.rounds import choose_first_dealer, seat_side
from tournament.urls import PUBLIC

PAGES = (
    *("desk-teams", "desk-money", "desk-pot", "desk-standings", "desk-rulings", "desk-log", "desk-verify", "desk-draw"),
    "desk-tablets",
    *public.PAGES,
)
# A picture has no template, and a private link needs its entry: `registrations/test_pages.py`.
UNLIKE = {"event-picture", "entry"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the database while templates render; what their context processors load is none of it."""
    statements: list[str] = []
    render: Any = vars(Template)["_render"]

    def note(run: Any, sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return run(sql, *rest)

    def watched(template: Template, context: Any) -> Any:
        with connection.execute_wrapper(note):
            return render(template, context)

    monkeypatch.setattr(Template, "_render", watched)
    return statements


def address(name: str, event: Event) -> str:
    return public.addresses_in(event).get(name) or reverse(name, args=[event.slug])


def in_playoffs(director: User, teams: int) -> Event:
    """Every pair has met once, one sheet was corrected, and the first round of the bracket is in play."""
    event = make_event(f"Open {teams}", director, rounds_planned=1, fee_cents=2000, pot_cents=500, teams=teams)
    for game in played_round(event, [(number, number + 1, win(0)) for number in range(1, teams, 2)]).games.all():
        line: dict[str, Any] = {"position": 1, "revision": 0, "facts": MADE_FIVE | {"books": 12}}
        correct_sheet(Actor(director), game, **line, reason="as on paper")
    make_cut(Actor(director), event, teams // 2)
    start_playoff_round(Actor(director), event)
    return fresh(event)


@pytest.mark.parametrize("name", [page.name for page in PUBLIC if page.name not in UNLIKE])
def test_no_public_page_asks_the_database_while_it_renders(
    client: Client, dana: User, asked: list[str], name: str
) -> None:
    season = Season.objects.create(slug="season-2026", name="Season 2026")
    for event in (eventful(dana), in_playoffs(dana, 8)):
        marks = {"entries_from": timezone.now(), "checks_in": True, "season": season}
        Event.objects.filter(pk=event.pk).update(**marks)
        assert client.get(address(name, event), {"team": "a"}).status_code in (200, 302)
        assert asked == []


def test_no_page_of_a_tablet_asks_the_database_while_it_renders(
    dana: User, game: Game, client: Client, asked: list[str]
) -> None:
    tablet = bind(dana, game.round.event, game.table)

    def look() -> None:
        assert tablet.get(reverse("tablet")).status_code == 200
        assert asked == []

    look()
    for side in (0, 1):
        seat_side(Actor(), game, side)
    look()
    choose_first_dealer(Actor(), game, 0)
    look()
    for hand in (MADE_FIVE | {"books": 9, "bid": "2"}, MADE_FIVE):
        play(dana, game, hand, sign=False)
        look()
    for page in ("pair", "practice"):
        assert client.get(reverse(page)).status_code == 200
    assert asked == []


@pytest.mark.parametrize("name", [*PAGES, *(f"{name}.csv" for name in LISTS), "games-by-table.json"])
def test_a_list_asks_as_often_for_8_teams_as_for_24(dana: User, name: str) -> None:
    counts = []
    for teams in (8, 24):
        event, client = in_playoffs(dana, teams), signed_in(dana)
        path = address(name, event) if name in PAGES else f"/desk/{event.slug}/papers/{name}"
        counts.append(statements_of(partial(client.get, path)))
    assert counts[0] == counts[1]
