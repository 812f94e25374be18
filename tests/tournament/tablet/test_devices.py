"""Cards, codes and keys of tablets."""

from __future__ import annotations

import logging

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.sure import sure
from tournament.access import Actor
from tournament.middleware import TABLE_COOKIE
from tournament.models import Device, Event, Game, Journal
from tournament.queries.devices import LETTERS, device_of, plain_code
from tournament.refusals import Invalid, TooMany
from tournament.services.devices import issue_card, issue_second_card, pair_device, revoke_device


def test_issue_card_gives_eight_unmistakable_signs_and_stores_only_their_hash(dana: User, event: Event) -> None:
    code = issue_card(Actor(dana), event, 4)
    device = Device.objects.get()
    assert (len(code), len(LETTERS), set(code) <= set(LETTERS)) == (8, 31, True)
    assert not set("0O1IL") & set(LETTERS)
    assert code not in (device.code_hash, device.token_hash)
    assert device.table == 4


def test_pair_device_binds_once_and_keeps_the_key_as_a_hash(dana: User, event: Event) -> None:
    code = issue_card(Actor(dana), event, 4)
    token = pair_device(Actor(), f" {code[:4].lower()}-{code[4:].lower()} ")
    device = device_of(token)
    assert device is not None and (device.table, device.event, device.code_hash) == (4, event, "")
    assert len(token) >= 43 and token != device.token_hash
    with pytest.raises(Invalid):
        pair_device(Actor(), code)


def test_issue_card_again_turns_the_old_tablet_and_the_old_card_out(dana: User, event: Event) -> None:
    token = pair_device(Actor(), issue_card(Actor(dana), event, 4))
    second = issue_card(Actor(dana), event, 4)
    third = issue_card(Actor(dana), event, 4)
    assert device_of(token) is None
    with pytest.raises(Invalid):
        pair_device(Actor(), second)
    assert device_of(pair_device(Actor(), third)) is not None


def test_wrong_used_replaced_and_withdrawn_codes_get_the_same_answer(dana: User, event: Event) -> None:
    used = issue_card(Actor(dana), event, 1)
    pair_device(Actor(), used)
    replaced = issue_card(Actor(dana), event, 2)
    issue_card(Actor(dana), event, 2)
    withdrawn = issue_card(Actor(dana), event, 3)
    revoke_device(Actor(dana), event, 3)
    answers = set()
    for code in (used, replaced, withdrawn, "ZZZZZZZZ", "", "x" * 500):
        answer = Client().post(reverse("pair"), {"code": code})
        answers.add((answer.status_code, answer.context["faults"]))
    assert len(answers) == 1 and next(iter(answers))[0] == 422


def test_wrong_codes_of_a_whole_hall_behind_one_router_hold_up_no_right_one(dana: User, event: Event) -> None:
    for _ in range(20):
        with pytest.raises(Invalid):
            pair_device(Actor(address="192.0.2.7"), "ZZZZ-ZZZZ")
    assert pair_device(Actor(address="192.0.2.7"), issue_card(Actor(dana), event, 1))


def test_after_sixty_wrong_codes_within_a_minute_even_a_right_one_waits(dana: User, event: Event) -> None:
    right = issue_card(Actor(dana), event, 1)
    for _ in range(60):
        with pytest.raises(Invalid):
            pair_device(Actor(address="192.0.2.7"), "ZZZZ-ZZZZ")
    with pytest.raises(TooMany):
        pair_device(Actor(address="192.0.2.7"), right)
    assert pair_device(Actor(address="192.0.2.8"), right)


def test_too_many_wrong_codes_answer_429_with_the_form(event: Event) -> None:
    statuses = [Client().post(reverse("pair"), {"code": "ZZZZ-ZZZZ"}).status_code for _ in range(61)]
    assert statuses == [422] * 60 + [429]


def test_pairing_sets_a_cookie_that_scripts_cannot_read_and_other_sites_cannot_send(dana: User, event: Event) -> None:
    answer = Client().post(reverse("pair"), {"code": issue_card(Actor(dana), event, 1)})
    cookie = answer.cookies[TABLE_COOKIE]
    assert (answer.status_code, answer["Location"]) == (302, reverse("tablet"))
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Strict", "")


def test_pairing_under_https_sets_a_secure_cookie(dana: User, event: Event) -> None:
    code = issue_card(Actor(dana), event, 1)
    answer = Client().post(reverse("pair"), {"code": code}, secure=True)
    assert answer.cookies[TABLE_COOKIE]["secure"] is True


def test_opening_the_pairing_page_binds_nothing(dana: User, event: Event) -> None:
    code = issue_card(Actor(dana), event, 1)
    page = Client().get(reverse("pair") + f"?code={code}")
    assert page.status_code == 200
    # What the browser will ask is said before the press that makes it ask.
    said = page.content.decode()
    assert said.index("Firefox then asks whether this site may store data") < said.index("Set up this tablet</button>")
    assert Device.objects.get().paired_at is None


def test_a_revoked_tablet_is_sent_to_the_pairing_page(tablet: Client, dana: User, event: Event, game: Game) -> None:
    assert tablet.get(reverse("tablet")).status_code == 200
    revoke_device(Actor(dana), event, 1)
    assert tablet.get(reverse("tablet"))["Location"] == reverse("pair")
    poll = tablet.get(reverse("tablet"), {"version": "x"}, headers={"HX-Request": "true"})
    assert poll["HX-Redirect"] == reverse("pair")


def test_what_is_done_with_cards_stands_in_the_journal(dana: User, event: Event) -> None:
    pair_device(Actor(), issue_card(Actor(dana), event, 1))
    revoke_device(Actor(dana), event, 1)
    acts = [(line.action, line.user, line.device is not None) for line in Journal.objects.order_by("id")]
    assert acts == [("card", dana, False), ("pair", None, True), ("revoke", dana, False)]


def test_plain_code_reads_what_people_type() -> None:
    assert plain_code(" abcd-2345\n") == "ABCD2345"


def test_the_page_of_a_withdrawn_tablet_says_so_until_its_event_is_over(dana: User, event: Event) -> None:
    tablet = Client()
    tablet.cookies[TABLE_COOKIE] = pair_device(Actor(), issue_card(Actor(dana), event, 4))
    said = f"The desk has withdrawn this tablet. It showed table 4 of {event.name}."
    pages = [tablet.get(reverse("pair")).content.decode()]
    revoke_device(Actor(dana), event, 4)
    pages.append(tablet.get(reverse("tablet"), follow=True).content.decode())
    Event.objects.filter(pk=event.pk).update(stage="over")
    pages.append(tablet.get(reverse("pair")).content.decode())
    assert [said in page for page in pages] == [False, True, False]


def test_a_refused_address_is_one_line_of_the_log_and_a_failure_shows_where_it_is() -> None:
    [console] = [one for one in logging.getLogger().handlers if one.filters]
    traces = []
    for fault in (PermissionDenied("no"), RuntimeError("broken")):
        record = logging.LogRecord("django.request", 30, "", 1, "Forbidden", (), (type(fault), fault, None))
        console.filter(record)
        traces.append(record.exc_info is not None)
    assert traces == [False, True]


def test_a_further_tablet_stops_no_other_table(dana: User, event: Event) -> None:
    writes = pair_device(Actor(), issue_card(Actor(dana), event, 2))
    issue_card(Actor(dana), event, 1)
    further = pair_device(Actor(), issue_second_card(Actor(dana), event, 1))
    assert [sure(device_of(token)).writes for token in (writes, further)] == [True, True]
