"""Long work: large files are announced, shown while they are made, cancelled, fetched; small ones come at once."""

from __future__ import annotations

import io
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import load_workbook
from pypdf import PdfReader

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, make_user, play
from tests.sure import sure
from tests.tournament.archive.test_import import demo
from tests.tournament.setup.test_events import signed_in
from tournament.access import Actor
from tournament.models import Event, Official
from tournament.queries.eventbook import whole_book
from tournament.queries.works import CANCELLED, FAILED, MAKING, READY, find_work, work_file, works_folder
from tournament.services.works import MAKERS, Tell, begin_work, cancel_work, counted, sweep_works

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(settings, "DATA", tmp_path)
    return tmp_path / "works"


@pytest.fixture(autouse=True)
def ended(folder: Path) -> Iterator[None]:
    """No work outlives its test."""
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("work-"):
            thread.join(60)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Event:
    """An event whose files are large: everything is, from one game on."""
    monkeypatch.setattr(settings, "LARGE_EVENT_GAMES", 1)
    event = make_event(director=make_user("dana"))
    aces, books, owls, eagles = make_teams(event, 4)
    for game in make_round(event, [(aces, books), (owls, eagles)]).games.all():
        play(User.objects.get(username="dana"), game, MADE_FIVE)
    return event


def dana() -> User:
    return User.objects.get(username="dana")


def until(true: Callable[[], Any]) -> Any:
    """Wait for a state of the work, however slow the machine is."""
    for _ in range(1200):
        if found := true():
            return found
        time.sleep(0.05)
    raise AssertionError("it never came")


def over(key: str) -> Any:
    return until(lambda: (work := find_work(key)) is not None and work.is_over and work)


def begin(client: Client, event: Event, name: str) -> str:
    answer = client.post(f"/desk/{event.slug}/papers/large/{name}/")
    assert answer.status_code == 302
    return sure(re.fullmatch(r"/works/([0-9a-f]{32})/", answer["Location"]))[1]


SAID: dict[str, Any] = {"words": "test", "name": "Test", "kind": "json", "back": "/", "action": "create-event"}


def endless(begun: threading.Event) -> Callable[[Tell], bytes]:
    """Work that goes on until it is cancelled."""

    def make(tell: Tell) -> bytes:
        for number in range(1_000_000):
            begun.set()
            tell(number)
            time.sleep(0.01)
        return b"never"

    return make


def ordered(make: Callable[[Tell], Any], owner: User | None = None) -> str:
    """A work of its own maker, which knows no order."""
    name = f"test-{len(MAKERS)}"
    MAKERS[name] = lambda actor, key, tell, order: make(tell)
    return begin_work(Actor(owner or User.objects.filter(is_staff=True).first()), name, None, total=10, **SAID)


