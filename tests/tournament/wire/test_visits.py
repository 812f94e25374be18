"""What a visit weighs, without a browser: pages are compressed, and their files are asked for once in a year."""

from __future__ import annotations

import gzip
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.benchmarks.hall import evening_file
from tests.factories import make_event
from tournament.access import Actor
from tournament.archive.store import import_event

pytestmark = pytest.mark.django_db
PACKED = {"Accept-Encoding": "gzip, deflate"}


def test_a_first_visit_to_standings_of_24_teams_is_small(client: Client, dana: User) -> None:
    event = import_event(Actor(dana), evening_file(24))
    page = client.get(f"/e/{event.slug}/", headers=PACKED)
    assert page["Content-Encoding"] == "gzip" and len(page.content) <= 5_000
    html = gzip.decompress(page.content).decode()
    assert html.count('id="team-') == 24
    files = sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html)))
    assert len(files) <= 7
    weight = len(page.content)
    for file in files:
        answer = client.get(file, headers=PACKED)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "max-age=31536000, public, immutable")
        weight += len(answer.getvalue())
    assert weight <= 110_000


def test_files_are_found_under_their_hashed_names_alone(client: Client) -> None:
    assert client.get("/static/tournament/css/uptown.css").status_code == 404


def test_papers_are_not_compressed_once_more(client: Client, dana: User) -> None:
    event = make_event("Open", dana)
    client.force_login(dana)
    names = re.findall(r'href="(/desk/open/[^"]+\.(?:pdf|xlsx))', client.get("/desk/open/papers/").content.decode())
    answer = client.get(names[0], headers=PACKED)
    assert (event.slug, answer.status_code, answer.get("Content-Encoding")) == ("open", 200, None)
    assert client.get("/desk/open/", headers=PACKED)["Content-Encoding"] == "gzip"


def test_a_browser_that_does_not_unpack_gets_plain_text(client: Client) -> None:
    page = client.get("/practice/")
    assert "Content-Encoding" not in page and "Accept-Encoding" in page["Vary"] and b"<!doctype html>" in page.content
