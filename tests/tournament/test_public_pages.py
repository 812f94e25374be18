"""Public pages are made once for all strangers, and never shown when they are old or to those they are not for."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, pairs_of, play, signed_in
from tests.public import READ, addresses_in, asked_in, phone_of
from tests.sure import fresh, sure
from tests.tournament.desk.test_random_evenings import ACTS, random_evening, random_hand
from tests.tournament.racing import together
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.errors import DomainError
from tournament.gate.public_pages import FOR_PROXIES, Answer, PublicPagesMiddleware
from tournament.models import Event, Game, Notice, Person, Player, Season, Team
from tournament.queries.game_results import books_of
from tournament.queries.roster import RosterRow
from tournament.services.corrections import acknowledge_notice, correct_sheet
from tournament.services.entries import record_entry
from tournament.services.rounds import close_round
from tournament.services.signatures import sign_for_all
from tournament.services.substitutions import substitute
from tournament.services.teams import change_team
from tournament.services.transactions import Shown, writing
from tournament.site.cache import answers
from tournament.urls import PUBLIC

VISITORS = 16
POLL = {"HX-Request": "true"}
pytestmark = pytest.mark.usefixtures("own_file")


@pytest.fixture
def event(dana: User) -> Event:
    event = make_event("Shared", dana, rounds_planned=2)
    play(dana, make_round(event, pairs_of(make_teams(event, 4))).games.get(table=1), MADE_FIVE)
    return event


def at(event: Event, name: str = "standings") -> str:
    return addresses_in(event, READ)[name]


def who_reads(event: Event, *clients: Client) -> set[int]:
    """Which of these visitors, who come at the same moment, made the site read the teams."""
    reading = set[int]()

    def visit(number: int, client: Client) -> Callable[[], None]:
        def note(run: Any, sql: str, *rest: Any) -> Any:
            if 'FROM "tournament_team"' in sql:
                reading.add(number)
            return run(sql, *rest)

        def look() -> None:
            with connection.execute_wrapper(note):
                assert client.get(at(event)).status_code == 200

        return look

    together(*(visit(number, client) for number, client in enumerate(clients)))
    return reading


def test_sixteen_visitors_at_once_make_a_page_once(event: Event, dana: User) -> None:
    with writing(event):
        pass
    assert len(who_reads(event, *(Client() for _ in range(VISITORS)))) == 1
    assert who_reads(event, *(Client() for _ in range(VISITORS))) == set()


def test_who_is_signed_in_has_a_page_of_ones_own(event: Event, dana: User) -> None:
    own = signed_in(dana).get(at(event))
    assert own["Cache-Control"] != Client().get(at(event))["Cache-Control"] == "public, max-age=0, s-maxage=2"


def test_a_page_follows_what_another_process_wrote(event: Event, dana: User) -> None:
    """The version comes from the database: what this process remembers of it counts for nothing."""
    before = Client().get(at(event)).content.decode()

    def elsewhere() -> None:
        change_team(
            Actor(dana), event, 1, RosterRow(number=1, name="Other Aces", players=("Ann 1", "Bea 1"), city="Columbus")
        )
        connection.close()

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    after = Client().get(at(event)).content.decode()
    assert ["Other Aces" in page for page in (before, after)] == [False, True]


def test_what_a_transaction_takes_back_is_not_kept(event: Event, dana: User) -> None:
    with pytest.raises(RuntimeError), writing(event):
        event.teams.filter(number=1).update(name="Never")
        assert "Never" in Client().get(at(event)).content.decode()
        raise RuntimeError
    assert "Never" not in Client().get(at(event)).content.decode()


def test_an_unchanged_page_costs_a_few_bytes(event: Event) -> None:
    first = Client().get(at(event))
    again = Client().get(at(event), headers={"If-None-Match": first["ETag"]})
    weight = len(again.content) + sum(len(name) + len(value) + 4 for name, value in again.items())
    assert (again.status_code, again["ETag"], weight < 500) == (304, first["ETag"], True)


def test_whoever_has_a_page_already_is_told_so_in_a_few_bytes(event: Event, dana: User) -> None:
    """Every page that strangers read by its address: those of an event, and those of the club."""
    season = Season.objects.create(slug="year", name="Year")
    Event.objects.update(season=season)
    person = Person.objects.create(name="Ann 1")
    Player.objects.filter(name="Ann 1").update(person=person)
    pages = [*addresses_in(event, READ).values(), "/", "/seasons/year/", f"/people/{person.pk}/"]
    told = {}
    for page in pages:
        first = Client().get(page)
        assert first.status_code == 200, page
        again = Client().get(page, headers={"If-None-Match": first.get("ETag", "none")})
        told[page] = (again.status_code, len(again.content))
    assert {page: answer for page, answer in told.items() if answer != (304, 0)} == {}


def test_a_part_and_a_page_are_kept_apart(event: Event) -> None:
    visits = [Client().get(at(event), headers=headers) for headers in ({}, POLL, {}, POLL, {"Accept-Encoding": "gzip"})]
    assert [visit.get("Content-Encoding", "") for visit in visits] == ["", "", "", "", "gzip"]
    assert ["<html" in visit.content.decode("latin-1") for visit in visits[:4]] == [True, False, True, False]


def test_the_head_of_an_open_page_goes_on_with_the_event(event: Event) -> None:
    address = f"/e/{event.slug}/"
    chip = re.search(r'<span class="chip plain" id="event-stage".*?</span>', Client().get(address).content.decode())
    assert chip and ("oob" in chip[0], "Finished" in chip[0]) == (False, False)
    version = re.search(r"version=([\d]+-\w+)", Client().get(address, headers=POLL).content.decode())
    Event.objects.update(stage="over", public_version=event.public_version + 9)
    news = Client().get(f"{address}?version={version[1] if version else ''}", headers=POLL).content.decode()
    assert 'id="event-stage" hx-swap-oob="true">Finished</span>' in news


@pytest.mark.parametrize("name", ["standings", "schedule", "bracket", "board"])
def test_a_phone_hears_of_what_its_page_shows_and_of_nothing_else(event: Event, dana: User, name: str) -> None:
    shown = Client().get(at(event, name), headers=POLL).content.decode().partition("version=")[2].partition('"')[0]
    with writing(event, Shown.PUBLIC):
        pass
    polls = [Client().get(f"{at(event, name)}?version={shown}", headers=POLL)]
    change_team(
        Actor(dana), event, 1, RosterRow(number=1, name="Other Aces", players=("Ann 1", "Bea 1"), city="Columbus")
    )
    polls.append(Client().get(f"{at(event, name)}?version={shown}", headers=POLL))
    assert [poll.status_code for poll in polls] == [204, 204 if name == "bracket" else 200]


def test_closed_rounds_are_read_once_and_a_correction_is_followed(event: Event, dana: User) -> None:
    record_entry(Actor(dana), (second := Game.objects.get(round__event=event, table=2)), MADE_FIVE)
    sign_for_all(Actor(dana), second, "test")
    close_round(Actor(dana), event, 1)
    assert [rows_read(fresh(event)), rows_read(event)] == [1, 0]
    first = Game.objects.get(round__event=event, table=1)
    corrected: dict[str, Any] = {"position": 1, "revision": 0, "reason": "as on paper"}
    correct_sheet(Actor(dana), first, facts=MADE_FIVE | {"bidder": 1}, **corrected)
    assert rows_read(fresh(event)) == 1
    with transaction.atomic():
        anew = books_of(event)
    assert (books_of(event).marks, books_of(event).records) == (anew.marks, anew.records)
    assert [mark.sign for mark in anew.marks[1]] == ["L"]


def rename(chance: random.Random, event: Event, dana: User) -> None:
    number = chance.randint(1, 4)
    row = RosterRow(
        number=number,
        name=f"Team {chance.random():.4f}",
        players=(f"Ann {chance.random():.4f}", "Bea"),
        city="Columbus",
    )
    change_team(Actor(dana), event, number, row)


def sit_in(chance: random.Random, event: Event, dana: User) -> None:
    into = f"Cal {chance.random():.4f}"
    substitute(Actor(dana), event, chance.randint(1, 4), position=1, into=into, from_round=3, reason="ill")


def read(chance: random.Random, event: Event, dana: User) -> None:
    if notices := list(Notice.objects.filter(team__event=event, seen_at=None)):
        acknowledge_notice(Actor(dana), chance.choice(notices))


def hand(chance: random.Random, event: Event, dana: User) -> None:
    game = chance.choice(list(Game.objects.filter(round__event=event, round__state="running")))
    record_entry(Actor(dana), game, random_hand(chance))


def sign(_chance: random.Random, event: Event, dana: User) -> None:
    for game in Game.objects.filter(round__event=event, state="to-sign"):
        sign_for_all(Actor(dana), game, "test")


def told(event: Event) -> dict[str, str]:
    """What a stranger reads on every public page."""
    rounds = [f"{at(event, 'schedule')}?round={number}" for number in (1, 2, 3)]
    teams = [reverse("team", args=[event.slug, number]) for number in (1, 2, 3, 4)]
    pages = [at(event, name) for name in ("standings", "schedule", "teams", "board", "bracket")]
    return {page: Client().get(page).content.decode() for page in (*rounds, *teams, *pages)}


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_says_the_same_as_what_is_made_anew(dana: User, seed: int) -> None:
    chance = random.Random(seed)
    event, done = random_evening(chance, dana), 0
    close_round(Actor(dana), event, 2)
    one, two, three, four = Team.objects.filter(event=event)
    make_round(event, [(one, three), (two, four)], number=3)
    for _ in range(16):
        with suppress(DomainError):
            chance.choice((*ACTS, hand, hand, hand, sign, rename, sit_in, read))(chance, event, dana)
            done += 1
        kept = told(event)
        # Within a transaction nothing is taken from what is kept.
        with transaction.atomic():
            assert told(event) == kept
    assert done > 6


def rows_read(event: Event) -> int:
    """How many statements read what games were to their teams."""
    with CaptureQueriesContext(connection) as asked:
        books_of(event)
    return sum('"tournament_side"' in query["sql"] for query in asked.captured_queries)


def test_what_is_kept_of_pages_has_an_end_in_bytes(event: Event) -> None:
    """A large hall has large pages: a number of them alone would say nothing of the laptop's memory."""
    made: list[int] = []

    def ask(number: int) -> None:
        def make() -> Answer:
            made.append(number)
            return Answer(bytes(2**20), {}, "", "")

        answers.get(("a page of a megabyte", event.pk, number), make)

    for number in range(144):
        ask(number)
    made.clear()
    # The newest 128 are there. Each of the others takes the room of the one that was asked for longest ago.
    for number in reversed(range(144)):
        ask(number)
    assert made == list(reversed(range(16)))
    made.clear()
    ask(143)
    assert made == [143]


