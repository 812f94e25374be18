"""The desk decides about what is pending; and it sees how the tablets are."""

from __future__ import annotations

import uuid
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import ODD, play, seat_all
from tests.sure import fresh, statements_of, sure
from tests.tournament.submissions.conftest import FOUR, THREE, TWO_SET, Tablet
from tests.tournament.submissions.test_receive import books
from tournament.access import Actor
from tournament.models import Device, Entry, Event, Game, Journal, Notice, Submission
from tournament.models.game import PENDING
from tournament.queries.devices import _heard
from tournament.queries.pending import PendingRow, pending, pending_count
from tournament.services.devices import issue_card, pair_device, take_over

pytestmark = pytest.mark.both_databases


@pytest.fixture
def clash(tablet: Tablet, game: Game, dana: User) -> Submission:
    """The tablet's hand 1, where the desk wrote another one."""
    play(dana, game, TWO_SET)
    tablet.send(tablet.hand(1, THREE))
    return Submission.objects.get()


def may_apply(row: PendingRow) -> bool:
    return "apply" in [choice.key for choice in row.choices]


def decide(desk: Client, event: Event, row: Submission, choice: str, reason: str = "Asked the table") -> int:
    posted = {"choice": choice, "reason": reason}
    return desk.post(reverse("parked-decision", args=[event.slug, row.pk]), posted).status_code


def test_the_desk_sees_both_versions_with_reason_and_tablet(desk: Client, event: Event, clash: Submission) -> None:
    page = desk.get(reverse("desk-parked", args=[event.slug]))
    [row] = page.context["pending"].rows
    assert (row.words, row.standing) == ("Line 1: Ann 1: 3 made with 9", "Line 1: Ann 2: 2 set with 7 (dana)")
    where = (row.sent.game.table, row.sent.device.letter)
    assert (where, row.why) == ((1, "A"), "Another line is already in its place")
    assert [(choice.key, choice.words, choice.score) for choice in row.choices] == [
        ("discard", "Keep line 1 as it is", "Aces 0, Books −2"),
        ("replace", "Use this as line 1 instead", "Aces 3, Books 0"),
        ("apply", "Add it as one more hand", "Aces 3, Books −2"),
    ]
    assert 'class="btn choice primary" name="choice" value="discard"' in page.content.decode()
    assert "1 conflict between tablets." in desk.get(reverse("desk", args=[event.slug])).content.decode()


def test_a_clock_that_is_years_off_is_shown(desk: Client, event: Event, tablet: Tablet) -> None:
    tablet.send(tablet.hand(4, at=1_000_000_000_000))
    [row] = desk.get(reverse("desk-parked", args=[event.slug])).context["pending"].rows
    assert row.claimed_at.year == 2001


def test_the_desk_reads_each_kind_of_message_as_a_sentence(event: Event, tablet: Tablet, game: Game) -> None:
    said = [
        ("sign", {"name": "Ann", "side": 1}, "Signed by Ann for Books", "Signed by Ann for a side"),
        ("seat", {"side": 0}, "Seated: Aces", "Seated: a side"),
        ("dealer", {"seat": 0}, "Ann 1 deals first", "Who deals first"),
        ("dealer", {"seat": 9}, "Who deals first", "Who deals first"),
        ("undo", {"position": 2}, "Undo of line 2", "Undo of line 2"),
        ("sign", {"name": "Ann"}, '{"name": "Ann"}', "Signed by Ann for a side"),
    ]
    for kind, body, *_ in said:
        for at in (game, None):
            Submission.objects.create(
                uid=uuid.uuid4(), digest="x", event=event, device=tablet.device, game=at, kind=kind, body=body,
                status=PENDING, code="gap",
            )  # fmt: skip
    words = [row.words for row in pending(event).rows]
    assert words == [sentence for _, _, *sentences in said for sentence in sentences]


