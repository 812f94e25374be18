"""`manage.py verify [FILE]`: whether database or backup are as the program wrote them."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from tournament.database import at_file
from tournament.models import Event
from tournament.queries.backups import database_file
from tournament.refusals import Invalid
from tournament.services.backups import check_checksum
from tournament.services.verifying import findings, reading


class Command(BaseCommand):
    help = (
        "Look for what was changed behind the program's back. Nothing is written; ends with 1 where it finds something."
    )
    # Checks read every page of the site, which this never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="a backup; without it the site's own database")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path | None = options["file"]
        if file is not None:
            try:
                check_checksum(file)
            except (Invalid, OSError) as fault:
                raise CommandError(str(fault)) from fault
        file = file or database_file()
        with at_file(file) if file else nullcontext(), reading():
            found = list(findings())
            events = 0 if found else Event.objects.count()
        connection.close()
        for line in found:
            self.stdout.write(line)
        if found:
            raise SystemExit(1)
        self.stdout.write(f"Nothing was changed: {events} event{'' if events == 1 else 's'}.")