# What is kept of public pages for strangers is for strangers alone, and for all of them.


def test_a_page_is_kept_for_strangers_where_its_row_says_so(event: Event) -> None:
    kept = {name for name, address in addresses_in(event, READ).items() if _is_made_once(address)}
    assert kept == {page.name for page in PUBLIC if page.shared}


def test_a_page_follows_where_its_row_says_so(event: Event) -> None:
    """It asks for itself with what it shows, and hears that there is nothing new."""
    Event.objects.update(checks_in=True)
    phone, pages = phone_of(sure(event.teams.first())), addresses_in(event) | asked_in(event)
    follows = {name for name, address in pages.items() if _asks_for_news(phone, address)}
    assert follows == {page.name for page in PUBLIC if page.follows}


def test_a_page_is_hidden_until_a_round_is_drawn(dana: User) -> None:
    """A page that asks for a code or a private link says by itself to whom it opens."""
    event = make_event("Not Drawn Yet", dana, teams=2)

    def seen(client: Client) -> dict[str, int]:
        return {name: client.get(address).status_code for name, address in addresses_in(event, READ).items()}

    names = READ.keys() - {"public-game"}
    assert (seen(Client()), seen(signed_in(dana))) == (dict.fromkeys(names, 404), dict.fromkeys(names, 200))
    make_round(event, pairs_of(list(event.teams.all())), state="planned")
    assert seen(Client()) == dict.fromkeys(names, 200)


