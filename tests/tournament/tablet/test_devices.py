"""Cards, codes and keys of tablets."""

from __future__ import annotations

import html
import logging
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.sure import sure
from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Device, Event, Game, Journal
from tournament.queries.devices import LETTERS, device_of
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
    token = pair_device(Actor(), f" {code[:4].lower()}-{code[4:].lower()}\n")
    device = sure(device_of(token))
    assert (device.table, device.event, device.code_hash) == (4, event, "")
    assert len(token) >= 43 and token != device.token_hash
    with pytest.raises(ValidationFailed):
        pair_device(Actor(), code)


def test_issue_card_again_turns_the_old_tablet_and_the_old_card_out(dana: User, event: Event) -> None:
    token = pair_device(Actor(), issue_card(Actor(dana), event, 4))
    second = issue_card(Actor(dana), event, 4)
    third = issue_card(Actor(dana), event, 4)
    assert device_of(token) is None
    with pytest.raises(ValidationFailed):
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


def test_after_sixty_wrong_codes_within_a_minute_even_a_right_one_waits(dana: User, event: Event) -> None:
    codes = ["ZZZZ-ZZZZ"] * 60 + [issue_card(Actor(dana), event, 1)]
    assert [Client().post(reverse("pair"), {"code": code}).status_code for code in codes] == [422] * 60 + [429]


@pytest.mark.parametrize("https", [False, True])
def test_pairing_sets_a_cookie_that_scripts_cannot_read_and_other_sites_cannot_send(
    dana: User, event: Event, https: bool
) -> None:
    answer = Client().post(reverse("pair"), {"code": issue_card(Actor(dana), event, 1)}, secure=https)
    cookie = answer.cookies[TABLE_COOKIE]
    assert (answer.status_code, answer["Location"]) == (302, reverse("tablet"))
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Strict", https or "")


def test_opening_the_pairing_page_binds_nothing(dana: User, event: Event) -> None:
    code = issue_card(Actor(dana), event, 1)
    page = Client().get(reverse("pair") + f"?code={code}")
    assert page.status_code == 200
    # What the browser will ask is said before the press that makes it ask.
    page_text = page.content.decode()
    assert page_text.index("Firefox then asks whether this site may store data") < page_text.index(
        "Set up this tablet</button>"
    )
    assert Device.objects.get().paired_at is None


def test_a_withdrawn_tablet_is_sent_to_the_pairing_page(tablet: Client, desk: Client, event: Event) -> None:
    assert tablet.get(reverse("tablet")).status_code == 200
    desk.post(reverse("desk-tablet-revocation", args=[event.slug, 1]))
    assert Device.objects.filter(revoked_at=None).count() == 0
    assert tablet.get(reverse("tablet"))["Location"] == reverse("pair") + "?again"
    poll = tablet.get(reverse("tablet"), {"version": "x"}, headers={"HX-Request": "true"})
    assert poll["HX-Redirect"] == reverse("pair") + "?again"


def test_what_is_done_with_cards_stands_in_the_journal(dana: User, event: Event) -> None:
    pair_device(Actor(), issue_card(Actor(dana), event, 1))
    revoke_device(Actor(dana), event, 1)
    acts = [(line.action, line.user, line.device is not None) for line in Journal.objects.order_by("id")]
    assert acts == [("card", dana, False), ("pair", None, True), ("revoke", dana, False)]


def test_the_page_of_a_withdrawn_tablet_says_so_until_its_event_is_over(dana: User, event: Event) -> None:
    tablet = Client()
    tablet.cookies[TABLE_COOKIE] = pair_device(Actor(), issue_card(Actor(dana), event, 4))
    sentence = f"The desk has withdrawn this tablet. It showed table 4 of {event.name}."
    pages = [tablet.get(reverse("pair")).content.decode()]
    revoke_device(Actor(dana), event, 4)
    pages.append(tablet.get(reverse("tablet"), follow=True).content.decode())
    Event.objects.filter(pk=event.pk).update(stage="over")
    pages.append(tablet.get(reverse("pair")).content.decode())
    assert [sentence in page for page in pages] == [False, True, False]


def test_a_refused_address_is_one_line_of_the_log_and_a_failure_shows_where_it_is() -> None:
    [console] = [handler for handler in logging.getLogger().handlers if handler.filters]
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


# The tablets page of the desk.


