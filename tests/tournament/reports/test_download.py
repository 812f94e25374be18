"""Files are read whole, made by one at a time, and the same bytes for everybody until the event changes."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, make_user, pairs_of, play, signed_in
from tournament.errors import Unavailable
from tournament.models import Device, Event, Game, Official, Round, Side, Team
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.reports import files
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.files import MOST_WAITING, file_of, making_file
from tournament.reports.pdf.catalog import OTHERS, PAPERS, Wanted
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services.transactions import writing
from tournament.site.cache import ROOM

pytestmark = pytest.mark.both_databases

SECONDS = 60


def sixty(dana: User) -> Event:
    event = make_event(director=dana)
    teams = make_teams(event, 60)
    make_round(event, [(teams[at], teams[at + 1]) for at in range(0, 60, 2)])
    return event


@contextmanager
def threads(count: int) -> Iterator[Callable[..., Future[Any]]]:
    """Start something in a thread, which leaves no connection behind."""

    def run(ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        yield lambda ask: pool.submit(run, ask)


@contextmanager
def full_line() -> Iterator[None]:
    """One file is being made, and as many as may wait do."""
    begun, gate = threading.Event(), threading.Event()

    def hold() -> None:
        with making_file():
            begun.set()
            assert gate.wait(SECONDS)

    with threads(1 + MOST_WAITING) as start:
        started = [start(hold) for _ in range(1 + MOST_WAITING)]
        try:
            assert begun.wait(SECONDS)
            while files._line._value:
                time.sleep(0.01)
            yield
        finally:
            gate.set()
    assert [one.result() for one in started] == [None] * (1 + MOST_WAITING)


@pytest.mark.usefixtures("own_file")
def test_a_book_of_60_teams_that_two_ask_for_at_once_is_the_same_bytes() -> None:
    event = sixty(make_user("dana"))
    Official.objects.create(event=event, user=make_user("vic"), role="director")
    clients = [signed_in(User.objects.get(username=name)) for name in ("dana", "vic")]
    with threads(2) as start:
        asked = [start(lambda client=client: client.get(f"/desk/{event.slug}/papers/book.pdf")) for client in clients]
        first, second = (one.result(SECONDS) for one in asked)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.content == second.content
    assert first.content.startswith(b"%PDF")


def test_what_several_ask_for_at_once_is_made_once() -> None:
    count, begun, gate = [0], threading.Event(), threading.Event()

    def make() -> bytes:
        count[0] += 1
        begun.set()
        assert gate.wait(SECONDS)
        return b"book"

    with threads(1 + MOST_WAITING) as start:
        asked = [start(lambda: file_of("once", make)) for _ in range(1 + MOST_WAITING)]
        assert begun.wait(SECONDS)
        gate.set()
        assert [one.result(SECONDS) for one in asked] == [b"book"] * 4
    assert (count, file_of("once", make)) == ([1], b"book")


def test_a_file_that_breaks_keeps_nobody_else_waiting() -> None:
    def broken() -> bytes:
        raise ZeroDivisionError

    for _ in range(3 * MOST_WAITING):
        with pytest.raises(ZeroDivisionError):
            file_of("broken", broken)
    assert file_of("broken", lambda: b"whole") == b"whole"


def test_the_oldest_files_make_room() -> None:
    half = ROOM // 2
    for name in ("one", "two", "three"):
        assert len(file_of(("room", name), lambda: bytes(half))) == half
    assert [file_of(("room", name), lambda: b"again") == b"again" for name in ("three", "two", "one")] == [
        False,
        False,
        True,
    ]
    # What is larger than all the room is sent, and not remembered.
    assert len(file_of("huge", lambda: bytes(ROOM + 1))) == ROOM + 1
    assert file_of("huge", lambda: b"again") == b"again"


@pytest.mark.django_db(transaction=True)
def test_who_comes_when_three_wait_is_asked_to_press_again(event: Event, dana: User) -> None:
    client, path = signed_in(dana), f"/desk/{event.slug}/papers/standings.csv"
    with full_line():
        answer = client.get(path)
        assert (answer.status_code, answer["Retry-After"]) == (503, "2")
        page = answer.content.decode()
        assert "Other files are being made right now. Please press the button again in a moment." in page
        assert f'<a class="btn primary" href="{path}">Try again</a>' in page
        with pytest.raises(Unavailable):
            file_of("another", lambda: b"")
    assert client.get(path).status_code == 200
    with full_line():
        # What is there already waits for nobody.
        assert client.get(path).status_code == 200


def test_who_is_asked_to_press_again_has_no_new_cards(event: Event, game: Game, dana: User) -> None:
    client, path = signed_in(dana), f"/desk/{event.slug}/papers/jobs/tonight/"
    with full_line():
        assert client.post(path, {"part": ["cards"]}).status_code == 503
    assert not Device.objects.exists()
    first, second = (client.post(path, {"part": ["cards"]}) for _ in range(2))
    # Codes are shown once: such a file is never sent a second time.
    assert (first.status_code, first.content == second.content) == (200, False)


@pytest.mark.django_db(transaction=True)
def test_a_file_stays_the_same_until_the_event_changes(event: Event, dana: User) -> None:
    make_teams(event, 2)
    client, path = signed_in(dana), f"/desk/{event.slug}/papers/teams.csv"
    first = client.get(path)
    Team.objects.filter(event=event, number=1).update(name="Renamed past the site")
    assert client.get(path).content == first.content
    with writing(event):
        pass
    assert "Renamed past the site" in client.get(path).content.decode()


def test_the_log_and_the_event_file_have_what_was_just_printed(event: Event, desk: Client) -> None:
    """Printing raises no version."""
    make_round(event, [tuple(make_teams(event, 2))])
    for path in (f"/desk/{event.slug}/log/?format=csv", f"/desk/{event.slug}/file/"):
        before = desk.get(path).content
        assert desk.get(path).content == before
        assert desk.post(f"/desk/{event.slug}/papers/new-score-sheets.pdf").status_code in (200, 302)
        assert (desk.get(path).content == before) == path.endswith("/file/")


def test_what_is_remembered_is_for_those_who_may_ask_for_it(
    event: Event, dana: User, vic: User, stranger: User
) -> None:
    desk = f"/desk/{event.slug}"
    officials, directors = (f"{desk}/papers/standings.pdf", f"{desk}/log/?format=csv"), (f"{desk}/file/",)
    director, verifier = signed_in(dana), signed_in(vic)
    for path in (*officials, *directors):
        assert director.get(path).status_code == 200
        assert signed_in(stranger).get(path).status_code == 403
        assert Client().get(path).status_code == 302
    for path in officials:
        assert verifier.get(path).content == director.get(path).content
    assert [verifier.get(path).status_code for path in directors] == [403]
    Official.objects.filter(user=vic).delete()
    assert [verifier.get(path).status_code for path in officials] == [403, 403]


def test_nothing_is_asked_of_the_database_while_a_paper_is_drawn(
    event: Event, dana: User, django_assert_num_queries: Callable[[int], Any]
) -> None:
    for game in make_round(event, pairs_of(make_teams(event, 4))).games.all():
        play(dana, game, MADE_FIVE)
    drawings = {name: read(Wanted(event, 1)) for name, read in (PAPERS | OTHERS).items()}
    whole, sheets = whole_book(event), event_sheets(event)
    with django_assert_num_queries(0):
        for draw in drawings.values():
            draw(Papers("Drawn", site="http://hall/"))
        event_workbook(whole, sheets)


@pytest.mark.usefixtures("own_file")
def test_a_hand_is_written_while_a_paper_of_many_games_is_drawn() -> None:
    dana = make_user("dana")
    event = make_event(director=dana)
    aces, books = make_teams(event, 2)
    game = make_round(event, [(aces, books)]).games.get()
    round_ = Round.objects.create(event=event, number=2)
    others = Game.objects.bulk_create(Game(round=round_, table=1, leg=leg) for leg in range(1, 301))
    Side.objects.bulk_create(
        Side(game=other, round=round_, leg=other.leg, index=index, team=team)
        for other in others
        for index, team in enumerate((aces, books))
    )
    begun, gate = threading.Event(), threading.Event()

    def drawn() -> Iterator[Any]:
        for sheet in event_sheets(event):
            yield sheet
            begun.set()
            assert gate.wait(SECONDS)

    with threads(1) as start:
        made = start(lambda: score_sheets(drawn()))
        try:
            assert begun.wait(SECONDS)
            play(dana, game, MADE_FIVE, sign=False)
        finally:
            gate.set()
        assert made.result(SECONDS).startswith(b"%PDF")
    assert game.entries.count() == 1


@pytest.mark.usefixtures("own_file")
def test_a_browser_that_goes_away_harms_nothing(live_server: Any) -> None:
    dana = make_user("dana")
    event, client = sixty(dana), signed_in(dana)
    place, path = urlsplit(live_server.url), f"/desk/{event.slug}/papers/book.pdf"
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    with making_file(), socket.create_connection((place.hostname, place.port)) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {cookie}\r\n\r\n".encode())
        while files._line._value > MOST_WAITING - 1:
            time.sleep(0.01)
    answered()
    asking = http.client.HTTPConnection(place.hostname or "", place.port, timeout=SECONDS)
    for _ in range(2):
        asking.request("GET", path, headers={"Cookie": cookie})
        answer = asking.getresponse()
        assert (answer.status, answer.read()[:4]) == (200, b"%PDF")
    asking.close()
    answered()
    assert files._line._value == 1 + MOST_WAITING


def answered() -> None:
    """Wait for the threads of the test server: they share one connection with the test, and each closes it."""
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(SECONDS)


@pytest.mark.parametrize("rest", ["", "file/", "cancellation/"])
def test_an_order_of_an_earlier_version_says_what_to_do(rest: str, desk: Client) -> None:
    for ask in (desk.get, desk.post):
        answer = ask(f"/works/{'0123456789abcdef' * 2}/{rest}")
        assert answer.status_code == 410
        assert "Go back to Print &amp; files and press the button again" in answer.content.decode()


def test_the_answer_brings_the_name_of_the_file_and_says_that_it_is_there(event: Event, vic: User) -> None:
    """The page whose button was pressed hears by a cookie that its file is there."""
    answer = signed_in(vic).get(f"/desk/{event.slug}/papers/teams.xlsx")
    assert answer["Content-Disposition"].startswith('attachment; filename="columbus-open-teams.xlsx"')
    cookie = answer.cookies["uptown_file"]
    assert (cookie["max-age"], cookie["path"], cookie["httponly"]) == (60, "/", "")
