"""Signing with a PIN: kept as a hash, five tries, then a minute’s pause on that tablet and nothing else."""

from __future__ import annotations

import io
import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import serializers
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from tests.factories import MADE_FIVE, play
from tests.sure import sure
from tests.tournament.submissions.conftest import Tablet
from tests.tournament.tablet.conftest import at, bind
from tournament.access import Actor
from tournament.middleware import TABLE_COOKIE
from tournament.models import Device, Entry, Event, Game, Journal, Pin, Signature, Submission
from tournament.queries.scored import active_entries, scored_game, sheet_code
from tournament.services.pins import give_pins
from tournament.services.signatures import sign_sheet
from tournament.words.held import REASONS

OVER = (MADE_FIVE,)


@pytest.fixture
def pins(dana: User, event: Event, ready: Client, game: Game) -> dict[int, str]:
    """The event asks for PINs; every team has one; the game of table 1 is over and to be signed."""
    Event.objects.filter(pk=event.pk).update(sign_with="pin")
    given = give_pins(Actor(dana), event, [1, 2, 3, 4])
    play(dana, game, *OVER, sign=False)
    return given


def code_of(game: Game) -> str:
    return sheet_code(game, scored_game(game))


def sign(tablet: Client, game: Game, pin: str | None, side: int = 0, name: str = "Ann 1") -> Any:
    said = {"side": side, "name": name, "code": code_of(game)} | ({} if pin is None else {"pin": pin})
    return tablet.post(at("tablet-signature", game), said)


PAUSED = REASONS["paused"]


def wrong_words(wrong: int) -> str:
    return f"Wrong PIN ({wrong} of 5 on this tablet): nothing was signed."


def wrong(pin: str) -> str:
    return f"{(int(pin) + 1) % 1_000_000:06d}"


def test_both_sides_sign_with_their_own_pins(ready: Client, game: Game, pins: dict[int, str]) -> None:
    assert "PIN of Aces" in ready.get("/t/table/").content.decode()
    assert sign(ready, game, pins[1]).status_code == 302
    assert sign(ready, game, pins[1], side=1, name="Ann 2").status_code == 422
    assert sign(ready, game, pins[2], side=1, name="Ann 2").status_code == 302
    game.refresh_from_db()
    assert (game.state, Signature.objects.count()) == ("final", 2)


@pytest.mark.parametrize("pin", [None, "", "12345", "abcdef", "0" * 5000, "１２３４５６"])
def test_what_is_no_pin_signs_nothing(ready: Client, game: Game, pins: dict[int, str], pin: str | None) -> None:
    response = sign(ready, game, pin)
    assert response.status_code == 422 and wrong_words(1) in response.content.decode()
    assert not Signature.objects.exists()


def test_where_no_pin_is_asked_for_none_is_needed(dana: User, ready: Client, game: Game) -> None:
    play(dana, game, *OVER, sign=False)
    assert "PIN of" not in ready.get("/t/table/").content.decode()
    assert sign(ready, game, None).status_code == 302


def test_a_team_without_a_pin_is_sent_to_the_desk(ready: Client, game: Game, pins: dict[int, str]) -> None:
    Pin.objects.all().delete()
    assert "No PIN yet for Aces. Get one at the desk." in sign(ready, game, "123456").content.decode()
    assert Device.objects.get(table=1).wrong_pins == 0


def test_a_new_pin_takes_the_place_of_the_old_one(
    dana: User, event: Event, ready: Client, game: Game, pins: dict[int, str]
) -> None:
    new = give_pins(Actor(dana), event, [1])[1]
    assert [sign(ready, game, pins[1]).status_code, sign(ready, game, new).status_code] == [422, 302]


