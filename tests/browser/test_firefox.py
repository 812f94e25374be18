"""A table's evening in Debian's Firefox: bound by its card, seated, played, undone, without a network, called, signed.

Over https as `manage.py venue` gives it, where the page opens again without the site, and over plain http.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import TABLET
from tests.browser.firefox import Firefox
from tests.browser.storage import KNOWS_AHEAD
from tests.halls import Hall, Prepared
from tests.programs import FIREFOX, program
from tournament.network import lan_address

HTTP, HTTPS = "http", "https"
# All that the tablet writes goes as messages that arrive once.
SENT = ("seat", "seat", "dealer", "hand", "hand", "undo", "call", "uncall", "hand", "hand", "sign", "sign")
MODES = {HTTP: "Do not close or reload this page then.", HTTPS: "This page also opens without a connection."}


@pytest.fixture
def hall(prepared_hall: Prepared, tmp_path: Path) -> Iterator[Hall]:
    """A game in play at table 1, where nobody sits yet."""
    made = prepared_hall.copy(tmp_path / "data", UPTOWN_HOSTS=f"localhost,127.0.0.1,{lan_address()}")
    with contextlib.closing(sqlite3.connect(made.folder / "uptown.sqlite3", timeout=20)) as opened, opened:
        opened.execute("UPDATE tournament_side SET seated_at = NULL")
        opened.execute("UPDATE tournament_game SET begun_at = NULL")
    yield made
    made.kill()


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    made = Firefox(program("REQUIRE_BROWSER", *FIREFOX), tmp_path / "firefox")
    yield made
    made.kill()


def lose_connection(firefox: Firefox, hall: Hall, scheme: str) -> Callable[[], None]:
    """Cut the tablet off, with the site still running or without it; what brings the two together again."""
    if scheme == HTTP:
        firefox.offline(True)
        return lambda: firefox.offline(False)
    hall.kill()
    return hall.start


def record(firefox: Firefox, seat: int, bid: str, books: int) -> None:
    for choice in (f"seat-{seat}", f"bid-{bid}", f"books-{books}"):
        firefox.click(f"label:has(#{choice})")
    firefox.click("#record")


def ahead(firefox: Firefox) -> None:
    firefox.until(lambda: firefox.run_later(f"({KNOWS_AHEAD})(arguments[0])"))


def written(hall: Hall) -> list[tuple[Any, ...]]:
    """Every line that stands or stood on the sheet: its place, what wrote it, and what it says."""
    rows = hall.lists("SELECT position, revision, source, cause, facts FROM tournament_entry ORDER BY id")
    return [(*row, json.loads(facts)) for *row, facts in rows]


def made(seat: int, bid: str, books: int, dealer: int) -> dict[str, Any]:
    return {"entry": "hand", "seat": seat, "bid": bid, "books": books, "dealer": dealer}


@pytest.mark.parametrize("scheme", [HTTP, pytest.param(HTTPS, marks=pytest.mark.nightly)])
def test_a_game_from_the_card_to_the_lock(firefox: Firefox, hall: Hall, prepared_hall: Prepared, scheme: str) -> None:
    hall.start(*(["--http"] if scheme == HTTP else []))
    if scheme == HTTPS:
        firefox.trust((hall.folder / "certificates" / "root.pem").read_text(encoding="ascii"))
    site = f"{scheme}://{lan_address()}:{hall.port}"
    firefox.resize(*TABLET)

    firefox.goto(f"{site}/t/#{prepared_hall.code}")
    firefox.until(lambda: firefox.run("return location.href;") == f"{site}/t/")
    firefox.find(".asks-to-keep", "Firefox then asks whether this site may store data on this tablet. Press Allow")
    firefox.click("#pairing button", "Set up this tablet")
    # A tap before the scripts are there goes to the server as a plain form.
    firefox.find("#mode", MODES[scheme])
    ahead(firefox)
    firefox.click(".side-card button", "We are seated")
    firefox.find(".seated")
    firefox.click(".side-card button", "We are seated")
    firefox.click(".chair", "Bea 2")
    firefox.find(".due", "Hand 1 · Bea 2 deals")

    record(firefox, 0, "3", 9)
    firefox.find(".row-made")
    record(firefox, 1, "2-special", 8)
    firefox.click("summary", "Undo last hand")
    firefox.find(".drop-body", "hand 2 off the sheet: 2-Special made with 8, Ann 2")
    firefox.click("button", "Undo hand 2")
    firefox.find("s")

    firefox.click("summary", "Call the director")
    firefox.click(".drop-body button", "Exposed card")
    firefox.find(".chip", "Director called just now: Exposed card")
    firefox.click("summary", "Director is called")
    firefox.click("button", "We no longer need the director")
    firefox.find("summary", "Call the director")
    ahead(firefox)
    if scheme == HTTPS:
        firefox.until(lambda: firefox.run("return navigator.serviceWorker.controller?.state;") == "activated")

    connect = lose_connection(firefox, hall, scheme)
    record(firefox, 1, "2", 7)
    firefox.find("#sync", "On this tablet: 1")
    firefox.find("#unsent", "Score: Aces 3, Books −2.")
    firefox.find("#offline", "No connection")
    picture(firefox, f"firefox-offline-{scheme}")
    if scheme == HTTPS:
        firefox.reload()
        firefox.find("#sync", "On this tablet: 1")
    on_sheet = [
        (1, 0, "table", "", made(0, "3", 9, 3)),
        (2, 0, "table", "", made(1, "2-special", 8, 0)),
        (2, 1, "table", "", {"entry": "removed"}),
    ]
    assert written(hall) == on_sheet
    connect()
    firefox.find(".row-set")
    firefox.gone("#unsent")

    record(firefox, 0, "4", 11)
    firefox.find("h2", "Check the sheet and sign")
    firefox.click("button", "Bea 1 signs")
    firefox.find(".sign-done")
    firefox.click("button", "Ann 2 signs")
    firefox.find(".chip-final")
    picture(firefox, f"firefox-final-{scheme}")

    on_sheet += [(2, 2, "table", "", made(1, "2", 7, 0)), (3, 0, "table", "", made(0, "4", 11, 1))]
    assert written(hall) == on_sheet
    assert hall.lists("SELECT state, first_dealer FROM tournament_game") == [("final", 3)]
    assert hall.lists("SELECT side, name, how, revision FROM tournament_signature ORDER BY side") == [
        (0, "Bea 1", "", 0),
        (1, "Ann 2", "", 0),
    ]
    assert hall.lists("SELECT kind, answered_at IS NULL, answered_by_id FROM tournament_call") == [
        ("exposed", False, None)
    ]
    sent = hall.lists("SELECT kind, status, code FROM tournament_submission ORDER BY received_at, id")
    assert sent == [(kind, "applied", "") for kind in SENT]
    assert firefox.complaints(site) == []


def picture(firefox: Firefox, name: str) -> None:
    """Keep a picture where UPTOWN_PICTURES says, for people to look at."""
    if folder := os.environ.get("UPTOWN_PICTURES"):
        firefox.picture(Path(folder) / f"{name}.png")
