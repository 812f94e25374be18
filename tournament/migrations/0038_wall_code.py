"""The code on the wall becomes a field. Every event keeps the code that hangs there: it was made of its key and epoch."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.utils.crypto import salted_hmac

import tournament.models.event

LETTERS, LONG = "ABCDEFGHJKMNPQRSTUVWXYZ23456789", 6


def keep_codes(apps: Any, schema_editor: Any) -> None:
    events = apps.get_model("tournament", "Event").objects
    for pk, epoch in events.values_list("pk", "epoch"):
        digest = salted_hmac("uptown.wall", f"{pk}/{epoch}", algorithm="sha256").digest()
        events.filter(pk=pk).update(wall_code="".join(LETTERS[byte % len(LETTERS)] for byte in digest[:LONG]))


class Migration(migrations.Migration):
    dependencies = [("tournament", "0037_seasons")]

    operations = [
        migrations.AddField("event", "wall_code", models.CharField(default="", editable=False, max_length=LONG)),
        migrations.RunPython(keep_codes, migrations.RunPython.noop),
        migrations.AlterField(
            "event",
            "wall_code",
            models.CharField(default=tournament.models.event.new_wall_code, editable=False, max_length=LONG),
        ),
    ]
