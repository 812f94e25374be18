"""The laptop's clock jumps: 36 hours over the end of daylight time, and set back by two hours in mid-game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import MADE_FIVE, code_of, make_event, make_round, make_teams, play
from tests.sure import sure
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Journal, Round
from tournament.queries.clocks import round_clock
from tournament.queries.sheet import sheet_now
from tournament.services.entries import record_entry, undo_entry
from tournament.services.rounds import begin_from_paper, close_round, pause_round, resume_round
from tournament.services.signatures import sign_sheet, take_signature_back

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
        event = make_event("All Night", dana, time_zone="America/New_York", options={"round_minutes": 600})
        game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
        begin_from_paper(Actor(dana), game, 0)
    return event, game


def test_a_round_over_the_end_of_daylight_time_lasts_as_long_as_it_lasts(night: tuple[Event, Game], dana: User) -> None:
    _, game = night
    for hour in range(36):
        with at(BEGINS + timedelta(hours=hour)):
            record_entry(Actor(dana), game, VOID, source="desk")
        clock = sure(round_clock(Round.objects.get(), 600, BEGINS + timedelta(hours=hour)))
        assert clock.left == (10 - hour) * 3600
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
        # The one that stands is the last one, whatever the clock says.
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


def test_a_sign_in_survives_a_clock_that_is_set_back_and_no_longer_than_it_should(dana: User) -> None:
    client = Client()
    with at(BEGINS):
        client.force_login(dana)
        assert client.get("/sign-ins/").status_code == 200
    with at(BEGINS - timedelta(hours=2)):
        assert client.get("/sign-ins/").status_code == 200
    with at(BEGINS + timedelta(hours=36)):
        assert client.get("/sign-ins/").status_code != 200
