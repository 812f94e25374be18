"""What moved from entries to their players goes, and the database holds what a player is."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0040_names_of_entries")]

    operations = [
        migrations.RemoveConstraint("registration", "one_entry_per_link"),
        migrations.RemoveConstraint("registration", "registration_show"),
        migrations.RemoveField("registration", "typed_names"),
        migrations.RemoveField("registration", "contact"),
        migrations.RemoveField("registration", "note"),
        migrations.RemoveField("registration", "show"),
        migrations.RemoveField("registration", "token_hash"),
        migrations.RemoveConstraint("person", "deleted_nameless"),
        migrations.AddConstraint(
            "person",
            models.CheckConstraint(
                condition=models.Q(deleted_at__isnull=True) | models.Q(name="", key="", near=""),
                name="deleted_nameless",
            ),
        ),
        migrations.AlterModelOptions("player", {"ordering": ["position", "id"]}),
        migrations.AddConstraint(
            "player",
            models.UniqueConstraint(
                condition=models.Q(("token_hash", ""), _negated=True),
                fields=("token_hash",),
                name="one_player_per_link",
            ),
        ),
        migrations.AddConstraint(
            "player",
            models.CheckConstraint(
                condition=models.Q(team__isnull=False) | models.Q(entry__isnull=False), name="player_plays_or_entered"
            ),
        ),
        migrations.AddConstraint(
            "player",
            models.CheckConstraint(condition=models.Q(show__in=["full", "initial", "hidden"]), name="player_show"),
        ),
    ]