@pytest.mark.parametrize("name", ["book", "score-sheets", "workbook"])
def test_a_large_file_is_announced_made_and_fetched(large: Event, name: str) -> None:
    client = signed_in(dana())
    direct = {"book": "book.pdf", "score-sheets": "score-sheets.pdf", "workbook": "workbook.xlsx"}[name]
    announced = client.get(f"/desk/{large.slug}/papers/{direct}", follow=True)
    assert announced.redirect_chain == [(f"/desk/{large.slug}/papers/large/{name}/", 302)]
    assert "2 games: this takes a while." in announced.content.decode()
    key = begin(client, large, name)
    assert over(key).state == READY
    page = client.get(f"/works/{key}/").content.decode()
    assert "http-equiv" not in page
    assert f'href="/works/{key}/file/"' in page
    file = client.get(f"/works/{key}/file/")
    assert file["Content-Disposition"].startswith("attachment; filename=")
    if name == "workbook":
        assert "Hands" in load_workbook(io.BytesIO(file.content)).sheetnames
    else:
        text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(file.content)).pages)
        assert text.count("Sheet code") == 2


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx"])
def test_the_hands_of_a_large_event_are_made_with_progress(
    large: Event, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(dana())
    direct = f"/desk/{large.slug}/papers/hands.{kind}"
    assert client.get(direct)["Location"] == f"/desk/{large.slug}/papers/large/hands-{kind}/"
    key = begin(client, large, f"hands-{kind}")
    assert over(key).state == READY
    made = client.get(f"/works/{key}/file/")
    assert made["Content-Disposition"].split('"')[1] == f"columbus-open-hands.{kind}"
    monkeypatch.setattr(settings, "LARGE_EVENT_GAMES", 2)
    at_once = client.get(direct)
    assert at_once.status_code == 200
    if kind != "xlsx":
        assert made.content == at_once.content


def test_a_small_event_gets_its_files_at_once(large: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LARGE_EVENT_GAMES", 2)
    client = signed_in(dana())
    for direct in ("book.pdf", "score-sheets.pdf", "workbook.xlsx"):
        assert client.get(f"/desk/{large.slug}/papers/{direct}").status_code == 200
    assert not works_folder().exists()


def test_a_work_shows_how_far_it_is_and_is_cancelled(otis: User) -> None:
    begun = threading.Event()
    key, client = ordered(endless(begun)), signed_in(otis)
    assert begun.wait(60)
    assert until(lambda: sure(find_work(key)).done > 0)
    page = client.get(f"/works/{key}/").content.decode()
    assert '<meta http-equiv="refresh" content="2">' in page
    assert re.search(r"[1-9]\d* of 10 done", page)
    assert client.get(f"/works/{key}/file/").status_code == 404
    assert client.post(f"/works/{key}/cancellation/")["Location"] == f"/works/{key}/"
    assert over(key).state == CANCELLED
    assert "Canceled. Nothing was saved." in client.get(f"/works/{key}/").content.decode()
    assert not work_file(key).exists()


def test_a_work_says_what_it_does_before_the_first_piece_and_after_the_last(otis: User) -> None:
    gates = [threading.Event() for _ in range(2)]

    def make(tell: Tell) -> bytes:
        gates[0].wait(60)
        assert list(counted(range(10), tell)) == list(range(10))
        gates[1].wait(60)
        return b"all"

    key, client = ordered(make), signed_in(otis)

    def said() -> str:
        return client.get(f"/works/{key}/").content.decode()

    assert ["Reading…" in said(), "of 10 done" in said(), '<progress id="far" max="10">' in said()] == [
        True,
        False,
        True,
    ]
    gates[0].set()
    until(lambda: sure(find_work(key)).done == 10)
    assert "Finishing the file…" in said()
    client.post(f"/works/{key}/cancellation/")
    assert ["Canceling…" in said(), f"/works/{key}/cancellation/" in said()] == [True, False]
    gates[1].set()
    assert over(key).state == CANCELLED


def test_a_work_is_cancelled_while_the_book_is_read(large: Event) -> None:
    """Before the first sheet is drawn the book is read, which takes long for a large event."""
    read: list[int] = []

    def make(tell: Tell) -> bytes:
        def told() -> None:
            read.append(1)
            tell(0)

        (works_folder() / key_of() / "cancelled").touch()
        whole_book(large, told)
        return b"never"

    def key_of() -> str:
        return next(path.name for path in works_folder().iterdir())

    key = ordered(make, dana())
    assert (over(key).state, read) == (CANCELLED, [1])


def test_works_stand_in_line_and_a_waiting_one_can_be_cancelled(otis: User) -> None:
    begun = threading.Event()
    first = ordered(endless(begun))
    assert begun.wait(60)
    second = ordered(lambda tell: b"made")
    third = ordered(lambda tell: b"made")
    assert [sure(find_work(key)).state for key in (second, third)] == [MAKING, MAKING]
    cancel_work(sure(find_work(third)))
    assert over(third).state == CANCELLED
    assert not sure(find_work(first)).is_over
    cancel_work(sure(find_work(first)))
    assert over(second).state == READY
    assert work_file(second).read_bytes() == b"made"


def test_a_work_that_breaks_says_so(otis: User, caplog: pytest.LogCaptureFixture) -> None:
    def broken(tell: Tell) -> bytes:
        raise ZeroDivisionError

    key = ordered(broken)
    assert over(key).state == FAILED
    assert "Something went wrong on our side" in signed_in(otis).get(f"/works/{key}/").content.decode()
    assert "Work test broke" in caplog.text


def test_a_work_whose_process_ended_says_so(otis: User) -> None:
    begun = threading.Event()
    key = ordered(endless(begun))
    assert begun.wait(60)
    cancel_work(sure(find_work(key)))
    over(key)
    state = works_folder() / key / "state.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | {"state": MAKING}))
    os.utime(state, (time.time() - 3600,) * 2)
    assert "This stopped because" in signed_in(otis).get(f"/works/{key}/").content.decode()


def test_nobody_else_sees_a_work(large: Event, otis: User) -> None:
    director = signed_in(dana())
    key = begin(director, large, "workbook")
    over(key)
    Official.objects.create(event=large, user=make_user("vic"), role="verifier")
    others = (otis, User.objects.get(username="vic"))
    for client in (Client(), *(signed_in(user) for user in others)):
        for path, ask in (("", client.get), ("file/", client.get), ("cancellation/", client.post)):
            assert ask(f"/works/{key}/{path}").status_code == 404
    Official.objects.filter(user=dana()).delete()
    assert director.get(f"/works/{key}/file/").status_code == 403


def test_only_officials_begin_a_work(large: Event, otis: User, stranger: User) -> None:
    for client in (Client(), signed_in(otis), signed_in(stranger)):
        answer = client.post(f"/desk/{large.slug}/papers/large/book/")
        assert answer.status_code == 403 or "sign-in" in answer["Location"]
    assert not works_folder().exists()


def test_old_works_are_swept_away(otis: User) -> None:
    key = ordered(lambda tell: b"made")
    over(key)
    sweep_works(time.time() + 3600)
    assert work_file(key).read_bytes() == b"made"
    sweep_works(time.time() + 7 * 3600)
    assert find_work(key) is None
    assert signed_in(otis).get(f"/works/{key}/").status_code == 404


def upload(client: Client, data: Any) -> str:
    answer = client.post("/import/", {"file": SimpleUploadedFile("event.json", json.dumps(data).encode())})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


def test_a_large_event_file_is_imported_in_the_background(otis: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LARGE_FILE_BYTES", 1000)
    client = signed_in(otis)
    page = upload(client, demo())
    assert over(page.split("/")[2]).state == READY
    assert client.get(page)["Location"] == "/import/autumn-open/"
    assert Event.objects.get().officials.get().user == otis


def test_a_large_event_file_that_cannot_be_leaves_nothing(otis: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LARGE_FILE_BYTES", 1000)
    data = demo()
    data["rounds"][0]["tables"][0]["game"]["entries"][0]["books"] = 14
    client = signed_in(otis)
    page = upload(client, data)
    assert over(page.split("/")[2]).state == FAILED
    assert "Round 1, table 1, entry 1, field books" in client.get(page).content.decode()
    assert not Event.objects.exists()


def test_work_that_is_cancelled_during_its_last_step_leaves_no_file(large: Event) -> None:
    dana_works, gate = User.objects.get(username="dana"), threading.Event()

    def make(tell: Tell) -> bytes:
        gate.wait(60)
        return b"all of it"

    key = ordered(make, dana_works)
    cancel_work(sure(find_work(key)))
    gate.set()
    assert (over(key).state, work_file(key).exists()) == (CANCELLED, False)
