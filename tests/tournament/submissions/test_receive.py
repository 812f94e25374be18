"""What a tablet sends is written once and in order; everything else is kept for the desk with its reason."""

from __future__ import annotations

import itertools
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import ODD, make_game, play, revise_entry
from tests.sure import sure
from tests.tournament.submissions.conftest import FOUR, THREE, TWO_SET, Tablet
from tournament.access import Actor
from tournament.models import Call, Entry, Event, Game, Installation, Journal, Round, Signature, Submission
from tournament.queries.sheet import sheet_now
from tournament.services.devices import issue_card, take_over
from tournament.services.entries import record_entry
from tournament.services.signatures import refresh_result

pytestmark = pytest.mark.both_databases


def books(game: Game) -> list[int]:
    """The books of every line that counts, in order: the sheet in short."""
    sheet = sheet_now(game)
    entries = {entry.pk: entry for entry in Entry.objects.all()}
    return [entries[row.entry].facts.get("books", -1) for row in sheet.rows]


def lines(game: Game) -> list[str]:
    sheet = sheet_now(game)
    keys = {entry.pk: str(entry.client_key) for entry in Entry.objects.all()}
    return [keys[row.entry] for row in sheet.rows]


def test_a_batch_is_written_in_order_with_one_answer_each(tablet: Tablet, game: Game) -> None:
    assert tablet.results(tablet.hand(1, THREE), tablet.hand(2, TWO_SET)) == [("applied", ""), ("applied", "")]
    assert books(game) == [9, 7]
    entry = sure(Entry.objects.first())
    assert (entry.device, entry.entered_by, entry.source) == (tablet.device, None, "table")


def test_every_answer_says_who_it_comes_from(tablet: Tablet, event: Event) -> None:
    answer = tablet.send(tablet.hand(1)).json()
    about = {key: answer[key] for key in ("app", "v", "epoch", "table", "former", "writes", "writer")}
    assert about == {
        "app": "uptown",
        "v": 1,
        "epoch": str(event.epoch),
        "table": 1,
        "former": False,
        "writes": True,
        "writer": "A",
    }
    assert tablet.post("ping", {}).json()["instance"] == answer["instance"] != ""
    # The name is the database's, which may have been restored from another laptop.
    Installation.objects.all().delete()
    Installation.objects.create(name="of-the-other-one")
    assert tablet.post("ping", {}).json()["instance"] == "of-the-other-one"


def test_the_same_item_again_gets_the_same_answer_and_writes_nothing(tablet: Tablet, game: Game) -> None:
    hand, bad = tablet.hand(1), tablet.hand(5)
    first = tablet.send(hand, bad).json()["results"]
    again = [tablet.send(hand, bad).json()["results"] for _ in range(3)]
    assert [[{**result, "duplicate": False} for result in answer] for answer in again] == [first] * 3
    assert [result["duplicate"] for result in again[0]] == [True, True]
    assert (Entry.objects.count(), Submission.objects.count()) == (1, 2)


def test_another_content_under_a_known_uid_goes_to_the_desk_and_the_first_stays(tablet: Tablet, game: Game) -> None:
    hand = tablet.hand(1)
    tablet.send(hand)
    other = {**hand, "facts": FOUR}
    assert [tablet.results(other), tablet.results(other)] == [[("parked", "uuid-reused")]] * 2
    assert tablet.results(hand) == [("applied", "")]
    assert (books(game), Submission.objects.count()) == ([9], 2)


def test_a_form_that_was_posted_and_the_same_hand_from_the_queue_are_one(tablet: Tablet, game: Game) -> None:
    hand = tablet.hand(1)
    record_entry(Actor(None, tablet.device), game, THREE, position=1, client_key=uuid.UUID(hand["uid"]))
    assert tablet.results(hand) == [("applied", "")]
    assert Entry.objects.count() == 1


def a_game(tablet: Tablet) -> list[dict[str, Any]]:
    """Three hands, the second undone and written again, and both signatures: a game that ends with Books set."""
    first = tablet.hand(1, THREE)
    wrong = tablet.hand(2, FOUR)
    undo = tablet.item("undo", position=2, of=wrong["uid"])
    right = tablet.hand(2, TWO_SET)
    last = tablet.hand(3, {**THREE, "bid": "4", "books": 11})
    seen = [first["uid"], right["uid"], last["uid"]]
    signed = [tablet.item("sign", side=side, name=f"Ann {side + 1}", lines=seen) for side in (0, 1)]
    return [first, wrong, undo, right, last, *signed]


