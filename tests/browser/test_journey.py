"""A club's evening in Chromium, from nothing to the standings; the director's clicks and the table's taps counted."""

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
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, TABLET, Counted, look
from tests.browser.test_offline import DONE, ahead, finish, hand, said
from tests.factories import PASSWORD
from tests.halls import Hall, Prepared, eventually
from tournament.models import Event, Game, Side, Team
from tournament.site.network import lan_address

ROSTER = (Path(__file__).parents[2] / "fixtures" / "demo" / "roster.csv").read_text(encoding="utf-8")
# Hands of the tournament sheet: who won the bid (seat), the bid, the books. The third brings seat 0's side to 6.
HANDS = ((0, "3", 9), (1, "2-special", 8), (2, "3-special", 9))


def set_up(page: Any, roster: str) -> Counted:
    """Sign in, a new event, the list pasted, drawn, round 1 started: as somebody does who sees the site first."""
    owner = Counted(page)
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("otis")
    page.get_by_label("Password").fill(PASSWORD)
    owner.tap(page.get_by_role("button", name="Sign in", exact=True))
    page.get_by_text("No events yet.").wait_for()
    owner.tap(page.get_by_role("link", name="Set up the first one", exact=True))
    page.get_by_role("textbox", name="Name", exact=True).fill("Autumn Open")
    owner.tap(page.get_by_text("Money", exact=True))
    page.get_by_label("Boston pot, each").fill("10")
    page.get_by_label("Who plays?").fill(roster)
    page.get_by_text(f"{len(roster.splitlines()) - 1} teams, ").wait_for()
    look(page, "journey-new-event")
    owner.tap(page.get_by_role("button", name="Set up and draw 6 games", exact=True))
    page.get_by_text("Autumn Open is set up.").wait_for()
    owner.tap(page.get_by_role("button", name="Start game 1", exact=True))
    page.get_by_text("Game 1 is in play.").wait_for()
    return owner


def test_24_teams_from_nothing_to_round_1_in_at_most_25_clicks(new_page: Any, otis: User) -> None:
    page = new_page(LAPTOP, timezone_id="America/Chicago")
    owner = set_up(page, ROSTER)
    event = Event.objects.get()
    # By the same way of counting it were ten while teams, draw and start had pages of their own.
    assert owner.taps == 5
    assert (event.name, event.stage, event.pot_cents) == ("Autumn Open", "playing", 1000)
    assert event.time_zone == "America/Chicago"
    assert list(Team.objects.filter(paid=True).values_list("number", flat=True)) == list(range(1, 25))
    assert Game.objects.filter(round__number=1, state="playing").count() == 12
    assert Side.objects.filter(round__number=1).values("team").distinct().count() == 24


def test_an_evening_from_the_sign_in_to_the_standings(new_page: Any, otis: User) -> None:
    desk = new_page(LAPTOP)
    set_up(desk, "\n".join(ROSTER.splitlines()[:3]))

    desk.get_by_role("link", name="Tablets", exact=True).click()
    desk.get_by_role("button", name="Issue card for table 1").click()
    code = desk.locator(".table-code").inner_text()

    tablet = new_page(TABLET)
    tablet.goto("/t/")
    tablet.get_by_label("Code").fill(code.lower())
    tablet.get_by_role("button", name="Set up this tablet").click()
    tablet.get_by_role("button", name="We are seated").first.click()
    tablet.locator(".seated").wait_for()
    tablet.get_by_role("button", name="We are seated").click()
    tablet.locator("button[name=dealer][value='0']").click()
    tablet.locator("#entry").wait_for()
    players = Counted(tablet)
    for number, played in enumerate(HANDS, start=1):
        players.record(*played)
        assert players.taps <= 4 * number
    tablet.get_by_role("heading", name="Check the sheet and sign").wait_for()
    for side in (0, 1):
        tablet.locator(f".sign-side.side-{side}").get_by_role("button").first.click()
        tablet.locator(f".sign-side.side-{side} .sign-done .chip").wait_for()
    tablet.get_by_role("heading", name="Final").wait_for()

    winner, loser = (side.team.name for side in Side.objects.filter(round__number=1).order_by("index"))
    desk.get_by_role("link", name="Game", exact=True).click()
    desk.locator("#next-act").get_by_role("button", name="Close game 1").click()
    desk.get_by_text("Game 1 is closed.").wait_for()
    desk.get_by_role("link", name="Standings", exact=True).click()
    desk.wait_for_url("**/standings/")
    assert lines(desk)[:2] == [("1", winner, "1", "6"), ("2", loser, "0", "2")]

    phone = new_page(PHONE)
    phone.goto("/")
    phone.get_by_role("link", name="Autumn Open").click()
    assert lines(phone)[:2] == [("1", winner, "1 of 1", "6"), ("2", loser, "0 of 1", "2")]
    phone.get_by_role("link", name=winner).first.click()
    phone.get_by_role("heading", name=winner).wait_for()


