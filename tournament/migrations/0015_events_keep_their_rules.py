from django.db import migrations, models
from django.db.models import Q

from tournament.queries.rules import printed_by, sheet_choices


def keep_rules(apps, schema_editor):
    """Store with every event that has started what its sheet prints today: that is what it was played by so far."""
    known = [key for _, sheets in sheet_choices() for key, _ in sheets]
    for event in apps.get_model("tournament", "Event").objects.exclude(frozen_at=None):
        # An event of a sheet that is not there any more could not be shown before, either.
        event.printed = printed_by(event.sheet) if event.sheet in known else "{}"
        event.save(update_fields=["printed"])


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0014_games_that_do_not_count'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='printed',
            field=models.TextField(blank=True, default='', editable=False),
            preserve_default=False,
        ),
        migrations.RunPython(keep_rules, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(
                condition=Q(frozen_at__isnull=True) | ~Q(printed=''), name='event_keeps_its_rules'
            ),
        ),
    ]
