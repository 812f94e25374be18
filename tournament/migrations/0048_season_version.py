from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0047_no_playoffs")]

    operations = [
        migrations.AddField(
            model_name="season",
            name="version",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
    ]
