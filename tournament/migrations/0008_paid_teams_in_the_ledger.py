"""Teams that were marked as paid before there was a ledger get the lines that say so."""

import uuid

from django.db import migrations


def write_lines(apps, schema_editor):
    Event = apps.get_model("tournament", "Event")
    Ledger = apps.get_model("tournament", "Ledger")
    for event in Event.objects.filter(ledger__isnull=True).prefetch_related("teams"):
        lines = []
        for team in event.teams.filter(paid=True).order_by("number"):
            for kind, cents in (("fee", event.fee_cents), ("pot", event.pot_cents if team.in_pot else 0)):
                if cents:
                    line = Ledger(
                        event=event,
                        number=len(lines) + 1,
                        kind=kind,
                        cents=cents,
                        team=team,
                        payee=f"{team.number} {team.name}",
                        reason="Marked as paid before there was a ledger",
                        key=uuid.uuid4(),
                    )
                    lines.append(line)
        Ledger.objects.bulk_create(lines)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0007_money_and_placings")]

    operations = [migrations.RunPython(write_lines, migrations.RunPython.noop)]
