"""Dues become lines of the one book. They keep their numbers and have no event: no event's cash had them in it."""

from __future__ import annotations

from typing import Any

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


def move_dues(apps: Any, schema_editor: Any) -> None:
    ledger = apps.get_model("tournament", "Ledger")._base_manager
    made: dict[int, Any] = {}
    dues = apps.get_model("tournament", "Dues")._base_manager.select_related("at", "taken_by").order_by("pk")
    for old in dues:
        taker = old.taken_by
        made[old.pk] = ledger.create(
            season_id=old.season_id,
            member_id=old.person_id,
            number=old.number,
            kind="dues",
            cents=old.cents,
            how=old.how[:6],
            desk=old.at.name if old.at else "",
            reverses=made.get(old.reverses_id),
            key=old.key,
            made_by=taker,
            by=(f"{taker.first_name} {taker.last_name}".strip() or taker.username)[:150] if taker else "",
            made_at=old.taken_at,
        )


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
        migrations.RunPython(move_dues, migrations.RunPython.noop),
    ]
