"""What the database itself refuses: changing or deleting a row that is only ever added, whoever asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections

from tournament.models.stored import Guarded

REFUSES = "rows of {} are only ever added"
FUNCTION = """
CREATE OR REPLACE FUNCTION uptown_keeps() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


class Trigger(NamedTuple):
    """On which table, its name, and what it comes before."""

    table: str
    name: str
    act: str


def guarded_models() -> list[type[Guarded]]:
    return [model for model in apps.get_models() if issubclass(model, Guarded)]


def lay_triggers(using: str = DEFAULT_DB_ALIAS, **_facts: Any) -> None:
    """Create the triggers again. Django's migrations drop those of SQLite with every table that they rebuild."""
    lift_triggers(using)
    connection = connections[using]
    quote, there = connection.ops.quote_name, connection.introspection.table_names()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for table, name, act in _triggers(connection):
            if table in there:
                does = "FOR EACH {} EXECUTE FUNCTION uptown_keeps()".format("STATEMENT" if act == "TRUNCATE" else "ROW")
                if connection.vendor == "sqlite":
                    does = f"BEGIN SELECT RAISE(ABORT, '{REFUSES.format(table)}'); END"
                cursor.execute(f"CREATE TRIGGER {quote(name)} BEFORE {act} ON {quote(table)} {does}")


def lift_triggers(using: str = DEFAULT_DB_ALIAS, **_facts: Any) -> None:
    """Drop the triggers: a migration may have to rewrite rows."""
    connection = connections[using]
    quote, there = connection.ops.quote_name, connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table, name, _ in _triggers(connection):
            if table in there:
                on = f" ON {quote(table)}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {quote(name)}{on}")


def missing_triggers() -> list[str]:
    """The tables whose rows could be changed."""
    known = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger" if connection.vendor == "postgresql" else known)
        found = {name for (name,) in cursor.fetchall()}
    return list(dict.fromkeys(one.table for one in _triggers(connection) if one.name not in found))


def _triggers(connection: Any) -> Iterator[Trigger]:
    for model in guarded_models():
        table = model._meta.db_table
        columns = (field.column for field in model._meta.concrete_fields if field.attname not in model.LOOSE)
        acts = [f"UPDATE OF {', '.join(map(connection.ops.quote_name, columns))}", "DELETE"]
        for act in [*acts, "TRUNCATE"] if connection.vendor == "postgresql" else acts:
            yield Trigger(table, f"uptown_keeps_{table}_{act.split()[0].lower()}", act)
