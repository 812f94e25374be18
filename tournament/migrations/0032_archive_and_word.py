"""An event can be archived, and deleted from the archive; the desk tells the hall a line for a while."""

from __future__ import annotations

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import PROTECT


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournament", "0030_fewer_versions"),
    ]

    operations = [
        migrations.AddField("event", "word", models.CharField(max_length=80, blank=True, default=""), False),
        migrations.AddField("event", "word_until", models.DateTimeField(null=True, blank=True)),
        migrations.AddField("event", "archived_at", models.DateTimeField(null=True, blank=True)),
        migrations.CreateModel(
            name="SiteAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("address", models.CharField(max_length=45, blank=True)),
                (
                    "action",
                    models.CharField(
                        max_length=10,
                        choices=[
                            ("archive", "archived"),
                            ("return", "taken out of the archive"),
                            ("delete", "deleted"),
                        ],
                    ),
                ),
                ("event", models.CharField(max_length=60)),
                ("slug", models.SlugField(max_length=60)),
                ("user", models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=PROTECT, null=True, blank=True)),
            ],
            options={"ordering": ["-id"]},
        ),
    ]