def lines(page: Any) -> list[tuple[str, ...]]:
    """Place, team, games won and points of every line of the standings on a page."""
    page.locator("table.standings tbody tr").first.wait_for()
    rows = page.locator("table.standings tbody tr").all()
    return [
        tuple(row.locator(f"td{cell}").inner_text().strip() for cell in (".place", ".name a", ".won", ".points"))
        for row in rows
    ]


# `manage.py venue` as a hall runs it, with a tablet in Chromium: over https with the hall's own certificates and over
# plain http; the network goes, the server is killed, an older backup comes back. Every hand stays, once, in order.
HTTP, HTTPS = "http", "https"
BOTH = pytest.mark.parametrize("scheme", [HTTP, HTTPS])
OPENS = "This page also opens without a connection."
STAYS_OPEN = "Do not close or reload this page then."


@pytest.fixture
def hall(launch: Callable[..., Any], prepared_hall: Prepared, tmp_path: Path) -> Iterator[Hall]:
    hall = prepared_hall.copy(
        tmp_path / "data",
        UPTOWN_HOSTS=f"localhost,127.0.0.1,hall.test,{lan_address()}",
        DJANGO_SETTINGS_MODULE="tournament.settings",
    )
    yield hall
    hall.kill()


@pytest.fixture
def open_tablet(hall: Hall, launch: Callable[..., Any], prepared_hall: Prepared) -> Iterator[Callable[[str], Any]]:
    """Starts the hall and binds a tablet with the code of its card, as people do: `open_tablet(HTTPS)`."""
    opened = []

    def open_page(scheme: str) -> Any:
        hall.start(*(["--http"] if scheme == HTTP else []))
        flags, options = trusting(hall.folder) if scheme == HTTPS else ((), {})
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
        page.on(
            "console",
            lambda message: page.violations.append(message.text) if "Content Security" in message.text else None,
        )
        opened.append(page)
        page.goto(f"/t/#{prepared_hall.code}")
        page.get_by_role("button", name="Set up this tablet").click()
        page.locator("body[data-mode]").wait_for()
        ahead(page)
        return page

    yield open_page
    for thing in opened:
        assert getattr(thing, "violations", []) == []
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
        pin = base64.b64encode(hashlib.sha256(key).digest()).decode()
        return (f"--ignore-certificate-errors-spki-list={pin}",), {}
    store = folder / "home" / ".pki" / "nssdb"
    store.mkdir(parents=True)
    database = ["-d", f"sql:{store}"]
    subprocess.run([certutil, "-N", *database, "--empty-password"], check=True)
    root = ["-n", "uptown", "-t", "C,,", "-i", str(certificates / "root.pem")]
    subprocess.run([certutil, "-A", *database, *root], check=True)
    return (), {"env": os.environ | {"HOME": str(folder / "home")}}


def first_hand(page: Any) -> None:
    """The first hand, received; the page is ready for what comes."""
    hand(page, 0, "3", 9)
    page.locator(".row-made").wait_for()
    ahead(page)


def next_sign_of_life(page: Any) -> None:
    """A tablet that has nothing to send says every 15 seconds that it is there; they pass at once."""
    page.clock.fast_forward(16_000)


@BOTH
def test_a_game_is_finished_while_the_site_is_gone_and_arrives_once(
    hall: Hall, open_tablet: Callable[[str], Any], scheme: str
) -> None:
    page = open_tablet(scheme)
    assert (OPENS if scheme == HTTPS else STAYS_OPEN) in page.inner_text("#mode")
    first_hand(page)
    if scheme == HTTPS:
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    port = hall.port
    hall.kill()
    finish(page)
    for _ in range(2 if scheme == HTTPS else 0):
        page.reload()
        page.get_by_text("Both sides have signed on this tablet").wait_for()
        assert "received" not in said(page) and "■ final" not in said(page)
    assert hall.stored() == ([9], "playing", 0, {"applied"})
    hall.start()
    assert hall.port == port
    page.locator(".chip-final").wait_for()
    assert hall.stored() == DONE
    assert page.locator("#unsent").is_hidden()


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
