"""Members of a season are listed, a season may lie within another, and an event has a weight in its season.

Who plays in a season or has paid for it becomes its member: what everybody owes stays as it was. The switch between
points by place and points by games won goes: no points for places says the same. What is over keeps the places that it
printed, and each season's owner is shown once what its table counts otherwise from now on.
"""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


def list_members(apps: Any, schema_editor: Any) -> None:
    def model(name: str) -> Any:
        return apps.get_model("tournament", name)

    membership = model("Membership")
    persons = dict(model("Person").objects.filter(merged_into=None, deleted_at=None).values_list("pk", "pk"))
    merged = model("Person").objects.filter(merged_into__isnull=False).values_list("pk", "merged_into")
    persons |= {pk: into for pk, into in merged if into in persons}
    for season in model("Season").objects.all():
        events = model("Event").objects.filter(season=season).exclude(slug__startswith="_")
        belong = [
            *model("Player")
            .objects.filter(team__event__in=events, person__isnull=False)
            .values_list("person", flat=True),
            *model("Substitution")
            .objects.filter(team__event__in=events, person__isnull=False)
            .values_list("person", flat=True),
            *model("Dues").objects.filter(season=season).values_list("person", flat=True),
        ]
        members = sorted({persons[pk] for pk in belong if pk in persons})
        membership.objects.bulk_create(membership(season=season, person_id=pk) for pk in members)


def change_schemes(apps: Any, schema_editor: Any) -> None:
    for season in apps.get_model("tournament", "Season").objects.all():
        scheme = dict(season.scheme)
        by = scheme.pop("by", "places")
        if by == "wins":
            scheme |= {"places": [], "win": scheme.get("win", 1)}
        else:
            scheme |= {"places": scheme.get("places", [6, 3, 1]), "win": 0}
        season.scheme, season.told = scheme, not season.events.filter(stage="over").exists()
        season.save(update_fields=["scheme", "told"])


def keep_places(apps: Any, schema_editor: Any) -> None:
    apps.get_model("tournament", "Event").objects.filter(stage="over").update(places_no_shows=True)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0041_entries_without_names")]

    operations = [
        migrations.AddField(
            "season",
            "within",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="parts",
                to="tournament.season",
            ),
        ),
        migrations.AddField("season", "told", models.BooleanField(default=True, editable=False)),
        migrations.AddField("event", "counts", models.PositiveSmallIntegerField(default=1)),
        migrations.AddField("event", "places_no_shows", models.BooleanField(default=False, editable=False)),
        migrations.AddConstraint("event", models.CheckConstraint(condition=Q(counts__lte=9), name="event_counts")),
        migrations.AddField("team", "note", models.CharField(blank=True, max_length=120)),
        migrations.CreateModel(
            "Membership",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("team", models.CharField(blank=True, max_length=40)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="memberships",
                        to="tournament.person",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="tournament.season",
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.AddConstraint(
            "membership",
            models.UniqueConstraint(fields=["season", "person"], name="one_membership_per_person"),
        ),
        migrations.RunPython(list_members, migrations.RunPython.noop),
        migrations.RunPython(change_schemes, migrations.RunPython.noop),
        migrations.RunPython(keep_places, migrations.RunPython.noop),
    ]
