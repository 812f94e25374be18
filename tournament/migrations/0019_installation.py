from django.db import migrations, models
from django.utils.crypto import salted_hmac


def name_it(apps, schema_editor):
    """What tablets have kept until now stands under the name that came of the key: it stays that name."""
    name = salted_hmac("uptown.installation", "").hexdigest()[:16]
    apps.get_model("tournament", "Installation").objects.create(name=name)


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0018_calls_in_words'),
    ]

    operations = [
        migrations.CreateModel(
            name='Installation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=16)),
            ],
        ),
        migrations.RunPython(name_it, migrations.RunPython.noop),
    ]