@pytest.mark.parametrize(
    ("choice", "sheet", "status"),
    [("apply", [7, 9], "applied"), ("replace", [9], "replaced"), ("discard", [7], "discarded")],
)
def test_a_decision_is_carried_out_and_stays_on_record(
    desk: Client, event: Event, game: Game, clash: Submission, choice: str, sheet: list[int], status: str
) -> None:
    assert decide(desk, event, clash, choice) == 302
    assert (books(game), fresh(clash).status, clash.decision, sure(clash.decided_by).username) == (
        sheet,
        status,
        "Asked the table",
        "dana",
    )
    assert Journal.objects.filter(action="decide").count() == 1
    assert desk.get(reverse("desk-parked", args=[event.slug])).context["pending"].rows == ()


@pytest.mark.parametrize(("choice", "reason"), [("apply", " "), ("eat", "because"), ("", "because")])
def test_a_decision_needs_a_choice_and_a_reason(
    desk: Client, event: Event, clash: Submission, choice: str, reason: str
) -> None:
    assert decide(desk, event, clash, choice, reason) == 422
    assert Submission.objects.get().status == "parked"


def test_a_second_decision_is_told_of_the_first(desk: Client, event: Event, game: Game, clash: Submission) -> None:
    assert [decide(desk, event, clash, "discard"), decide(desk, event, clash, "apply")] == [302, 409]
    assert books(game) == [7]


def test_what_the_rules_refuse_cannot_be_applied(desk: Client, event: Event, tablet: Tablet) -> None:
    tablet.send(tablet.hand(1, {**THREE, "books": 14}))
    assert decide(desk, event, Submission.objects.get(), "apply") == 422
    assert (Entry.objects.count(), Submission.objects.get().status) == (0, "parked")


def test_what_cannot_be_read_can_only_be_discarded(desk: Client, event: Event, tablet: Tablet) -> None:
    tablet.send(tablet.item("nonsense"))
    row = Submission.objects.get()
    assert [decide(desk, event, row, choice) for choice in ("apply", "replace", "discard")] == [409, 409, 302]


def test_what_waited_for_it_goes_on_after_the_decision(desk: Client, event: Event, tablet: Tablet, game: Game) -> None:
    tablet.send(tablet.hand(1, {**THREE, "books": 14}), tablet.hand(1, TWO_SET), tablet.hand(2, FOUR))
    assert books(game) == []
    decide(desk, event, sure(Submission.objects.first()), "discard")
    assert books(game) == [7, 10]


def test_what_waits_behind_a_case_is_none_of_its_own_and_goes_with_it(
    desk: Client, event: Event, tablet: Tablet, game: Game
) -> None:
    ending = [tablet.hand(1, {**THREE, "bid": "1", "books": 6})]
    beyond = [tablet.hand(2, THREE), tablet.hand(3, TWO_SET), tablet.hand(4, FOUR)]
    assert [code for _, code in tablet.results(*ending, *beyond)] == ["", "refused", "waiting", "waiting"]
    [row] = desk.get(reverse("desk-parked", args=[event.slug])).context["pending"].rows
    assert (row.words, row.behind) == (
        "Line 2: Ann 1: 3 made with 9",
        ("Line 3: Ann 2: 2 set with 7", "Line 4: Bea 1: 4 made with 10"),
    )
    assert pending_count(event) == 1
    assert decide(desk, event, row.sent, "discard-all") == 302
    assert {submission.status for submission in Submission.objects.exclude(body__position=1)} == {"discarded"}
    assert Journal.objects.filter(action="decide").count() == 3
    assert desk.get(reverse("desk-parked", args=[event.slug])).context["pending"].rows == ()
    assert books(game) == [6]


def test_discarding_one_tries_what_waits_behind_it(desk: Client, event: Event, tablet: Tablet, game: Game) -> None:
    twice = [tablet.hand(1, THREE), {**tablet.hand(1, TWO_SET)}, tablet.hand(2, FOUR)]
    assert [code for _, code in tablet.results(*twice)] == ["", "conflict", "waiting"]
    conflict = Submission.objects.get(code="conflict")
    # The author of the current line is named where the hand was typed, after what was typed.
    assert conflict.reason.startswith("Line 1 was already recorded by Table 1: Ann 1: 3 made with 9. The director")
    assert decide(desk, event, conflict, "discard") == 302
    assert books(game) == [9, 10]


