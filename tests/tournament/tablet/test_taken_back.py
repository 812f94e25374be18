"""What a table says and takes back: a signature until every side has signed, and a call for the director."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import ODD, play
from tests.messages import send
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict
from tournament.models import Call, Game, Journal, Signature
from tournament.queries.sheet import sheet_now
from tournament.services.rounds import call_director, withdraw_call
from tournament.services.signatures import sign_sheet, take_signature_back


@pytest.fixture
def over(ready: Client, game: Game, dana: User) -> Game:
    """Aces went set on a 1: nobody has signed."""
    return play(dana, game, ODD, sign=False)


def signed(game: Game) -> list[tuple[int, str]]:
    sheet = sheet_now(game)
    return [(one.side, one.name) for one in sheet.signatures]


def rows() -> list[tuple[int, str, str, int]]:
    order = Signature.objects.order_by("side", "revision")
    return list(order.values_list("side", "name", "how", "revision"))


def sign(game: Game, side: int, name: str) -> None:
    sign_sheet(Actor(), game, side=side, name=name, code=sheet_now(game).code)


def page(tablet: Client) -> str:
    return html.unescape(tablet.get("/t/table/").content.decode())


def test_a_signature_is_taken_back_in_one_press_and_somebody_else_signs(ready: Client, over: Game) -> None:
    sign(over, 0, "Ann 1")
    assert page(ready).count("Take it back") == 1
    assert send(ready, "unsign", over, {"side": "0"})["status"] == "applied"
    assert (signed(over), page(ready).count("Take it back")) == ([], 0)
    sign(over, 0, "Bea 1")
    assert (signed(over), rows()) == (
        [(0, "Bea 1")],
        [(0, "Ann 1", "", 0), (0, "Ann 1", "back", 1), (0, "Bea 1", "", 2)],
    )
    text = "Game 1, table 1: signature of Ann 1 for Aces taken back"
    assert [act.text for act in Journal.objects.filter(action="sign", code="back")] == [text]


def test_once_every_side_has_signed_nothing_is_taken_back(ready: Client, over: Game) -> None:
    sign(over, 0, "Ann 1")
    sign(over, 1, "Ann 2")
    answer = send(ready, "unsign", over, {"side": "0"})
    assert (answer["code"], len(rows())) == ("too-late", 2)
    assert answer["text"].startswith("Every side has signed: the sheet is final.")
    assert "Take it back" not in page(ready)


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
    ("kind", "said"),
    [
        ("renege", "The director was called about a renege. Sign anyway?"),
        ("count", "The director was called about a wrong number of cards. Sign anyway?"),
        ("other", "The director was called. Sign anyway?"),
    ],
)
def test_before_the_last_signature_an_open_call_is_asked_about(ready: Client, over: Game, kind: str, said: str) -> None:
    call_director(Actor(), over, kind)
    assert said not in page(ready)
    sign(over, 0, "Ann 1")
    # Both players of the other side are asked, and still one of them may sign.
    assert page(ready).count(said) == 2
    withdraw_call(Actor(), over)
    assert said not in page(ready)


def test_a_press_says_who_signs_for_whom(ready: Client, over: Game) -> None:
    said = page(ready)
    assert [f"{name} signs for {side}" in said for name, side in (("Ann 1", "Aces"), ("Bea 2", "Books"))] == [True] * 2
    assert "Once both have signed, the sheet is final and only an official can correct it." in said
