"""Rows keep codes and values; one that kept a sentence keeps its words, a table's act beside its round and table.

Nothing of the program is imported: what this makes of a row must not change when the program does.
"""

import json
import re

from django.db import migrations, models

BATCH = 2000
PLACED = re.compile(r"(.+?), table (\d{1,4}): (.+)", re.DOTALL)


def keep_words(apps, schema_editor):
    rewrite(apps, schema_editor, "Journal", "text", "facts", of_act)
    rewrite(apps, schema_editor, "Notice", "text", "facts", lambda said: {"text": said})
    rewrite(apps, schema_editor, "Submission", "reason", "reasons", of_reason)
    rewrite(apps, schema_editor, "Round", "notes", "notes", of_notes)


def of_act(said):
    placed = PLACED.match(said)
    if placed is None:
        return {"text": said}
    game = re.fullmatch(r"Game (\d+)", placed[1], re.ASCII)
    return {"round": int(game[1]) if game else placed[1], "table": int(placed[2]), "text": placed[3]}


def of_reason(said):
    return [{"said": "text", "text": said}] if said else []


def of_notes(notes):
    return [{"said": "text", "teams": [one]} for one in notes]


def rewrite(apps, schema_editor, name, given, made, read):
    """Write every row of a table anew, in batches: row by row a big event would take minutes."""
    model = apps.get_model("tournament", name)
    quote = schema_editor.quote_name
    update = f"UPDATE {quote(model._meta.db_table)} SET {quote(made)} = %s WHERE {quote('id')} = %s"
    rows, last = model.objects.order_by("pk"), 0
    while batch := list(rows.filter(pk__gt=last).values_list("pk", given)[:BATCH]):
        last = batch[-1][0]
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(update, [(json.dumps(read(said)), pk) for pk, said in batch])


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0001_squashed_0020_results_without_sentences"),
    ]

    operations = [
        migrations.AddField("journal", "code", models.CharField(default="text", max_length=20), preserve_default=False),
        migrations.AddField("journal", "facts", models.JSONField(default=dict)),
        migrations.AddField("notice", "code", models.CharField(default="text", max_length=20), preserve_default=False),
        migrations.AddField("notice", "facts", models.JSONField(default=dict)),
        migrations.AddField("submission", "reasons", models.JSONField(blank=True, default=list)),
        # The way back is the backup that the first start made.
        migrations.RunPython(keep_words, migrations.RunPython.noop),
        migrations.RemoveField("journal", "text"),
        migrations.RemoveField("notice", "text"),
        migrations.RemoveField("submission", "reason"),
    ]
