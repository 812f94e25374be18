"""For this branch alone: the state “leaving” of an entry."""

from django.db import migrations, models
from django.db.models import Q

from tournament.phrases import ENTRY_STATES


class Migration(migrations.Migration):
    dependencies = [("tournament", "0037_seasons")]
    operations = [
        migrations.RemoveConstraint("registration", "registration_state"),
        migrations.AlterField(
            "registration", "state", models.CharField(max_length=10, choices=[*ENTRY_STATES.items()])
        ),
        migrations.AddConstraint(
            "registration",
            models.CheckConstraint(condition=Q(state__in=list(ENTRY_STATES)), name="registration_state"),
        ),
    ]
