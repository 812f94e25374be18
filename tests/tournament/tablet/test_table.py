"""The tablet's page: seats, hands, undo, calls, signatures, and everything that is refused."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import MADE_FIVE, ODD, make_round, page_of, play
from tests.messages import check, send
from tests.sure import fresh, sure
from tests.tournament.tablet.conftest import at, bind
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Call, Device, Entry, Event, Game, Round, Signature, Submission
from tournament.queries.devices import tablet_list
from tournament.queries.roster import RosterRow
from tournament.queries.sheet import sheet_now
from tournament.services.devices import issue_second_card, pair_device
from tournament.services.events import change_options
from tournament.services.rounds import answer_call, call_time, choose_first_dealer, go_to_call, pause_round, seat_side
from tournament.services.substitutions import substitute
from tournament.services.teams import change_team, leave
from tournament.site.polling import AT_ONCE, CALMLY, every

HTMX = {"HX-Request": "true"}
OLD = ("entries", "undos", "seats", "calls", "calls/return", "signatures", "signatures/return")
THREE = {"seat": "0", "bid": "3", "books": "9", "position": "1"}


def form(**changes: str) -> dict[str, str]:
    return {**THREE, "client_key": str(uuid.uuid4()), **changes}


def phase(tablet: Client) -> str:
    return tablet.get(reverse("tablet")).context["page"].phase


def test_a_browser_without_a_table_is_asked_for_the_code(client: Client) -> None:
    assert client.get(reverse("tablet"))["Location"] == reverse("pair") + "?again"


def test_before_the_round_the_tablet_says_who_plays_there_next(dana: User, event: Event, tables: list[Game]) -> None:
    Round.objects.update(state="planned")
    page = bind(dana, event, 2).get(reverse("tablet"))
    assert (page.context["page"].phase, [name for _, name in page.context["page"].coming.teams]) == (
        "waiting",
        ["Night Owls", "Eagles"],
    )
    assert b"Aces" not in page.content


def test_both_sides_sit_down_and_name_the_first_dealer(tablet: Client, game: Game) -> None:
    assert phase(tablet) == "seats"
    send(tablet, "seat", game, {"side": "0"})
    assert phase(tablet) == "seats"
    send(tablet, "seat", game, {"side": "1"})
    assert phase(tablet) == "dealer"
    send(tablet, "dealer", game, {"dealer": "3"})
    page = tablet.get(reverse("tablet"))
    assert (page.context["page"].phase, page.context["sheet"].dealer.name) == ("play", "Bea 2")


def test_the_first_dealer_waits_for_everybody_and_stands_after_the_first_hand(tablet: Client, game: Game) -> None:
    assert send(tablet, "dealer", game, {"dealer": "1"})["code"] == "changed"
    for side in "01":
        send(tablet, "seat", game, {"side": side})
    send(tablet, "dealer", game, {"dealer": "1"})
    send(tablet, "dealer", game, {"dealer": "2"})
    send(tablet, "hand", game, form())
    assert send(tablet, "dealer", game, {"dealer": "1"})["code"] == "changed"
    assert fresh(game).first_dealer == 2


def test_a_hand_is_recorded_as_facts_by_the_tablet_even_when_an_official_is_signed_in(
    ready: Client, game: Game, dana: User
) -> None:
    ready.force_login(dana)
    assert send(ready, "hand", game, form(seat="3", bid="3-no"))["status"] == "applied"
    entry = Entry.objects.get()
    assert entry.facts == {"entry": "hand", "seat": 3, "bid": "3-no", "books": 9, "dealer": 0}
    assert (sure(entry.device).table, entry.entered_by, entry.source) == (1, None, "table")
    assert sheet_now(game).scores == (0, 6)


def test_a_double_tap_on_the_hand_that_ends_the_game_writes_one_hand(ready: Client, game: Game) -> None:
    posted = form(bid="1", books="6")
    assert [send(ready, "hand", game, posted)["status"] for _ in range(2)] == ["applied"] * 2
    assert (Entry.objects.count(), phase(ready)) == (1, "sign")


@pytest.mark.parametrize(
    ("change", "field", "rule"),
    [
        ({"books": "14"}, "books", "4"),
        ({"books": "-1"}, "books", "4"),
        ({"books": ""}, "books", ""),
        ({"books": "nine"}, "books", ""),
        ({"bid": "0"}, "bid", "24"),
        ({"bid": "8"}, "bid", "24"),
        ({"bid": ""}, "bid", ""),
        ({"bid": "3-maybe"}, "bid", ""),
        ({"seat": ""}, "seat", ""),
        ({"seat": "4"}, "seat", ""),
        ({"seat": "99999999999999999999"}, "seat", ""),
    ],
)
def test_what_cannot_be_is_refused_at_its_field_with_what_was_typed(
    ready: Client, game: Game, change: dict[str, str], field: str, rule: str
) -> None:
    answer = check(ready, form(**change))
    faults = answer.context["faults"]
    assert (answer.status_code, [fault.field for fault in faults], faults[0].rule) == (422, [field], rule)
    posted = {**THREE, **change}
    assert answer.context["values"] == {key: posted[key][:40] for key in ("seat", "bid", "books")}
    assert faults[0].text in answer.content.decode().replace("&#x27;", "'")
    assert Entry.objects.count() == 0


@pytest.mark.parametrize("change", [{"position": "x"}, {"position": "-3"}, {"client_key": "no key"}])
def test_a_form_that_was_tampered_with_is_refused(ready: Client, game: Game, change: dict[str, str]) -> None:
    assert check(ready, form(**change)).status_code == 422
    assert Entry.objects.count() == 0


def test_a_stale_position_shows_the_sheet_as_it_is_and_keeps_what_was_typed(
    ready: Client, game: Game, dana: User
) -> None:
    play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    answer = check(ready, form(), headers=HTMX)
    assert (answer.status_code, answer.context["values"]["books"], answer.context["position"]) == (422, "9", 2)
    assert answer.context["sheet"].scores == (0, 2)
    assert (Entry.objects.count(), answer.content.decode().count("<html")) == (1, 0)


def test_a_hand_for_a_finished_game_names_the_rule(ready: Client, game: Game, dana: User) -> None:
    play(dana, game, ODD, sign=False)
    answer = check(ready, form(position="2"))
    assert (answer.status_code, answer.context["faults"][0].rule) == (422, "7")
    assert Entry.objects.count() == 1


def test_another_table_cannot_be_read(ready: Client, tables: list[Game]) -> None:
    assert ready.get(at("tablet-preview", tables[1]), form()).status_code == 403


@pytest.mark.parametrize("old", OLD)
def test_a_page_from_before_an_update_is_answered_with_the_page_of_now_and_what_was_typed(
    ready: Client, game: Game, old: str
) -> None:
    address, typed = f"/t/table/games/{game.pk}/{old}/", form()
    assert ready.get(address).status_code == 405
    answer = ready.post(address, typed, headers=HTMX)
    assert (answer.status_code, answer.context["values"]) == (409, {"seat": "0", "bid": "3", "books": "9"})
    assert "the site has been updated. Load this page again" in answer.text
    assert str(answer.context["client_key"]) == typed["client_key"] and 'data-kind="hand"' in answer.text
    assert not Entry.objects.exists() and not Call.objects.exists()
    # The same from there on is a message.
    assert send(ready, "hand", game, typed)["status"] == "applied"


def test_a_hand_without_a_fault_that_is_asked_about_is_not_recorded(ready: Client, game: Game) -> None:
    answer = check(ready, form())
    assert (answer.status_code, answer.context["values"]["bid"]) == (422, "3")
    assert "Not recorded. Press Record again" in answer.text
    assert Entry.objects.count() == 0


def test_the_page_shows_this_game_and_no_other(ready: Client) -> None:
    shown = ready.get(reverse("tablet")).content.decode()
    assert "Aces" in shown and "Books" in shown
    assert "Night Owls" not in shown and "Eagles" not in shown


def test_a_void_hand_is_dealt_again_by_the_same_player(ready: Client, game: Game) -> None:
    send(ready, "void", game, {"rule": "17"})
    sheet = sheet_now(game)
    assert Entry.objects.get().facts == {
        "entry": "void",
        "rule": "17",
        "reason": "Wrong number of cards before the bidding",
    }
    assert (sheet.rows[0].number, sure(sheet.dealer).name, sheet.next_position) == (None, "Ann 1", 2)


@pytest.mark.parametrize("rule", ["", "41", "22", "99", "renege"])
def test_a_void_under_a_rule_that_is_the_directors_is_refused(ready: Client, game: Game, rule: str) -> None:
    assert send(ready, "void", game, {"rule": rule})["code"] == "refused"
    assert Entry.objects.count() == 0


def test_undo_says_what_it_takes_off_and_keeps_it_on_record(ready: Client, game: Game) -> None:
    send(ready, "hand", game, form())
    assert "<strong>3 made with 9, Ann 1</strong>" in ready.get(reverse("tablet")).content.decode()
    undo = {"position": "1", "client_key": str(uuid.uuid4()), "of": str(Entry.objects.get().client_key)}
    assert [send(ready, "undo", game, undo)["status"] for _ in range(2)] == ["applied"] * 2
    sheet = sheet_now(game)
    assert (sheet.rows, [old.written.text for old in sheet.removed]) == ((), ["3 made with 9"])
    assert Entry.objects.count() == 2


def test_what_comes_after_an_undo_does_not_replace_what_was_undone(ready: Client, game: Game, dana: User) -> None:
    send(ready, "hand", game, form())
    send(ready, "undo", game, {"position": "1", "client_key": str(uuid.uuid4())})
    send(ready, "void", game, {"rule": "18"})
    page = ready.get(reverse("tablet")).content.decode()
    assert ('<div class="why">undone</div>' in page, "replaced" in page) == (True, False)


def test_undo_of_a_line_that_is_no_longer_the_last_is_refused(ready: Client, game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}, {"entry": "void", "rule": "17"})
    first = str(Entry.objects.get(position=1).client_key)
    assert send(ready, "undo", game, {"position": "1", "of": first})["code"] == "conflict"


def test_a_table_cannot_undo_a_ruling(ready: Client, game: Game, dana: User) -> None:
    play(dana, game, {"entry": "adjustment", "points": [1, 0], "reason": "miscounted"})
    assert "only the director" in ready.get(reverse("tablet")).content.decode()
    assert send(ready, "undo", game, {"position": "1"})["code"] == "changed"


def test_the_director_is_called_once(ready: Client, game: Game) -> None:
    send(ready, "call", game, {"kind": "renege"})
    send(ready, "call", game, {"kind": "score"})
    assert [call.kind for call in Call.objects.all()] == ["renege"]
    assert "Director called" in ready.get(reverse("tablet")).content.decode()


def test_nobody_is_said_to_have_signed_a_game_that_the_desk_ended(ready: Client, game: Game, dana: User) -> None:
    def said() -> bool:
        page = " ".join(ready.get(reverse("tablet")).content.decode().split())
        assert "The sheet is locked." in page
        return "Both sides have signed." in page

    leave(Actor(dana), game.round.event, 2, 0)
    late = send(ready, "hand", game, form())
    assert (said(), late["text"]) == (False, "The sheet was final already.")


def test_the_tablet_says_who_has_heard_its_call_and_nobody_is_on_the_way_before_saying_so(
    ready: Client, game: Game, dana: User
) -> None:
    def said() -> list[str]:
        text = " ".join(ready.get(reverse("tablet")).content.decode().split())
        return [words for words in ("The desk has been told.", "The director is on the way.") if words in text]

    shown = [said()]
    send(ready, "call", game, {"kind": "renege"})
    version = ready.get(reverse("tablet")).context["page"].version
    shown.append(said())
    call = go_to_call(Actor(dana), Call.objects.get())
    assert ready.get(reverse("tablet")).context["page"].version != version
    shown.append(said())
    answer_call(Actor(dana), call)
    shown.append(said())
    assert shown == [[], ["The desk has been told."], ["The director is on the way."], []]


def test_both_sides_sign_by_a_players_name_and_the_sheet_is_final(ready: Client, game: Game) -> None:
    send(ready, "hand", game, form(bid="4", books="11"))
    send(ready, "sign", game, {"side": "0", "name": "Ann 1"})
    assert phase(ready) == "sign"
    send(ready, "sign", game, {"side": "1", "name": "Bea 2"})
    assert phase(ready) == "final"
    assert [
        (signature.side, signature.name, sure(signature.device).table, signature.witness)
        for signature in Signature.objects.all()
    ] == [
        (0, "Ann 1", 1, None),
        (1, "Bea 2", 1, None),
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "Ann 2"}, "refused"),
        ({"name": ""}, "refused"),
        ({"side": "5"}, "refused"),
        ({"side": "x"}, "refused"),
        ({"lines": []}, "changed"),
    ],
)
def test_a_signature_that_does_not_fit_is_refused(ready: Client, game: Game, change: dict[str, Any], code: str) -> None:
    send(ready, "hand", game, form(bid="4", books="11"))
    assert send(ready, "sign", game, {"side": "0", "name": "Ann 1", **change})["code"] == code
    assert Signature.objects.count() == 0


def test_a_team_without_written_players_signs_with_its_name(ready: Client, game: Game) -> None:
    game.sides.get(index=0).team.players.all().delete()
    send(ready, "hand", game, form(bid="4", books="11"))
    assert send(ready, "sign", game, {"side": "0", "name": "Aces"})["status"] == "applied"


def test_after_signing_each_side_is_told_where_it_plays_next(
    ready: Client, game: Game, dana: User, event: Event, tables: list[Game]
) -> None:
    aces, books, owls, eagles = event.teams.order_by("number")
    make_round(event, [(owls, books), (aces, eagles)], number=2, state="planned")
    play(dana, game, MADE_FIVE)
    upcoming = ready.get(reverse("tablet")).context["page"].onward
    assert [(seat.name, f"{seat.place} {seat.rest}") for seat in upcoming] == [
        ("Aces", "table 2 against Eagles in game 2"),
        ("Books", "table 1 against Night Owls in game 2"),
    ]


def test_a_side_with_a_bye_is_told_so(ready: Client, game: Game, dana: User, event: Event) -> None:
    aces, books, owls, _ = event.teams.order_by("number")
    make_round(event, [(owls, books)], number=2, state="planned").byes.create(team=aces)
    play(dana, game, MADE_FIVE)
    upcoming = ready.get(reverse("tablet")).context["page"].onward
    assert (upcoming[0].place, upcoming[0].rest) == ("a bye", "in game 2")


def test_a_poll_with_nothing_new_gets_204_and_any_news_the_page(ready: Client, game: Game, dana: User) -> None:
    def poll(version: str) -> int:
        return ready.get(reverse("tablet"), {"version": version}, headers=HTMX).status_code

    version = ready.get(reverse("tablet")).context["page"].version
    assert poll(version) == 204
    play(dana, game, {"entry": "void", "rule": "17"})
    assert poll(version) == 200
    version = ready.get(reverse("tablet")).context["page"].version
    send(ready, "call", game, {"kind": "other"})
    assert poll(version) == 200
    version = ready.get(reverse("tablet")).context["page"].version
    Round.objects.update(state="closed")
    assert poll(version) == 200


@pytest.mark.django_db(transaction=True)
def test_a_tablet_that_waits_costs_one_row_and_a_write_a_minute(ready: Client, event: Event) -> None:
    version = ready.get(reverse("tablet")).context["page"].version
    assert polled(ready, version)[0] == 204
    asked = []
    for seconds in range(0, 60, 5):
        Device.objects.update(last_seen_at=timezone.now() - timedelta(seconds=seconds))
        with CaptureQueriesContext(connection) as queries:
            assert polled(ready, version)[0] == 204
        asked += [query["sql"].split()[0] for query in queries]
    assert asked == ["SELECT"] * 12
    assert sure(tablet_list(event)[0].seen) >= timezone.now() - timedelta(seconds=5)
    Device.objects.update(last_seen_at=timezone.now() - timedelta(seconds=61))
    polled(ready, version)
    assert sure(Device.objects.get().last_seen_at) > timezone.now() - timedelta(seconds=5)


def test_a_table_in_play_asks_at_once_and_one_that_waits_calmly(
    second: Client, tablet: Client, game: Game, dana: User
) -> None:
    def pages() -> list[str]:
        return [
            sure(re.search(r"every \w+", client.get(reverse("tablet")).content.decode()))[0]
            for client in (tablet, second)
        ]

    assert pages() == [every(AT_ONCE)] * 2
    play(dana, game, MADE_FIVE)
    assert pages() == [every(CALMLY)] * 2
    Round.objects.update(state="closed")
    assert pages() == [every(CALMLY)] * 2


def test_a_poll_keeps_what_is_being_typed(ready: Client, game: Game) -> None:
    typed = {**form(), "version": "old"}
    answer = ready.get(reverse("tablet"), typed, headers=HTMX)
    assert answer.context["values"] == {"seat": "0", "bid": "3", "books": "9"}
    assert str(answer.context["client_key"]) == typed["client_key"]


def test_a_poll_after_a_lost_answer_clears_the_hand_that_was_received(ready: Client, game: Game) -> None:
    typed = form()
    send(ready, "hand", game, typed)
    answer = ready.get(reverse("tablet"), {**typed, "version": "old"}, headers=HTMX)
    assert (answer.context["values"], answer.context["faults"]) == ({}, ())


def test_a_poll_after_the_desk_wrote_warns_and_keeps_what_is_being_typed(ready: Client, game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    answer = ready.get(reverse("tablet"), {**form(), "version": "old"}, headers=HTMX)
    assert (answer.context["values"]["bid"], answer.context["position"]) == ("3", 2)
    assert "The sheet has changed." in answer.context["faults"][0].text


def test_a_form_in_which_nobody_chose_anything_is_never_out_of_date(tablet: Client, dana: User, game: Game) -> None:
    play(dana, game, ODD)
    sent = {"position": "1", "client_key": str(uuid.uuid4()), "cards": "13", "play": ""}
    assert tablet.get(reverse("tablet"), sent).context["faults"] == ()


def test_the_page_is_a_part_for_htmx_and_whole_otherwise(ready: Client) -> None:
    assert ready.get(reverse("tablet")).content.startswith(b"<!doctype html>")
    assert b"<html" not in ready.get(reverse("tablet"), headers=HTMX).content


def polled(tablet: Client, version: str) -> tuple[int, str]:
    """What a screen that shows this version hears."""
    answer = tablet.get(reverse("tablet"), {"version": version}, headers={"HX-Request": "true"})
    return answer.status_code, answer.content.decode()


def test_a_substitute_another_name_and_another_clock_stand_on_the_page_at_the_next_poll(
    ready: Client, event: Event, dana: User, game: Game
) -> None:
    changes: list[tuple[str, Callable[[], object]]] = [
        ("Sub Stitute", lambda: substitute(Actor(dana), event, 1, position=0, into="Sub Stitute", from_round=1)),
        (
            "Queens",
            lambda: change_team(Actor(dana), event, 2, RosterRow(row=2, number=2, name="Queens", players=("Cy", "Di"))),
        ),
        ("until", lambda: change_options(Actor(dana), event, {"round_minutes": 40}, confirmed=True)),
    ]
    for words, change in changes:
        version = ready.get(reverse("tablet")).context["page"].version
        assert polled(ready, version) == (204, "")
        change()
        status, page = polled(ready, version)
        assert (status, words in page) == (200, True), words


def test_nobody_is_seated_anew_at_a_table_that_has_signed(dana: User, game: Game) -> None:
    play(dana, game, MADE_FIVE)
    for act in (lambda: seat_side(Actor(dana), game, 0), lambda: choose_first_dealer(Actor(dana), game, 1)):
        with pytest.raises(Conflict, match="the game is over"):
            act()


# Before the first hand: any tablet of the table says who is seated, and the page says until when.
@pytest.fixture
def second(dana: User, event: Event, tablet: Client) -> Client:
    """A further tablet of table 1, which only shows the score."""
    client = Client()
    client.cookies[TABLE_COOKIE] = pair_device(Actor(), issue_second_card(Actor(dana), event, 1))
    return client


def test_a_tablet_that_only_shows_the_score_seats_both_sides(second: Client, game: Game) -> None:
    page_text = page_of(second.get("/t/table/"))
    assert (
        "Tablet A is keeping score. This tablet (B) only shows it." in page_text,
        page_text.count("We are seated"),
    ) == (
        True,
        2,
    )
    for side in ("0", "1"):
        assert send(second, "seat", game, {"side": side})["status"] == "applied"
    statuses = set(Submission.objects.values_list("status", flat=True))
    assert (game.sides.filter(seated_at=None).count(), statuses) == (0, {"applied"})


def test_only_the_tablet_that_keeps_score_names_the_dealer(second: Client, tablet: Client, game: Game) -> None:
    for side in (0, 1):
        seat_side(Actor(), game, side)
    shows, keeps = page_of(second.get("/t/table/")), page_of(tablet.get("/t/table/"))
    assert [text in shows for text in ('name="dealer"', "Tablet A names the first dealer and keeps score.")] == [
        False,
        True,
    ]
    assert 'name="dealer"' in keeps
    assert "Deal until someone gets a club: that player deals first. Tap the player to begin." in keeps
    assert send(second, "dealer", game, {"dealer": "0"})["code"] == "not-writer"


def test_the_time_to_be_seated_by_is_the_title(tablet: Client, game: Game) -> None:
    page_text = page_of(tablet.get("/t/table/"))
    title = page_text.partition('<h2 class="table-title">')[2].partition("</h2>")[0]
    assert title.startswith("Seated by ") and 'data-until="' in title
    assert "A team not seated by then is late (5 minutes after the start). Sit across from your partner." in page_text


# What a table sees of the round's clock, and the way out when the teams do not agree on the sheet.
HAND = {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}


def timed(event: Event, minutes: int) -> None:
    Event.objects.filter(pk=event.pk).update(options={"round_minutes": 40})
    Round.objects.update(started_at=timezone.now() - timedelta(minutes=minutes))
    event.refresh_from_db()


def test_tablet_names_the_times_of_its_notices(ready: Client, event: Event) -> None:
    timed(event, 10)
    page = ready.get("/t/table/").content.decode()
    assert page.count("data-from=") == 3
    assert "The hand in play may be the last." in page


def test_tablet_looks_again_when_the_clock_is_stopped(ready: Client, event: Event, dana: User) -> None:
    timed(event, 10)
    version = ready.get("/t/table/").context["page"].version
    ask = {"HX-Request": "true"}
    assert ready.get(f"/t/table/?version={version}", headers=ask).status_code == 204
    pause_round(Actor(dana), event, 1, "fire alarm")
    assert "The clock is stopped." in ready.get(f"/t/table/?version={version}", headers=ask).content.decode()


def test_tablet_says_what_to_do_at_time_and_ends_a_game_without_a_hand(
    ready: Client, event: Event, game: Game, dana: User
) -> None:
    timed(event, 41)
    play(dana, game, HAND)
    assert ready.post(at("tablet-time", game), {"position": "2"}).status_code == 409
    call_time(Actor(dana), event, 1)
    page = ready.get("/t/table/").content.decode()
    assert "Finish the hand in play and record it" in page and "No hand was in play" in page
    assert "Then the game ends with this score: Aces: 2, Books: 0." in page
    assert ready.post(at("tablet-time", game), {"position": "2"}).status_code == 302
    assert (fresh(game).state, game.result.how, game.result.winner) == ("to-sign", "time", 0)


def test_teams_that_do_not_agree_call_the_director(ready: Client, game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE, sign=False)
    assert "We do not agree: call the director" in ready.get("/t/table/").content.decode()
    assert send(ready, "call", game, {"kind": "score"})["status"] == "applied"
    assert Call.objects.get().kind == "score"
    assert "We do not agree" not in ready.get("/t/table/").content.decode()


def test_the_last_hand_after_time_says_before_it_is_recorded_that_it_ends_the_game(
    ready: Client, event: Event, game: Game, dana: User
) -> None:
    timed(event, 41)
    call_time(Actor(dana), event, 1)
    typed = {"seat": "0", "bid": "2", "books": "8", "position": "1"}
    shown = ready.get(at("tablet-preview", game), typed, headers={"HX-Request": "true"}).content.decode()
    assert "Game over: Aces" in shown and "is-over" in shown


def test_desk_tablet_and_projector_say_one_sentence_when_the_time_is_over(
    ready: Client, event: Event, game: Game, desk: Client
) -> None:
    timed(event, 41)
    words = "Time for this game is up. Play on until the director calls time."
    assert words in ready.get("/t/table/").content.decode()
    assert words in desk.get(f"/e/{event.slug}/board/").content.decode()
    assert "still playing: call time" in desk.get(f"/desk/{event.slug}/").content.decode()
