"""The sentence of a game's end is made from its sheet wherever it is shown: the cache need not keep it."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0019_installation'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='result',
            name='text',
        ),
    ]
