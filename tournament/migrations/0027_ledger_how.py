"""How the money of a line was taken."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0026_no_chain'),
    ]

    operations = [
        migrations.AddField(
            model_name='ledger',
            name='how',
            field=models.CharField(blank=True, choices=[('before', 'paid before')], max_length=6),
        ),
    ]
