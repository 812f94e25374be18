"""A team's club had another name, and nobody wrote down whether rounds were drawn by hand."""

from pathlib import Path

from django.db import migrations

import tournament.migrations

[*_, LAST] = sorted(path.stem for path in Path(tournament.migrations.__path__[0]).glob("0*.py"))


class Migration(migrations.Migration):
    dependencies = [("tournament", LAST)]

    operations = [
        migrations.RenameField("team", "club", "guild"),
        migrations.RemoveField("round", "by_hand"),
    ]