def _is_made_once(address: str) -> bool:
    """Whether a second stranger is answered with what was made for the first."""
    made: list[str] = []

    def view(request: HttpRequest) -> HttpResponse:
        made.append(request.path)
        return HttpResponse("once")

    site = PublicPagesMiddleware(view)
    for _ in range(2):
        site(RequestFactory().get(address))
    return len(made) == 1


def _asks_for_news(phone: Client, address: str) -> bool:
    page = phone.get(address).content.decode()
    if 'hx-trigger="every' not in page:
        return False
    path, _, asked = address.partition("?")
    asks = re.search(rf'hx-get="{re.escape(path)}\?(?:[^"]*&amp;)?version=([^"&]+)', page)
    assert asks, address
    return phone.get(f"{path}?{asked}&version={asks[1]}", headers=POLL).status_code == 204


def test_a_message_is_read_by_whoever_it_is_for_and_by_nobody_else(dana: User, event: Event) -> None:
    """Also after signing out, when only the message says who it is."""
    director = signed_in(dana)
    cash = {"way": "in", "cents": "20", "reason": "change"}
    assert director.post(reverse("money-cash", args=[event.slug]), cash).status_code == 302
    del director.cookies[settings.SESSION_COOKIE_NAME]
    visitors = (Client(), director, Client())
    shown = ["Recorded as receipt 1." in one.get(at(event)).content.decode() for one in visitors]
    assert shown == [False, True, False]


def test_a_table_is_no_stranger(dana: User, event: Event) -> None:
    tablet = bind(dana, event, 1)
    assert [one.get(at(event))["Cache-Control"] for one in (Client(), tablet, Client())] == [
        FOR_PROXIES,
        "no-store",
        FOR_PROXIES,
    ]


