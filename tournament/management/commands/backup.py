"""`manage.py backup`: a checked copy of the database, made while the site runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.errors import DomainError, ValidationFailed
from tournament.queries.backups import BY_HAND
from tournament.services.backups import judge_backup, make_backup, pack_up
from tournament.services.verifying import findings_in

PACKED = (
    "On the other laptop, with Uptown installed: restore {folder}. Anyone with this folder can act as your site: keep "
    "it as you keep the laptop."
)

FINDINGS = "The backup was made, but the database is not as the program wrote it:"


class Command(BaseCommand):
    help = "Make a backup of the database and print its name; or pack up everything for another laptop."
    # The checks read every page of the site, which this command never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--to", type=Path, metavar="FOLDER", help="pack up everything in this folder, for example on a stick"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = make_backup(BY_HAND)
            copies = [made]
            if options["to"]:
                copies.append(pack_up(made, options["to"]))
                self.stdout.write(str(copies[-1]))
                self.stderr.write(PACKED.format(folder=options["to"]))
            else:
                self.stdout.write(str(made))
                self.stderr.write(f"For a spare laptop copy secret-key and certificates from {settings.DATA}, too.")
        except (DomainError, OSError) as fault:
            raise CommandError(str(fault)) from fault
        try:
            found = findings_in(made)
        except ValidationFailed as refusal:
            # The first start of this version upgrades the database.
            self.stderr.write(str(refusal))
            return
        if found:
            for copy in copies:
                judge_backup(copy, found)
            raise CommandError("\n".join([FINDINGS, *found]))
