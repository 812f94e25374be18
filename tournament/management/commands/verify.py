"""`manage.py verify [FILE]`: whether results, payouts, and bracket in database or backup match the sheets."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.errors import ValidationFailed
from tournament.services.backups import check_checksum
from tournament.services.verifying import NOTHING, UNSEEN, findings_here, findings_in


class Command(BaseCommand):
    help = (
        "Compute every result again and compare it, the payouts and the bracket with what is stored. Nothing is "
        "written; ends with 1 where something differs."
    )
    # The checks read every page of the site, which this command never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="a backup; without it the site's own database")
        parser.add_argument("--behind", action="store_true", help="let every other program go first")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path | None = options["file"]
        if options["behind"] and hasattr(os, "nice"):
            os.nice(19)
        try:
            if file is None:
                found = findings_here()
            else:
                check_checksum(file)
                found = findings_in(file)
        except (ValidationFailed, OSError, sqlite3.Error) as fault:
            raise CommandError(str(fault)) from fault
        for line in found or [NOTHING]:
            self.stdout.write(line)
        # A caller that lowers its priority reads each line as a finding.
        if not options["behind"]:
            self.stdout.write(UNSEEN)
        if found:
            raise SystemExit(1)
