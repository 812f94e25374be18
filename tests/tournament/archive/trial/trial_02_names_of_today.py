"""A column is renamed, and one is filled by what other rows say."""

from typing import Any

from django.db import migrations, models


def fill(apps: Any, schema_editor: object) -> None:
    """Rounds with an even number were drawn by hand."""
    for round_ in apps.get_model("tournament", "Round").objects.all():
        round_.by_hand = round_.number % 2 == 0
        round_.save(update_fields=["by_hand"])


class Migration(migrations.Migration):
    dependencies = [("tournament", "trial_01_other_names")]

    operations = [
        migrations.RenameField("team", "guild", "club"),
        migrations.AddField("round", "by_hand", models.BooleanField(default=False)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
