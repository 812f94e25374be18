"""The time at which the hall closes, by its own clock.

An event stores it because nobody can compute it: the desk compares it with the end that it forecasts from the pace of
the rounds. It is empty for earlier events.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0049_takeover'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='room_until',
            field=models.TimeField(blank=True, null=True),
        ),
    ]
