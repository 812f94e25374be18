"""What the desk cannot do with what is pending, and lines that no sheet takes any more."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import MADE_FIVE, ODD, play, revise_entry
from tests.sure import fresh
from tests.tournament.submissions.conftest import THREE, TWO_SET, Tablet, close_round
from tests.tournament.submissions.test_receive import a_game, books
from tournament.access import Actor
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Call, Event, Game, Notice, Round, Submission
from tournament.queries.roster import RosterRow
from tournament.services import rounds, submissions
from tournament.services.devices import revoke_device
from tournament.services.entries import open_from_paper, record_entry
from tournament.services.rounds import call_time
from tournament.services.submissions import decide
from tournament.services.teams import change_team

pytestmark = pytest.mark.both_databases


@pytest.mark.parametrize(
    ("change", "choice", "sentence"),
    [
        ({"kind": "seat"}, "replace", "Only a hand can replace a line."),
        ({}, "replace", "There is no line in its place: add it to the sheet instead."),
        ({"game": None}, "apply", "Its game was deleted, or it cannot be read"),
        ({"kind": "other"}, "apply", "Its game was deleted, or it cannot be read"),
        ({"status": "discarded"}, "discard", "Somebody else already decided"),
        ({}, "perhaps", "Add it, use it instead of the line, or discard it?"),
    ],
)
def test_decision_that_cannot_be_carried_out_is_refused(
    tablet: Tablet, dana: User, change: dict[str, object], choice: str, sentence: str
) -> None:
    tablet.send(tablet.hand(4))
    sent = Submission.objects.get()
    Submission.objects.filter(pk=sent.pk).update(**change)
    status = Submission.objects.get().status
    with pytest.raises((Conflict, ValidationFailed)) as refusal:
        decide(Actor(dana), sent, choice, "asked the table")
    assert sentence in str(refusal.value)
    assert Submission.objects.get().status == status


@pytest.mark.parametrize(("state", "words"), [("void", "This game no longer counts"), ("final", "The sheet is final")])
def test_game_that_is_void_or_signed_takes_no_line(game: Game, dana: User, state: str, words: str) -> None:
    Game.objects.filter(pk=game.pk).update(state=state)
    with pytest.raises(Conflict, match=words):
        record_entry(Actor(dana), game, ODD, source="desk")


def test_sheet_with_lines_takes_no_totals_and_no_correction_of_what_changed(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "3", "books": 9})
    with pytest.raises(Conflict, match="The sheet already has hands"):
        open_from_paper(Actor(dana), game, {"scores": [1, 0]})
    with pytest.raises(Conflict, match="This hand was changed since you opened it"):
        revise_entry(Actor(dana), game, position=1, revision=3, facts=ODD, reason="the books were 6")


def test_correction_of_a_line_that_is_gone_is_refused(game: Game, desk: Client) -> None:
    answer = desk.get(reverse("game-revision", args=[game.round.event.slug, game.pk, 7]))
    assert (answer.status_code, "This line is no longer on the sheet." in answer.text) == (409, True)


def test_number_of_a_team_stays_once_games_are_played(event: Event, game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    with pytest.raises(ValidationFailed, match="Numbers stay as they are once games are played"):
        change_team(Actor(dana), event, 1, RosterRow(number=7, name="Aces", players=("Ann 1", "Bea 1")))


def test_a_void_hand_at_the_wrong_line_is_kept_for_its_line_before_its_rule_is_looked_at(tablet: Tablet) -> None:
    assert tablet.results(tablet.item("void", position=4, rule="none")) == [("parked", "gap")]
    assert tablet.results(tablet.item("void", position=1, rule="none", after=None)) == [("parked", "refused")]


def test_what_a_tablet_may_leave_for_the_desk_has_an_end(
    dana: User, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest stays on the tablet, and is taken once the desk has decided some of it."""
    monkeypatch.setattr(submissions, "MOST_WAITING", 3)
    revoke_device(Actor(dana), tablet.game.round.event, 1)
    items = [tablet.hand(1) for _ in range(5)]
    full = tablet.send(*items)
    assert (full.status_code, full["Retry-After"], Submission.objects.count()) == (429, "60", 3)
    assert (
        full.json()["faults"][0]["text"]
        == "Too much that came from this tablet could not be carried out. The tablet keeps the rest."
    )
    assert tablet.results(*items[:3]) == [("parked", "former-device")] * 3
    Submission.objects.update(status="discarded")
    assert [status for status, _ in tablet.results(*items)] == ["discarded"] * 3 + ["parked"] * 2