@pytest.mark.long
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_with_any_doubles_ends_in_the_same_sheet(tablet: Tablet, game: Game, data: st.DataObject) -> None:
    tablet.last = None
    items = a_game(tablet)
    order = data.draw(st.permutations(items))
    doubles = data.draw(st.lists(st.sampled_from(items), max_size=6))
    with transaction.atomic():
        for item in itertools.chain(order, doubles):
            assert tablet.send(item).status_code == 200
        state = Game.objects.get(pk=game.pk).state
        seen = (books(game), state, set(Submission.objects.values_list("status", flat=True)))
        transaction.set_rollback(True)
    assert seen == ([9, 7, 11], "final", {"applied"})


def test_a_line_that_came_too_early_waits_for_the_one_before_it(tablet: Tablet, game: Game) -> None:
    first, second = tablet.hand(1), tablet.hand(2, TWO_SET)
    assert tablet.results(second) == [("parked", "waiting")]
    assert tablet.results(first) == [("applied", "")]
    assert books(game) == [9, 7]
    assert tablet.results(second) == [("applied", "")]


def test_a_poisoned_item_is_set_aside_and_its_neighbors_go_on(tablet: Tablet, game: Game) -> None:
    first = tablet.hand(1)
    poison = {"uid": str(uuid.uuid4()), "kind": "hand", "game": game.pk, "facts": "no facts"}
    assert tablet.results(first, poison, tablet.hand(2, TWO_SET), {"no": "uid"}, tablet.hand(3, TWO_SET)) == [
        ("applied", ""),
        ("parked", "refused"),
        ("applied", ""),
        ("invalid", "refused"),
        ("applied", ""),
    ]
    assert books(game) == [9, 7, 7]


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({**THREE, "books": 14}, "books"),
        ({**THREE, "books": True}, "books"),
        ({**THREE, "books": 7.0}, "books"),
        ({**THREE, "books": "7"}, "books"),
        ({**THREE, "books": -1}, "books"),
        ({**THREE, "books": 10**18}, "books"),
        ({**THREE, "bid": "0"}, "bid"),
        ({**THREE, "bid": 3}, "bid"),
        ({**THREE, "seat": 4}, "seat"),
        ({**THREE, "more": 1}, "more"),
    ],
)
def test_what_the_rules_refuse_is_kept_with_its_field(tablet: Tablet, facts: dict[str, Any], field: str) -> None:
    answer = tablet.send(tablet.hand(1, facts)).json()["results"][0]
    assert (answer["status"], answer["code"], answer["field"]) == ("parked", "refused", field)
    assert (Entry.objects.count(), Submission.objects.get().body["facts"]) == (0, facts)


@pytest.mark.parametrize("facts", [{"entry": "award", "to": 0}, {"entry": "ruling"}, {"entry": "adjustment"}, {}])
def test_a_tablet_cannot_rule(tablet: Tablet, facts: dict[str, Any]) -> None:
    assert tablet.results(tablet.hand(1, facts)) == [("parked", "refused")]
    assert Entry.objects.count() == 0


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("award", {}), ("hand", {"position": True}), ("undo", {"position": 1, "of": "x"}), ("sign", {"side": 0})],
)
def test_an_item_of_a_wrong_form_is_kept_as_text(tablet: Tablet, kind: str, fields: dict[str, Any]) -> None:
    assert tablet.results(tablet.item(kind, **fields)) == [("parked", "refused")]
    assert kind in Submission.objects.get().body["unreadable"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"items": {}}',
        b'{"items": [1]}',
        b'{"items": [{"uid": "x"}]}',
        b'{"items": [], "items": []}',
        b'{"items": NaN}',
        b'{"items": [{"uid": 1' + b"0" * 5000 + b"}]}",
        b'{"items": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    ],
)
def test_what_is_no_message_is_answered_with_400(tablet: Tablet, content: bytes) -> None:
    answer = tablet.post("submissions", content)
    assert (answer.status_code, answer.json()["app"], bool(answer.json()["faults"])) == (400, "uptown", True)
    assert Submission.objects.count() == 0