def test_five_wrong_pins_pause_signing_on_that_tablet_for_a_minute_and_nothing_else(
    dana: User, event: Event, ready: Client, game: Game, tables: list[Game], pins: dict[int, str]
) -> None:
    said = [sign(ready, game, wrong(pins[1])).content.decode() for _ in range(5)]
    assert [PAUSED in text for text in said] == [False, False, False, False, True]
    assert [f"Wrong PIN ({number} of 5 on this tablet)" in said[number - 1] for number in (1, 2, 3, 4)] == [True] * 4
    assert PAUSED in sign(ready, game, pins[1]).content.decode()
    assert not Signature.objects.exists()
    # Undo and a hand go on; so does the other tablet; so does an official.
    assert ready.post(at("tablet-undo", game), {"position": 1}).status_code == 302
    hand = {"seat": 0, "bid": "4", "books": 11, "position": 1}
    assert ready.post(at("tablet-entry", game), hand).status_code == 302
    assert Entry.objects.get(game=game, position=1, revision=2).facts["books"] == 11
    other = bind(dana, event, 2)
    play(dana, tables[1], *OVER, sign=False)
    assert sign(other, tables[1], pins[3], name="Ann 3").status_code == 302
    sign_sheet(Actor(dana), game, side=1, name="dana", code=code_of(game), reason="lost the slip")
    # A minute later the table signs again, and the count began anew.
    Device.objects.filter(table=1).update(signing_paused_until=timezone.now() - timedelta(seconds=1))
    assert [sign(ready, game, wrong(pins[1])).status_code, sign(ready, game, pins[1]).status_code] == [422, 302]
    assert Device.objects.get(table=1).wrong_pins == 0


def test_the_pause_is_kept_in_the_database_and_no_clock_makes_it_longer(
    ready: Client, game: Game, pins: dict[int, str]
) -> None:
    for _ in range(5):
        sign(ready, game, wrong(pins[1]))
    device = Device.objects.get(table=1)
    left = sure(device.signing_paused_until) - timezone.now()
    assert timedelta(seconds=30) < left <= timedelta(minutes=1)
    # The server's clock fell back by an hour: nobody waits for an hour.
    Device.objects.filter(pk=device.pk).update(signing_paused_until=timezone.now() + timedelta(hours=1))
    assert sign(ready, game, pins[1]).status_code == 302


@pytest.fixture
def script(ready: Client, game: Game, pins: dict[int, str]) -> Tablet:
    """The script of the same tablet."""
    return Tablet(ready.cookies[TABLE_COOKIE].value, game)


def lines(game: Game) -> list[str]:
    return [str(entry.client_key) for entry in active_entries(game.entries.all())]


def queued(script: Tablet, game: Game, side: int, pin: str) -> dict[str, Any]:
    item = script.item("sign", side=side, name=f"Ann {side + 1}", lines=lines(game), pin=pin)
    return {**item, "after": None}


def test_a_queued_signature_is_checked_when_it_arrives(script: Tablet, game: Game, pins: dict[int, str]) -> None:
    bad, good = queued(script, game, 0, wrong(pins[1])), queued(script, game, 1, pins[2])
    assert script.results(bad, good) == [("discarded", "pin"), ("applied", "")]
    # The same again, whatever PIN comes with it, gets the same answer and counts no second time.
    again = script.send({**bad, "pin": pins[1]}).json()["results"][0]
    assert (again["status"], again["code"], again["text"], again["duplicate"]) == (
        "discarded",
        "pin",
        wrong_words(1),
        True,
    )
    assert Device.objects.get(table=1).wrong_pins == 0
    assert script.results(queued(script, game, 0, pins[1])) == [("applied", "")]
    game.refresh_from_db()
    assert game.state == "final"


def test_queued_wrong_pins_pause_too_and_hands_behind_them_arrive(
    script: Tablet, game: Game, pins: dict[int, str]
) -> None:
    five = [queued(script, game, 0, wrong(pins[1])) for _ in range(5)]
    call = script.item("call", about="score")
    answered = script.send(*five, queued(script, game, 0, pins[1]), call, page=True).json()
    answers = answered["results"]
    assert [one["text"] for one in answers] == [wrong_words(number) for number in (1, 2, 3, 4)] + [PAUSED] * 2 + [""]
    assert Submission.objects.filter(status="parked").count() == 0
    # The page that comes with the answer knows until when.
    assert sure(Device.objects.get(table=1).signing_paused_until).isoformat() in answered["page"]


