"""One row for each human: an entry's names become players, who have the wish, the contact and the link themselves."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

SHOWS = [("full", "Full names"), ("initial", "First name and initial"), ("hidden", "No names")]
STATES = [
    ("asked", "Waits for the desk"),
    ("in", "In"),
    ("waiting", "On the waiting list"),
    ("single", "Looks for a partner"),
    ("joined", "Has a partner"),
    ("leaving", "Wants to leave"),
    ("withdrawn", "Withdrawn"),
    ("refused", "Not accepted"),
]


class Migration(migrations.Migration):
    dependencies = [("tournament", "0038_wall_code")]

    operations = [
        # A player's way back to the entry has the name that the list of texts had.
        migrations.RenameField("registration", "players", "typed_names"),
        migrations.RemoveConstraint("registration", "registration_state"),
        migrations.AlterField("registration", "state", models.CharField(max_length=10, choices=STATES)),
        migrations.AddConstraint(
            "registration",
            models.CheckConstraint(
                condition=models.Q(state__in=[state for state, _ in STATES]), name="registration_state"
            ),
        ),
        migrations.AlterField(
            "registration",
            "wants",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="wanted_by",
                to="tournament.registration",
            ),
        ),
        migrations.AddField("registration", "in_pot", models.BooleanField(blank=True, null=True)),
        migrations.AddField("person", "near", models.CharField(blank=True, db_index=True, default="", max_length=160), preserve_default=False),
        migrations.AddField(
            "substitution", "show", models.CharField(choices=SHOWS, default="full", max_length=7)
        ),
        migrations.AlterField(
            "player",
            "team",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="players",
                to="tournament.team",
            ),
        ),
        migrations.AddField(
            "player",
            "entry",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="players",
                to="tournament.registration",
            ),
        ),
        migrations.AddField(
            "player",
            "instead_of",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tournament.person",
            ),
        ),
        migrations.AddField("player", "show", models.CharField(choices=SHOWS, default="full", max_length=7)),
        migrations.AddField("player", "contact", models.CharField(blank=True, default="", max_length=120), preserve_default=False),
        migrations.AddField("player", "note", models.CharField(blank=True, default="", max_length=120), preserve_default=False),
        migrations.AddField("player", "token_hash", models.CharField(blank=True, default="", max_length=64), preserve_default=False),
    ]