def test_every_table_shows_whether_a_tablet_is_bound(desk: Client, event: Event, tablet: Client) -> None:
    desk.post(reverse("desk-tablet-card", args=[event.slug, 2]))
    rows = desk.get(reverse("desk-tablets", args=[event.slug])).context["tables"]
    assert [(row.table, row.state) for row in rows] == [(1, "bound"), (2, "card")]
    assert rows[0].device.last_seen_at is not None


def test_a_new_card_shows_its_code_and_picture_once(desk: Client, event: Event, tables: list[Game]) -> None:
    page = desk.post(reverse("desk-tablet-card", args=[event.slug, 2]), follow=True)
    [card] = page.context["cards"]
    assert card.table == 2
    assert card.address.endswith("/t/#" + card.code.replace("-", ""))
    assert card.qr.d.startswith("M4 4h7v1h-7z")
    assert card.code in page.content.decode()
    again = desk.get(reverse("desk-tablets", args=[event.slug]))
    assert again.context["cards"] == [] and card.code not in again.content.decode()


@pytest.mark.parametrize("ways", [("desk-tablet-cards",), ("print-choice", "tonight")])
def test_cards_for_all_leave_a_table_alone_that_waits_for_a_further_tablet(
    desk: Client, event: Event, tablet: Client, ways: tuple[str, ...]
) -> None:
    desk.post(reverse("desk-tablet-further", args=[event.slug, 1]))
    address, *job = ways
    assert desk.post(reverse(address, args=[event.slug, *job]), {"part": "cards"}, follow=True).status_code == 200
    assert Device.objects.filter(table=1, revoked_at=None).count() == 2
    assert tablet.get(reverse("tablet")).status_code == 200


def test_it_says_how_an_ipad_stays_awake_and_that_a_private_tab_keeps_nothing(desk: Client, event: Event) -> None:
    text = desk.get(reverse("desk-tablets", args=[event.slug])).content.decode()
    assert "Auto-Lock to Never" in text and "Do not use a private tab" in text


def test_the_battery_has_a_column_once_a_tablet_reports_one(desk: Client, event: Event, tablet: Client) -> None:
    page = reverse("desk-tablets", args=[event.slug])
    assert ">Battery</th>" not in desk.get(page).content.decode()
    Device.objects.update(battery=80)
    assert ">Battery</th>" in desk.get(page).content.decode()


def test_a_withdrawn_tablet_is_put_back_by_one_press(desk: Client, event: Event, tablet: Client) -> None:
    desk.post(reverse("desk-tablet-revocation", args=[event.slug, 1]))
    [row, _] = desk.get(reverse("desk-tablets", args=[event.slug])).context["tables"]
    assert (row.state, row.can_come_back) == ("none", True)

    def asks() -> Any:
        return tablet.get(reverse("pair"), {"again": ""}, headers={"HX-Request": "true"})

    assert asks().status_code == 204
    page = desk.post(reverse("desk-tablet-return", args=[event.slug, 1]), follow=True).content.decode()
    assert ("is allowed again; waiting for it" in page, "Allowed again; waiting for it" in page) == (True, True)
    again = html.unescape(sure(re.search(r'hx-get="([^"]*awaited[^"]*)"', page))[1])
    assert asks()["HX-Redirect"] == reverse("tablet")
    assert tablet.get(reverse("pair") + "?again")["Location"] == reverse("tablet")
    assert "Works again" not in desk.get(again).content.decode()
    assert tablet.get(reverse("tablet")).status_code == 200
    page = desk.get(again).content.decode()
    assert ("✓ Works again" in page, "waiting for it" in page, "every 3s" in page) == (True, False, False)


def test_a_withdrawn_tablet_stays_out_where_the_table_has_a_new_card(
    desk: Client, event: Event, tablet: Client
) -> None:
    desk.post(reverse("desk-tablet-revocation", args=[event.slug, 1]))
    desk.post(reverse("desk-tablet-card", args=[event.slug, 1]))
    answer = desk.post(reverse("desk-tablet-return", args=[event.slug, 1]), follow=True)
    assert "Table 1 already has a new card or tablet." in answer.content.decode()
    assert tablet.get(reverse("tablet")).status_code == 302


def test_a_table_that_cannot_be_gets_no_card(desk: Client, event: Event) -> None:
    assert desk.post(reverse("desk-tablet-card", args=[event.slug, 0])).status_code == 422
    assert Device.objects.count() == 0
