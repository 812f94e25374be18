"""A time is written one way, by the clock of the event's hall: on screens and papers 8:07 p.m., in files ISO 8601."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any
from unicodedata import bidirectional
from unittest.mock import patch
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from tests.factories import MADE_FIVE, code_of, make_event, make_game, play
from tests.sure import sure
from tests.tournament.reports.evenings import pdf_text
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Journal, Ledger, Round
from tournament.queries.clocks import round_clock
from tournament.queries.sheet import sheet_now
from tournament.reports.pdf.lettering import LAST, register_fonts
from tournament.services.entries import record_entry, undo_entry
from tournament.services.rounds import begin_from_paper, close_round, pause_round, resume_round
from tournament.services.signatures import sign_sheet, take_signature_back
from tournament.words.characters import RIGHT_TO_LEFT, is_printable, unprintable
from tournament.words.phrases import clock_time, day_time
from tournament.words.texts import Refused, clean_name

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
    # What a browser's own time field is given is no time that anybody reads.
    shown = re.compile(r"%H:%M|%I:%M|\|time:|date:\"[^\"]*[gGhHi]:|toLocaleTime|getHours")
    field = 'attrs={"type": "time"}, format="%H:%M"'
    places = [*Path(settings.ROOT, "tournament").rglob("*.py"), *Path(settings.ROOT, "templates").rglob("*.html")]
    places += Path(settings.ROOT, "tournament", "static").rglob("js/*.js")
    texts = {path.name: path.read_text(encoding="utf-8").replace(field, "") for path in places}
    assert [name for name, text in texts.items() if shown.search(text)] == []


@pytest.fixture
def paid(dana: User) -> Event:
    """An event in Berlin with a receipt of 2:07 in the morning there, 8:07 in the evening in New York."""
    event = make_event(director=dana, time_zone="Europe/Berlin")
    Ledger.objects.create(event=event, number=1, kind="adjustment", purpose="cash", cents=500, made_at=AT, by="dana")
    return event


def test_screens_and_papers_say_it_as_a_clock_does(paid: Event, desk: Client) -> None:
    assert "Nov 22, 2:07 a.m." in desk.get(f"/desk/{paid.slug}/money/").content.decode()
    papers = f"/desk/{paid.slug}/papers"
    assert "Nov 22, 2:07 a.m." in pdf_text(desk.get(f"{papers}/cash.pdf").content)
    assert "November 22, 2026, 2:07 a.m." in pdf_text(desk.get(f"{papers}/receipts.pdf").content)


def test_files_keep_the_moment_with_its_offset_and_excel_a_date(paid: Event, desk: Client) -> None:
    papers = f"/desk/{paid.slug}/papers"
    (row,) = csv.DictReader(io.StringIO(desk.get(f"{papers}/receipts.csv").content.decode("utf-8-sig")))
    assert row["at"] == "2026-11-22T02:07:30+01:00"
    (line,) = json.loads(desk.get(f"{papers}/receipts.json").content)
    assert datetime.fromisoformat(line["at"]) == AT
    page = openpyxl.load_workbook(io.BytesIO(desk.get(f"{papers}/workbook.xlsx").content))["Receipts"]
    (cell,) = [one for row in page.iter_rows() for one in row if isinstance(one.value, datetime)]
    assert (cell.value, cell.number_format) == (datetime(2026, 11, 22, 2, 7, 30), "mmm d, h:mm AM/PM")


# Every sign that a name may have can be printed; every other is refused and named.
def test_signs_are_those_of_the_bundled_font() -> None:
    register_fonts()
    font = pdfmetrics.getFont(LAST)
    assert isinstance(font, TTFont)
    known = {code for code in font.face.charToGlyph if code >= 32}
    wanted = {code for code in known if bidirectional(chr(code)) not in RIGHT_TO_LEFT} | {0x200C, 0x200D}
    assert {code for code in range(32, 0x20000) if is_printable(chr(code))} == wanted


@pytest.mark.parametrize(
    "name",
    [
        "Aces",
        "Łódź Ñandú",
        "Команда",
        "Ομάδα",
        "A/B",
        "<b>bold</b>",
        "=1+1",
        "x\u0302 hat",
        "♠ Kings",
        "½ Đặng",
        "Aces 🂡",
    ],
)
def test_names_that_can_be_printed_are_taken(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "signs"),
    [
        ("牌 team", "“牌” (U+724C)"),
        ("فريق", "“ف” (U+0641), “ر” (U+0631), “ي” (U+064A), “ق” (U+0642)"),
        ("Aces 🏆", "“🏆” (U+1F3C6)"),
        ("קבוצה", "“ק” (U+05E7), “ב” (U+05D1), “ו” (U+05D5), “צ” (U+05E6), “ה” (U+05D4)"),
        ("👩‍🚀", "“👩” (U+1F469), “🚀” (U+1F680)"),
    ],
)
def test_names_that_cannot_be_printed_are_refused_with_the_sign(name: str, signs: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(name)
    assert str(refused.value) == (
        f"This cannot be printed: {signs}. Please write the name in letters that paper can show."
    )


def test_unprintable_names_each_sign_once() -> None:
    assert unprintable("牌牌a") == "牌"


@pytest.mark.parametrize("address", ["/desk/open/teams/", "/desk/open/rounds/1/clock/", "/sign-in/"])
def test_a_form_with_a_sign_that_no_database_keeps_is_refused_with_its_field(
    client: Client, dana: User, address: str
) -> None:
    make_event("Open", dana)
    if address.startswith("/desk/"):
        client.force_login(dana)
    for name in ("reason", "again_name", "name"):
        answer = client.post(address, {name: "a\0b", "again_password": "x"})
        assert answer.status_code == 422
        assert f"“{name}” holds a character that cannot be stored." in answer.content.decode()
    assert list(Event.objects.get().journal.exclude(action="create")) == []


def test_the_log_is_searched_without_that_sign(dana: User, desk: Client) -> None:
    make_event("Open", dana)
    assert desk.get("/desk/open/log/", {"q": "a\0", "act": "draw\0"}).status_code == 200


# The laptop's clock jumps: 36 hours over the end of daylight time, and set back by two hours in mid-game.
COLUMBUS = ZoneInfo("America/New_York")
# Clocks go back from 2:00 to 1:00 on this night.
BEGINS = datetime(2026, 10, 31, 20, 0, tzinfo=COLUMBUS).astimezone(UTC)
TWO = {"entry": "hand", "seat": 0, "bid": "2", "books": 8}
VOID = {"entry": "void", "rule": "18"}


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """What Django and the site take for now: the defaults of rows hold its function itself, so its clock is set."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return moment.astimezone(tz)

    with patch("django.utils.timezone.datetime", Clock), patch("time.time", return_value=moment.timestamp()):
        yield


