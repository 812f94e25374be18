"""What packages that are no longer used kept in the database goes: counts of wrong passwords, a queue of large files.
"""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# What refers to another table comes before it.
TABLES = (
    *("axes_accessattemptexpiration", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog"),
    *("procrastinate_workers", "procrastinate_events", "procrastinate_periodic_defers", "procrastinate_jobs"),
)
# The queue was in PostgreSQL alone.
TYPES = ("job_status", "job_event_type", "job_to_defer_v1")
FUNCTIONS = """
SELECT oid::regprocedure FROM pg_proc
WHERE proname LIKE 'procrastinate\\_%' AND pronamespace = current_schema()::regnamespace
"""


def drop_tables(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop what is there of them: a new site never had any."""
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    with schema_editor.connection.cursor() as cursor:
        for name in TABLES:
            cursor.execute(f"DROP TABLE IF EXISTS {name}{' CASCADE' if is_postgresql else ''}")
        if is_postgresql:
            cursor.execute(FUNCTIONS)
            for (signature,) in cursor.fetchall():
                cursor.execute(f"DROP FUNCTION {signature} CASCADE")
            for name in TYPES:
                cursor.execute(f"DROP TYPE IF EXISTS procrastinate_{name} CASCADE")


class Migration(migrations.Migration):
    dependencies = [("tournament", "0024_option_names")]
    operations = [migrations.RunPython(drop_tables, migrations.RunPython.noop)]
