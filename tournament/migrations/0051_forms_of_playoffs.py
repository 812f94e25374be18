"""What losers of the playoffs play: a match for third place becomes every place down to the fourth."""

from django.db import migrations, models

LOSERS = [
    ("out", "is out"),
    ("places", "plays on for a place"),
    ("consolation", "plays in a consolation bracket"),
    ("double", "goes to the losers’ bracket: out after two losses"),
    ("one-final", "goes to the losers’ bracket, with only one final"),
]


def to_places(apps, schema_editor):
    events = apps.get_model("tournament", "Event").objects.using(schema_editor.connection.alias)
    events.filter(third_place=True).update(losers="places", places_to=4)


def to_third_place(apps, schema_editor):
    events = apps.get_model("tournament", "Event").objects.using(schema_editor.connection.alias)
    events.filter(losers="places").update(third_place=True)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0050_room_until")]

    operations = [
        migrations.AddField("event", "losers", models.CharField(choices=LOSERS, default="out", max_length=11)),
        migrations.AddField("event", "places_to", models.PositiveSmallIntegerField(default=2)),
        migrations.AddField("event", "second", models.PositiveSmallIntegerField(blank=True, null=True)),
        migrations.AddField(
            "event", "second_losers", models.CharField(choices=LOSERS[:3], default="out", max_length=11)
        ),
        migrations.RunPython(to_places, to_third_place),
        migrations.RemoveField("event", "third_place"),
        migrations.AddConstraint(
            "event",
            models.CheckConstraint(
                condition=models.Q(losers__in=["out", "places", "consolation", "double", "one-final"]),
                name="event_losers",
            ),
        ),
        migrations.AddConstraint(
            "event",
            models.CheckConstraint(condition=models.Q(places_to__in=[2, 4, 8, 16]), name="event_places_to"),
        ),
        migrations.AddConstraint(
            "event",
            models.CheckConstraint(
                condition=models.Q(second__isnull=True) | models.Q(second__gte=2), name="event_second"
            ),
        ),
        migrations.AddConstraint(
            "event",
            models.CheckConstraint(
                condition=models.Q(second_losers__in=["out", "places", "consolation"]), name="event_second_losers"
            ),
        ),
    ]
