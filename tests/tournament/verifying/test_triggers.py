"""The database itself refuses to change or delete what is only ever added, whoever asks it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from tests.halls import Prepared
from tests.tournament.demo.evenings import play_until, player_of, small_evening
from tests.tournament.reports.evenings import eventful
from tournament.models import Ledger, Team
from tournament.models.triggers import guarded_models, lay_triggers, lift_triggers, missing_triggers
from tournament.services.verifying import findings


@pytest.fixture
def laid(db: None) -> Iterator[None]:
    lay_triggers()
    yield
    lift_triggers()


def refused(statement: str) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except IntegrityError as fault:
        assert "are only ever added" in str(fault)
        return True
    return False


def test_no_guarded_row_can_be_changed_or_deleted(laid: None, dana: User) -> None:
    eventful(dana)
    # PostgreSQL looks at foreign keys at the end, and empties no table before it has.
    connection.check_constraints()
    for table in sorted(model._meta.db_table for model in guarded_models()):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT min(id) FROM {table}")
            least = cursor.fetchone()[0]
        if least is None:
            continue
        assert refused(f"UPDATE {table} SET id = id + 1000 WHERE id = {least}"), table
        assert refused(f"DELETE FROM {table} WHERE id = {least}"), table
        if connection.vendor == "sqlite":
            # It deletes the old row first: without recursive triggers nothing would stop it.
            assert refused(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} WHERE id = {least}"), table
        else:
            assert refused(f"TRUNCATE {table} CASCADE"), table


def test_a_receipt_may_lose_the_team_that_leaves_the_list_and_nothing_else(laid: None, dana: User) -> None:
    eventful(dana)
    assert Ledger.objects.exclude(team=None).exists()
    assert not refused("UPDATE tournament_ledger SET team_id = NULL")
    assert refused("UPDATE tournament_ledger SET cents = cents + 1")


def test_an_evening_is_played_with_the_triggers_laid(laid: None, dana: User) -> None:
    play_until(player_of(small_evening(dana), dana, directs=True), "champion")
    assert list(findings()) == []
    assert Team.objects.exists()


def test_a_table_without_its_triggers_is_a_finding_and_a_start_lays_them_again(laid: None) -> None:
    on, acts = " ON tournament_entry", ["update", "delete", "truncate"]
    if connection.vendor == "sqlite":
        on, acts = "", acts[:2]
    for act in acts:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER uptown_keeps_tournament_entry_{act}{on}")
        assert missing_triggers() == ["tournament_entry"], act
        assert list(findings()) == [
            "tournament_entry: the database no longer refuses changes of written rows. Start the site once."
        ]
        lay_triggers()
        assert missing_triggers() == []


def test_migrating_lays_the_triggers(prepared_hall: Prepared, tmp_path: Path) -> None:
    hall = prepared_hall.copy(tmp_path / "data")
    lay = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    laid = hall.rows(lay)
    assert len(laid) == 2 * len(guarded_models())
    with contextlib.closing(sqlite3.connect(hall.folder / "uptown.sqlite3")) as opened:
        for name in laid:
            opened.execute(f"DROP TRIGGER {name}")
    hall.manage("migrate")
    assert sorted(hall.rows(lay)) == sorted(laid)
