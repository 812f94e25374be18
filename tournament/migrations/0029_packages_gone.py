"""What packages left that the program no longer uses: the tables of django-axes, and the migrations of both."""

from django.db import migrations

TABLES = ("axes_accessattemptexpiration", "axes_accessattempt", "axes_accessfailurelog", "axes_accesslog")


def drop_what_is_left(apps, schema_editor):
    for table in TABLES:
        schema_editor.execute(f"DROP TABLE IF EXISTS {table}")
    schema_editor.execute("DELETE FROM django_migrations WHERE app IN ('axes', 'procrastinate')")


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0028_no_pins"),
    ]

    operations = [
        # The way back is the backup that the first start made.
        migrations.RunPython(drop_what_is_left, migrations.RunPython.noop),
    ]
