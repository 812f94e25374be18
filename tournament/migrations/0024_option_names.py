"""Options that an event file brought by other names or words get those that the rule sheets document."""

from django.db import migrations

from tournament.migrations._option_names import documented


def use_documented_names(apps, schema_editor):
    for event in apps.get_model("tournament", "Event").objects.exclude(options={}):
        options = documented(event.sheet, event.options)
        if options != event.options:
            event.options = options
            event.save(update_fields=["options"])


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0023_chain"),
    ]

    operations = [
        # The way back is the backup that the first start made.
        migrations.RunPython(use_documented_names, migrations.RunPython.noop),
    ]
