from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0015_events_keep_their_rules"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="by_hand",
            field=models.BooleanField(default=False),
        ),
    ]