def test_a_pin_belongs_to_a_signature_and_is_text(script: Tablet, game: Game, pins: dict[int, str]) -> None:
    odd = [{**queued(script, game, 0, ""), "pin": pin} for pin in (None, 123456, ["1"], {"a": 1}, True)]
    assert script.results(*odd[:3]) == [("discarded", "pin")] * 3
    assert script.results(script.item("call", about="score", pin=pins[1])) == [("parked", "refused")]


def test_a_clear_pin_is_stored_nowhere(
    dana: User, event: Event, ready: Client, script: Tablet, game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    desk = Client()
    desk.force_login(dana)
    page = desk.post(f"/desk/{event.slug}/tablets/pins/1/").content.decode()
    pin = page.partition('pin-digits">')[2][:7].replace(" ", "")
    assert len(pin) == 6 and pin.isdigit()
    bad = wrong(pin)
    script.send(queued(script, game, 0, bad), {**queued(script, game, 0, bad), "strange": 1}, {"uid": "no", "pin": bad})
    sign(ready, game, bad)
    script.send(queued(script, game, 0, pin))
    models = (Submission, Journal, Signature, Device, Pin, Event)
    kept = "".join(serializers.serialize("json", model.objects.all()) for model in models)
    kept += json.dumps([row.get_decoded() for row in Session.objects.all()]) + caplog.text
    assert Signature.objects.filter(side=0).exists()
    assert "wrong PIN for Aces" in " ".join(act.text for act in Journal.objects.all())
    for secret in (pin, bad):
        assert f'"{secret}"' not in kept and f" {secret}" not in kept
    assert "PIN of" not in desk.get(f"/desk/{event.slug}/tablets/pins/").content.decode()


def test_the_desk_gives_pins_on_slips_and_only_to_those_without_one(dana: User, event: Event, ready: Client) -> None:
    desk = Client()
    desk.force_login(dana)
    Event.objects.filter(pk=event.pk).update(sign_with="pin")
    give_pins(Actor(dana), event, [1, 2, 3])
    before = dict(Pin.objects.values_list("team__number", "hash"))
    response = desk.post(f"/desk/{event.slug}/tablets/pins/slips.pdf", {"teams": "without"})
    words = "".join(page.extract_text() for page in PdfReader(io.BytesIO(response.content)).pages)
    assert response["Cache-Control"] == "no-store" and words.count("PIN ") == 1 and "Eagles" in words
    after = dict(Pin.objects.values_list("team__number", "hash"))
    assert {number for number in after if after[number] != before.get(number)} == {4}
    response = desk.post(f"/desk/{event.slug}/tablets/pins/slips.pdf", {"teams": "all"})
    words = "".join(page.extract_text() for page in PdfReader(io.BytesIO(response.content)).pages)
    assert words.count("PIN ") == 4
    assert Journal.objects.filter(action="pin").count() == 3


def test_a_printed_pin_signs(dana: User, event: Event, ready: Client, game: Game, pins: dict[int, str]) -> None:
    desk = Client()
    desk.force_login(dana)
    response = desk.post(f"/desk/{event.slug}/tablets/pins/slips.pdf", {"teams": "all"})
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(response.content)).pages)
    printed = [line.removeprefix("PIN ").replace(" ", "") for line in text.splitlines() if line.startswith("PIN ")]
    assert len(printed) == 4
    assert sign(ready, game, printed[0]).status_code == 302


def test_setup_chooses_and_the_event_file_carries_the_choice(dana: User, event: Event) -> None:
    from tournament.archive.store.event import export_event, import_event

    Event.objects.filter(pk=event.pk).update(sign_with="pin")
    event.refresh_from_db()
    data = export_event(event)
    assert data["sign_with"] == "pin"
    assert import_event(Actor(dana), data).sign_with == "pin"
