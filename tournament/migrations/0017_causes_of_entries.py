from django.db import migrations, models

# The reasons by which the program knew its own lines before.
REASONS = {
    "after-hand": "after the hand in play",
    "set-aside": "Set aside: the game ends before this line",
}


def name_causes(apps, schema_editor):
    entries = apps.get_model("tournament", "Entry").objects
    for cause, reason in REASONS.items():
        entries.filter(reason=reason).update(cause=cause)


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0016_rounds_by_hand"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="cause",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
        migrations.RunPython(name_causes, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("cause__in", ("", "after-hand", "set-aside"))), name="entry_cause"
            ),
        ),
    ]
