"""Dues of a season: lines of the one book, owed by its members, paid at any desk or to the owner, given back once."""

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
from tests.tournament.season.clubs import evening, make_season, members, person
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict
from tournament.models import Event, Ledger, Membership, Person, Season, SiteAct
from tournament.queries.door import debts_at
from tournament.queries.dues import members_of
from tournament.queries.ledger import Wording, cash
from tournament.services.door import door
from tournament.services.dues import give_back_dues, set_dues, take_dues
from tournament.services.events import archive_event, delete_event
from tournament.services.payouts import pay
from tournament.services.payouts import reverse as take_back
from tournament.services.people import delete_person, merge_persons, part_person
from tournament.services.verifying import findings
from tournament.site import sessions


@pytest.fixture
def season(db: None) -> Season:
    return make_season()


@pytest.fixture
def march(dana: User, season: Season) -> Event:
    event = evening(dana, season, checks_in=True)
    members(season)
    return event


@pytest.fixture
def owner(otis: User) -> Client:
    return signed_in(otis)


def standing(season: Season) -> list[tuple[str, int, int]]:
    """Each member with what is paid and owed."""
    return [(str(member.person), member.paid_cents, member.owes) for member in members_of(fresh(season))]


def findings_now() -> list[str]:
    """What `verify` says, but that the tables of tests have no triggers."""
    return [line for line in findings() if "no longer refuses" not in line]


def owed(event: Event, number: int, *names: str) -> dict[str, int]:
    """The dues of these players of a team, as the door sends them."""
    debts = debts_at(event, event.teams.get(number=number))
    return {debt.key: debt.cents for debt in debts if str(debt.member) in names}


def at_desk(dana: User, event: Event, name: str, number: int = 1, key: uuid.UUID | None = None) -> Ledger:
    """Dues of a player are taken at the desk of an event."""
    [line] = door(Actor(dana), event, number, key, takes=owed(event, number, name))[1]
    return line


def test_dues_are_in_the_cash_of_the_desk_and_in_its_log(dana: User, desk: Client, march: Event) -> None:
    team = "/desk/march/money/teams/1/"
    assert "Take $20 dues from Ann Hill" in words_of(desk.get(team))
    rows = words_of(desk.get(reverse("desk-check-in", args=["march"])))
    assert "Dues, Otis Reed $20 · Dues, Ann Hill $20" in rows and "Here and $40" in rows
    line = at_desk(dana, march, "Ann Hill")
    assert (line.event, line.number, line.kind, line.cents) == (march, 1, "dues", 2000)
    assert "Ann Hill" not in words_of(desk.get(team)).partition("Receipts")[0].partition("Payment")[2]
    books = cash(march)
    assert (books.in_hand, books.taken, books.dues, books.balances, findings_now()) == (2000, 2000, 2000, True, [])
    assert "Dues, Fall 2026" in words_of(desk.get(reverse("desk-money", args=["march"])))
    act = march.journal.get(action="dues")
    assert (act.noun, act.text) == ("money", "Ann Hill paid dues of $20, Fall 2026 (receipt 1)")


def test_receipts_of_a_desk_are_one_row_whatever_they_are_for(dana: User, march: Event) -> None:
    Event.objects.filter(pk=march.pk).update(fee_cents=2000)
    pay(Actor(dana), fresh(march), 2)
    assert at_desk(dana, march, "Ann Hill").number == 2
    pay(Actor(dana), fresh(march), 1)
    assert [(line.number, line.kind) for line in cash(fresh(march)).lines] == [(1, "fee"), (2, "dues"), (3, "fee")]


def test_a_season_without_dues_and_an_event_without_a_season_show_nothing(
    desk: Client, dana: User, season: Season, owner: Client
) -> None:
    set_dues(Actor(dana), season, 0)
    pages = []
    for name, of in (("March", season), ("April", None)):
        evening(dana, of, name, checks_in=True)
        names = ("desk-money", "desk-check-in")
        pages += [page_of(desk.get(reverse(page, args=[name.lower()]))) for page in names]
        pages += [page_of(desk.get(f"/desk/{name.lower()}/money/teams/1/"))]
    members(season)
    assert not [page for page in pages if "Dues" in page or "dues" in page]
    words = words_of(owner.get(reverse("season-dues", args=["fall"])))
    assert "This season has no dues." in words and "✓ Paid" not in words and "Ann Hill" not in words


