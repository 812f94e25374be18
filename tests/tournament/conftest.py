"""Dana at the desk, a hall of its own, and a database that threads can share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from tests.factories import make_round, make_teams, pairs_of
from tests.halls import Hall, Prepared
from tournament.models import Event, Game


@pytest.fixture
def desk(client: Client, dana: User) -> Client:
    client.force_login(dana)
    return client


@pytest.fixture
def four(event: Event) -> Event:
    """Four teams of one city, which nobody wants apart."""
    make_teams(event, 4)
    return event


@pytest.fixture
def tables(four: Event) -> list[Game]:
    """Aces against Books at table 1, two more teams at table 2, round 1 in play."""
    return list(make_round(four, pairs_of(list(four.teams.all()))).games.order_by("table"))


@pytest.fixture
def hall(prepared_hall: Prepared, tmp_path: Path) -> Hall:
    """A data folder with a game in play, under the site's own settings."""
    return prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings")


@pytest.fixture
def own_file(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """SQLite's test database lives in memory, which threads cannot share honestly: a copy in a file, as in a hall."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    memory, name = connection.connection, connection.settings_dict["NAME"]
    options, careful = connection.settings_dict["OPTIONS"], connection.settings_dict["OPTIONS"]["init_command"]
    # What two writers do to each other does not depend on when the disk has it.
    options["init_command"] = careful + "PRAGMA synchronous=OFF;"
    with sqlite3.connect(tmp_path / "hall.sqlite3") as file:
        memory.backup(file)
    connection.connection, connection.settings_dict["NAME"] = None, tmp_path / "hall.sqlite3"
    yield
    connection.close()
    connection.connection, connection.settings_dict["NAME"] = memory, name
    options["init_command"] = careful
