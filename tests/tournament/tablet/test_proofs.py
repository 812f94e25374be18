"""A signature that a PIN let through once is proved after a restore by what the server gave for it: that one alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import MADE_FIVE, play, revise_entry
from tests.tournament.submissions.conftest import Tablet
from tests.tournament.tablet.conftest import bind
from tests.tournament.tablet.test_pins import lines, pins, queued, script
from tournament.access import Actor
from tournament.middleware import TABLE_COOKIE
from tournament.models import Event, Game, Pin, Signature, Submission
from tournament.services.pins import give_pins
from tournament.services.results import refresh_result

__all__ = ["pins", "script"]


@pytest.fixture
def signed(script: Tablet, game: Game, pins: dict[int, str]) -> list[dict[str, Any]]:
    """Both signatures as the tablet has them after the answer: with the proof in place of the PIN."""
    items = [queued(script, game, side, pins[side + 1]) for side in (0, 1)]
    results = script.send(*items).json()["results"]
    assert [one["status"] for one in results] == ["applied", "applied"]
    return [without_pin(item) | {"proof": one["proof"]} for item, one in zip(items, results, strict=True)]


def without_pin(item: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key != "pin"}


def lose_signatures(game: Game) -> None:
    """The server is as it was before anybody had signed."""
    Signature.objects.all()._raw_delete("default")
    Submission.objects.filter(kind="sign").delete()
    refresh_result(Game.objects.get(pk=game.pk))


def state(game: Game) -> tuple[str, list[tuple[int, str]]]:
    fresh = Game.objects.get(pk=game.pk)
    return fresh.state, list(Signature.objects.order_by("side").values_list("side", "name"))


BOTH = ("final", [(0, "Ann 1"), (1, "Ann 2")])
NOBODY: tuple[str, list[tuple[int, str]]] = ("to-sign", [])


def test_after_a_restore_the_proof_stands_for_the_pin(script: Tablet, game: Game, signed: list[dict[str, Any]]) -> None:
    lose_signatures(game)
    first = script.send(*signed).json()["results"]
    again = script.send(*signed).json()["results"]
    assert [(one["status"], one["code"]) for one in first] == [("applied", "")] * 2
    assert again == [{**one, "duplicate": True} for one in first]
    # It is the same proof, so that another restore finds it again.
    assert [one["proof"] for one in first] == [one["proof"] for one in signed]
    assert state(game) == BOTH


def test_without_it_nothing_is_signed_as_before(script: Tablet, game: Game, signed: list[dict[str, Any]]) -> None:
    lose_signatures(game)
    bare = [{key: value for key, value in one.items() if key != "proof"} for one in signed]
    assert script.results(*bare) == [("discarded", "pin")] * 2
    assert state(game) == NOBODY


def test_a_pin_that_was_changed_or_taken_away_since_takes_no_signature_back(
    dana: User, event: Event, script: Tablet, game: Game, signed: list[dict[str, Any]]
) -> None:
    lose_signatures(game)
    give_pins(Actor(dana), event, [1])
    Pin.objects.filter(team__number=2).delete()
    assert script.results(*signed) == [("applied", "")] * 2
    assert state(game) == BOTH


def test_under_another_key_the_pin_is_asked_for_again(
    script: Tablet, game: Game, signed: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_signatures(game)
    monkeypatch.setattr(settings, "SECRET_KEY", "another site, or another key of this one")
    assert script.results(*signed) == [("discarded", "pin")] * 2
    assert state(game) == NOBODY


def test_a_forged_one_proves_nothing(script: Tablet, game: Game, signed: list[dict[str, Any]]) -> None:
    lose_signatures(game)
    said, _, mark = signed[0]["proof"].rpartition(":")
    other = signed[1]["proof"].rpartition(":")[0]
    forged = [f"{said}:{mark[:-2]}xx", f"{other}:{mark}", said, ":", "", "a" * 900, "é:é", None, 5, [said], "x" * 3000]
    items = [{**signed[0], "uid": f"{number:08d}-0000-4000-8000-000000000000", "proof": proof} for number, proof in
             enumerate(forged)]  # fmt: skip
    assert {script.results(item)[0] for item in items} == {("discarded", "pin")}
    assert state(game) == NOBODY


def test_it_is_for_no_other_side_player_or_game(
    dana: User, event: Event, script: Tablet, game: Game, tables: list[Game], signed: list[dict[str, Any]]
) -> None:
    lose_signatures(game)
    new = {"uid": "00000001-0000-4000-8000-000000000000"}
    assert script.results(signed[0] | new | {"side": 1, "name": "Ann 1"}) == [("discarded", "pin")]
    new = {"uid": "00000002-0000-4000-8000-000000000000"}
    assert script.results(signed[0] | new | {"name": "Bea 1"}) == [("discarded", "pin")]
    other = tables[1]
    play(dana, other, MADE_FIVE, sign=False)
    second = Tablet(bind(dana, event, 2).cookies[TABLE_COOKIE].value, other)
    there = signed[0] | {"uid": "00000003-0000-4000-8000-000000000000", "game": other.pk, "lines": lines(other)}
    assert second.results(there) == [("discarded", "pin")]
    assert state(game) == NOBODY


def test_it_is_for_no_other_sheet(dana: User, script: Tablet, game: Game, signed: list[dict[str, Any]]) -> None:
    """Another score, a line of the same number: neither the old lines nor the new ones are signed with it."""
    lose_signatures(game)
    facts = {**MADE_FIVE, "books": 12}
    revise_entry(Actor(dana), game, position=1, revision=0, facts=facts, reason="books miscounted")
    new = signed[0] | {"uid": "00000001-0000-4000-8000-000000000000", "lines": lines(game)}
    assert script.results(signed[0], new) == [("parked", "changed")] * 2
    assert state(game) == NOBODY


def test_it_waits_with_the_signature_for_the_lines_before_it(
    dana: User, event: Event, ready: Client, game: Game
) -> None:
    """The lines come after the signature: it is held to the sheet that was signed then, too."""
    Event.objects.filter(pk=event.pk).update(sign_with="pin")
    given = give_pins(Actor(dana), event, [1, 2])
    script = Tablet(ready.cookies[TABLE_COOKIE].value, game)
    hand = script.hand(1, {"entry": "hand", "seat": 0, "bid": "4", "books": 11})
    sign = script.item("sign", side=0, name="Ann 1", lines=[hand["uid"]], pin=given[1])
    results = script.send(hand, sign).json()["results"]
    proved = without_pin(sign) | {"proof": results[1]["proof"]}
    for row in Game.objects.get(pk=game.pk).entries.all():
        type(row).objects.filter(pk=row.pk)._raw_delete("default")
    Signature.objects.all()._raw_delete("default")
    Submission.objects.all().delete()
    refresh_result(Game.objects.get(pk=game.pk))
    assert script.results(proved) == [("parked", "waiting")]
    assert script.results(hand) == [("applied", "")]
    assert script.send(proved).json()["results"][0]["proof"] == proved["proof"]
    assert state(game) == ("to-sign", [(0, "Ann 1")])


def test_only_signatures_have_one_and_only_where_a_pin_is_asked_for(
    event: Event, script: Tablet, game: Game, signed: list[dict[str, Any]]
) -> None:
    call = script.item("call", about="score")
    assert script.send(call).json()["results"][0]["proof"] == ""
    strange = script.item("call", about="score", proof=signed[0]["proof"])
    assert script.results(strange) == [("parked", "refused")]
    assert not Submission.objects.filter(body__icontains=signed[0]["proof"]).exists()
    lose_signatures(game)
    Event.objects.filter(pk=event.pk).update(sign_with="name")
    bare = {key: value for key, value in signed[0].items() if key != "proof"}
    assert script.send(bare).json()["results"][0] | {"uid": ""} == {
        "uid": "", "status": "applied", "code": "", "text": "", "field": "", "duplicate": False, "proof": "",
    }  # fmt: skip
