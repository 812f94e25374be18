"""Events whose rows were written by builders of tests, linked and sealed as the migration does it."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader

LINKING: Any = importlib.import_module("tournament.migrations.0023_chain")


@functools.cache
def tables_then() -> Any:
    return MigrationLoader(connection).project_state(("tournament", "0023_chain")).apps


def relink() -> None:
    LINKING.link_everything(tables_then(), None)