def test_a_message_that_is_too_long_is_answered_with_413(tablet: Tablet) -> None:
    assert tablet.post("submissions", b" " * 65_537).status_code == 413
    assert tablet.send(*[tablet.hand(1) for _ in range(51)]).status_code == 413
    long = tablet.hand(1, {**THREE, "note": "x" * 5000})
    assert tablet.results(long) == [("parked", "refused")]


@pytest.mark.parametrize("text", ["\0", "\ud800"])
def test_signs_that_cannot_be_stored_are_kept_in_plain_letters(tablet: Tablet, text: str) -> None:
    assert tablet.results(tablet.item("sign", side=0, name=text, lines=[])) == [("parked", "refused")]
    assert Submission.objects.get().body["unreadable"].isascii()


@pytest.mark.parametrize("header", [None, "", "Table", "Table ", "Table nobody", "Bearer x", "Table " + "x" * 300])
def test_nobody_sends_anything_without_the_key_of_a_tablet(tablet: Tablet, header: str | None) -> None:
    headers = {"Authorization": header} if header is not None else {}
    for name in ("submissions", "known", "ping"):
        answer = Client().post(f"/t/api/{name}/", b"{}", content_type="application/json", headers=headers)
        assert (answer.status_code, answer.json()["app"]) == (401, "uptown")


def test_another_table_is_not_written_by_naming_its_game(tablet: Tablet, tables: list[Game]) -> None:
    tablet.game = tables[1]
    assert tablet.results(tablet.hand(1), tablet.item("call", about="renege")) == [("parked", "other-table")] * 2
    assert (Entry.objects.count(), Call.objects.count()) == (0, 0)


def test_a_game_of_another_event_is_no_game(tablet: Tablet, dana: User) -> None:
    tablet.game = make_game(dana, name="Toledo Open")
    assert tablet.results(tablet.hand(1)) == [("parked", "no-game")]
    row = Submission.objects.get()
    sentence = "Its game is not in this event: it was drawn again, or it is another event's."
    assert (row.game, row.reason) == (None, sentence)


def test_what_comes_after_both_have_signed_is_kept(tablet: Tablet, game: Game, dana: User) -> None:
    play(dana, game, ODD)
    assert tablet.results(tablet.hand(2), tablet.item("undo", position=1, of=str(uuid.uuid4()))) == [
        ("parked", "final"),
        ("parked", "final"),
    ]


def test_what_a_former_tablet_still_sends_is_kept(tablet: Tablet, event: Event, dana: User) -> None:
    hand = tablet.hand(1)
    issue_card(Actor(dana), event, 1)
    answer = tablet.send(hand).json()
    assert (answer["former"], answer["writes"], answer["results"][0]["code"]) == (True, False, "former-device")
    assert Entry.objects.count() == 0


def test_a_correction_of_an_earlier_hand_does_not_refuse_a_queued_one(tablet: Tablet, game: Game, dana: User) -> None:
    tablet.send(tablet.hand(1))
    queued = tablet.hand(2, TWO_SET)
    revise_entry(Actor(dana), game, position=1, revision=0, facts={**THREE, "books": 10}, reason="Counted again")
    assert tablet.results(queued) == [("applied", "")]
    assert books(game) == [10, 7]


def test_a_signature_under_another_sheet_is_kept(tablet: Tablet, game: Game, dana: User) -> None:
    hand = tablet.hand(1, {**THREE, "bid": "1", "books": 6})
    tablet.send(hand)
    tablet.send(tablet.item("sign", side=0, name="Ann 1", lines=[hand["uid"]]))
    late = tablet.item("sign", side=1, name="Ann 2", lines=[hand["uid"]])
    revise_entry(
        Actor(dana), game, position=1, revision=0, facts={**THREE, "bid": "1", "books": 5}, reason="Counted again"
    )
    assert tablet.results(late) == [("parked", "changed")]
    assert Game.objects.get(pk=game.pk).state != "final"


def test_a_second_tablet_looks_on_until_it_takes_over(tablet: Tablet, second: Tablet, game: Game) -> None:
    assert (tablet.device.writes, second.device.writes, second.device.letter) == (True, False, "B")
    assert second.results(second.hand(1)) == [("parked", "not-writer")]
    take_over(Actor(None, second.device), second.device)
    second.last = None
    assert second.results(second.hand(1, TWO_SET)) == [("applied", "")]
    assert tablet.results(tablet.hand(1)) == [("parked", "not-writer")]
    assert tablet.post("ping", {}).json()["writer"] == "B"
    assert books(game) == [7]


