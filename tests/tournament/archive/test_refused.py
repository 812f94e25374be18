"""Event files that somebody forged: refused in a sentence that names the row, and nothing is stored by half."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import (
    BooleanField,
    CharField,
    DateField,
    Field,
    ForeignKey,
    IntegerField,
    JSONField,
    TextField,
    TimeField,
)
from django.test import Client

from tests.nightly import worlds
from tests.sure import refusal_of
from tests.tournament.archive.filed import changed, filed, resealed, rows_of, told
from tests.tournament.reports.evenings import eventful
from tournament.access import Actor
from tournament.archive.manifest import CHANGED, NEWER, NO_EVENT_FILE, TOO_DEEP, TOO_OLD
from tournament.archive.parts import PARTS, columns_of
from tournament.archive.reading import read_event_file
from tournament.archive.store import HasFindings, export_event, import_event
from tournament.errors import ValidationFailed
from tournament.models import (
    Bye,
    Call,
    Decision,
    Entry,
    Event,
    Game,
    Journal,
    Ledger,
    Notice,
    Placing,
    Player,
    Registration,
    Round,
    Side,
    Signature,
    Substitution,
    Team,
)

FILES = settings.ROOT / "fixtures" / "event_files"


def stored() -> list[int]:
    """How many rows there are of every model of an event."""
    return [part.model._base_manager.count() for part in PARTS]


def refused(dana: User, data: Any) -> tuple[str, ...]:
    """The sentences with which a file is refused. Nothing of it is stored."""
    before = stored()
    texts = refusal_of(lambda: import_event(Actor(dana), data)).texts
    assert stored() == before
    return texts


def faults_of(data: Any) -> tuple[str, ...]:
    """The sentences with which a file is refused before anything is stored."""
    return refusal_of(lambda: read_event_file(data)).texts


# The file as a whole.


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_file_of_an_earlier_version_is_led_to_the_way(version: int, dana: User) -> None:
    data = json.loads((FILES / f"version-{version}.json").read_text(encoding="utf-8"))
    assert refused(dana, data) == (TOO_OLD,)


def test_what_is_no_event_file_says_so(dana: User) -> None:
    no_files: list[Any] = [None, [], "x", 5, {}, {"manifest": {}}, {"models": {}}]
    for data in [*no_files, {"manifest": {"version": True}, "models": {}}]:
        assert refused(dana, data) == (NO_EVENT_FILE,), data


def test_a_changed_byte_is_noticed(dana: User) -> None:
    text = json.dumps(export_event(eventful(dana)))
    for old, new in (
        ('"books": 9', '"books": 10'),
        ("Eventful Evening", "Eventful evening"),
        ("the card was led in turn", "the card was not led in turn"),
        ("192.168.1.7", "192.168.1.8"),
        ("1500", "1501"),
    ):
        assert old in text, old
        assert refused(dana, json.loads(text.replace(old, new, 1))) == (CHANGED,)


def test_the_manifest_is_read_first(dana: User) -> None:
    data = filed(worlds.entered(dana))
    manifest = data["manifest"]
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    for wrong, sentence in (
        ({"version": 5}, NEWER),
        ({"version": "4"}, NO_EVENT_FILE),
        ({"sha256": None}, CHANGED),
        ({"migration": "0999_not_yet"}, NEWER),
        ({"migration": None}, NEWER),
        ({"note": deep}, TOO_DEEP),
    ):
        assert refused(dana, data | {"manifest": manifest | wrong}) == (sentence,)
    assert refused(dana, data | {"more": 1}) == ("An event file has a manifest and models, and nothing else.",)
    counts = manifest["counts"] | {"Team": 3}
    text = "The manifest counts 3 rows of Team, and the file holds 4."
    assert refused(dana, data | {"manifest": manifest | {"counts": counts}}) == (text,)


def test_a_file_that_lost_rows_or_columns_is_refused(dana: User) -> None:
    data = filed(worlds.entered(dana))
    models = data["models"]
    team = models["Team"]
    width = len(team["columns"])
    for wrong, sentence in (
        ({"Team": None}, "Team: columns and rows are needed."),
        ({"Team": {"columns": 5, "rows": []}}, "Team: the columns are a list of names."),
        ({"Team": team | {"columns": team["columns"][1:]}}, "Team: the column “number” is missing."),
        ({"Team": team | {"columns": [*team["columns"], "mood"]}}, "Team: there is no column “mood”."),
        ({"Team": team | {"columns": [*team["columns"], ""]}}, "Team: there is no column “”."),
        ({"Team": team | {"columns": [*team["columns"], "name"]}}, "Team: a column is there twice."),
        ({"Team": team | {"rows": [[1]]}}, f"Team in row 1: a list of {width} values is needed."),
        ({"Team": team | {"rows": [[]] * 200_001}}, "Team: at most 200,000 rows can be read; there are 200,001."),
        ({"Tablet": team}, "This version knows no rows “Tablet”."),
    ):
        assert refused(dana, resealed(data | {"models": models | wrong})) == (sentence,)
    none = models | {"Event": models["Event"] | {"rows": []}}
    assert "An event file holds one event, and this holds 0." in refused(dana, resealed(data | {"models": none}))
    two = models | {"Event": models["Event"] | {"rows": models["Event"]["rows"] * 2}}
    assert refused(dana, resealed(data | {"models": two})) == ("An event file holds one event, and this holds 2.",)


def files_of(dana: User, *evenings: Callable[[User], Event]) -> list[dict[str, Any]]:
    """The files of evenings that cannot be on the same site."""
    files = []
    for evening in evenings:
        with transaction.atomic():
            files.append(filed(evening(dana)))
            transaction.set_rollback(True)
    return files


# Each column: of another type, empty, full.

OTHERS: tuple[Any, ...] = (True, 7, 5.5, "noon", [1], {"a": 1})
EXPECTED: dict[type[Field[Any, Any]], tuple[type, ...]] = {
    BooleanField: (bool,),
    IntegerField: (int,),
    CharField: (str,),
    TextField: (str,),
    ForeignKey: (int,),
    JSONField: (list, dict),
    DateField: (),
    TimeField: (),
}


def wrong_values(field: Field[Any, Any]) -> list[Any]:
    """Values that are not of the type of a column; a date is no time of its own."""
    [fits] = [kinds for kind, kinds in EXPECTED.items() if isinstance(field, kind)]
    return [value for value in OTHERS if type(value) not in fits]


@pytest.mark.long
def test_a_value_of_another_type_is_refused_in_each_column(dana: User) -> None:
    """The row and the column are named."""
    seen: set[str] = set()
    for data in files_of(dana, eventful, worlds.lots, worlds.asked, worlds.by_players):
        parts = [part for part in PARTS if data["models"][part.name]["rows"] and part.name not in seen]
        seen |= {part.name for part in parts}
        for part in parts:
            for field in columns_of(part.model):
                if isinstance(field, JSONField):
                    continue
                for value in wrong_values(field):
                    texts = faults_of(changed(data, part.model, 1, **{field.name: value}))
                    assert f"{part.name} in row 1, field {field.name}: " in texts[0], (texts, value)
    assert len(seen) == len(PARTS) - len({"Bye"})


def is_fine(model: str, column: str, value: Any) -> bool:
    """Facts that a sentence does not need are no fault; and a team of the event may have the number 1."""
    if (model, column) == ("Journal", "facts"):
        return isinstance(value, dict)
    return (model, column) == ("Placing", "after") and value == [1]


@pytest.mark.long
def test_every_json_column_is_checked(dana: User) -> None:
    """What is no object or list of its kind is refused, or it is a remark that nothing is made of."""
    free = {("Journal", "before"), ("Journal", "after")}
    for data in files_of(dana, eventful, worlds.lots, worlds.asked, worlds.by_players):
        for part in PARTS:
            for field in columns_of(part.model):
                if isinstance(field, JSONField) and data["models"][part.name]["rows"]:
                    for value in (7, "noon", [1], [None], {"a": 1}, [{"a": 1}], [[1]]):
                        forged = changed(data, part.model, 1, **{field.name: value})
                        if (part.name, field.name) not in free and not is_fine(part.name, field.name, value):
                            assert faults_of(forged), (part.name, field.name, value)


FULLEST = {
    "SmallIntegerField": 32_767,
    "PositiveSmallIntegerField": 32_767,
    "PositiveIntegerField": 2_147_483_647,
    "IntegerField": 2_147_483_647,
}


def beyond(field: Field[Any, Any]) -> Iterator[Any]:
    """Values just beyond the range of a column on any database, and values that no database stores."""
    if isinstance(field, IntegerField):
        yield from (FULLEST[field.get_internal_type()] + 1, -2_147_483_649, 10**300)
    if isinstance(field, CharField):
        yield from ("x" * ((field.max_length or 0) + 1), "nought \x00", "half \ud83d")
    if isinstance(field, DateField):
        yield from ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2201-01-01T00:00:00+00:00", "2026-13-40")
    if isinstance(field, JSONField):
        yield from (["nought \x00"], ["half \ud83d"], [float("inf")])


@pytest.mark.long
def test_what_no_column_has_room_for_is_refused(dana: User) -> None:
    data = filed(eventful(dana))
    for part in PARTS:
        if data["models"][part.name]["rows"]:
            for field in columns_of(part.model):
                for value in beyond(field):
                    texts = faults_of(changed(data, part.model, 1, **{field.name: value}))
                    assert f"{part.name} in row 1, field {field.name}: " in texts[0], texts


EMPTY: dict[type[Field[Any, Any]], Any] = {CharField: "", TextField: "", BooleanField: False, IntegerField: 0}


def test_an_event_with_every_column_empty_and_every_column_full_comes_back(dana: User) -> None:
    data = filed(worlds.entered(dana))
    empty: dict[str, Any] = {
        field.name: None if field.null else {} if field.name in ("options", "stage_options", "prizes") else []
        for field in columns_of(Event)
        if field.null or isinstance(field, JSONField)
    } | {field.name: "" for field in columns_of(Event) if isinstance(field, CharField) and field.blank}
    texts = [field.name for field in columns_of(Team) if isinstance(field, CharField) and field.blank]
    data = changed(data, Event, 1, **empty)
    data = changed(data, Team, 1, **dict.fromkeys(texts, "") | {"home": None, "here_at": None, "left_after": None})
    assert_same(dana, data)
    full = changed(
        data,
        Event,
        1,
        name="N" * 60,
        place="P" * 60,
        entry_words="W" * 200,
        currency="CHF",
        fee_cents=1_000_000,
        pot_cents=1_000_000,
        cut=1024,
        entry_limit=9999,
        seed=2_147_483_647,
        rounds_planned=60,
        room_until="23:59:59.999999",
        entries_from="1900-01-02T00:00:00+00:00",
        entries_until="2200-12-30T00:00:00+00:00",
        prizes={"by": "place", "prizes": [100_000_000] * 500},
        ran_by=[["n" * 150, "verifier"]],
    )
    full = changed(full, Team, 1, city="C" * 40, club="D" * 40, home=999, here_at="2026-11-21T19:00:00+00:00")
    assert_same(dana, full)


def assert_same(dana: User, data: dict[str, Any]) -> None:
    event = import_event(Actor(dana), data)
    models = {name: part["rows"] for name, part in data["models"].items()}
    back = told(event)
    for rows in (back, models):
        # The importer directs it.
        rows["Event"][0][data["models"]["Event"]["columns"].index("ran_by")] = []
    assert back == models


# What rows mean together.

HAND = {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}
PRIZES = "The event, field prizes: at most 500, in cents by place, or percentages that are 100 at most together."
LEDGER = "it takes back an earlier line of the same kind and team, once and wholly."
TEAMS = "teams of the event are needed, each once"
Case = tuple[Callable[[User], Event], type, int, dict[str, Any], str]
CASES: list[Case] = [
    (eventful, Event, 1, {"sheet": "bid_whist/none"}, "The event, field sheet: there is no rule sheet"),
    (eventful, Event, 1, {"options": {"set_limit": 99}}, "The event, field options.set_limit:"),
    (eventful, Event, 1, {"options": []}, "The event, field options: options are an object, option and choice."),
    (eventful, Event, 1, {"stage_options": {"final": 5}}, "The event, field stage_options: Options can differ in"),
    (eventful, Event, 1, {"printed": "{"}, "The event, field printed: what the sheet printed is an object"),
    (eventful, Event, 1, {"printed": '{"set_limit": "x"}'}, "The event, field printed.set_limit:"),
    (eventful, Event, 1, {"time_zone": "Moon/Base"}, "The event, field time_zone: “Moon/Base” is not known."),
    (eventful, Event, 1, {"cut": 1}, "The event, field cut: 1 is not from 2 to 1,024."),
    (eventful, Event, 1, {"cut": 32_767}, "The event, field cut: 32767 is not from 2 to 1,024."),
    (eventful, Event, 1, {"best_of": 2}, "The event: the database refuses it (event best of)."),
    (eventful, Event, 1, {"rounds_planned": 61}, "The event: the database refuses it (event rounds)."),
    (eventful, Event, 1, {"movement": "dance"}, "Event in row 1, field movement: “dance” is not known: moving,"),
    (eventful, Event, 1, {"stage": "setup"}, "The event, field stage: the event is being set up, but rounds"),
    (worlds.asked, Event, 1, {"stage": "playing"}, "The event, field stage: there are playoff games, but the"),
    (eventful, Event, 1, {"ran_by": [["vic", "king"]]}, "The event, field ran_by: each is a name and a role"),
    (eventful, Event, 1, {"name": " "}, "The event, field name: a name is needed."),
    *(
        (eventful, Event, 1, {"prizes": prizes}, PRIZES)
        for prizes in (
            [],
            {"by": "place", "prizes": [0] * 501},
            {"by": "place", "prizes": [1.5]},
            *(
                {"by": "percent", "percent": percent, "purse": 0}
                for percent in (["1e3000000"], ["1e-99999"] * 3, ["60", "50"], [], "50", [5])
            ),
        )
    ),
    (eventful, Team, 2, {"number": 1}, "Team 1: the database refuses it (one team per number)."),
    (eventful, Team, 2, {"number": 0}, "Team 0: the database refuses it (team number)."),
    (eventful, Team, 2, {"name": "Full\u200b Deck"}, "Team 2, field name: The character U+200B cannot be used"),
    (eventful, Team, 2, {"joined_in": 1001}, "Team 2, field joined_in: 1001 is not from 0 to 1,000."),
    (eventful, Player, 2, {"position": 0}, "Player 2: the database refuses it (one player per place)."),
    (eventful, Player, 1, {"team": 7}, "Player in row 1, field team: 7 leads to no team of this file."),
    (eventful, Player, 1, {"team": 0}, "Player in row 1, field team: 0 leads to no team of this file."),
    (eventful, Player, 1, {"team": True}, "Player in row 1, field team: true leads to no team of this file."),
    (eventful, Player, 1, {"entry": 1}, "Player in row 1, field entry: 1 leads to no registration of this file."),
    (eventful, Player, 1, {"team": None}, "Player 1, field team: a team or an entry is needed."),
    (eventful, Substitution, 1, {"to_round": 0}, "Team 6, substitute 1, field to_round: 0 is not from 1 to 1,000."),
    (worlds.by_players, Registration, 1, {"wants": 1}, "Entry 1, field wants: somebody else is needed."),
    (worlds.by_players, Registration, 2, {"position": 1}, "Entry 1: the database refuses it (one entry per place)."),
    (worlds.asked, Round, 2, {"number": 1}, "Game 1: the database refuses it (one round per number)."),
    (eventful, Round, 1, {"state": "planned"}, "Game 1, table 1: its round is planned, but hands have been written."),
    (eventful, Round, 1, {"state": "closed"}, "Game 1, table 1, field state: the round is closed, but the game is not"),
    (eventful, Round, 1, {"options": {"set_limit": 3}}, "Game 1, field options: these are not the options that the"),
    (eventful, Round, 1, {"notes": [{"said": "x"}]}, "Game 1, field notes: each is a note of the draw."),
    (eventful, Round, 1, {"notes": [{"said": "text", "teams": [["a"]]}]}, "Game 1, field notes: each is a note of"),
    (eventful, Game, 2, {"table": 1}, "Game 1, table 1: the database refuses it (one game per table)."),
    (eventful, Game, 1, {"first_dealer": 7}, "Game 1, table 1, field first_dealer: 7 is not a seat of the table."),
    (eventful, Side, 2, {"index": 2}, "Game 1, table 1, side 3, field index: 2 is not a side of the table."),
    (eventful, Side, 2, {"game": 2}, "Game 1, table 1: 2 teams are needed; 1 are named."),
    (
        eventful,
        Side,
        2,
        {"team": 1},
        "Game 1, table 1, side 2: the database refuses it (one table per team and round).",
    ),
    (worlds.asked, Side, 1, {"round": 2}, "Game 1, table 1, side 1, field round: it is not that of its game."),
    (eventful, Call, 1, {"answered_at": None}, "the database refuses it (one open call)."),
    (eventful, Entry, 1, {"facts": HAND | {"books": 14}}, "Game 1, table 1, line 1, field books: There are 13 books"),
    (eventful, Entry, 1, {"facts": HAND | {"bid": "8"}}, "Game 1, table 1, line 1, field bid: A bid is from 1 to 7"),
    (eventful, Entry, 1, {"facts": []}, "Game 1, table 1, line 1, field facts: what is on the line must be an object."),
    (eventful, Entry, 1, {"facts": {"entry": "dance"}}, "Game 1, table 1, line 1, field facts: the line is kept as"),
    (eventful, Entry, 1, {"kind": "void"}, "Game 1, table 1, line 1, field facts: the line is kept as “void”"),
    (eventful, Entry, 1, {"position": 0}, "Game 1, table 1, line 0, field facts: only totals continued from paper"),
    (eventful, Entry, 1, {"source": "gossip"}, "Entry in row 1, field source: “gossip” is not known: "),
    (eventful, Entry, 1, {"cause": "because"}, "Game 1, table 1, line 1: the database refuses it (entry cause)."),
    (eventful, Entry, 2, {"revision": 5}, "Game 1, table 1, line 2, field replaces: each revision replaces the one"),
    (eventful, Entry, 3, {"replaces": 1}, "Game 1, table 1, line 2, field replaces: each revision replaces the one"),
    (eventful, Entry, 3, {"replaces": 3}, "Game 1, table 1, line 2, field replaces: each revision replaces the one"),
    (eventful, Signature, 1, {"side": 2}, "Game 1, table 2, signature 1, field side: 2 is not a side of the table."),
    (eventful, Signature, 1, {"revision": 1}, "Game 1, table 2, signature 1, field revision: a side signs a sheet"),
    (eventful, Signature, 1, {"how": "back"}, "Game 1, table 2, signature 1, field revision: a side signs a sheet"),
    (eventful, Notice, 1, {"facts": {}}, "Game 1, table 2, notice 1, field facts: something is missing that"),
    (worlds.lots, Decision, 1, {"teams": [1, 1]}, "Decision 1, field teams: at least two teams of the event are"),
    (worlds.lots, Decision, 1, {"teams": [1, 99]}, "Decision 1, field teams: at least two teams of the event are"),
    (worlds.lots, Decision, 1, {"method": "dice"}, "Decision in row 1, field method: “dice” is not known: lots,"),
    (worlds.asked, Placing, 1, {"before": [1]}, f"Placing 1, field before: {TEAMS}; drawn are two at least."),
    (worlds.asked, Placing, 1, {"after": [77]}, f"Placing 1, field after: {TEAMS}."),
    (worlds.asked, Placing, 1, {"number": 0}, "Placing 0, field number: 0 is not from 1 to 32,767."),
    (eventful, Ledger, 1, {"kind": "tip"}, "Ledger in row 1, field kind: “tip” is not known: fee, pot,"),
    (eventful, Ledger, 1, {"purpose": "prize"}, "Receipt 1, field purpose: “fee” with purpose “prize” is not"),
    (eventful, Ledger, 1, {"cents": 0}, "Receipt 1, field cents: a sum in whole cents is needed."),
    (eventful, Ledger, 1, {"reverses": 2}, f"Receipt 1, field reverses: {LEDGER}"),
    (eventful, Ledger, 1, {"reverses": 1}, f"Receipt 1, field reverses: {LEDGER}"),
    (eventful, Journal, 1, {"facts": {}}, "Log, line 1, field facts: something is missing that"),
    (eventful, Journal, 1, {"at": "noon"}, "Journal in row 1, field at: “noon” is not a time like"),
    (eventful, Event, 1, {"room_until": "noon"}, "Event in row 1, field room_until: “noon” is not a time of day"),
    (eventful, Event, 1, {"room_until": "23:00+05:00"}, "“23:00+05:00” is a time of day with a zone"),
    (
        eventful,
        Journal,
        1,
        {"at": "2026-11-21T19:00:00"},
        "Journal in row 1, field at: “2026-11-21T19:00:00” is a time",
    ),
]


@pytest.mark.parametrize(("world", "model", "row", "values", "sentence"), CASES)
def test_rows_that_do_not_fit_are_refused_by_name(
    world: Callable[[User], Event], model: type, row: int, values: dict[str, Any], sentence: str, dana: User
) -> None:
    texts = refused(dana, changed(filed(world(dana)), model, row, **values))
    assert [text for text in texts if sentence in text], texts


def test_a_key_of_the_log_that_leads_to_no_row_is_refused(dana: User) -> None:
    data = filed(eventful(dana))
    [row, *_] = [number for number, act in enumerate(rows_of(data, Journal), start=1) if act["noun"] == "game"]
    for key in ("4", "0", "-1", "x", "１", "9" * 40):
        [text] = refused(dana, changed(data, Journal, row, key=key))
        assert text == f"Log, line {row}, field key: “{key}” leads to no game of this file."


def test_a_team_with_a_bye_cannot_sit_at_a_table(dana: User) -> None:
    data = filed(eventful(dana))
    data["models"][Bye.__name__]["rows"].append([1, 1])
    assert refused(dana, resealed(data)) == ("Game 1, bye 1, field team: team 1 sits at a table of this round.",)


def test_all_faults_come_at_once_each_with_its_row(dana: User) -> None:
    data = changed(filed(eventful(dana)), Event, 1, time_zone="Moon/Base")
    data = changed(data, Game, 1, first_dealer=9)
    data = changed(data, Ledger, 1, cents=0)
    assert [text.split(":")[0] for text in refused(dana, data)] == [
        "The event, field time_zone",
        "Receipt 1, field cents",
        "Game 1, table 1, field first_dealer",
    ]


def test_the_rule_of_a_refused_line_is_cited(dana: User) -> None:
    data = filed(worlds.signed(dana))
    lines = data["models"]["Entry"]
    last = dict(zip(lines["columns"], lines["rows"][-1], strict=True))
    more = last | {"position": last["position"] + 1, "revision": 0, "replaces": None, "kind": "hand", "facts": HAND}
    lines["rows"].append([more[column] for column in lines["columns"]])
    refusal = refusal_of(lambda: import_event(Actor(dana), resealed(data)))
    assert [fault.rule for fault in refusal.faults] == ["6"]
    assert "The game is over" in refusal.texts[0]


def test_singles_who_want_each_other_come_back(dana: User) -> None:
    """Links within one model may form a circle."""
    data = filed(worlds.by_players(dana))
    alone = [number for number, row in enumerate(rows_of(data, Registration), start=1) if row["state"] == "single"]
    data = changed(data, Registration, alone[0], wants=alone[1])
    data = changed(data, Registration, alone[1], wants=alone[0])
    assert told(import_event(Actor(dana), data)) == {name: part["rows"] for name, part in data["models"].items()}


# A finding of `verify`.


def test_an_event_with_a_finding_is_imported_after_a_question(dana: User) -> None:
    event = eventful(dana)
    Game.objects.filter(round__event=event, table=2).update(state="to-sign")
    data = filed(event)
    before = stored()
    question = refusal_of(lambda: import_event(Actor(dana), data), HasFindings)
    assert (question.status, stored()) == (409, before)
    text = "Game 1, table 2: is “to-sign”, and by its lines, its signatures and the log “final”"
    assert question.texts == (text,)
    assert told(import_event(Actor(dana), data, findings_seen=True)) == told(event)


# Files changed at random.

MUTANTS = int(os.environ.get("UPTOWN_MUTANTS", "60"))
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 7, -1, 99, 10**10, 5.5),
    *("", "x", "1", "x" * 600, "noon", "planned", "final", "void", "hand", "2026-11-21T19:00:00+00:00"),
    *([], {}, [1], ["a"], [[]], [None], {"entry": "hand"}, {"entry": "removed"}),
)


def mutate(chance: random.Random, data: dict[str, Any]) -> dict[str, Any]:
    """Change one to three things in the rows of a file."""
    data = json.loads(json.dumps(data))
    for _ in range(chance.randrange(1, 4)):
        part = data["models"][chance.choice([name for name, part in data["models"].items() if part["rows"]])]
        rows = part["rows"]
        row = chance.choice(rows) if rows else []
        what = chance.random()
        if what < 0.1:
            rows.append(list(row))
        elif what < 0.2 and row:
            rows.remove(row)
        elif what < 0.25:
            chance.shuffle(rows)
        elif row:
            column = chance.randrange(len(row))
            other = chance.choice(rows)
            row[column] = other[column] if chance.random() < 0.4 else inner(chance, row[column])
    return resealed(data)


def inner(chance: random.Random, value: Any) -> Any:
    """Another value, or one that differs somewhere inside."""
    if isinstance(value, dict) and value and chance.random() < 0.7:
        key = chance.choice(list(value))
        return value | {key: inner(chance, value[key])}
    return chance.choice(VALUES)


PAGES = ("e/{}/", "desk/{}/", "desk/{}/log/", "desk/{}/papers/", "desk/{}/teams/", "desk/{}/money/", "e/{}/schedule/")


def test_a_mutant_is_refused_in_a_sentence_or_imported_clean(dana: User, desk: Client) -> None:
    """UPTOWN_MUTANTS=1000 tries a thousand."""
    chance = random.Random(os.environ.get("UPTOWN_SEED", "20261128"))
    makers = (eventful, worlds.lots, worlds.asked, worlds.by_players, worlds.spades_over, worlds.late)
    sources = files_of(dana, *makers)
    taken = 0
    for number in range(MUTANTS):
        data = mutate(chance, chance.choice(sources))
        with transaction.atomic():
            try:
                event = import_event(Actor(dana), data)
            except (ValidationFailed, HasFindings) as refusal:
                assert all(refusal.texts), number
            else:
                taken += 1
                for page in PAGES:
                    answer = desk.get(f"/{page.format(event.slug)}", follow=True)
                    assert answer.status_code in (200, 404), (number, page)
                import_event(Actor(dana), filed(event))
            transaction.set_rollback(True)
    assert 0 < taken < MUTANTS
