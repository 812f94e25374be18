"""A director says to be on the way to a table that called."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("tournament", "0045_no_dues_apart")]

    operations = [
        migrations.AddField("call", "coming_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "call",
            "coming_by",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
