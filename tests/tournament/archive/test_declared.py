"""The event file as it is declared: its JSON Schema, faults once lost in silence, and every fact that is stored."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import date
from typing import Any

import jsonschema_rs
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction

from tests.factories import make_event
from tests.sure import refusal_of
from tests.tournament.archive.filed import resealed
from tests.tournament.archive.test_event_file import FILES, read, written
from tests.tournament.archive.test_import import demo, small
from tests.tournament.reports.evenings import eventful
from tests.tournament.results.test_playoffs import play_round, seeded
from tournament import models
from tournament.access import Actor
from tournament.archive import things
from tournament.archive.declared import Thing, schema
from tournament.archive.reading import checksum, read_event_file
from tournament.archive.store import import_event
from tournament.errors import ValidationFailed
from tournament.models import Event

TODAY = date(2026, 11, 25)


def faults_of(data: Any) -> list[str]:
    try:
        read_event_file(data, TODAY)
    except ValidationFailed as refusal:
        return list(refusal.texts)
    return []


def with_playoffs(**more: Any) -> dict[str, Any]:
    """A file whose playoff round has two games; the second tells more."""
    game = {"round": 3, "state": "planned", "title": "Semifinal"}
    games = [game | {"table": 1, "teams": [1, 2]}, game | {"table": 2, "teams": [3, 4]} | more]
    data = small() | {"playoffs": {"games": games}}
    del data["rounds"][1]
    return data


def signed(**fields: Any) -> dict[str, Any]:
    data = small()
    data["rounds"][0]["tables"][0]["signed"] = [{"side": 0, "name": "Ann 1", "at": "2026-11-21T20:00:00Z"} | fields]
    return data


SILENT: list[tuple[dict[str, Any], str]] = [
    (signed(name=7), "Round 1, table 1, field signed: “name” must be text."),
    (signed(reason=[]), "Round 1, table 1, field signed: “reason” must be text."),
    (signed(by={}), "Round 1, table 1, field signed: “by” must be text."),
    (small() | {"stage": 5}, "Field stage: “stage” must be text."),
    (small() | {"options": 0}, "Field options: options are an object, option and choice."),
    (small() | {"options": []}, "Field options: options are an object, option and choice."),
    (small() | {"printed": False}, "Field printed: what the sheet printed is an object, option and value."),
    (small() | {"prizes": 0}, "Field prizes: at most 500, in cents by place, or percentages"),
    (with_playoffs(title=5), "Round 3, table 2, field title: “title” must be text."),
    (with_playoffs(state="odd"), "Round 3, table 2, field state: “odd” is not known: planned, running, closed."),
    (with_playoffs(started_at="noon"), "Round 3, table 2, field started_at: “noon” is not a time"),
    (with_playoffs(title="Final"), "Round 3, table 2, field title: the first game of the round tells something else."),
    (with_playoffs(state="closed"), "Round 3, table 2, field state: the first game of the round tells something else."),
]


@pytest.mark.parametrize(("data", "sentence"), SILENT)
def test_no_fault_is_lost_in_silence(data: dict[str, Any], sentence: str) -> None:
    assert [text for text in faults_of(data) if text.startswith(sentence)], faults_of(data)


def test_all_faults_come_at_once_each_with_its_place() -> None:
    data = small() | {"movement": "dance", "decisions": [{"method": "lots", "teams": [1, 2], "mood": 1}]}
    data["teams"][1]["paid"] = "yes"
    data["rounds"][0]["tables"][1]["game"]["entries"][0]["books"] = 14
    assert [text.split(":")[0] for text in faults_of(data)] == [
        "Field movement",
        "Team 2, field paid",
        "Decision 1, field mood",
        "Round 1, table 2, entry 1, field books",
    ]


def test_a_bye_that_cannot_be_read_is_refused() -> None:
    data = small()
    data["rounds"][1]["tables"][1] = {"bye": "x"}
    assert "Round 2, table 2, field bye: “bye” must be a whole number." in faults_of(data)
    data["rounds"][1]["tables"][1] = {"bye": 2}
    assert read_event_file(data, TODAY).rounds[1].byes == [2]


def test_a_kind_of_money_that_nobody_knows_is_refused_with_its_line(dana: User) -> None:
    lines = [{"receipt": 1, "kind": "fee", "cents": 500, "team": 1}, {"receipt": 2, "kind": "tip", "cents": 500}]
    refusal = refusal_of(lambda: import_event(Actor(dana), small() | {"ledger": lines}))
    assert refusal.texts == ("Ledger, line 2, field kind: “tip” with purpose “” is not known.",)
    assert not Event.objects.exists()


# The schema.


@pytest.fixture(scope="module")
def validator() -> Any:
    return jsonschema_rs.Draft202012Validator(schema(things.EventFile))


def test_the_schema_is_printed_and_is_one(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("schema")
    printed = json.loads(capfdbinary.readouterr().out)
    assert printed == json.loads(json.dumps(schema(things.EventFile)))
    assert printed["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema_rs.meta.validate(printed)


def files(dana: User) -> Iterator[dict[str, Any]]:
    yield from (read(path) for path in sorted(FILES.glob("*.json")))
    yield demo()
    yield written(eventful(dana))
    event = seeded(dana, 4)
    play_round(dana, event)
    yield written(event)


def test_every_event_fits_the_schema(dana: User, validator: Any) -> None:
    for data in files(dana):
        assert [str(error) for error in validator.iter_errors(data)] == []


VALUES: tuple[Any, ...] = (
    *(None, True, 0, 7, -1, 10**10, 5.5),
    *("", "x", "x" * 600, "noon", "planned"),
    *([], {}, [1], ["a"], [[]], [None]),
)


def changed(chance: random.Random, data: Any) -> None:
    """Change one thing somewhere in a file."""
    holder, keys = data, [key for key in data if key != "manifest"]
    while True:
        key = chance.choice(keys)
        inner = holder[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.15:
            break
        holder, keys = inner, list(inner if isinstance(inner, dict) else range(len(inner)))
    if chance.random() < 0.2:
        del holder[key]
    elif chance.random() < 0.1 and isinstance(holder, dict):
        holder["new"] = 1
    elif chance.random() < 0.2 and isinstance(holder, list):
        holder.append(holder[key])
    else:
        holder[key] = chance.choice(VALUES)


def test_a_changed_file_is_stored_or_refused_and_what_is_read_fits_the_schema(dana: User, validator: Any) -> None:
    chance = random.Random(20261125)
    sources = [json.dumps(data) for data in files(dana) if len(json.dumps(data)) < 30_000]
    read_whole = 0
    for _ in range(400):
        data = json.loads(chance.choice(sources))
        changed(chance, data)
        if "manifest" in data:
            data["manifest"] |= {"sha256": checksum(data)}
        if not faults_of(data):
            read_whole += 1
            assert [str(error) for error in validator.iter_errors(data)] == []
            with transaction.atomic():
                import_event(Actor(dana), data)
                transaction.set_rollback(True)
    assert 20 < read_whole < 380


# Every stored fact.
THINGS: dict[Any, tuple[type[Thing], ...]] = {
    models.Event: (things.EventFile,),
    models.Team: (things.Team,),
    models.Substitution: (things.Substitute,),
    models.Round: (things.Round,),
    models.Game: (things.Table, things.PlayoffGame),
    models.Side: (things.Seat,),
    models.Call: (things.Call,),
    models.Entry: (things.SheetLine,),
    models.Signature: (things.Signature,),
    models.Verification: (things.Look,),
    models.Notice: (things.Notice,),
    models.Journal: (things.Act,),
    models.Decision: (things.Decision,),
    models.Placing: (things.Placing,),
    models.Ledger: (things.LedgerLine,),
    models.Registration: (things.Registration,),
}
# What a file leaves out, and why.
ACCOUNT = "an account: the file has its name"
COMPUTED = "computed from the entries"
VERSION = "counts writes here"
WHERE = "told by where the thing stands in the file"
OTHERWISE = "told in another place of the file"
LEFT_OUT = {
    models.Event: {
        **dict.fromkeys(("version", "public_version"), VERSION),
        **dict.fromkeys(("slug", "epoch", "created_at", "archived_at"), "belongs to this installation"),
        "season": "another site has other seasons: an event that is imported counts in none",
        **dict.fromkeys(("word", "word_until"), "holds for minutes, in this hall"),
    },
    models.Team: {
        "key": "made from the name",
        **dict.fromkeys(("name", "entered"), "the file has the whole name"),
    },
    models.Player: {
        "position": WHERE,
        "key": "made from the name",
        **dict.fromkeys(("name", "entered"), "the file has the whole name"),
        "person": "found again by name, with the wish in the file",
    },
    models.Substitution: {"approved_by": ACCOUNT, "shown": "made from the name and the wish"},
    models.Round: {"stage": WHERE},
    models.Game: {"state": COMPUTED, "version": VERSION},
    models.Side: {"leg": WHERE},
    models.Call: {"answered_by": ACCOUNT},
    models.Entry: {
        **dict.fromkeys(("entered_by", "device"), ACCOUNT),
        **dict.fromkeys(("kind", "revision", "replaces"), WHERE),
        "client_key": "belongs to this installation",
    },
    models.Signature: {"witness": ACCOUNT, "device": ACCOUNT, "revision": WHERE},
    models.Verification: {"by": ACCOUNT},
    models.Notice: {"seen_by": ACCOUNT, "seen_on": ACCOUNT},
    models.Result: dict.fromkeys(
        ("over", "winner", "how", "rule", "points", "scores", "sets", "bostons", "hands", "code"), COMPUTED
    ),
    models.Journal: {"user": ACCOUNT, "device": ACCOUNT},
    models.Decision: {"made_by": ACCOUNT},
    models.Placing: {"made_by": ACCOUNT},
    models.Ledger: {"made_by": ACCOUNT, "key": "belongs to this installation"},
    models.Registration: {"key": "made from the name", "token_hash": "belongs to this installation"},
    models.Bye: {},
    models.Official: {"role": OTHERWISE, "user": ACCOUNT},
}
# Tablets and what they sent belong to the hall, and are in its backups.
NOT_IN_A_FILE = {models.Device, models.Submission}


def test_every_stored_fact_of_an_event_is_in_its_file_or_named_here() -> None:
    reached, left = {models.Event}, [models.Event]
    while left:
        for relation in left.pop()._meta.related_objects:
            model: Any = relation.related_model
            if model not in reached | NOT_IN_A_FILE:
                reached.add(model)
                left.append(model)
    assert reached == THINGS.keys() | LEFT_OUT.keys()
    parents = {f"{model._meta.model_name}" for model in reached} | {"id"}
    for model in reached:
        sources = {
            (form.source or "").split(".")[0] for thing in THINGS.get(model, ()) for form in thing.forms.values()
        }
        if model is models.Game:
            # A game of a playoff carries its round with it.
            sources -= set(things.RoundFacts.forms)
        fields = {field.name for field in model._meta.concrete_fields} - sources - parents
        assert fields == set(LEFT_OUT.get(model, {})), model


def test_a_file_tells_no_fact_that_is_as_it_is_without(dana: User) -> None:
    data = written(make_event(director=dana))
    assert not {"by_number", "frozen_at", "printed", "playoffs", "placings", "prizes"} & data.keys()
    assert resealed(data)["manifest"]["sha256"] == data["manifest"]["sha256"]
