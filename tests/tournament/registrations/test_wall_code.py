"""The code on the wall: each event has its own, it stays until the desk makes another, and wrong ones are counted."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from tests.factories import confirmed_in, make_event, make_teams, page_of, signed_in, words_of
from tests.sure import fresh
from tests.tournament.registrations.conftest import open_event
from tests.tournament.test_rights_by_content import text_of
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.models import Event
from tournament.models.event import WALL_LETTERS
from tournament.reports.pdf.catalog import Wanted, printed
from tournament.services.draws import draw_rounds
from tournament.services.events import copy_event
from tournament.services.laptops import begin_epoch
from tournament.services.teams import check_in
from tournament.site.database import scratch_database


def test_each_event_has_its_own_and_a_restore_keeps_it(dana: User) -> None:
    event = open_event(dana)
    copy = copy_event(Actor(dana), event, "Next", event.date)
    again, third = (import_event(Actor(dana), export_event(fresh(event))) for _ in range(2))
    codes = [one.wall_code for one in (event, copy, again, third)]
    assert len({*codes}) == 4
    assert all(len(code) == 6 and {*code} <= {*WALL_LETTERS} for code in codes)
    assert not {*"ILO01"} & {*WALL_LETTERS}
    before = event.epoch
    begin_epoch("backup")
    assert (fresh(event).wall_code, fresh(event).epoch == before) == (event.wall_code, False)


@pytest.mark.django_db
def test_the_migration_keeps_the_codes_that_hang(settings: Any) -> None:
    """The codes of these two as the version before made them, with this key of the site."""
    settings.SECRET_KEY = "a key that is only for this test"

    def tables_at(name: str) -> Any:
        executor = MigrationExecutor(connection)
        executor.migrate([("tournament", name)])
        return executor.loader.project_state([("tournament", name)]).apps.get_model("tournament", "Event").objects

    with scratch_database():
        events = tables_at("0037_seasons")
        for pk, epoch in ((1, 1), (7, 2)):
            events.create(pk=pk, slug=f"event-{pk}", name="Open", date="2026-11-21", epoch=UUID(int=epoch))
        codes = dict(tables_at("0038_wall_code").values_list("pk", "wall_code"))
    assert codes == {1: "J4V6Q4", 7: "KFMCWD"}


def test_the_desk_makes_a_new_one_after_it_has_asked(dana: User) -> None:
    event, desk, phone = make_event("Door", dana, checks_in=True, teams=4), signed_in(dana), Client()
    old, page, to = event.wall_code, "/e/door/check-in/", "/desk/door/check-in/code/"
    assert phone.post(page, {"number": "2", "code": old}).status_code == 302
    assert f"Code on the wall: {old} New code" in words_of(desk.get("/desk/door/check-in/"))
    asked = desk.post(to)
    assert "Posters with the old code stop working: print them again." in words_of(asked)
    assert fresh(event).wall_code == old
    answer = desk.post(to, {"confirmed": confirmed_in(page_of(asked))}, follow=True)
    new = fresh(event).wall_code
    assert (new != old, f"The code on the wall is {new} now." in words_of(answer)) == (True, True)
    # The same press again asks again.
    assert "This is different now." in words_of(desk.post(to, {"confirmed": confirmed_in(page_of(asked))}))
    act = event.journal.get(action="change")
    assert (act.text, act.who, act.facts, act.before, act.after) == ("A new code on the wall", "dana", {}, None, None)
    # Only the new one opens the door.
    statuses = [Client().post(page, {"number": "1", "code": code}).status_code for code in (old, new)]
    assert (statuses, event.teams.exclude(here_at=None).count()) == ([422, 302], 2)
    # The phone of the old one keeps its team, and is not told the new one.
    assert "2 Books You are checked in." in words_of(phone.get(page, {"code": old}))
    answer = phone.post(page, {"number": "2", "code": old, "here": "no"}, follow=True)
    assert ("Scan the code on the wall" in words_of(answer), new in page_of(answer)) == (True, False)
    assert new not in page_of(phone.get(page))


def test_strangers_read_it_nowhere(dana: User) -> None:
    event = open_event(dana, checks_in=True)
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    check_in(Actor(), event, 1, "phone")
    paths = ("", "enter/", "check-in/", "teams/", "schedule/", "rules/", "board/", "search/?team=aces")
    pages = [page_of(Client().get(f"/e/{event.slug}/{path}", follow=True)) for path in paths]
    assert [event.wall_code in page for page in pages] == [False] * len(paths)
    assert event.wall_code not in str(export_event(fresh(event)))


def test_wrong_codes_are_counted_wherever_they_are_asked(dana: User) -> None:
    event = open_event(dana, checks_in=True)
    enter, door = f"/e/{event.slug}/enter/", f"/e/{event.slug}/check-in/"
    right = [Client().get(enter, {"code": code}).status_code for code in (event.wall_code, event.wall_code.lower())]
    assert right * 20 == [200] * 40
    statuses = [Client().get(enter, {"code": f"AAAA{count:02}"}).status_code for count in range(31)]
    assert statuses == [200] * 30 + [429]
    # One count for both doors; without a code the entry page is as open as ever.
    assert [Client().get(path, {"code": "AAAAAA"}).status_code for path in (enter, door)] == [429, 429]
    assert Client().post(f"{enter}?code=AAAAAA", {"name": "Reds"}).status_code == 429
    assert Client().get(enter).status_code == 200
    cache.clear()
    assert [Client().get(path, {"code": "AAAAAA"}).status_code for path in (enter, door)] == [200, 200]


def test_the_right_code_never_counts(dana: User) -> None:
    event = open_event(dana)
    statuses = {
        Client().get(f"/e/{event.slug}/enter/", {"code": event.wall_code}, REMOTE_ADDR="10.0.0.7").status_code
        for _ in range(40)
    }
    assert (statuses, Event.objects.count()) == ({200}, 1)


# Before the draw the event's own address is the entry page; the desk hands out link, code and poster.


def test_until_it_is_drawn_the_events_address_is_the_entry_page(dana: User) -> None:
    event, stranger = open_event(dana), Client()
    make_teams(event, 4)
    answer = stranger.get(f"/e/{event.slug}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/e/{event.slug}/enter/")
    # No other page is there yet.
    others = ("teams/", "schedule/", "teams/1/", "rules/", "bracket/", "board/", "search/?team=aces")
    assert [stranger.get(f"/e/{event.slug}/{path}").status_code for path in others] == [404] * len(others)
    assert signed_in(dana).get(f"/e/{event.slug}/").status_code == 200
    Event.objects.filter(pk=event.pk).update(slug="_rehearsed")
    assert stranger.get("/e/_rehearsed/").status_code == 404
    Event.objects.filter(pk=event.pk).update(slug=event.slug, entries_from=None)
    assert stranger.get(f"/e/{event.slug}/").status_code == 404
    Event.objects.filter(pk=event.pk).update(entries_from=event.entries_from)
    draw_rounds(Actor(dana), fresh(event))
    assert stranger.get(f"/e/{event.slug}/").status_code == 200


def test_the_desk_hands_out_link_code_and_poster(dana: User) -> None:
    event, desk = open_event(dana, place="Club House"), signed_in(dana)
    page = page_of(desk.get(f"/desk/{event.slug}/entries/"))
    text = page[page.index("<textarea") : page.index("</textarea>")].partition(">")[2]
    lines = text.splitlines()
    assert lines[0] == "Columbus Open, Saturday, November 21, 2026, Club House."
    assert lines[1].startswith("Enter here: http") and lines[1].endswith(f"/e/{event.slug}/enter/")
    assert event.wall_code not in text
    assert f"Code on the wall: {event.wall_code}" in words_of(desk.get(f"/desk/{event.slug}/entries/"))
    assert desk.get(f"/desk/{event.slug}/papers/entry-poster.pdf").status_code == 200
    poster = text_of(printed(Wanted(event), ["entry-poster"], "Poster", "http://hall.example/"))
    words = ("Columbus Open", "Enter here", f"or open http://hall.example/e/{event.slug}/enter/", "The desk enters you")
    assert [one for one in words if one not in poster] == []
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    assert "Entry poster" in words_of(desk.get(f"/desk/{event.slug}/papers/"))
    # If players do not enter by themselves, none of this is shown.
    Event.objects.filter(pk=event.pk).update(entries_from=None)
    assert "Entry poster" not in words_of(desk.get(f"/desk/{event.slug}/papers/"))
