"""The one book has room for dues: a season, a member, and no event where no desk took them."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    ("fee", "Entry fee"),
    ("pot", "Boston pot"),
    ("prepaid", "Paid in advance"),
    ("refund", "Refund"),
    ("payout", "Payout"),
    ("adjustment", "Adjustment"),
    ("dues", "Dues"),
]


class Migration(migrations.Migration):
    dependencies = [("tournament", "0042_members_and_seasons")]

    operations = [
        migrations.RemoveConstraint("ledger", "ledger_kind"),
        migrations.RemoveConstraint("ledger", "ledger_direction"),
        migrations.AlterField("ledger", "kind", models.CharField(choices=KINDS, max_length=10)),
        migrations.AlterField(
            "ledger",
            "event",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="ledger",
                to="tournament.event",
            ),
        ),
        migrations.AddField("ledger", "desk", models.CharField(blank=True, max_length=60)),
        migrations.AlterField(
            "dues",
            "season",
            models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT, related_name="+", to="tournament.season"
            ),
        ),
        migrations.AlterField(
            "dues",
            "person",
            models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT, related_name="+", to="tournament.person"
            ),
        ),
        migrations.AddField(
            "ledger",
            "season",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="dues",
                to="tournament.season",
            ),
        ),
        migrations.AddField(
            "ledger",
            "member",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="dues",
                to="tournament.person",
            ),
        ),
    ]
