"""`manage.py restore FILE`: go back to a backup; the tablets then offer again what they have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.place import leave_demo_alone
from tournament.queries.devices import installation, name_by_key
from tournament.refusals import Refusal
from tournament.services.backups import begin_epoch, restore_backup

ELSEWHERE = "Restored by the means of the database; the tablets will send again what they hold"
OTHER_KEY = (
    "The backup comes from a site with another secret-key: officials sign in again, a PIN is asked for again, and over "
    "https every tablet needs a new certificate. Copy secret-key and certificates from that site's folder to {folder} "
    "before you start, and none of that happens."
)
OFFERED = "The tablets will send again what they hold: leave their pages open."


class Command(BaseCommand):
    help = "Put a backup in the place of the database, which is backed up first; every hand on a tablet comes again."
    # Checks read every page of the site, which this never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", nargs="?", type=Path)
        what.add_argument(
            "--already-restored", action="store_true", help="the database was restored with its own tools (PostgreSQL)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        leave_demo_alone(settings.DATA)
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
        if installation() != name_by_key():
            self.stdout.write(OTHER_KEY.format(folder=settings.DATA))


def _events(count: int) -> str:
    return f"{count} event{'' if count == 1 else 's'}"
