"""The page where a tablet learns to trust the hall, and the way to it on the desk's page of tablets."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.factories import make_round, make_teams
from tournament.models import Event
from tournament.serving.certificates import hall_certificates

PAGE, SITE = "http://192.168.1.20:8001/trust/", "https://192.168.1.20:8000/"
AGENTS = {
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15": ["iPad, iPhone"],
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)": ["iPad, iPhone"],
    "Mozilla/5.0 (Linux; Android 14; Pixel Tablet) Chrome/140.0": ["Android"],
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0": ["Windows"],
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": ["Firefox"],
    "Mozilla/5.0 (Android 14; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0": ["Firefox"],
    "": [],
}


@pytest.fixture
def root(settings: Any, tmp_path: Path) -> bytes:
    """A hall with certificates of its own; its root as tablets install it."""
    settings.DATA, settings.HALL_SITE, settings.HALL_TRUST = tmp_path, SITE, PAGE
    hall_certificates(tmp_path / "certificates", ["192.168.1.20"], "Uptown at laptop", timezone.now())
    return ssl.PEM_cert_to_DER_cert((tmp_path / "certificates" / "root.pem").read_text())


@pytest.mark.parametrize("agent", AGENTS)
def test_the_steps_for_the_device_that_asks_are_open(root: bytes, client: Client, agent: str) -> None:
    text = client.get("/trust/", headers={"user-agent": agent}).content.decode()
    opened = [part.split("<summary>")[1].split("<")[0] for part in text.split("<details open>")[1:]]
    assert opened == AGENTS[agent]


def test_the_page_gives_the_certificate_and_leads_on_to_the_site(root: bytes, client: Client) -> None:
    text = client.get("/trust/").content.decode()
    assert f'href="{SITE}"' in text and 'href="/trust/uptown.crt"' in text and "Uptown at laptop" in text
    given = client.get("/trust/uptown.crt")
    assert (given["Content-Type"], given.content) == ("application/x-x509-ca-cert", root)


def test_a_site_without_a_certificate_of_its_own_has_no_such_page(client: Client) -> None:
    assert [client.get(path).status_code for path in ("/trust/", "/trust/uptown.crt")] == [404, 404]


def test_the_desk_shows_the_way_there_beside_the_cards(root: bytes, client: Client, event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    client.force_login(dana)
    assert f'href="{PAGE}"' in client.get(f"/desk/{event.slug}/tablets/").content.decode()


def test_without_a_certificate_the_desk_says_nothing_of_it(client: Client, event: Event, dana: User) -> None:
    client.force_login(dana)
    assert "trust" not in client.get(f"/desk/{event.slug}/tablets/").content.decode()
