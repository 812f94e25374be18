"""Sheets are signed by tapping a name: PINs, and what only they needed, are dropped. No signature changes."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0027_ledger_how'),
    ]

    operations = [
        migrations.DeleteModel(
            name='Pin',
        ),
        migrations.RemoveField(
            model_name='device',
            name='signing_paused_until',
        ),
        migrations.RemoveField(
            model_name='device',
            name='wrong_pins',
        ),
        migrations.RemoveConstraint(
            model_name='event',
            name='event_sign_with',
        ),
        migrations.RemoveField(
            model_name='event',
            name='sign_with',
        ),
    ]
