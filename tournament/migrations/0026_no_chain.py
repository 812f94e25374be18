"""Rows that are only ever added are no longer links of a chain: triggers keep them as they were written."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0025_packages_gone"),
    ]

    operations = [
        *(
            migrations.RemoveField(model, field)
            for model in ("decision", "entry", "journal", "ledger", "placing", "signature", "verification")
            for field in ("link", "digest")
        ),
        migrations.RemoveField("event", "links"),
        migrations.RemoveField("event", "head"),
        migrations.RemoveField("event", "seal"),
    ]