def test_a_tablet_that_looks_on_may_call_and_sign(tablet: Tablet, second: Tablet, game: Game) -> None:
    hand = tablet.hand(1, {**THREE, "bid": "1", "books": 6})
    tablet.send(hand)
    signature = second.item("sign", side=0, name="Ann 1", lines=[hand["uid"]])
    assert second.results(second.item("call", about="renege"), signature) == [("applied", "")] * 2


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("seat", {"side": 7}),
        ("dealer", {"seat": 4}),
        ("call", {"about": "pizza"}),
        ("void", {"position": 1, "rule": "99"}),
    ],
)
def test_what_the_services_refuse_is_kept(tablet: Tablet, kind: str, fields: dict[str, Any]) -> None:
    assert tablet.results(tablet.item(kind, **fields)) == [("parked", "refused")]


@pytest.mark.parametrize("at", [0, -(10**15), 10**15, 10**18, None])
def test_a_clock_that_is_years_off_changes_nothing(tablet: Tablet, game: Game, at: int | None) -> None:
    assert tablet.results(tablet.hand(1, at=at), tablet.hand(2, TWO_SET)) == [("applied", "")] * 2
    assert books(game) == [9, 7]


def test_a_tablet_says_how_much_it_has_not_sent(tablet: Tablet) -> None:
    tablet.send(tablet.hand(1), unsent=3, battery=41)
    assert (tablet.device.unsent, tablet.device.battery) == (2, 41)
    tablet.post("ping", {"unsent": 0, "battery": "full"})
    assert (tablet.device.unsent, tablet.device.battery) == (0, 41)


def test_known_says_what_became_of_each(tablet: Tablet) -> None:
    good, bad, never = tablet.hand(1), tablet.hand(9), str(uuid.uuid4())
    tablet.send(good, bad)
    answer = tablet.post("known", {"uids": [good["uid"], bad["uid"], never]}).json()
    assert answer["known"] == {good["uid"]: "applied", bad["uid"]: "parked"}
    assert tablet.post("known", {"uids": "x"}).status_code == 400
    assert tablet.post("known", {"uids": ["x"]}).status_code == 400


def test_after_a_restore_what_was_lost_is_offered_again_and_nothing_doubles(tablet: Tablet, game: Game) -> None:
    items = a_game(tablet)
    tablet.send(*items[:4])
    stored = [item["uid"] for item in items[:4]]
    tablet.send(*items[4:])
    Entry.objects.filter(position=3)._raw_delete("default")
    Signature.objects.all()._raw_delete("default")
    Submission.objects.exclude(uid__in=stored).delete()
    refresh_result(Game.objects.get(pk=game.pk))
    assert set(tablet.post("known", {"uids": [item["uid"] for item in items]}).json()["known"]) == set(stored)
    assert {status for status, _ in tablet.results(*items)} == {"applied"}
    assert (books(game), Game.objects.get(pk=game.pk).state) == ([9, 7, 11], "final")


def test_what_is_kept_stands_in_the_journal(tablet: Tablet, event: Event) -> None:
    tablet.send(tablet.hand(4))
    line = Journal.objects.filter(event=event, action="park").get()
    assert line.text.startswith("Table 1: a hand is kept for the desk")
    assert Round.objects.count() == 1


# What one message costs the database: each row is read once, under the lock, and written once.
def test_a_hand_of_a_running_game_takes_thirteen_statements(tablet: Tablet) -> None:
    tablet.send(tablet.hand(1))
    with CaptureQueriesContext(connection) as queries:
        assert tablet.results(tablet.hand(2, TWO_SET)) == [("applied", "")]
    statements = [
        re.match(r'(SELECT|INSERT|UPDATE)(?: INTO)? "tournament_(\w+)"', query["sql"])
        for query in queries.captured_queries
    ]
    assert [line.groups() for line in statements if line] == [
        ("SELECT", "device"),
        ("SELECT", "event"),
        ("SELECT", "device"),
        ("SELECT", "game"),
        ("SELECT", "submission"),
        ("SELECT", "side"),
        ("SELECT", "entry"),
        ("INSERT", "entry"),
        ("INSERT", "journal"),
        ("INSERT", "result"),
        ("UPDATE", "game"),
        ("INSERT", "submission"),
        ("UPDATE", "event"),
    ]
    # Begin and commit.
    assert len(queries) == 13 + 2
