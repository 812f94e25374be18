"""An event can ask that teams that are through or out play each other in the last game.

Events that were set up before keep drawing it as they did, so that a draw repeated by its number gives the same tables;
the form of a new event suggests it.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0051_forms_of_playoffs")]

    operations = [migrations.AddField("event", "stakes_apart", models.BooleanField(default=False))]
