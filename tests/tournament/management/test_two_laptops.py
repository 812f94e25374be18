"""The first laptop comes back after another one took over: never do both take hands of the same table unasked."""

from __future__ import annotations

import http.client
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from tests.halls import Hall, Prepared
from tests.journeys.server import CSRF, FORM, TOKEN
from tests.programs import own_port

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes of POSIX")

BEFORE = """
import json
import sys
import django
django.setup()
from django.contrib.auth.models import User
from django.test import Client
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.services.devices import bind_further, pair_device
token = pair_device(Actor(), sys.argv[1])
dana = User.objects.get(username="dana")
further = bind_further(Actor(dana), Event.objects.get(), 1)
browser = Client()
browser.force_login(dana)
print(json.dumps([token, further, browser.cookies["sessionid"].value, Game.objects.get().pk]))
"""


class Table(NamedTuple):
    """A tablet that writes, another one at the same table, the director's browser, and the game."""

    token: str
    further: str
    session: str
    game: int


class Evening(NamedTuple):
    first: Hall
    second: Hall
    stick: Path
    table: Table


@pytest.fixture
def evening(prepared_hall: Prepared, tmp_path: Path) -> Iterator[Evening]:
    """A game in play on the first laptop, which copies to a stick."""
    stick = tmp_path / "stick"
    stick.mkdir()
    settings = {"DJANGO_SETTINGS_MODULE": "tournament.settings"}
    first = prepared_hall.copy(tmp_path / "first", UPTOWN_BACKUPS=str(stick), **settings)
    table = Table(*json.loads(first.program(BEFORE, prepared_hall.code)))
    first.start("--http")
    second = Hall(tmp_path / "second", **settings)
    yield Evening(first, second, stick, table)
    first.kill()
    second.kill()


def ask(hall: Hall, method: str, path: str, body: str, headers: dict[str, str]) -> tuple[int, str, dict[str, str]]:
    line = http.client.HTTPConnection("127.0.0.1", hall.port, timeout=20)
    try:
        line.request(method, path, body, headers)
        answer = line.getresponse()
        return answer.status, answer.read().decode(), dict(answer.getheaders())
    finally:
        line.close()


def tell(hall: Hall, token: str, epoch: str, items: list[dict[str, Any]] | None = None) -> tuple[int, str]:
    """A message of a tablet, and the epoch that it knows then; why it was not taken where it was not."""
    path, body = ("submissions", {"items": items}) if items else ("ping", {"unsent": 0})
    headers = {"Authorization": f"Table {token}", "Content-Type": "application/json"}
    headers |= {"X-Epoch": epoch} if epoch else {}
    status, text, _ = ask(hall, "POST", f"/t/api/{path}/", json.dumps(body), headers)
    said = json.loads(text)
    assert [one["text"] for one in said.get("results", ()) if one["status"] != "applied"] == []
    return status, said["epoch"] if status == 200 else said["faults"][0]["text"]


def hand(table: Table, position: int) -> list[dict[str, Any]]:
    item = {"uid": str(uuid4()), "kind": "hand", "game": table.game, "after": None, "at": 0, "n": position}
    return [item | {"position": position, "facts": THREE}]


def press(hall: Hall, table: Table, path: str, **fields: str) -> tuple[int, str]:
    cookies = {"sessionid": table.session, **CSRF}
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Content-Type": FORM}
    status, page, _ = ask(hall, "POST", path, urlencode({"csrfmiddlewaretoken": TOKEN, **fields}), headers)
    return status, page


def desk(hall: Hall, table: Table, page: str = "") -> str:
    return ask(hall, "GET", f"/desk/columbus-open/{page}", "", {"Cookie": f"sessionid={table.session}"})[1]


THREE = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9}
ASIDE = "Another laptop goes on with this event. The tablet keeps what it has."


def test_of_two_laptops_one_takes_hands_and_the_director_says_which(evening: Evening) -> None:
    first, second, stick, table = evening
    status, old = tell(first, table.token, "", hand(table, 1))
    assert status == 200
    shutil.copy(first.manage("backup"), stick)
    second.take_over(str(stick), port=own_port("0.0.0.0"))
    # The first one has not been told yet: a tablet that talks only to it continues there.
    assert tell(first, table.token, old)[0] == 200
    status, new = tell(second, table.token, old, hand(table, 2))
    assert status == 200 and new != old
    # The same tablet at the first one again: nothing is taken, from any tablet of the hall, and nothing at the desk.
    assert tell(first, table.token, new, hand(table, 2)) == (503, ASIDE)
    assert tell(first, table.further, old, hand(table, 3)) == (503, ASIDE)
    status, page = press(first, table, "/desk/columbus-open/word/", word="Food is ready", minutes="20")
    assert status == 409 and "Another laptop took these events over, so nothing is saved here." in page
    lines = "SELECT count(*) FROM tournament_entry"
    assert (first.rows(lines), second.rows(lines)) == ([1], [2])
    for where in ("", "log/"):
        assert "took these events over:</b> the tablet of table 1 says so." in desk(first, table, where)
    # It stays so when it is started again.
    first.kill()
    first.start()
    assert tell(first, table.further, old) == (503, ASIDE)
    # The director decides: the first one goes on, and now the second one learns it in the same way.
    assert press(first, table, "/desk/columbus-open/laptop/", what="goes-on")[0] == 302
    status, newest = tell(first, table.token, new)
    assert status == 200 and newest not in (old, new)
    assert tell(second, table.token, newest, hand(table, 3)) == (503, ASIDE)
    assert "took these events over" not in desk(first, table)


def test_a_laptop_that_comes_back_reads_the_mark_on_the_stick(evening: Evening) -> None:
    first, second, stick, table = evening
    _, old = tell(first, table.token, "")
    shutil.copy(first.manage("backup"), stick)
    first.kill()
    # At the port that tablets know; the first one comes back somewhere else.
    second.take_over(str(stick), port=first.port)
    first.start(port=own_port("0.0.0.0"))
    assert "took these events over: the folder " in first.said()
    assert tell(first, table.token, old) == (503, ASIDE)
    assert press(first, table, "/desk/columbus-open/laptop/", what="stopped")[0] == 302
    assert "<b>This laptop has stopped.</b>" in desk(first, table)
    assert tell(first, table.token, old) == (503, ASIDE)


def test_a_made_up_epoch_stops_nobody(evening: Evening) -> None:
    first, _, _, table = evening
    _, old = tell(first, table.token, "")
    for made_up in ("01b7b5b8-87bc-7af7-ba2a-178eed55181e", "no epoch", str(uuid4())):
        assert tell(first, table.token, made_up) == (200, old)
