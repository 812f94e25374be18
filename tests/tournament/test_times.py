"""A time is written one way, by the clock of the event's hall: on screens and papers 8:07 p.m., in files ISO 8601."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event
from tests.pages import pdf_text
from tournament.models import Event, Ledger
from tournament.times import clock_time, day_time

AT = datetime(2026, 11, 22, 1, 7, 30, tzinfo=UTC)
ZONES = [
    ("America/New_York", "Nov 21, 8:07 p.m."),
    ("Europe/Berlin", "Nov 22, 2:07 a.m."),
    ("UTC", "Nov 22, 1:07 a.m."),
]


@pytest.mark.parametrize(("zone", "said"), ZONES)
def test_a_moment_is_said_by_the_clock_of_the_hall(zone: str, said: str) -> None:
    assert day_time(AT, zone) == said
    assert clock_time(AT, zone) == said.partition(", ")[2]


def test_noon_and_midnight_have_figures() -> None:
    hours = [datetime(2026, 11, 21, hour, 0, tzinfo=UTC) for hour in (0, 12)]
    assert [clock_time(at, "UTC") for at in hours] == ["12:00 a.m.", "12:00 p.m."]


def test_nothing_writes_a_time_of_its_own() -> None:
    own = re.compile(r"%H:%M|%I:%M|\|time:|date:\"[^\"]*[gGhHi]:|toLocaleTime|getHours")
    places = [*Path(settings.ROOT, "tournament").rglob("*.py"), *Path(settings.ROOT, "templates").rglob("*.html")]
    places += Path(settings.ROOT, "tournament", "static").rglob("js/*.js")
    assert [path.name for path in places if own.search(path.read_text(encoding="utf-8"))] == []


@pytest.fixture
def paid(dana: User) -> Event:
    """An event in Berlin with a receipt of 2:07 in the morning there, 8:07 in the evening in New York."""
    event = make_event(director=dana, time_zone="Europe/Berlin")
    Ledger.objects.create(event=event, number=1, kind="adjustment", purpose="cash", cents=500, made_at=AT, by="dana")
    return event


def test_screens_and_papers_say_it_as_a_clock_does(paid: Event, dana: User, client: Client) -> None:
    client.force_login(dana)
    assert "Nov 22, 2:07 a.m." in client.get(f"/desk/{paid.slug}/money/").content.decode()
    papers = f"/desk/{paid.slug}/papers"
    assert "Nov 22, 2:07 a.m." in pdf_text(client.get(f"{papers}/cash.pdf").content)
    assert "November 22, 2026, 2:07 a.m." in pdf_text(client.get(f"{papers}/receipts.pdf").content)


def test_files_keep_the_moment_with_its_offset_and_excel_a_date(paid: Event, dana: User, client: Client) -> None:
    client.force_login(dana)
    papers = f"/desk/{paid.slug}/papers"
    (row,) = csv.DictReader(io.StringIO(client.get(f"{papers}/receipts.csv").content.decode("utf-8-sig")))
    assert row["at"] == "2026-11-22T02:07:30+01:00"
    (line,) = json.loads(client.get(f"{papers}/receipts.json").content)
    assert datetime.fromisoformat(line["at"]) == AT
    page = openpyxl.load_workbook(io.BytesIO(client.get(f"{papers}/workbook.xlsx").content))["Receipts"]
    (cell,) = [one for row in page.iter_rows() for one in row if isinstance(one.value, datetime)]
    assert (cell.value, cell.number_format) == (datetime(2026, 11, 22, 2, 7, 30), "mmm d, h:mm AM/PM")
