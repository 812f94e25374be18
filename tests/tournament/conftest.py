"""A database that threads can share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection


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