def test_only_members_owe(dana: User, season: Season, march: Event, owner: Client) -> None:
    Membership.objects.filter(person__name="Ann Hill").delete()
    assert standing(season) == [("Cy Dill", 0, 2000), ("Flo Kay", 0, 2000), ("Otis Reed", 0, 2000)]
    assert list(owed(march, 1, "Ann Hill", "Otis Reed").values()) == [2000]
    refused = owner.post(reverse("season-dues-payment", args=["fall"]), {"person": person("Ann Hill").pk})
    assert refused.status_code == 409
    assert "Not a member of Fall 2026: Ann Hill. Only members owe dues." in words_of(refused)


def test_who_is_no_member_any_more_has_paid_all_the_same(dana: User, season: Season, march: Event) -> None:
    at_desk(dana, march, "Ann Hill")
    Membership.objects.filter(person__name="Ann Hill").delete()
    assert standing(season)[0] == ("Ann Hill", 2000, 0)


def test_pressing_twice_pays_once(dana: User, season: Season, march: Event) -> None:
    key, ann = uuid.uuid4(), person("Ann Hill")
    takes = owed(march, 1, "Ann Hill")
    lines = {door(Actor(dana), march, 1, key, takes=takes)[1][0] for _ in range(2)}
    assert (len(lines), standing(season)[0]) == (1, ("Ann Hill", 2000, 0))
    other = uuid.uuid4()
    assert len({take_dues(Actor(dana), season, person("Cy Dill").pk, other).pk for _ in range(2)}) == 1
    assert "too old" in refusal_of(lambda: take_dues(Actor(dana), season, ann.pk, other), Conflict).texts[0]


def test_dues_paid_twice_say_when_and_where_they_were_paid(
    owner: Client, dana: User, season: Season, march: Event
) -> None:
    line = at_desk(dana, march, "Ann Hill")
    Ledger._base_manager.filter(pk=line.pk).update(made_at="2026-03-01T23:07:00Z")
    answer = owner.post(reverse("season-dues-payment", args=["fall"]), {"person": line.member_id, "key": uuid.uuid4()})
    assert answer.status_code == 409
    assert "Paid already by Ann Hill: $20 on Mar 1, 6:07 p.m., at March, receipt 1." in words_of(answer)
    assert (standing(season)[0], Ledger.objects.count()) == (("Ann Hill", 2000, 0), 1)


def test_two_laptops_take_the_same_dues_once(dana: User, season: Season, march: Event) -> None:
    april = evening(dana, season, "April")
    seen = owed(april, 1, "Ann Hill")
    at_desk(dana, march, "Ann Hill")
    refused = refusal_of(lambda: door(Actor(dana), april, 1, uuid.uuid4(), takes=seen), Conflict)
    assert refused.texts == ("Nothing was taken: This is owed now by Aces: Dues, Otis Reed $20.",)
    assert Ledger.objects.count() == 1


def test_who_was_merged_has_paid_for_both(dana: User, season: Season, march: Event) -> None:
    old, ann = Person.objects.create(name="Annie Hill", key="annie hill"), person("Ann Hill")
    members(season, "Annie Hill")
    take_dues(Actor(dana), season, old.pk, None)
    assert standing(season)[:2] == [("Ann Hill", 0, 2000), ("Annie Hill", 2000, 0)]
    merge_persons(Actor(dana), old, ann)
    assert [row for row in standing(season) if "Hill" in row[0]] == [("Ann Hill", 2000, 0)]
    for pk in (old.pk, ann.pk):
        words = refusal_of(lambda pk=pk: take_dues(Actor(dana), season, pk, None), Conflict).texts[0]  # type: ignore[misc]
        assert "Paid already by Ann" in words and "receipt 1" in words
    assert owed(march, 1, "Ann Hill") == {}
    part_person(Actor(dana), fresh(old))
    assert take_dues(Actor(dana), season, ann.pk, None).number == 2
    merge_persons(Actor(dana), fresh(old), ann)
    assert ("Ann Hill", 4000, 0) in standing(season)
    give_back_dues(Actor(dana), season, season.dues.get(number=1).pk)
    assert (("Ann Hill", 2000, 0) in standing(season), findings_now()) == (True, [])


