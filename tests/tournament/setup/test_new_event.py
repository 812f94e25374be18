"""A new event begins with what the last one knows: its clock and day; entries that open now; no playoffs at all."""

from __future__ import annotations

import datetime
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.factories import make_event, make_user, page_of, signed_in, words_of
from tests.sure import fresh
from tests.tournament.results.evenings import played_round, win
from tests.tournament.setup.test_rounds import event_as_sent
from tournament.access import Actor
from tournament.models import Event
from tournament.queries.todo_next import checklist, next_act
from tournament.services.playoffs import make_cut

TOKYO = "Asia/Tokyo"


def begins(user: User) -> tuple[str, str]:
    """The time zone and the date with which the form of a new event begins."""
    page = page_of(signed_in(user).get("/new/"))
    field = re.search(r'<input[^>]*name="date"[^>]*>', page)
    assert field is not None
    day = re.search(r'value="([^"]*)"', field[0])
    zone = re.search(r'<select name="time_zone".*?<option value="([^"]+)" selected', page, re.DOTALL)
    return zone[1] if zone else "", day[1] if day else ""


def today(zone: str) -> str:
    return timezone.localdate(timezone=ZoneInfo(zone)).isoformat()


def test_before_the_first_event_no_day_is_guessed(db: None) -> None:
    """The browser alone knows it; its script is on the page, and no other day before that."""
    owner = make_user("otis", is_staff=True)
    assert begins(owner)[1] == ""
    assert "js/zone" in page_of(signed_in(owner).get("/new/"))


def test_a_new_event_is_on_the_clock_of_the_last_one(dana: User) -> None:
    make_event("Other", make_user("otis", is_staff=True), time_zone="Europe/Berlin")
    User.objects.update(is_staff=True)
    # Dana has none yet: the site's last one; then her own, whatever others set up later.
    assert begins(dana) == ("Europe/Berlin", today("Europe/Berlin"))
    make_event("Hers", dana, time_zone=TOKYO)
    make_event("Later", User.objects.get(username="otis"), time_zone="Pacific/Honolulu")
    assert begins(dana) == (TOKYO, today(TOKYO))
    # What the server knows no script has to mend.
    assert "js/zone" not in page_of(signed_in(dana).get("/new/"))


def saved(dana: User, event: Event, **typed: Any) -> tuple[int, str]:
    """The setup page, with this typed on it."""
    answer = signed_in(dana).post(f"/desk/{event.slug}/setup/", event_as_sent(dana, event) | typed, follow=True)
    return answer.status_code, words_of(answer)


def test_entries_open_now_without_a_typed_time(dana: User) -> None:
    event = make_event(director=dana)
    status, _ = saved(dana, event, entries_now="on")
    event = fresh(event)
    assert (status, event.takes_entries, event.entries_until) == (200, True, None)
    assert event.entries_from is not None and abs(timezone.now() - event.entries_from) < datetime.timedelta(minutes=2)
    # They are open: nothing is left to press, and saving the page again changes nothing.
    before = event.entries_from
    assert "Open entries now" not in saved(dana, event)[1]
    assert fresh(event).entries_from == before


def test_entries_open_now_or_at_a_time_and_not_both(dana: User) -> None:
    event = make_event(director=dana)
    status, words = saved(dana, event, entries_now="on", entries_from="2031-01-01T18:00")
    assert (status, "Entries open now or at this time, not both." in words) == (422, True)
    # The time that is filled in already was not typed: now is sooner.
    saved(dana, event, entries_from="2031-01-01T18:00")
    saved(dana, fresh(event), entries_now="on")
    assert fresh(event).takes_entries


def test_no_playoffs_is_said_at_setup(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=4)
    assert saved(dana, event, cut="1")[0] == 200
    event = fresh(event)
    assert (event.cut, event.no_playoffs) == (None, True)
    assert "none, first place is the champion" in saved(dana, event)[1]
    said = [item.text for item in checklist(event).items if item.key == "cut"]
    assert said == ["No playoffs: first place is the champion"]
    played_round(event, [(1, 2, win(0)), (3, 4, win(0, 6))])
    event.refresh_from_db()
    assert next_act(event).words == "Name the champion"
    desk = signed_in(dana)
    public = words_of(desk.get(f"/e/{event.slug}/bracket/"))
    assert "First place after the qualifying games is the champion." in public and "officials say" not in public
    form = page_of(desk.get(f"/desk/{event.slug}/playoffs/"))
    assert re.search(r'name="size"[^>]*value="1"', form) and "Name the champion" in form
    desk.post(f"/desk/{event.slug}/playoffs/cut/", {"size": "1", "best_of": "1"})
    assert "Champions: Night Owls" in words_of(desk.get(f"/desk/{event.slug}/playoffs/"))


@pytest.mark.parametrize(("size", "stored"), [(1, (None, True)), (4, (4, False))])
def test_the_cut_decides_whatever_was_set_up(dana: User, size: int, stored: tuple[int | None, bool]) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=4, no_playoffs=size != 1, cut=4 if size == 1 else None)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0, 6))])
    make_cut(Actor(dana), event, size)
    assert (fresh(event).cut, fresh(event).no_playoffs) == stored
