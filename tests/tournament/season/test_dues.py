"""Dues of a season: owed by who plays, paid once at any desk or by the owner, given back by a line of its own."""

from __future__ import annotations

import csv
import io
import uuid
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import PASSWORD, page_of, signed_in, words_of
from tests.sure import fresh, refusal_of, statements_of
from tests.tournament.racing import take_lock_away, together
from tests.tournament.season.clubs import evening, make_season, person
from tournament import sessions
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Dues, Event, Person, Season, SiteAct
from tournament.queries.ledger import cash
from tournament.queries.season import desk_dues, members_of
from tournament.services.events import archive_event, delete_event
from tournament.services.people import delete_person, merge_persons, part_person
from tournament.services.season import pay_dues, set_dues, take_back_dues
from tournament.services.verifying import findings


@pytest.fixture
def season(db: None) -> Season:
    return make_season()


@pytest.fixture
def march(dana: User, season: Season) -> Event:
    return evening(dana, season, checks_in=True)


@pytest.fixture
def owner(otis: User) -> Client:
    return signed_in(otis)


def standing(season: Season) -> list[tuple[str, int, int]]:
    """Each member with what is paid and owed."""
    return [(str(member.person), member.paid_cents, member.owes) for member in members_of(fresh(season))]


def findings_now() -> list[str]:
    """What `verify` says, but that the tables of tests have no triggers."""
    return [line for line in findings() if "no longer refuses" not in line]


def test_a_desk_takes_dues_and_the_cash_of_the_event_stays(dana: User, desk: Client, march: Event) -> None:
    ann = person("Ann Hill")
    assert "Take $20 dues: Ann Hill" in words_of(desk.get("/desk/march/money/teams/1/"))
    assert "Take $20 dues: Ann Hill" in words_of(desk.get(reverse("desk-check-in", args=["march"])))
    answer = desk.post(
        reverse("desk-dues", args=["march"]), {"person": ann.pk, "key": uuid.uuid4(), "from": "check-in"}
    )
    assert answer["Location"] == reverse("desk-check-in", args=["march"])
    page = words_of(desk.get(answer["Location"]))
    assert "Dues of $20 taken from Ann Hill. Receipt 1." in page and "dues: Ann Hill" not in page
    assert "Dues taken here: $20 , not in the cash above." in words_of(desk.get(reverse("desk-money", args=["march"])))
    assert (cash(march).in_hand, findings_now()) == (0, [])
    act = march.journal.get(action="dues")
    assert act.text == "Ann Hill paid dues of $20, Fall 2026 (receipt 1)"


def test_a_season_without_dues_and_an_event_without_a_season_show_nothing(
    desk: Client, dana: User, season: Season
) -> None:
    set_dues(season, 0)
    pages = []
    for name, of in (("March", season), ("April", None)):
        evening(dana, of, name, checks_in=True)
        names = ("desk-money", "desk-check-in")
        pages += [page_of(desk.get(reverse(page, args=[name.lower()]))) for page in names]
        pages += [page_of(desk.get(f"/desk/{name.lower()}/money/teams/1/"))]
    assert not [page for page in pages if "Dues" in page or "dues" in page]
    assert desk.post(reverse("desk-dues", args=["april"]), {"person": 1}).status_code == 404


def test_pressing_twice_pays_once(dana: User, season: Season, march: Event) -> None:
    key, ann = uuid.uuid4(), person("Ann Hill")
    lines = {pay_dues(Actor(dana), season, ann.pk, key, march) for _ in range(2)}
    assert (len(lines), standing(season)[0]) == (1, ("Ann Hill", 2000, 0))
    assert "too old" in refusal_of(lambda: pay_dues(Actor(dana), season, person("Cy Dill").pk, key), Conflict).texts[0]


def test_dues_paid_twice_say_when_and_where_they_were_paid(
    desk: Client, dana: User, season: Season, march: Event
) -> None:
    evening(dana, season, "April")
    ann = person("Ann Hill")
    line = pay_dues(Actor(dana), season, ann.pk, None, march)
    Dues._base_manager.filter(pk=line.pk).update(taken_at="2026-03-01T23:07:00Z")
    answer = desk.post(reverse("desk-dues", args=["april"]), {"person": ann.pk, "key": uuid.uuid4()})
    assert answer.status_code == 409
    assert "Ann Hill has paid already: $20 on Mar 1, 6:07 p.m., at March, receipt 1." in words_of(answer)
    assert (standing(season)[0], Dues.objects.count()) == (("Ann Hill", 2000, 0), 1)