def test_a_desk_gives_back_what_it_took_alone_and_with_the_password(
    dana: User, desk: Client, season: Season, march: Event
) -> None:
    evening(dana, season, "April")
    at_desk(dana, march, "Ann Hill")
    assert desk.post(reverse("money-reversal", args=["april", 1]), {"reason": "mistake"}).status_code == 404
    back = reverse("money-reversal", args=["march", 1])
    session = desk.session
    session[sessions.PASSWORD] = 0
    session.save()
    form = {"reason": "mistake", "key": uuid.uuid4()}
    assert "again_password" in page_of(desk.post(back, form)) and standing(season)[0] == ("Ann Hill", 2000, 0)
    assert desk.post(back, form | {"again_password": PASSWORD}).status_code == 302
    assert (standing(season)[0], cash(march).in_hand) == (("Ann Hill", 0, 2000), 0)
    assert march.journal.filter(action="dues", code="back").count() == 1
    assert findings_now() == []


def test_dues_are_given_back_once(dana: User, season: Season, march: Event) -> None:
    line = at_desk(dana, march, "Ann Hill")
    assert take_back(Actor(dana), march, 1, Wording(reason="mistake")).cents == -2000
    for pk in (line.pk, line.reversed_by.pk, 0):
        refused = refusal_of(lambda pk=pk: give_back_dues(Actor(dana), season, pk), Conflict)  # type: ignore[misc]
        assert refused.texts == ("These dues were given back already, or cannot be given back.",)
    twice = refusal_of(lambda: take_back(Actor(dana), march, 1, Wording(reason="again")), Conflict)
    assert twice.texts == ("Receipt 1 was already taken back, or cannot be taken back.",)
    lines = [line.cents for line in season.dues.order_by("pk")]
    assert (standing(season)[0], lines) == (("Ann Hill", 0, 2000), [2000, -2000])


def test_what_the_owner_gives_back_stays_in_the_cash_of_the_desk(dana: User, season: Season, march: Event) -> None:
    line = at_desk(dana, march, "Ann Hill")
    back = give_back_dues(Actor(dana), season, line.pk)
    assert (back.event, back.number, back.cents) == (None, 1, -2000)
    assert (cash(march).in_hand, standing(season)[0], findings_now()) == (2000, ("Ann Hill", 0, 2000), [])


def test_the_line_of_a_deleted_person_stays(dana: User, owner: Client, season: Season, march: Event) -> None:
    ann = person("Ann Hill")
    at_desk(dana, march, "Ann Hill")
    delete_person(Actor(dana), ann)
    assert ("a player", 2000, 0) in standing(season)
    page = page_of(owner.get(reverse("season-dues", args=["fall"])))
    assert "a player" in page and "Ann Hill" not in page
    refusal = refusal_of(lambda: take_dues(Actor(dana), season, ann.pk, None), Conflict)
    assert refusal.texts == ("This person was deleted. Load the page again.",)
    otis = person("Otis Reed")
    delete_person(Actor(dana), otis)
    assert [row for row in standing(season) if row[0] == "a player"] == [("a player", 2000, 0)]


def test_the_owner_takes_dues_of_a_member_who_has_not_played(owner: Client, season: Season, march: Event) -> None:
    guest = Person.objects.create(name="Lou Ray", key="lou ray")
    members(season, "Lou Ray")
    pay = reverse("season-dues-payment", args=["fall"])
    assert owner.post(pay, {"person": "Lou Ray"}).status_code == 422
    assert owner.post(pay, {"person": guest.pk}).status_code == 302
    again = owner.post(pay, {"person": guest.pk})
    assert (again.status_code, "Paid already by Lou Ray: $20 on " in words_of(again)) == (409, True)
    assert SiteAct.objects.get().event == f"Person {guest.pk}, Fall 2026"
    text = owner.get(reverse("season-dues-file", args=["fall", "csv"])).content.decode("utf-8-sig")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["name"] == "Lou Ray"]
    assert [(row["events"], row["paid_cents"], row["owes_cents"]) for row in rows] == [("0", "2000", "0")]
    assert owner.get(reverse("season-dues-file", args=["fall", "xlsx"])).content[:2] == b"PK"
    assert owner.post(reverse("season-dues", args=["fall"]), {"cents": "25"}).status_code == 302
    assert ("Lou Ray", 2000, 500) in standing(season)
    refused = owner.post(reverse("season-dues", args=["fall"]), {"cents": "a lot"})
    assert (refused.status_code, "a lot" in page_of(refused)) == (422, True)


