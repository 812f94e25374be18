"""PINs are gone: an event that signed with them goes on, and what earlier versions sent and wrote is still read."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from tests.factories import MADE_FIVE, make_round, make_teams, make_user, play, signed_in
from tests.tournament.archive.filed import resealed
from tests.tournament.submissions.conftest import Tablet
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.archive.store import export_event
from tournament.middleware import TABLE_COOKIE
from tournament.models import Event, Game, Journal, Signature, Submission
from tournament.queries.scored import active_entries
from tournament.queries.sheet import sheet_now
from tournament.services.signatures import sign_sheet

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
def test_an_event_in_play_that_signed_with_pins_goes_on_after_the_migration(event: Event) -> None:
    dana = make_user("dana")
    teams = make_teams(event, 4)
    whole, half = make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])]).games.order_by("table")
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
    assert [sheet_now(game).state for game in (whole, half)] == ["final", "to-sign"]
    assert [len(sheet_now(game).signatures) for game in (whole, half)] == [2, 1]
    assert [one in log_of(event, dana) for one in SAID] == [True] * 4
    item = {**queued(Tablet(token, half), 1), "name": "Ann 4"}
    assert Tablet(token, half).results(item) == [("applied", "")]
    assert sheet_now(half).state == "final"


@pytest.mark.parametrize(
    "more", [{"pin": "123456"}, {"proof": "a:b"}, {"pin": None, "proof": 5}, {"pin": ["1"], "proof": "x" * 30_000}]
)
def test_pin_and_proof_of_a_message_are_read_and_forgotten(script: Tablet, more: dict[str, Any]) -> None:
    first = queued(script, 0, **more)
    assert script.results(first, queued(script, 1)) == [("applied", "")] * 2
    assert sheet_now(script.game).state == "final"
    # The same again is the same, whatever stands beside it.
    bare = {key: value for key, value in first.items() if key not in more}
    assert [script.send(one).json()["results"][0]["duplicate"] for one in (first, bare)] == [True, True]
    assert not any({"pin", "proof"} & set(row.body) for row in Submission.objects.all())


def test_a_wrong_pin_keeps_its_answer(script: Tablet) -> None:
    item = queued(script, 0, pin="000000")
    assert script.results(item) == [("applied", "")]
    reasons = [{"said": "wrong-pin", "count": 1, "most": 5}]
    Submission.objects.update(status="discarded", code="pin", reasons=reasons, field="pin")
    answer = script.send(item).json()["results"][0]
    words = "Wrong PIN (1 of 5 on this tablet): nothing was signed."
    assert (answer["status"], answer["code"], answer["text"]) == ("discarded", "pin", words)


def test_an_event_file_of_version_3_is_read_without_its_pins(otis: User, event: Event, script: Tablet) -> None:
    assert script.results(queued(script, 0), queued(script, 1)) == [("applied", "")] * 2
    note_acts(event)
    data = resealed(export_event(event) | {"sign_with": "pin"})
    content, client, to = json.dumps(data).encode(), signed_in(otis), reverse("event-import")
    Event.objects.update(name="Earlier")
    checked = client.post(to, {"file": SimpleUploadedFile("event.json", content), "check": "yes"})
    answer = client.post(to, {"file": SimpleUploadedFile("event.json", content)}, follow=True)
    assert (GONE in checked.text, GONE in answer.text) == (True, True)
    read = Event.objects.exclude(pk=event.pk).get()
    assert [(one.side, one.name) for one in Signature.objects.filter(game__round__event=read)] == [
        (0, "Ann 1"),
        (1, "Ann 2"),
    ]
    assert sheet_now(Game.objects.get(round__event=read, table=1)).state == "final"
    assert [one in log_of(read, otis) for one in SAID] == [True] * 4
    assert "sign_with" not in export_event(read)


def test_the_command_says_what_it_left_out(dana: User, event: Event, script: Tablet, tmp_path: Any) -> None:
    file, said = tmp_path / "event.json", io.StringIO()
    for sign_with, left in (("pin", [GONE]), ("name", [])):
        file.write_text(json.dumps(resealed(export_event(event) | {"sign_with": sign_with, "event": sign_with})))
        call_command("import_event", str(file), director="dana", stdout=said)
        lines = said.getvalue().splitlines()
        said.seek(0), said.truncate()
        assert lines == [f"{sign_with} is imported: /desk/{sign_with}/", *left]