def test_what_a_withdrawn_tablet_takes_back_too_late_has_an_end_too(
    dana: User, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MOST_WAITING", 3)
    revoke_device(Actor(dana), tablet.game.round.event, 1)
    items = [tablet.item("uncall", after=None) for _ in range(5)]
    assert (tablet.send(*items).status_code, Submission.objects.count()) == (429, 3)
    assert tablet.results(*items[:3]) == [("discarded", "too-late")] * 3


# What is taken back from a queue.


def test_what_is_taken_back_too_late_is_told_to_the_table_and_is_no_case(tablet: Tablet, event: Event) -> None:
    tablet.send(*a_game(tablet))
    close_round()
    assert tablet.results(tablet.item("unsign", side=0), tablet.item("uncall")) == [("discarded", "too-late")] * 2
    assert not Submission.objects.filter(event=event, status="parked").exists()


def test_what_is_taken_back_waits_for_what_was_said_before_it(tablet: Tablet, game: Game) -> None:
    call = tablet.item("call", about="renege")
    back = {**tablet.item("uncall"), "after": call["uid"]}
    assert tablet.results(back) == [("parked", "waiting")]
    assert tablet.results(call) == [("applied", "")]
    assert not Call.objects.filter(answered_at=None).exists()


def test_a_sheet_of_a_hundred_lines_is_signed_at_the_table(tablet: Tablet, game: Game) -> None:
    hands = [tablet.item("void", position=1 + number, rule="18") for number in range(100)]
    last = tablet.hand(101, {**THREE, "bid": "1", "books": 6})
    for part in (hands[:50], hands[50:], [last]):
        assert {status for status, _ in tablet.results(*part)} == {"applied"}
    lines = [item["uid"] for item in (*hands, last)]
    signed = [tablet.item("sign", side=side, name=f"Ann {side + 1}", lines=lines) for side in (0, 1)]
    assert tablet.results(*signed) == [("applied", "")] * 2
    assert Game.objects.get(pk=game.pk).state == "final"


def test_what_cannot_be_read_is_told_in_words_for_people(tablet: Tablet) -> None:
    answer = tablet.send({**tablet.hand(1), "position": "two"}).json()["results"][0]
    sentence = "The tablet sent something this version cannot read. Write the hand on paper."
    assert (answer["status"], answer["code"], answer["text"], answer["field"]) == (
        "parked",
        "refused",
        sentence,
        "position",
    )


# A form that is sent to a tablet's addresses: refused in JSON like any other body, and nobody is signed in by it.
FORMS = ["multipart/form-data; boundary=q", "multipart/form-data", "application/x-www-form-urlencoded"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["submissions", "known", "ping"])
def test_a_form_is_no_message(tablet: Tablet, name: str, form: str) -> None:
    headers = {"Authorization": f"Table {tablet.token}"}
    answer = Client().post(f"/t/api/{name}/", b"again_password=x", content_type=form, headers=headers)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/json")


def test_nobody_signs_in_at_an_address_without_the_check_of_forms(tablet: Tablet, dana: User) -> None:
    client, body = Client(enforce_csrf_checks=True), "again_name=dana&again_password=a+long+enough+password"
    answers = [
        client.post(f"/t/api/{name}/", body, content_type=FORMS[2], headers={"Origin": "https://elsewhere.example"})
        for name in ("submissions", "known", "ping")
    ]
    statuses = [answer.status_code for answer in answers]
    assert (statuses, settings.SESSION_COOKIE_NAME in client.cookies) == ([401] * 3, False)
    assert fresh(dana).last_login is None


# Hands that a tablet kept while it had no network, and that arrive when time is up or the round is closed.
TWO = {"entry": "hand", "seat": 0, "bid": "2", "books": 8}
LAST = {"entry": "hand", "seat": 1, "bid": "4", "books": 11}


@pytest.fixture
def time_is_up(event: Event, game: Game, dana: User) -> None:
    """Forty minutes were to be played; the director has called time. The tablet of table 1 has not heard of it."""
    Event.objects.filter(pk=event.pk).update(options={"round_minutes": 40})
    Round.objects.update(started_at=timezone.now() - timedelta(minutes=41))
    call_time(Actor(dana), fresh(event), 1)
    game.refresh_from_db()


@pytest.fixture
def closed(event: Event, tables: list[Game], tablet: Tablet, dana: User) -> Event:
    """Table 1 was typed from its paper sheet, with 9 books where the tablet has 8; everybody signed, the round is
    closed."""
    for game in tables:
        play(dana, game, {**TWO, "books": 9}, LAST)
    rounds.close_round(Actor(dana), event, 1)
    return event


def state_of(game: Game) -> tuple[str, str]:
    fresh = Game.objects.select_related("result").get(pk=game.pk)
    return fresh.state, fresh.result.how


def test_the_hand_in_play_counts_and_ends_the_game_and_what_comes_after_it_waits(
    tablet: Tablet, game: Game, time_is_up: None, desk: Client, event: Event
) -> None:
    """What was kept and comes after time is taken in order: the first hand was in play, no other one can have been."""
    queue = [tablet.hand(1, TWO), tablet.hand(2, TWO_SET), tablet.hand(3, TWO)]
    assert tablet.results(*queue) == [("applied", ""), ("parked", "conflict"), ("parked", "waiting")]
    assert (books(game)[:1], state_of(game)) == ([8], ("to-sign", "time"))
    page = desk.get(reverse("desk-parked", args=[event.slug]))
    (row,) = page.context["pending"].rows
    assert (row.why, len(row.behind)) == ("Another line is already in its place", 1)


def test_the_desk_takes_the_end_by_time_back_for_hands_that_were_played_before_it(
    tablet: Tablet, game: Game, time_is_up: None, desk: Client, event: Event, dana: User
) -> None:
    """The table played two hands before time was called, without a network: the desk puts them in their places."""
    tablet.results(tablet.hand(1, TWO), tablet.hand(2, TWO_SET))
    [row] = Submission.objects.filter(status="parked")
    where = reverse("parked-decision", args=[event.slug, row.pk])
    assert desk.post(where, {"choice": "replace", "reason": "Played before time"}).status_code == 302
    assert (books(game), state_of(game)[0]) == ([8, 7], "playing")


def test_after_the_round_was_closed_everything_is_kept_with_its_reason(
    tablet: Tablet, closed: Event, game: Game, desk: Client
) -> None:
    before = books(game)
    queue = [tablet.hand(1, TWO), tablet.hand(2, LAST), tablet.item("call", about="count")]
    queue.append(tablet.item("sign", side=0, name="Ann 1", lines=[queue[0]["uid"], queue[1]["uid"]]))
    assert tablet.results(*queue) == [("parked", "closed")] * 4
    assert tablet.results(*queue) == [("parked", "closed")] * 4
    rows = desk.get(reverse("desk-parked", args=[closed.slug])).context["pending"].rows
    assert [(row.why, row.sent.reason) for row in rows] == [("Its game is not in play", "Game 1 is not in play.")] * 4
    assert (books(game), state_of(game)[0]) == (before, "final")


def test_the_desk_puts_a_late_hand_in_the_place_of_the_one_from_paper(
    tablet: Tablet, closed: Event, game: Game, desk: Client
) -> None:
    tablet.results(tablet.hand(1, TWO), tablet.hand(2, LAST))
    first, second = Submission.objects.order_by("pk")
    where = [reverse("parked-decision", args=[closed.slug, row.pk]) for row in (first, second)]
    answer = desk.post(where[0], {"choice": "apply", "reason": "The tablet is right"})
    assert (answer.status_code, "is not in play" in answer.content.decode()) == (409, True)
    assert desk.post(where[0], {"choice": "replace", "reason": "The tablet is right"}).status_code == 302
    assert desk.post(where[1], {"choice": "discard", "reason": "The same hand"}).status_code == 302
    assert (books(game), state_of(game)[0], Notice.objects.count()) == ([8, 11], "final", 2)
    assert list(Submission.objects.order_by("pk").values_list("status", flat=True)) == ["replaced", "discarded"]
    stored = tablet.post("known", {"uids": [str(first.uid), str(second.uid)]}).json()["known"]
    assert stored == {str(first.uid): "replaced", str(second.uid): "discarded"}
