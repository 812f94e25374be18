"""Pressing “Let the other tables play” on a running demo: twice, on two browsers, while the director closes the round,
and after the site was killed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.halls import eventually
from tests.tournament.demo.evenings import Demo, prepare
from tournament.demo.tablet import Answer

pytestmark = pytest.mark.nightly

# The press beside the one that stops.
PLAYS = "Direct for me, too"
CLOSE = "/desk/autumn-evening/rounds/1/closure/"
# Both lines of a table that wrote twice, or one that was lost, would show here.
LINES = "SELECT count(*) - count(DISTINCT game_id || '/' || position || '/' || revision) FROM tournament_entry"
STATUSES = "SELECT DISTINCT status FROM tournament_submission"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("prepared") / "demo")


@pytest.fixture
def demo(prepared: Path, tmp_path: Path) -> Iterator[Demo]:
    demo = Demo(Path(shutil.copytree(prepared, tmp_path / "demo")))
    yield demo
    demo.server.kill()
    assert demo.server.errors() == []


def at_once(*acts: Callable[[], Answer]) -> list[Answer]:
    with ThreadPoolExecutor() as pool:
        return [future.result() for future in [pool.submit(act) for act in acts]]


def test_two_browsers_press_and_one_player_plays_while_dana_closes_the_round(demo: Demo) -> None:
    assert "Keep playing" in demo.shows()
    presses = at_once(*[lambda: demo.press("/demo/play/")] * 2)
    assert [answer.status for answer in presses] == [302, 302]
    assert "messages" in presses[0].cookies | presses[1].cookies
    dana = demo.dana()
    assert demo.press(CLOSE, dana).status == 422
    demo.waits("waits for you: look at the desk.")
    assert demo.press("/demo/play/directing/", directs="yes").status == 302
    demo.waits(" won.")
    assert demo.rows("SELECT stage FROM tournament_event") == ["over"]
    assert (demo.rows(LINES), demo.rows(STATUSES)) == ([0], ["applied"])
    assert demo.press("/demo/play/").status == 302 and PLAYS not in demo.shows()


def test_a_player_that_was_killed_does_not_say_that_it_plays_and_goes_on_at_a_press(demo: Demo) -> None:
    demo.press("/demo/play/")
    eventually(lambda: demo.rows("SELECT count(*) FROM tournament_entry")[0] > 2, demo.shows)
    demo.server.kill_worker()
    demo.server.wait()
    assert "Keep playing" in demo.shows() and PLAYS not in demo.shows()
    written = demo.rows("SELECT count(*) FROM tournament_entry")
    demo.press("/demo/play/")
    demo.waits("waits for you: look at the desk.")
    demo.press("/demo/play/pause/")
    demo.press("/demo/play/pause/")
    assert "Keep playing" in demo.shows() and demo.press("/demo/play/directing/", directs="yes").status == 302
    assert demo.rows("SELECT count(*) FROM tournament_entry") > written
    assert (demo.rows(LINES), demo.rows(STATUSES)) == ([0], ["applied"])
    assert demo.rows("SELECT count(*) FROM tournament_device") == [5]