def test_who_was_merged_has_paid_for_both(dana: User, season: Season, march: Event) -> None:
    old, ann = Person.objects.create(name="Annie Hill", key="annie hill"), person("Ann Hill")
    pay_dues(Actor(dana), season, old.pk, None)
    assert standing(season)[:2] == [("Ann Hill", 0, 2000), ("Annie Hill", 2000, 0)]
    merge_persons(Actor(dana), old, ann)
    assert [row for row in standing(season) if "Hill" in row[0]] == [("Ann Hill", 2000, 0)]
    for pk in (old.pk, ann.pk):
        words = refusal_of(lambda pk=pk: pay_dues(Actor(dana), season, pk, None, march), Conflict).texts[0]  # type: ignore[misc]
        assert "has paid already: $20 on " in words and "receipt 1" in words
    part_person(Actor(dana), fresh(old))
    assert pay_dues(Actor(dana), season, ann.pk, None, march).number == 2
    merge_persons(Actor(dana), fresh(old), ann)
    assert ("Ann Hill", 4000, 0) in standing(season)
    take_back_dues(Actor(dana), season, 1)
    assert (("Ann Hill", 2000, 0) in standing(season), findings_now()) == (True, [])


def test_a_desk_gives_back_what_it_took_alone_and_with_the_password(
    dana: User, desk: Client, season: Season, march: Event
) -> None:
    evening(dana, season, "April")
    pay_dues(Actor(dana), season, person("Ann Hill").pk, None, march)
    refused = desk.post(reverse("desk-dues-reversal", args=["april", 1]))
    assert (refused.status_code, "was not written at this desk" in words_of(refused)) == (409, True)
    back = reverse("desk-dues-reversal", args=["march", 1])
    session = desk.session
    session[sessions.PASSWORD] = 0
    session.save()
    assert "again_password" in page_of(desk.post(back)) and standing(season)[0] == ("Ann Hill", 2000, 0)
    assert desk.post(back, {"again_password": PASSWORD}).status_code == 302
    assert standing(season)[0] == ("Ann Hill", 0, 2000)
    assert march.journal.filter(action="dues", code="back").count() == 1


def test_receipts_are_taken_back_once(dana: User, season: Season, march: Event) -> None:
    pay_dues(Actor(dana), season, person("Ann Hill").pk, None, march)
    assert take_back_dues(Actor(dana), season, 1, march).cents == -2000
    for number in (1, 2, 7):
        texts = refusal_of(lambda number=number: take_back_dues(Actor(dana), season, number), Conflict).texts  # type: ignore[misc]
        assert texts == (f"Receipt {number} was already taken back, or cannot be taken back.",)
    assert (standing(season)[0], [line.cents for line in season.dues.all()]) == (("Ann Hill", 0, 2000), [2000, -2000])
    facts = desk_dues(fresh(march))
    assert facts is not None and (facts.taken, [line.stands for line in facts.lines]) == (0, [False, False])


def test_the_line_of_a_deleted_person_stays(dana: User, owner: Client, season: Season, march: Event) -> None:
    ann = person("Ann Hill")
    pay_dues(Actor(dana), season, ann.pk, None, march)
    delete_person(Actor(dana), ann)
    assert ("a player", 2000, 0) in standing(season)
    page = page_of(owner.get(reverse("season-dues", args=["fall"])))
    assert "a player" in page and "Ann Hill" not in page
    refusal = refusal_of(lambda: pay_dues(Actor(dana), season, ann.pk, None), Conflict)
    assert refusal.texts == ("This person was deleted. Load the page again.",)


