"""The dues that were kept apart go, and the database holds what a line of dues is."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournament", "0044_dues_are_lines")]

    operations = [
        migrations.DeleteModel("Dues"),
        migrations.AddConstraint(
            "ledger",
            models.UniqueConstraint(
                condition=Q(event=None, desk=""), fields=("season", "number"), name="one_receipt_per_season"
            ),
        ),
        migrations.AddConstraint(
            "ledger",
            models.CheckConstraint(
                condition=Q(kind__in=["fee", "pot", "prepaid", "refund", "payout", "adjustment", "dues"]),
                name="ledger_kind",
            ),
        ),
        migrations.AddConstraint(
            "ledger",
            models.CheckConstraint(
                condition=Q(kind="dues", season__isnull=False, member__isnull=False, team=None)
                | (~Q(kind="dues") & Q(season=None, member=None, event__isnull=False, desk="")),
                name="dues_of_a_member",
            ),
        ),
        migrations.AddConstraint(
            "ledger",
            models.CheckConstraint(
                condition=Q(reverses__isnull=False)
                | Q(kind__in=["fee", "pot", "prepaid", "dues"], cents__gt=0)
                | Q(kind__in=["refund", "payout"], cents__lt=0)
                | Q(kind="adjustment"),
                name="ledger_direction",
            ),
        ),
    ]
