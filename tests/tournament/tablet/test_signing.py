"""Signatures on the tablet: a side signs by a name and takes it back; what older tablets send of PINs is forgotten."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from tests.factories import MADE_FIVE, ODD, make_round, make_teams, page_of, pairs_of, play, signed_in
from tests.messages import send
from tests.tournament.submissions.conftest import Tablet
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Call, Event, Game, Journal, Signature, Submission
from tournament.queries.scored import active_entries
from tournament.queries.sheet import sheet_now
from tournament.services.rounds import call_director, withdraw_call
from tournament.services.signatures import sign_sheet, take_signature_back


@pytest.fixture
def over(ready: Client, game: Game, dana: User) -> Game:
    """Aces went set on a 1: nobody has signed."""
    return play(dana, game, ODD, sign=False)


def signed(game: Game) -> list[tuple[int, str]]:
    sheet = sheet_now(game)
    return [(signature.side, signature.name) for signature in sheet.signatures]


def rows() -> list[tuple[int, str, str, int]]:
    return list(Signature.objects.order_by("side", "revision").values_list("side", "name", "how", "revision"))


def sign(game: Game, side: int, name: str) -> None:
    sign_sheet(Actor(), game, side=side, name=name, code=sheet_now(game).code)


def page(tablet: Client) -> str:
    return page_of(tablet.get("/t/table/"))


def test_a_signature_is_taken_back_in_one_press_and_somebody_else_signs(ready: Client, over: Game) -> None:
    sign(over, 0, "Ann 1")
    assert page(ready).count("Undo<") == 1
    assert send(ready, "unsign", over, {"side": "0"})["status"] == "applied"
    assert (signed(over), page(ready).count("Undo<")) == ([], 0)
    sign(over, 0, "Bea 1")
    assert (signed(over), rows()) == (
        [(0, "Bea 1")],
        [(0, "Ann 1", "", 0), (0, "Ann 1", "back", 1), (0, "Bea 1", "", 2)],
    )
    text = "Game 1, table 1: signature of Ann 1 for Aces undone"
    assert [act.text for act in Journal.objects.filter(action="sign", code="back")] == [text]


def test_once_every_side_has_signed_nothing_is_taken_back(ready: Client, over: Game) -> None:
    sign(over, 0, "Ann 1")
    sign(over, 1, "Ann 2")
    answer = send(ready, "unsign", over, {"side": "0"})
    assert (answer["status"], answer["code"], len(rows())) == ("discarded", "too-late", 2)
    assert answer["text"] == "The sheet is final. Only an official can correct it."
    assert "Undo<" not in page(ready)


def test_nothing_signed_and_pressed_twice_changes_nothing(ready: Client, over: Game) -> None:
    take_signature_back(Actor(), over, 0)
    sign(over, 0, "Ann 1")
    for _ in range(2):
        take_signature_back(Actor(), over, 0)
    assert rows() == [(0, "Ann 1", "", 0), (0, "Ann 1", "back", 1)]


def test_signatures_of_a_closed_round_stay(ready: Client, over: Game, dana: User) -> None:
    sign(over, 0, "Ann 1")
    over.round.state = "closed"
    over.round.save(update_fields=["state"])
    with pytest.raises(Conflict):
        take_signature_back(Actor(dana), over, 0)


def test_what_was_taken_back_goes_with_the_event_file(ready: Client, over: Game, dana: User) -> None:
    for name in ("Ann 1", "Bea 1"):
        sign(over, 0, name)
        take_signature_back(Actor(), over, 0)
    sign(over, 0, "Ann 1")
    here = rows()
    copied = import_event(Actor(dana), export_event(over.round.event), name="Copied Open")
    there = Signature.objects.filter(game__round__event=copied).order_by("side", "revision")
    assert list(there.values_list("side", "name", "how", "revision")) == here


def test_the_table_no_longer_needs_the_director(ready: Client, game: Game) -> None:
    call_director(Actor(), game, "renege")
    assert page(ready).count("We no longer need the director") == 1
    assert send(ready, "uncall", game)["status"] == "applied"
    call = Call.objects.get()
    assert (call.answered_at is not None, call.answered_by, "Director called" in page(ready)) == (True, None, False)
    text = "Game 1, table 1: director no longer needed (renege)"
    assert [act.text for act in Journal.objects.filter(action="call-off")] == [text]
    withdraw_call(Actor(), game)
    assert (Call.objects.get(), Journal.objects.filter(action="call-off").count()) == (call, 1)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("renege", "The director was called about a renege. Sign anyway?"),
        ("count", "The director was called about a wrong number of cards. Sign anyway?"),
        ("other", "The director was called. Sign anyway?"),
    ],
)
def test_before_the_last_signature_an_open_call_is_asked_about(
    ready: Client, over: Game, kind: str, words: str
) -> None:
    call_director(Actor(), over, kind)
    assert words not in page(ready)
    sign(over, 0, "Ann 1")
    # Both players of the other side are asked, and still one of them may sign.
    assert page(ready).count(words) == 2
    withdraw_call(Actor(), over)
    assert words not in page(ready)


def test_a_press_says_who_signs_for_whom(ready: Client, over: Game) -> None:
    page_text = page(ready)
    assert [f"{name} signs for {side}" in page_text for name, side in (("Ann 1", "Aces"), ("Bea 2", "Books"))] == [
        True
    ] * 2
    assert "Once both have signed, the sheet is final and only an official can correct it." in page_text


# PINs are gone: an event that signed with them goes on, and what earlier versions sent and wrote is still read.
BEFORE = [("tournament", "0027_ledger_how")]
GONE = "The event signed with PINs. They are left out: a player signs by tapping a name."
# The acts that such an event has in its log: what the services of that time wrote.
ACTS: list[dict[str, Any]] = [
    {"action": "pin", "code": "teams", "facts": {"teams": [4, "team"]}, "after": {"teams": [1, 2, 3, 4]}},
    {"action": "pin", "code": "team", "facts": {"team": "1 Aces"}, "after": {"teams": [1]}},
    {"action": "wrong-pin", "code": "wrong", "facts": {"round": 1, "table": 1, "team": "Aces"}},
    {"action": "change", "code": "event", "facts": {"names": ["sign_with"]}, "before": {"sign_with": "name"},
     "after": {"sign_with": "pin"}},
]  # fmt: skip
SAID = ["New PIN given to 4 teams", "New PIN given to 1 Aces", "wrong PIN for Aces", "The name of a player and the PIN"]


def note_acts(event: Event) -> None:
    for act in ACTS:
        Journal.objects.create(event=event, noun="event", key=str(event.pk), **act)


def log_of(event: Event, director: User) -> str:
    answer = signed_in(director).get(reverse("desk-log", args=[event.slug]))
    assert answer.status_code == 200
    return " ".join(strip_tags(answer.text).split())


def queued(script: Tablet, side: int, **more: Any) -> dict[str, Any]:
    """A signature as the script of the version before sent it."""
    lines = [str(entry.client_key) for entry in active_entries(Game.objects.get(pk=script.game.pk).entries.all())]
    return {**script.item("sign", side=side, name=f"Ann {side + 1}", lines=lines, **more), "after": None}


@pytest.fixture
def script(dana: User, ready: Client, game: Game) -> Tablet:
    """The script of the tablet at table 1, whose game is over and to be signed."""
    play(dana, game, MADE_FIVE, sign=False)
    return Tablet(ready.cookies[TABLE_COOKIE].value, game)


@pytest.mark.django_db(transaction=True)
def test_an_event_in_play_that_signed_with_pins_goes_on_after_the_migration(dana: User, event: Event) -> None:
    whole, half = make_round(event, pairs_of(make_teams(event, 4))).games.order_by("table")
    token = bind(dana, event, 2).cookies[TABLE_COOKIE].value
    for game in (whole, half):
        play(dana, game, MADE_FIVE, sign=False)
    for game, side, name in ((whole, 0, "Ann 1"), (whole, 1, "Ann 2"), (half, 0, "Ann 3")):
        sign_sheet(Actor(), game, side=side, name=name, code=sheet_now(game).code)
    note_acts(event)
    signed = list(Signature.objects.order_by("pk").values())
    executor = MigrationExecutor(connection)
    last = [key for key in executor.loader.graph.leaf_nodes() if key[0] == "tournament"]
    executor.migrate(BEFORE)
    try:
        old = executor.loader.project_state(BEFORE).apps
        old.get_model("tournament", "Event").objects.update(sign_with="pin")
        old.get_model("tournament", "Device").objects.update(wrong_pins=3)
        for team in old.get_model("tournament", "Team").objects.all():
            old.get_model("tournament", "Pin").objects.create(team=team, hash="pbkdf2")
    finally:
        MigrationExecutor(connection).migrate(last)
    assert list(Signature.objects.order_by("pk").values()) == signed
    assert [sheet_now(game).game.state for game in (whole, half)] == ["final", "to-sign"]
    assert [len(sheet_now(game).signatures) for game in (whole, half)] == [2, 1]
    assert [sentence in log_of(event, dana) for sentence in SAID] == [True] * 4
    item = {**queued(Tablet(token, half), 1), "name": "Ann 4"}
    assert Tablet(token, half).results(item) == [("applied", "")]
    assert sheet_now(half).game.state == "final"


@pytest.mark.parametrize(
    "more", [{"pin": "123456"}, {"proof": "a:b"}, {"pin": None, "proof": 5}, {"pin": ["1"], "proof": "x" * 30_000}]
)
def test_pin_and_proof_of_a_message_are_read_and_forgotten(script: Tablet, more: dict[str, Any]) -> None:
    first = queued(script, 0, **more)
    assert script.results(first, queued(script, 1)) == [("applied", "")] * 2
    assert sheet_now(script.game).game.state == "final"
    # The same message again is the same, whatever is beside it.
    bare = {key: value for key, value in first.items() if key not in more}
    assert [script.send(message).json()["results"][0]["duplicate"] for message in (first, bare)] == [True, True]
    assert not any({"pin", "proof"} & set(row.body) for row in Submission.objects.all())


def test_a_wrong_pin_keeps_its_answer(script: Tablet) -> None:
    item = queued(script, 0, pin="000000")
    assert script.results(item) == [("applied", "")]
    reasons = [{"said": "wrong-pin", "count": 1, "most": 5}]
    Submission.objects.update(status="discarded", code="pin", reasons=reasons, field="pin")
    answer = script.send(item).json()["results"][0]
    words = "Wrong PIN (1 of 5 on this tablet): nothing was signed."
    assert (answer["status"], answer["code"], answer["text"]) == ("discarded", "pin", words)