@pytest.fixture
def night(dana: User) -> tuple[Event, Game]:
    with at(BEGINS):
        game = make_game(dana, name="All Night", time_zone="America/New_York", options={"round_minutes": 600})
        begin_from_paper(Actor(dana), game, 0)
    return game.round.event, game


def test_a_round_over_the_end_of_daylight_time_lasts_as_long_as_it_lasts(night: tuple[Event, Game], dana: User) -> None:
    _, game = night
    for hour in range(36):
        with at(BEGINS + timedelta(hours=hour)):
            record_entry(Actor(dana), game, VOID, source="desk")
        assert sure(round_clock(Round.objects.get(), 600, BEGINS + timedelta(hours=hour))).left == (10 - hour) * 3600
    stored = list(Entry.objects.order_by("position").values_list("entered_at", flat=True))
    assert stored == [BEGINS + timedelta(hours=hour) for hour in range(36)]
    # One o'clock came twice; on the log both are where they belong.
    log = Journal.objects.filter(action="record").order_by("pk")
    assert [row.at.astimezone(COLUMBUS).hour for row in log][4:8] == [0, 1, 1, 2]
    assert [row.facts["line"] for row in log] == list(range(1, 37))


def test_a_clock_that_is_set_back_keeps_order_signatures_and_timers(night: tuple[Event, Game], dana: User) -> None:
    event, game = night
    desk, table, now = Actor(dana), Actor(), BEGINS + timedelta(hours=3)
    with at(now):
        record_entry(desk, game, TWO)
        pause_round(desk, event, 1, "fire alarm")
    with at(now - timedelta(hours=2)):
        resume_round(desk, event, 1)
        assert Round.objects.get().paused_seconds == 0
        record_entry(desk, game, VOID)
        undo_entry(desk, game, position=2)
        play(dana, game, MADE_FIVE, sign=False)
        code = code_of(game)
    with at(now):
        sign_sheet(table, game, side=0, name="Ann 1", code=code)
    with at(now - timedelta(hours=2)):
        # The last one counts, whatever the clock says.
        take_signature_back(table, game, 0)
        assert signed(game) == []
        sign_sheet(table, game, side=0, name="Bea 1", code=code)
        sign_sheet(table, game, side=1, name="Ann 2", code=code)
        assert signed(game) == [(0, "Bea 1"), (1, "Ann 2")]
        close_round(desk, event, 1)
    assert [row.position for row in sheet_now(game).rows] == [1, 2]
    done = list(Journal.objects.exclude(action__in=["seat", "pay"]).order_by("pk").values_list("action", flat=True))
    assert done == ["record", "pause", "resume", "record", "undo", "record", *["sign"] * 4, "close"]


def signed(game: Game) -> list[tuple[int, str]]:
    sheet = sheet_now(game)
    return sorted((one.side, one.name) for one in sheet.signatures)


def test_an_hour_that_comes_twice_names_its_clock() -> None:
    night = datetime(2026, 11, 1, 5, 57, tzinfo=UTC)
    zone = "America/New_York"
    hours = (night, night + timedelta(hours=1), night + timedelta(hours=2))
    assert [clock_time(moment, zone) for moment in hours] == ["1:57 a.m. EDT", "1:57 a.m. EST", "2:57 a.m."]