def test_an_event_that_is_deleted_leaves_its_dues_with_their_numbers(
    dana: User, otis: User, season: Season, march: Event, settings: Any, tmp_path: Any
) -> None:
    settings.DATA = tmp_path
    Event.objects.filter(pk=march.pk).update(fee_cents=2000)
    pay(Actor(dana), fresh(march), 1)
    line = at_desk(dana, march, "Ann Hill")
    take_dues(Actor(otis), season, person("Cy Dill").pk, None)
    take_dues(Actor(otis), season, person("Flo Kay").pk, None)
    before = standing(season)
    assert archive_event(Actor(dana), march, archived=True).archived_at
    delete_event(Actor(otis), fresh(march), "March", lambda event: {})
    line = fresh(line)
    assert (line.event, line.number, line.desk, line.cents, str(line.member)) == (None, 2, "March", 2000, "Ann Hill")
    assert [(row[0], row[1]) for row in standing(season)] == [(row[0], row[1]) for row in before]
    assert "at March, receipt 2" in members_of(season)[0].words
    # The next one has a number that none of them has.
    assert take_dues(Actor(otis), season, person("Otis Reed").pk, None).number == 3
    assert findings_now() == []


def test_the_file_of_an_event_has_no_dues(dana: User, march: Event) -> None:
    at_desk(dana, march, "Ann Hill")
    content = export_event(march)
    copy = import_event(Actor(dana), content)
    assert (cash(copy).lines, copy.journal.filter(action="dues").count(), findings_now()) == ((), 0, [])


def test_a_season_within_another_has_the_dues_of_both(dana: User, season: Season) -> None:
    month = make_season(slug="march", name="March 2026", dues_cents=500, within=season)
    event = evening(dana, month, "First Friday")
    members(season)
    members(month, "Ann Hill")
    sums = [(debt.words, str(debt.season), debt.cents) for debt in debts_at(event, event.teams.get(number=1))]
    assert sums == [
        ("Dues, Otis Reed", "Fall 2026", 2000),
        ("Dues, Ann Hill", "March 2026", 500),
        ("Dues, Ann Hill", "Fall 2026", 2000),
    ]


def test_a_line_that_was_changed_by_hand_is_found(dana: User, season: Season, march: Event) -> None:
    line = at_desk(dana, march, "Ann Hill")
    Ledger._base_manager.filter(pk=line.pk).update(cents=1000)
    assert findings_now() == ["Fall 2026: receipt 1 of March: is not what the log of the desk says"]
    Ledger._base_manager.filter(pk=line.pk).update(cents=2000)
    back = give_back_dues(Actor(dana), season, line.pk)
    Ledger._base_manager.filter(pk=back.pk).update(cents=-1000)
    assert findings_now() == ["Fall 2026: receipt 1: neither a payment of dues nor one that is taken back"]


def test_pages_ask_no_more_for_more_members(
    dana: User, owner: Client, desk: Client, season: Season, march: Event
) -> None:
    pages = [(owner, reverse("season-dues", args=["fall"])), (desk, reverse("desk-check-in", args=["march"]))]
    pages += [(desk, reverse("desk-money", args=["march"]))]
    at_desk(dana, march, "Otis Reed")
    few = [statements_of(partial(client.get, page)) for client, page in pages]
    evening(dana, season, "April", (("Clubs", "Gus Poe", "Ida Low"), ("Deuces", "Hal Orr", "Jo Pike")))
    members(season, "Gus Poe", "Ida Low", "Hal Orr")
    for name, number in (("Ann Hill", 1), ("Cy Dill", 2)):
        at_desk(dana, march, name, number)
    many = [statements_of(partial(client.get, page)) for client, page in pages]
    assert [after - before for before, after in zip(few, many, strict=True)] == [0, 0, 0]


def at_two_desks(dana: User, places: Any) -> tuple[int, list[str]]:
    """The same dues are taken at the same moment at the desks of two events."""
    season = make_season()
    events = [evening(dana, season, name) for name in ("March", "April")]
    members(season)
    takes = owed(events[0], 1, "Ann Hill")
    acts = [partial(door, Actor(dana), event, 1, None, takes=takes) for event in events]
    came = [type(outcome).__name__ for outcome in together(*acts, places=places)]
    return season.dues.count(), sorted(came)


def test_two_desks_at_once_take_it_once(own_file: None, dana: User) -> None:
    assert at_two_desks(dana, ()) == (1, ["Conflict", "tuple"])


def test_the_race_of_two_desks_goes_wrong_without_the_lock(
    own_file: None, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_lock_away(monkeypatch)
    monkeypatch.setattr("tournament.services.dues.in_line", nullcontext)
    monkeypatch.setattr("tournament.services.dues.transaction", SimpleNamespace(atomic=nullcontext))
    assert at_two_desks(dana, (('SELECT MAX("tournament_ledger"',),) * 2) != (1, ["Conflict", "tuple"])