def test_the_owner_takes_dues_of_somebody_who_has_not_played(owner: Client, season: Season, march: Event) -> None:
    guest = Person.objects.create(name="Lou Ray", key="lou ray")
    pay = reverse("season-dues", args=["fall"])
    assert owner.post(pay, {"person": "Lou Ray"}).status_code == 422
    assert owner.post(pay, {"person": f"{guest.pk} Lou Ray"}).status_code == 302
    again = owner.post(pay, {"person": f"{guest.pk} Lou Ray"})
    assert (again.status_code, "has paid already: $20 on " in words_of(again)) == (409, True)
    assert SiteAct.objects.get().event == f"Person {guest.pk}, Fall 2026"
    text = owner.get(reverse("season-dues-file", args=["fall", "csv"])).content.decode("utf-8-sig")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["name"] == "Lou Ray"]
    assert [(row["events"], row["paid_cents"], row["owes_cents"]) for row in rows] == [("0", "2000", "0")]
    assert owner.get(reverse("season-dues-file", args=["fall", "xlsx"])).content[:2] == b"PK"
    assert owner.post(reverse("season-dues", args=["fall"]), {"cents": "25"}).status_code == 302
    assert ("Lou Ray", 2000, 500) in standing(season)
    assert owner.post(reverse("season-dues", args=["fall"]), {"cents": "a lot"}).status_code == 422


def test_an_event_that_is_deleted_leaves_its_dues(
    dana: User, otis: User, season: Season, march: Event, settings: Any, tmp_path: Any
) -> None:
    settings.DATA = tmp_path
    pay_dues(Actor(dana), season, person("Ann Hill").pk, None, march)
    assert archive_event(Actor(dana), march, archived=True).archived_at
    delete_event(Actor(otis), fresh(march), "March", lambda event: {})
    assert [(line.cents, line.at, str(line.person)) for line in season.dues.all()] == [(2000, None, "Ann Hill")]
    assert findings_now() == []


def test_a_line_that_was_changed_by_hand_is_found(dana: User, season: Season, march: Event) -> None:
    pay_dues(Actor(dana), season, person("Ann Hill").pk, None, march)
    Dues._base_manager.update(cents=1000)
    assert findings_now() == ["Fall 2026: receipt 1: is not what the log of the desk says"]
    Dues._base_manager.update(cents=-1000, at=None)
    assert findings_now() == ["Fall 2026: receipt 1: neither a payment of dues nor one that is taken back"]


def test_pages_ask_no_more_for_more_members(
    dana: User, owner: Client, desk: Client, season: Season, march: Event
) -> None:
    pages = [(owner, reverse("season-dues", args=["fall"])), (desk, reverse("desk-check-in", args=["march"]))]
    pages += [(desk, reverse("desk-money", args=["march"]))]
    few = [statements_of(partial(client.get, page)) for client, page in pages]
    evening(dana, season, "April", (("Clubs", "Gus Poe", "Ida Low"), ("Deuces", "Hal Orr", "Jo Pike")))
    for name in ("Gus Poe", "Ann Hill", "Cy Dill"):
        pay_dues(Actor(dana), season, person(name).pk, None, march)
    many = [statements_of(partial(client.get, page)) for client, page in pages]
    assert [after - before for before, after in zip(few, many, strict=True)] == [0, 0, 0]


def at_two_desks(dana: User, places: Any) -> tuple[int, list[str]]:
    """The same dues are taken at the same moment at the desks of two events."""
    season = make_season()
    events = [evening(dana, season, name) for name in ("March", "April")]
    acts = [partial(pay_dues, Actor(dana), season, person("Ann Hill").pk, None, event) for event in events]
    came = [type(outcome).__name__ for outcome in together(*acts, places=places)]
    return season.dues.count(), sorted(came)


def test_two_desks_at_once_take_it_once(own_file: None, dana: User) -> None:
    assert at_two_desks(dana, ()) == (1, ["Conflict", "Dues"])


def test_the_race_of_two_desks_goes_wrong_without_the_lock(
    own_file: None, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_lock_away(monkeypatch)
    monkeypatch.setattr(Season.objects, "select_for_update", Season.objects.all)
    monkeypatch.setattr("tournament.services.season.in_line", nullcontext)
    monkeypatch.setattr("tournament.services.season.transaction", SimpleNamespace(atomic=nullcontext))
    assert at_two_desks(dana, (('SELECT MAX("tournament_dues"',),) * 2) != (1, ["Conflict", "Dues"])