def test_a_page_under_a_name_that_is_not_the_sites_is_refused_also_where_it_is_kept(event: Event) -> None:
    hosts = ("testserver", "elsewhere.example", "testserver")
    assert [Client().get(at(event), headers={"host": host}).status_code for host in hosts] == [200, 400, 200]


def test_a_page_names_the_configured_address_whatever_port_was_asked(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy keeps one page for all of these names."""
    monkeypatch.setattr(settings, "ADDRESS", urlsplit("https://testserver:8443"))
    pages = {
        Client().get(at(event), headers={"host": host}).content
        for host in ("testserver", "testserver:6666", "testserver.", "TESTSERVER:1")
    }
    (page,) = pages
    assert b'"http://testserver:8443/e/shared/"' in page
    assert Client().get(at(event), headers={"host": "elsewhere.example:8443"}).status_code == 400


def cookie() -> HttpResponse:
    made = HttpResponse("once")
    made.set_cookie("csrftoken", "secret")
    return made


@pytest.mark.parametrize(
    "make", [cookie, lambda: HttpResponse("once", status=404), lambda: StreamingHttpResponse(["once"])]
)
def test_what_is_for_one_visitor_is_made_for_each(event: Event, make: Callable[[], HttpResponse]) -> None:
    made: list[HttpResponse] = []

    def view(request: object) -> HttpResponse:
        made.append(make())
        return made[-1]

    site, request = PublicPagesMiddleware(view), RequestFactory().get(at(event))
    assert [site(request), site(request)] == made and len(made) == 2
    assert not made[0].has_header("Cache-Control")


@pytest.mark.parametrize("name", [page.name for page in PUBLIC if page.shared])
def test_a_page_says_nothing_of_how_new_the_one_was_that_asked_first(event: Event, name: str) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        assert "planted" not in Client().get(f"{at(event, name)}?version=7-planted", headers=headers).content.decode(
            "latin-1"
        )


@pytest.mark.parametrize("name", ["HX-Request", "HX-Boosted", "HX-History-Restore-Request"])
def test_a_proxy_is_told_of_everything_that_decides_between_a_page_and_its_part(event: Event, name: str) -> None:
    """A browser that asks for the whole page must not be given the part that phones ask for."""
    asked = [{"HX-Request": "true"}, {"HX-Request": "true", name: "true"}]
    pages = [Client().get(at(event), headers=headers) for headers in asked]
    assert ["<html" in page.content.decode() for page in pages] == [False, name != "HX-Request"]
    assert all(name in page["Vary"].split(", ") for page in pages)


def test_a_desk_with_nothing_new_asks_for_one_row_and_still_ends_with_its_sign_in(event: Event, dana: User) -> None:
    client = signed_in(dana)
    to = f"{reverse('desk-standings', args=[event.slug])}?version={fresh(event).version}"

    def poll() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            status = client.get(to, headers=POLL).status_code
        return status, len(queries)

    assert poll()[0] == 204
    assert poll() == (204, 1)
    with writing(event, Shown.INSIDE):
        pass
    assert poll()[0] == 200
    client.logout()
    assert poll()[0] in (302, 401, 403)


def test_the_word_to_the_hall_is_on_every_page_of_the_hall_until_its_time(event: Event, dana: User) -> None:
    desk = signed_in(dana)
    desk.post(reverse("hall-word", args=[event.slug]), {"word": "Food is ready", "minutes": "20"})
    tablet = bind(dana, event, 1)
    pages = {name: Client().get(at(event, name)) for name in ("standings", "schedule", "bracket", "board")}
    pages["tablet"] = tablet.get(reverse("tablet"))
    for name, page in pages.items():
        assert "Food is ready" in page.content.decode(), name
    desk.post(reverse("hall-word", args=[event.slug]), {"word": "", "minutes": "10"})
    assert "Food is ready" not in Client().get(at(event)).content.decode()
    Event.objects.filter(pk=event.pk).update(word="Late", word_until=event.created_at)
    assert fresh(event).hall_word == ""


@pytest.mark.parametrize(
    ("asked", "start"),
    [
        ("/e/open/teams/", "/e/open/"),
        ("/t/table/", "/t/table/"),
        ("//elsewhere.example/", "/"),
        ("/accounts/", "/"),
    ],
)
@pytest.mark.django_db
def test_an_installed_site_opens_at_the_event_or_the_table(asked: str, start: str) -> None:
    answer = Client().get(reverse("manifest"), {"start": asked})
    facts = answer.json()
    assert (facts["start_url"], facts["display"], facts["scope"]) == (start, "standalone", "/")
    assert {icon["type"] for icon in facts["icons"]} == {"image/svg+xml", "image/png"}
