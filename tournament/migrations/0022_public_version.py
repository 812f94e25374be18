"""What is public has a version of its own; it begins where the event's stands, so that no open page meets it again."""

from django.db import migrations, models
from django.db.models import F


def begin(apps, schema_editor):
    apps.get_model("tournament", "Event").objects.update(public_version=F("version"))


class Migration(migrations.Migration):
    dependencies = [("tournament", "0021_facts_in_rows")]

    operations = [
        migrations.AddField("event", "public_version", models.PositiveBigIntegerField(default=0)),
        migrations.AddField("event", "books_version", models.PositiveBigIntegerField(default=0)),
        migrations.AddField("round", "version", models.PositiveBigIntegerField(default=0)),
        migrations.RunPython(begin, migrations.RunPython.noop, elidable=True),
    ]
