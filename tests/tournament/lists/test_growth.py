"""A page of a list takes no more than its rows do: twice the teams, twice the work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

import tournament
from tests.evenings import evening_text, write_evening
from tournament.models import Event

SITE = Path(tournament.__file__).parents[1]
OURS = (str(SITE / "scoring"), str(SITE / "tournament"))
# The pages of an event whose rows are teams, or games of teams.
PAGES = ("", "teams/", "teams/1/", "schedule/", "search/?team=team", "cross-table/", "board/")
SIZES = (40, 80, 160)
# Where rows are compared with each other the work is four times as much. Sorting, and a row that is no team, are not.
MOST = 2.2

pytestmark = pytest.mark.django_db(transaction=True)


def steps(work: Callable[[], object]) -> int:
    """How many lines of the program are run, those of a loop each time."""
    count = 0

    def step(frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return step

    def enter(frame: FrameType, event: str, _arg: Any) -> Any:
        return step if frame.f_code.co_filename.startswith(OURS) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def test_twice_the_teams_are_twice_the_work(client: Client) -> None:
    def first_look(event: Event, page: str) -> None:
        Event.objects.filter(pk=event.pk).update(public_version=F("public_version") + 1)
        client.get(f"/e/{event.slug}/{page}")

    taken: dict[str, list[int]] = {page: [] for page in PAGES}
    for size in SIZES:
        event = write_evening(evening_text(size, 1))
        Event.objects.filter(pk=event.pk).update(pot_cents=500)
        event.teams.update(in_pot=True)
        for page in PAGES:
            # What is worked out once in a process is worked out before.
            first_look(event, page)
            taken[page].append(steps(partial(first_look, event, page)))
    grown = {page: (whole - half) / (half - quarter) for page, (quarter, half, whole) in taken.items()}
    assert {page: ratio for page, ratio in grown.items() if ratio > MOST} == {}
