"""The tablets page of the desk."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import make_event, make_round, make_teams
from tournament.models import Device, Event, Game


@pytest.fixture
def desk(client: Client, dana: User) -> Client:
    client.force_login(dana)
    return client


def test_every_table_shows_whether_a_tablet_is_bound(desk: Client, event: Event, tablet: Client) -> None:
    desk.post(reverse("desk-tablet-card", args=[event.slug, 2]))
    rows = desk.get(reverse("desk-tablets", args=[event.slug])).context["tables"]
    assert [(row.table, row.state) for row in rows] == [(1, "bound"), (2, "card")]
    assert rows[0].last_seen_at is not None


def test_a_new_card_shows_its_code_and_picture_once(desk: Client, event: Event, tables: list[Game]) -> None:
    page = desk.post(reverse("desk-tablet-card", args=[event.slug, 2]), follow=True)
    [card] = page.context["cards"]
    assert card.table == 2
    assert card.address.endswith("/t/#" + card.code.replace("-", ""))
    assert card.qr.d.startswith("M4 4h7v1h-7z")
    assert card.code in page.content.decode()
    again = desk.get(reverse("desk-tablets", args=[event.slug]))
    assert again.context["cards"] == [] and card.code not in again.content.decode()


def test_cards_for_all_leave_bound_tablets_alone(desk: Client, event: Event, tablet: Client) -> None:
    page = desk.post(reverse("desk-tablet-cards", args=[event.slug]), follow=True)
    assert [card.table for card in page.context["cards"]] == [2]
    assert tablet.get(reverse("tablet")).status_code == 200


@pytest.mark.parametrize("ways", [("desk-tablet-cards",), ("print-choice", "tonight")])
def test_cards_for_all_leave_a_table_alone_that_waits_for_a_further_tablet(
    desk: Client, event: Event, tablet: Client, ways: tuple[str, ...]
) -> None:
    desk.post(reverse("desk-tablet-further", args=[event.slug, 1]))
    address, *job = ways
    answer = desk.post(reverse(address, args=[event.slug, *job]), {"part": "cards"}, follow=True)
    assert answer.status_code == 200
    assert Device.objects.filter(table=1, revoked_at=None).count() == 2
    assert tablet.get(reverse("tablet")).status_code == 200


def test_withdrawing_turns_the_tablet_out(desk: Client, event: Event, tablet: Client) -> None:
    desk.post(reverse("desk-tablet-revocation", args=[event.slug, 1]))
    assert Device.objects.filter(revoked_at=None).count() == 0
    assert tablet.get(reverse("tablet")).status_code == 302


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
    desk.post(reverse("desk-tablet-return", args=[event.slug, 1]))
    assert tablet.get(reverse("tablet")).status_code == 200


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


@pytest.mark.parametrize("who", ["nobody", "stranger", "tablet"])
def test_only_officials_issue_cards(who: str, event: Event, stranger: User, tablet: Client) -> None:
    client = tablet if who == "tablet" else Client()
    if who == "stranger":
        client.force_login(stranger)
    before = Device.objects.count()
    for name, args in (("desk-tablet-card", [2]), ("desk-tablet-cards", []), ("desk-tablet-revocation", [1])):
        assert client.post(reverse(name, args=[event.slug, *args])).status_code == 403
    assert (Device.objects.count(), Device.objects.filter(revoked_at=None).count()) == (before, before)


def test_the_page_asks_as_often_for_two_tables_as_for_thirty(desk: Client, dana: User) -> None:
    counts = []
    for size in (4, 60):
        event = make_event(f"Evening of {size}", dana)
        teams = make_teams(event, size)
        make_round(event, list(zip(teams[::2], teams[1::2], strict=True)))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert desk.get(reverse("desk-tablets", args=[event.slug])).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
