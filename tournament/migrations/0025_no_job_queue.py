"""Large files no longer wait in a queue: what its package kept in PostgreSQL goes."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLES = ("workers", "jobs", "periodic_defers", "events")
TYPES = ("job_status", "job_event_type", "job_to_defer_v1")
FUNCTIONS = """
SELECT oid::regprocedure FROM pg_proc
WHERE proname LIKE 'procrastinate\\_%' AND pronamespace = current_schema()::regnamespace
"""


def drop_queue(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop tables, functions and types; a site that never had them is left as it is."""
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        for name in TABLES:
            cursor.execute(f"DROP TABLE IF EXISTS procrastinate_{name} CASCADE")
        cursor.execute(FUNCTIONS)
        for (signature,) in cursor.fetchall():
            cursor.execute(f"DROP FUNCTION {signature} CASCADE")
        for name in TYPES:
            cursor.execute(f"DROP TYPE IF EXISTS procrastinate_{name} CASCADE")


class Migration(migrations.Migration):
    dependencies = [("tournament", "0024_option_names")]
    operations = [migrations.RunPython(drop_queue, migrations.RunPython.noop)]
