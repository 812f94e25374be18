"""`manage.py restore FILE`: go back to a backup; the tablets then offer again what they have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.refusals import Refusal
from tournament.services.backups import begin_epoch, restore_backup

ELSEWHERE = "Restored by the means of the database; the tablets offer again what they have"
OFFERED = "The tablets offer again what they have: leave their pages open."


class Command(BaseCommand):
    help = "Put a backup in the place of the database, which is backed up first; every hand on a tablet comes again."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", nargs="?", type=Path)
        what.add_argument(
            "--already-restored", action="store_true", help="the database was restored by its own means (PostgreSQL)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["already_restored"]:
            count = begin_epoch(ELSEWHERE)
            self.stdout.write(f"{_events(count)}. {OFFERED}")
            return
        try:
            kept, count = restore_backup(options["file"])
        except (Refusal, OSError) as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(f"{_events(count)} restored from {options['file']}. {OFFERED}")
        self.stdout.write(f"What was there before: {kept}")


def _events(count: int) -> str:
    return f"{count} event{'' if count == 1 else 's'}"
