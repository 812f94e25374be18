"""Shared sums give their odd cents one each; an event that has started keeps all of them with the lowest number."""

from django.db import migrations, models


def keep_what_was_announced(apps, schema_editor):
    events = apps.get_model("tournament", "Event").objects.filter(frozen_at__isnull=False)
    events.update(odd_to_lowest=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0032_archive_and_word"),
    ]

    operations = [
        migrations.AddField(
            model_name="event", name="odd_to_lowest", field=models.BooleanField(default=False, editable=False)
        ),
        migrations.RunPython(keep_what_was_announced, migrations.RunPython.noop, elidable=True),
    ]
