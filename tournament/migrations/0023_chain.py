"""Every row that is only ever added becomes a link of its event's chain; what stands in the database is linked once.

Nothing of the program is imported: what this makes of a row must not change when the program does.
"""

import hashlib
import json
from datetime import UTC, datetime
from uuid import UUID

from django.db import migrations, models
from django.db.models import Case, Value, When

BATCH = 2000
LINKS = (
    ("Entry", "game__round__event"),
    ("Signature", "game__round__event"),
    ("Verification", "game__round__event"),
    ("Decision", "event"),
    ("Placing", "event"),
    ("Ledger", "event"),
    ("Journal", "event"),
)
NO_FACTS = {"id", "link", "digest"}
SEALED = (
    ("Event", "pk", "slug version public_version books_version links head seal epoch board_shows created_at"),
    ("Team", "event", ""),
    ("Player", "team__event", ""),
    ("Substitution", "team__event", ""),
    ("Round", "event", "version started_at closed_at paused_at paused_seconds extra_seconds time_called_at"),
    ("Game", "round__event", "state first_dealer begun_at version last_entry_at finished_at"),
    ("Side", "game__round__event", "seated_at"),
    ("Bye", "round__event", ""),
    ("Ledger", "event", "*"),
)


def link_everything(apps, schema_editor):
    for event in apps.get_model("tournament", "Event").objects.all():
        event.links, event.head = 0, ""
        for name, path in LINKS:
            link_rows(apps.get_model("tournament", name), path, event)
        event.save(update_fields=["links", "head"])
        event.seal = "-".join(sealed(apps.get_model("tournament", name), path, loose, event.pk) for name, path, loose in SEALED)
        event.save(update_fields=["seal"])


def link_rows(model, path, event):
    leave = NO_FACTS | ({"team_id"} if model._meta.model_name == "ledger" else set())
    names = [field.attname for field in model._meta.concrete_fields if field.attname not in leave]
    rows, last = model.objects.filter(**{path: event.pk}).order_by("pk"), 0
    while batch := list(rows.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        for row in batch:
            event.links += 1
            facts = {name: getattr(row, name) for name in names}
            said = {name: json.loads(canonical(value)) for name, value in facts.items() if value is not None and value != ""}
            told = f"{event.head}\n{model._meta.model_name}\n{event.links}\n{canonical(said)}"
            row.link, row.digest = event.links, hashlib.sha256(told.encode()).hexdigest()
            event.head = row.digest
        model.objects.bulk_update(batch, ["link", "digest"], batch_size=200)


def sealed(model, path, loose, event):
    rows = model.objects.filter(**{path: event}).order_by("pk")
    names = sorted(field.attname for field in model._meta.concrete_fields if field.attname not in loose.split())
    if loose == "*":
        rows = rows.values_list("pk", "team_id")
    elif model._meta.model_name == "game":
        played = Case(When(state__in=["planned", "void"], then="state"), default=Value(""))
        rows = rows.annotate(played=played).values_list(*names, "played")
    else:
        rows = rows.values_list(*names)
    return hashlib.sha256(canonical(list(rows)).encode()).hexdigest()[:16]


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=plain)


def plain(value):
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value.hex if isinstance(value, UUID) else str(value)


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0022_public_version'),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='digest',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='decision',
            name='link',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='entry',
            name='digest',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='entry',
            name='link',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='event',
            name='head',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='event',
            name='links',
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name='event',
            name='seal',
            field=models.CharField(blank=True, editable=False, max_length=160),
        ),
        migrations.AddField(
            model_name='journal',
            name='digest',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='journal',
            name='link',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='ledger',
            name='digest',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='ledger',
            name='link',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='placing',
            name='digest',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='placing',
            name='link',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='signature',
            name='digest',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='signature',
            name='link',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='verification',
            name='digest',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='verification',
            name='link',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        # The way back is the backup that the first start made.
        migrations.RunPython(link_everything, migrations.RunPython.noop),
    ]
