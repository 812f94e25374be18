"""What the database itself refuses: to change or delete a row that is only ever added, whoever asks."""

from __future__ import annotations

from typing import Any

from django.apps import apps

from tournament.models.stored import Chained

NAME = "uptown_keeps_{}"
REFUSES = "rows of {} are only ever added"
FUNCTION = """
CREATE OR REPLACE FUNCTION uptown_keeps() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def chained_models() -> list[type[Chained]]:
    return [model for model in apps.get_models() if issubclass(model, Chained)]


def lay_triggers(connection: Any) -> None:
    """Make the triggers anew. Django's migrations drop those of SQLite with every table that they build anew."""
    lift_triggers(connection)
    there = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for model in chained_models():
            if model._meta.db_table in there:
                for statement in _statements(connection, model):
                    cursor.execute(statement)


def lift_triggers(connection: Any) -> None:
    """Take the triggers away: a migration may have to rewrite rows."""
    there = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for model in chained_models():
            table = model._meta.db_table
            if table in there:
                for act in ("update", "delete", "truncate"):
                    name = connection.ops.quote_name(f"{NAME.format(table)}_{act}")
                    on = f" ON {connection.ops.quote_name(table)}" if connection.vendor == "postgresql" else ""
                    cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")


def missing_triggers(connection: Any) -> list[str]:
    """The tables that something could be changed in."""
    known = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger" if connection.vendor == "postgresql" else known)
        found = {name for (name,) in cursor.fetchall()}
    tables = [model._meta.db_table for model in chained_models()]
    return [table for table in tables if not {f"{NAME.format(table)}_{act}" for act in ("update", "delete")} <= found]


def _statements(connection: Any, model: type[Chained]) -> list[str]:
    """A receipt may lose its team: one that leaves the list before the first game takes its name with it."""
    quote, table = connection.ops.quote_name, model._meta.db_table
    columns = [field.column for field in model._meta.concrete_fields if field.attname in model.guarded()]
    update = f"UPDATE OF {', '.join(quote(column) for column in columns)}"
    acts = {"update": update, "delete": "DELETE"}
    if connection.vendor == "postgresql":
        acts["truncate"] = "TRUNCATE"
        does = "FOR EACH {} EXECUTE FUNCTION uptown_keeps()"
    else:
        does = f"BEGIN SELECT RAISE(ABORT, '{REFUSES.format(table)}'); END"
    return [
        f"CREATE TRIGGER {quote(f'{NAME.format(table)}_{act}')} BEFORE {what} ON {quote(table)} "
        + does.format("STATEMENT" if act == "truncate" else "ROW")
        for act, what in acts.items()
    ]
