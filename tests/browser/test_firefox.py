"""A table's evening in Debian's Firefox: bound by its card, seated, played, undone, without a network, called, signed.

Over https as `manage.py venue` gives it, where the page opens again without the site, and over plain http.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import KNOWS_AHEAD, TABLET
from tests.halls import LONGEST, Hall, Prepared
from tests.programs import FIREFOX, begin, end, program
from tournament.site.network import lan_address

HTTP, HTTPS = "http", "https"
# All that the tablet writes goes as messages that arrive once.
SENT = ("seat", "seat", "dealer", "hand", "hand", "undo", "call", "uncall", "hand", "hand", "sign", "sign")
MODES = {HTTP: "Do not close or reload this page then.", HTTPS: "This page also opens without a connection."}


@pytest.fixture
def hall(prepared_hall: Prepared, tmp_path: Path) -> Iterator[Hall]:
    """A game in play at table 1, where nobody sits yet."""
    hall = prepared_hall.copy(tmp_path / "data", UPTOWN_HOSTS=f"localhost,127.0.0.1,{lan_address()}")
    with contextlib.closing(sqlite3.connect(hall.folder / "uptown.sqlite3", timeout=20)) as opened, opened:
        opened.execute("UPDATE tournament_side SET seated_at = NULL")
        opened.execute("UPDATE tournament_game SET begun_at = NULL")
    yield hall
    hall.kill()


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    firefox = Firefox(program("REQUIRE_BROWSER", *FIREFOX), tmp_path / "firefox")
    yield firefox
    firefox.kill()


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
    """Every line that is or was on the sheet: its place, what wrote it, and what it says."""
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


# Debian's Firefox, driven by its own protocol (Marionette) and the standard library alone: no driver is downloaded.
# A message is its length, a colon, and JSON: `[0, number, command, parameters]`; the answer `[1, number, error,
# result]`.
# A profile of its own; port 0 is any free one, which Firefox writes into the profile.
PREFERENCES = {
    "marionette.port": 0,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
    # Safe browsing, blocklists and extensions would ask the internet while a hall has none.
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "extensions.blocklist.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "services.settings.server": "data:,",
}
# The first thing that is seen and bears the words, found in one step, because a page may be swapped in between.
FIND = """
  const [css, words] = arguments;
  const plain = (one) => one.textContent.replace(/\\s+/g, " ");
  const seen = [...document.querySelectorAll(css)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
  return seen.find((one) => plain(one).includes(words)) ?? null;
"""
# Nothing was clicked: what stood there went, moved, or is not in place yet.
AGAIN = (
    "element click intercepted",
    "element not interactable",
    "move target out of bounds",
    "no such element",
    "stale element reference",
)


class Fault(Exception):
    """What Firefox refused, by its name in the protocol."""


class Firefox:
    """A window of Firefox: `goto`, `find`, `click`, `run`; and the browser itself, from `chrome`."""

    def __init__(self, program: str, folder: Path) -> None:
        self.profile, self.output, self.number = folder / "profile", folder / "firefox-output", 0
        self.profile.mkdir(parents=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (self.profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
        environment = os.environ | {"HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
        self.process = begin([*command, "--profile", str(self.profile)], self.output, env=environment)
        port = self.profile / "MarionetteActivePort"
        self.until(lambda: port.exists() and port.read_text().strip(), self.said)
        self.line = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=2 * LONGEST)
        self.heard = self.line.makefile("rb")
        self.message()
        self.command("WebDriver:NewSession", capabilities={"alwaysMatch": {"unhandledPromptBehavior": "ignore"}})

    def said(self) -> str:
        """What the program printed until now."""
        return self.output.read_text(encoding="utf-8", errors="replace")

    def message(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            byte = self.heard.read(1)
            assert byte, self.said()
            length += byte
        return json.loads(self.heard.read(int(length[:-1])))

    def command(self, name: str, **parameters: Any) -> Any:
        self.number += 1
        body = json.dumps([0, self.number, name, parameters]).encode()
        self.line.sendall(b"%d:%s" % (len(body), body))
        _, number, fault, result = self.message()
        assert number == self.number
        if fault:
            raise Fault(f"{fault['error']}: {fault['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def goto(self, address: str) -> None:
        self.command("WebDriver:Navigate", url=address)

    def reload(self) -> None:
        """As by F5."""
        self.run("location.reload();")

    def resize(self, width: int, height: int) -> None:
        """Make the page this big; the window has its frame around it."""
        frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight];")
        self.command("WebDriver:SetWindowRect", width=width + frame[0], height=height + frame[1])

    def run(self, script: str, *given: Any) -> Any:
        """What a script of the page returns; of the browser, inside `chrome`."""
        return self.command("WebDriver:ExecuteScript", script=script, args=list(given))

    def run_later(self, script: str, *given: Any) -> Any:
        """The same for what comes later: the last argument is called with it."""
        return self.command("WebDriver:ExecuteAsyncScript", script=script, args=list(given))

    @contextlib.contextmanager
    def chrome(self) -> Iterator[None]:
        """Scripts run in the browser instead of the page."""
        self.command("Marionette:SetContext", value="chrome")
        try:
            yield
        finally:
            self.command("Marionette:SetContext", value="content")

    def until(self, holds: Callable[[], Any], words: Callable[[], object] | None = None) -> Any:
        """Wait until something holds, and return it; a page that is just being left does not answer."""
        latest, fault = time.monotonic() + LONGEST, ""
        while True:
            assert self.process.poll() is None, self.said()
            try:
                if element := holds():
                    return element
            except Fault as one:
                fault = str(one)
                if not fault.startswith((*AGAIN, "javascript error", "no such window", "detached", "unknown error")):
                    raise
            assert time.monotonic() < latest, (words or self.text)() or fault
            time.sleep(0.05)

    def text(self) -> str:
        return str(self.run("return document.body.innerText;"))

    def find(self, css: str, words: str = "") -> Any:
        """The first such thing that is seen and bears the words, as soon as it is there."""
        return self.until(lambda: self.run(FIND, css, words), lambda: f"no {css} “{words}” in: {self.text()}")

    def gone(self, css: str, words: str = "") -> None:
        self.until(lambda: self.run(FIND, css, words) is None)

    def click(self, css: str, words: str = "") -> None:
        """A real click in its middle, once it is there and uncovered."""

        def clicked() -> bool:
            self.command("WebDriver:ElementClick", id=next(iter(self.find(css, words).values())))
            return True

        self.until(clicked, lambda: f"{css} “{words}” cannot be clicked in: {self.text()}")

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.command("WebDriver:TakeScreenshot", full=False)))

    def offline(self, is_offline: bool) -> None:
        """As by “Work Offline” in the menu."""
        with self.chrome():
            self.run("Services.io.offline = arguments[0];", is_offline)

    def trust(self, certificate: str) -> None:
        """Install an authority, as people do under Privacy & Security; `certificate` is PEM."""
        body = "".join(line for line in certificate.splitlines() if "-----" not in line)
        with self.chrome():
            self.run(
                'Cc["@mozilla.org/security/x509certdb;1"].getService(Ci.nsIX509CertDB)'
                '.addCertFromBase64(arguments[0], "C,,");',
                body,
            )

    def complaints(self, address: str) -> list[str]:
        """The errors that pages of this address wrote to the console, those of its policy, too."""
        with self.chrome():
            return list(
                self.run(
                    """return Services.console.getMessageArray()
                      .filter((one) => one instanceof Ci.nsIScriptError && !(one.flags & Ci.nsIScriptError.warningFlag))
                      .filter((one) => one.sourceName.startsWith(arguments[0]))
                      .map((one) => `${one.category}: ${one.errorMessage}`);""",
                    address,
                )
            )

    def kill(self) -> None:
        if hasattr(self, "line"):
            self.line.close()
        end(self.process)
        shutil.rmtree(self.profile, ignore_errors=True)
