"""`manage.py venue` as a hall runs it, with a tablet in Chromium: over https with the hall's own certificates and over
plain http; the network goes, the server is killed, an older backup comes back. Every hand stays, once, in order."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.browser.conftest import TABLET, look
from tests.browser.test_offline import DONE, ahead, finish, hand, said
from tests.halls import Hall, Prepared, eventually
from tournament.network import lan_address

HTTP, HTTPS = "http", "https"
BOTH = pytest.mark.parametrize("scheme", [HTTP, HTTPS])
OPENS = "This page also opens without a connection."
STAYS_OPEN = "Do not close or reload this page then."


@pytest.fixture
def hall(launch: Callable[..., Any], prepared_hall: Prepared, tmp_path: Path) -> Iterator[Hall]:
    made = prepared_hall.copy(
        tmp_path / "data",
        UPTOWN_HOSTS=f"localhost,127.0.0.1,hall.test,{lan_address()}",
        DJANGO_SETTINGS_MODULE="tournament.settings",
    )
    yield made
    made.kill()


@pytest.fixture
def open_tablet(hall: Hall, launch: Callable[..., Any], prepared_hall: Prepared) -> Iterator[Callable[[str], Any]]:
    """Starts the hall and binds a tablet with the code of its card, as people do: `open_tablet(HTTPS)`."""
    opened = []

    def open_page(scheme: str) -> Any:
        hall.start(*(["--http"] if scheme == HTTP else []))
        named = "--host-resolver-rules=MAP hall.test 127.0.0.1"
        flags, options = trusting(hall.folder) if scheme == HTTPS else ((named,), {})
        chromium = launch(*flags, **options)
        opened.append(chromium)
        host = "hall.test" if scheme == HTTP else lan_address()
        context = chromium.new_context(
            viewport={"width": TABLET[0], "height": TABLET[1]}, base_url=f"{scheme}://{host}:{hall.port}"
        )
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.clock.install()
        page.violations = []
        page.on("console", lambda said: page.violations.append(said.text) if "Content Security" in said.text else None)
        opened.append(page)
        page.goto(f"/t/#{prepared_hall.code}")
        page.get_by_role("button", name="Set up this tablet").click()
        page.locator("#mode:not([hidden])").wait_for()
        ahead(page)
        return page

    yield open_page
    for one in opened:
        assert getattr(one, "violations", []) == []
    for chromium in opened[::2]:
        chromium.close()


def trusting(folder: Path) -> tuple[tuple[str, ...], dict[str, Any]]:
    """How Chromium comes to trust this hall: its root in the store of a home of its own, as on a tablet; without the
    program that writes there, the one key that the site has."""
    certificates = folder / "certificates"
    certutil = shutil.which("certutil")
    if certutil is None:
        site = x509.load_pem_x509_certificate((certificates / "site.pem").read_bytes())
        key = site.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        known = base64.b64encode(hashlib.sha256(key).digest()).decode()
        return (f"--ignore-certificate-errors-spki-list={known}",), {}
    store = folder / "home" / ".pki" / "nssdb"
    store.mkdir(parents=True)
    place = ["-d", f"sql:{store}"]
    subprocess.run([certutil, "-N", *place, "--empty-password"], check=True)
    root = ["-n", "uptown", "-t", "C,,", "-i", str(certificates / "root.pem")]
    subprocess.run([certutil, "-A", *place, *root], check=True)
    return (), {"env": os.environ | {"HOME": str(folder / "home")}}


def first_hand(page: Any) -> None:
    """The first hand, received; the page is ready for what comes."""
    hand(page, 0, "3", 9)
    page.locator(".row-made").wait_for()
    ahead(page)


def next_sign_of_life(page: Any) -> None:
    """A tablet that has nothing to send says every 15 seconds that it is there; they pass at once."""
    page.clock.fast_forward(16_000)


@pytest.mark.nightly
@BOTH
def test_a_game_is_finished_without_a_network_and_arrives_once(
    hall: Hall, open_tablet: Callable[[str], Any], scheme: str
) -> None:
    page = open_tablet(scheme)
    assert (OPENS if scheme == HTTPS else STAYS_OPEN) in page.inner_text("#mode")
    first_hand(page)
    if scheme == HTTPS:
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    finish(page)
    look(page, f"venue-signed-{scheme}")
    for _ in range(2 if scheme == HTTPS else 0):
        page.reload()
        page.get_by_text("Both sides have signed on this tablet").wait_for()
        assert "received" not in said(page) and "■ final" not in said(page)
    assert hall.stored() == ([9], "playing", 0, {"applied"})
    hall.start()
    page.context.set_offline(False)
    page.locator(".chip-final").wait_for()
    assert hall.stored() == DONE
    assert page.locator("#unsent").is_hidden()


@BOTH
def test_the_server_is_killed_in_mid_game_and_comes_back(
    hall: Hall, open_tablet: Callable[[str], Any], scheme: str
) -> None:
    page = open_tablet(scheme)
    first_hand(page)
    port = hall.port
    hall.kill()
    finish(page)
    hall.start()
    assert hall.port == port
    page.locator(".chip-final").wait_for()
    assert hall.stored() == DONE


@pytest.mark.nightly
@BOTH
def test_after_an_older_backup_came_back_the_tablet_offers_everything_again(
    hall: Hall, open_tablet: Callable[[str], Any], scheme: str
) -> None:
    page = open_tablet(scheme)
    first_hand(page)
    backup = hall.manage("backup")
    hand(page, 0, "4", 11)
    page.get_by_role("button", name="Bea 1 signs").click()
    page.locator(".sign-done").first.wait_for()
    page.get_by_role("button", name="Ann 2 signs").click()
    page.locator(".chip-final").wait_for()
    assert hall.stored() == DONE
    uids = set(hall.rows("SELECT uid FROM tournament_submission"))
    page.context.set_offline(True)
    hall.kill()
    hall.manage("restore", backup)
    assert hall.stored() == ([9], "playing", 0, {"applied"})
    hall.start()
    page.context.set_offline(False)
    next_sign_of_life(page)
    eventually(lambda: hall.stored() == DONE, hall.stored)
    assert set(hall.rows("SELECT uid FROM tournament_submission")) == uids


@pytest.mark.nightly
def test_a_spare_laptop_with_the_backup_gets_all_that_the_tablet_holds(
    hall: Hall, open_tablet: Callable[[str], Any], tmp_path: Path
) -> None:
    """A hand that the dead laptop had acknowledged after its backup, and two signatures that it never saw."""
    page = open_tablet(HTTP)
    first_hand(page)
    backup = hall.manage("backup")
    hand(page, 0, "4", 11)
    page.get_by_role("heading", name="Check the sheet and sign").wait_for()
    hall.kill()
    page.get_by_role("button", name="Bea 1 signs").click()
    page.locator(".sign-done").first.wait_for()
    page.get_by_role("button", name="Ann 2 signs").click()
    page.get_by_text("Both sides have signed on this tablet").wait_for()
    spare = Hall(tmp_path / "spare", UPTOWN_HOSTS=hall.environment["UPTOWN_HOSTS"])
    try:
        spare.manage("restore", backup)
        spare.start("--http", port=hall.port)
        page.locator(".chip-final").wait_for()
        assert spare.stored() == DONE
    finally:
        spare.kill()
