"""An event file of an earlier migration is brought forward by Django's own migrations, in a database of its own."""

from __future__ import annotations

import copy
import threading
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.nightly import worlds
from tests.sure import refusal_of
from tests.tournament.archive.filed import filed, resealed, told
from tests.tournament.reports.evenings import eventful
from tournament.access import Actor
from tournament.archive.earlier import brought_forward
from tournament.archive.manifest import migrations
from tournament.archive.reading import read_event_file
from tournament.archive.store import import_event
from tournament.models import Event, Team
from tournament.site.database import scratch_database

THEN, NOW = "trial_01_other_names", "trial_02_names_of_today"


@pytest.fixture(autouse=True)
def _two_more_migrations(settings: Any) -> None:
    settings.MIGRATION_MODULES = {"tournament": "tests.tournament.archive.trial"}
    assert migrations()[-2:] == [THEN, NOW]


def of_then(data: dict[str, Any]) -> dict[str, Any]:
    """The file as the version with other names wrote it."""
    data = copy.deepcopy(data)
    team, round_ = data["models"]["Team"], data["models"]["Round"]
    team["columns"][team["columns"].index("club")] = "guild"
    gone = round_["columns"].index("by_hand")
    del round_["columns"][gone]
    for row in round_["rows"]:
        del row[gone]
    return resealed({"manifest": data["manifest"] | {"migration": THEN}, "models": data["models"]})


def tables() -> dict[str, list[Any]]:
    """Every row of every table of the site."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        every = {}
        for name in names:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            every[name] = sorted(map(str, cursor.fetchall()))
    return every


@pytest.mark.long
@pytest.mark.parametrize("world", [eventful, worlds.asked, worlds.by_players, worlds.lots])
def test_a_column_that_was_renamed_and_one_that_is_filled_come_in(world: Any, dana: User) -> None:
    event = world(dana)
    Team.objects.filter(event=event).update(club="Elks")
    data, before = filed(event), told(event)
    columns = data["models"]["Round"]["columns"]
    for row in before["Round"]:
        row[columns.index("by_hand")] = row[columns.index("number")] % 2 == 0
    assert told(import_event(Actor(dana), of_then(data))) == before


def test_the_tables_of_the_site_are_neither_read_nor_changed(dana: User) -> None:
    data = of_then(filed(eventful(dana)))
    before = tables()
    read_event_file(data)
    assert tables() == before
    # What is imported beside it changes no row of before.
    import_event(Actor(dana), data)
    after = tables()
    changed = {name for name in before if not set(before[name]) <= set(after[name])}
    assert changed <= {"sqlite_sequence"}


def test_other_threads_stay_with_the_database_of_the_site() -> None:
    """Each thread has connections of its own: only this one works on the scratch database."""
    seen: list[object] = []

    def look() -> None:
        seen.append(connection.settings_dict["NAME"])

    own = connection.settings_dict["NAME"]
    with scratch_database():
        assert connection.settings_dict["NAME"] == ":memory:"
        other = threading.Thread(target=look)
        other.start()
        other.join()
    assert (seen, connection.settings_dict["NAME"]) == ([own], own)


@pytest.mark.long
def test_rows_of_then_that_do_not_fit_are_refused_by_name(dana: User) -> None:
    data = of_then(filed(eventful(dana)))
    team = data["models"]["Team"]
    guild, number, name = (team["columns"].index(column) for column in ("guild", "number", "name"))

    def with_row(index: int, **values: Any) -> dict[str, Any]:
        forged = copy.deepcopy(data)
        for column, value in values.items():
            forged["models"]["Team"]["rows"][index][{"guild": guild, "number": number, "name": name}[column]] = value
        return resealed(forged)

    for forged, sentence in (
        (with_row(0, guild=5), "Team in row 1, field guild: a text is needed, not 5."),
        (with_row(0, guild="G" * 41), "Team in row 1, field guild: at most 40 characters: this has 41."),
        (with_row(1, number=1), "Team in row 2: the database refuses it (one team per number)."),
    ):
        assert refusal_of(partial(read_event_file, forged)).texts == (sentence,)
    today = copy.deepcopy(data)
    today["models"]["Team"]["columns"][guild] = "club"
    [text] = refusal_of(lambda: read_event_file(resealed(today))).texts
    assert text == "Team: there is no column “club”."


@pytest.mark.long
def test_rows_without_an_event_are_refused(dana: User) -> None:
    data = of_then(filed(eventful(dana)))
    del data["models"]["Event"]
    [text] = refusal_of(lambda: read_event_file(resealed(data))).texts
    assert text == "Team in row 1: the database refuses it."


@pytest.mark.long
def test_nothing_of_the_scratch_database_is_left(dana: User) -> None:
    data = of_then(filed(eventful(dana)))
    applied = set(MigrationRecorder(connection).applied_migrations())
    brought_forward(data)
    brought_forward(data)
    assert Event.objects.count() == 1
    assert set(MigrationRecorder(connection).applied_migrations()) == applied
