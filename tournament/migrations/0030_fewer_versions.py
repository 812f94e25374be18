"""What is remembered is keyed by the public version of an event and the version of a game alone."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0029_packages_gone"),
    ]

    operations = [
        migrations.RemoveField(model_name="event", name="books_version"),
        migrations.RemoveField(model_name="round", name="version"),
    ]
