"""Dues become lines of the one book. They keep their numbers and have no event: no event's cash had them in it.

A migration of its own: PostgreSQL lays no index on a table with rows that are still to be checked.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations


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
    dependencies = [("tournament", "0043_dues_in_the_ledger")]

    operations = [migrations.RunPython(move_dues, migrations.RunPython.noop)]