def test_what_a_tablet_wrote_before_it_moved_to_another_table_goes_to_the_right_game(
    desk: Client, event: Event, dana: User, tablet: Tablet, game: Game, tables: list[Game]
) -> None:
    unsent = [tablet.hand(1, THREE), tablet.hand(2, TWO_SET)]
    tablet.token = pair_device(Actor(), issue_card(Actor(dana), event, 2))
    assert tablet.results(*unsent) == [("parked", "other-table")] * 2
    rows = desk.get(reverse("desk-parked", args=[event.slug])).context["pending"].rows
    assert [(row.sent.game and row.sent.game.table, row.words, may_apply(row)) for row in rows] == [
        (1, "Line 1: Ann 1: 3 made with 9", True),
        (1, "Line 2: Ann 2: 2 set with 7", True),
    ]
    assert [decide(desk, event, row, "apply") for row in Submission.objects.order_by("pk")] == [302, 302]
    assert (books(game), books(tables[1])) == ([9, 7], [])
    # The tablet asks again what became of them, and writes at its new table.
    known = tablet.post("known", {"uids": [message["uid"] for message in unsent]}).json()["known"]
    assert set(known.values()) == {"applied"}
    seat_all(tables[1])
    there = Tablet(tablet.token, tables[1])
    assert there.results(there.hand(1, FOUR)) == [("applied", "")]
    assert (books(game), books(tables[1])) == ([9, 7], [10])


def test_a_hand_replaces_a_line_of_a_final_game_and_both_teams_are_told(
    desk: Client, event: Event, tablet: Tablet, game: Game, dana: User
) -> None:
    play(dana, game, ODD)
    tablet.send(tablet.hand(1, {**THREE, "bid": "1", "books": 5}))
    [row] = Submission.objects.all()
    assert (row.code, decide(desk, event, row, "replace")) == ("final", 302)
    assert (books(game), Notice.objects.count()) == ([5], 2)


def test_the_page_asks_as_often_for_two_as_for_twenty(desk: Client, event: Event, tablet: Tablet) -> None:
    counts = []
    for more in (2, 18):
        tablet.send(*[tablet.hand(9, TWO_SET) for _ in range(more)])
        counts.append(statements_of(partial(desk.get, reverse("desk-parked", args=[event.slug]))))
    assert counts[0] == counts[1]


def said_of(device: Device) -> tuple[str, bool, int | None, int | None]:
    return device.letter, device.writes, device.unsent, device.battery


def test_the_desk_sees_how_the_tablets_are(desk: Client, event: Event, tablet: Tablet, second: Tablet) -> None:
    tablet.post("ping", {"unsent": 2, "battery": 15})
    take_over(Actor(None, second.device), second.device)
    # Another process heard of them.
    _heard.clear()
    Device.objects.filter(letter="A").update(last_seen_at=timezone.now() - timedelta(minutes=3))
    rows = desk.get(reverse("desk-tablets", args=[event.slug])).context["tables"]
    assert [(row.table, row.device and said_of(row.device), row.silent) for row in rows] == [
        (1, ("A", False, 2, 15), True),
        (1, ("B", True, None, None), False),
        (2, None, False),
    ]


def test_a_further_tablet_needs_a_table_that_has_one(desk: Client, event: Event, tablet: Tablet) -> None:
    assert desk.post(reverse("desk-tablet-further", args=[event.slug, 1])).status_code == 302
    assert desk.post(reverse("desk-tablet-further", args=[event.slug, 2])).status_code == 422
    assert Device.objects.filter(revoked_at=None).count() == 2


def test_what_cannot_be_applied_offers_no_button_for_it(desk: Client, event: Event, tablet: Tablet, game: Game) -> None:
    tablet.send(tablet.hand(4))
    sent = Submission.objects.get()

    def shown() -> bool:
        return may_apply(desk.get(reverse("desk-parked", args=[event.slug])).context["pending"].rows[0])

    seen = [shown()]
    Submission.objects.filter(pk=sent.pk).update(kind="other")
    seen.append(shown())
    Submission.objects.filter(pk=sent.pk).update(kind="hand", game=None)
    assert [*seen, shown()] == [True, False, False]
