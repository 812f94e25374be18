"""`manage.py restore FILE`: go back to a backup; the tablets then send again what they have."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from scoring.ledger import listed
from tournament.errors import DomainError, ValidationFailed
from tournament.queries.backups import checksum_in_name
from tournament.queries.devices import installation, name_by_key
from tournament.services.accounts import KeptAdmission, end_every_sign_in
from tournament.services.backups import judge_backup, packed, restore_backup, unpack
from tournament.services.laptops import begin_epoch
from tournament.services.verifying import findings_in
from tournament.serving.server import STOP_FIRST, alone
from tournament.site.data_folder import leave_demo_alone

OTHER_KEY = (
    "The backup comes from a site with another secret-key: officials sign in again, and over https every tablet needs "
    "a new certificate. Copy secret-key and certificates from that site's folder to {folder} before you start, and "
    "none of that happens."
)
UNPACKED = "The key and certificates were copied, too."
UNSURE = "The name of this file has no checksum: it is complete, but nobody can tell whether it was changed."
# The fields of a KeptAdmission, in order.
NOUNS = ("account", "office", "withdrawn tablet")
SIGN_IN = "Every sign-in has ended: sign in again."
UNKNOWN = (
    "What was revoked after the backup was made is not known here: look through officials and tablets of each "
    "event, and change the passwords that should no longer hold."
)
FINDINGS = "It was not as the program wrote it:"
OFFERED = "Start the site now: the tablets will send again what they hold. Leave their pages open."


class Command(BaseCommand):
    help = (
        "Restore a backup, with the site stopped. The database is backed up first; tablets send again what they have."
    )
    # The checks read every page of the site, which this command never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", nargs="?", type=Path, help="a backup, or the folder that backup --to packed up")
        what.add_argument(
            "--already-restored",
            action="store_true",
            help="the database was restored with its own tools (PostgreSQL): do this before you start the site",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        leave_demo_alone(settings.DATA)
        with alone(STOP_FIRST):
            self.restore(options)

    def restore(self, options: dict[str, Any]) -> None:
        """Go back, and print the result."""
        if options["already_restored"]:
            end_every_sign_in()
            self.stdout.write(f"{_events(begin_epoch())}. {OFFERED}")
            self.stdout.write(f"{SIGN_IN} {UNKNOWN}")
            return
        given: Path = options["file"]
        try:
            file = packed(given) if given.is_dir() else given
            done = restore_backup(file)
            with_key = given.is_dir() and unpack(given)
        except (DomainError, OSError) as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(f"{_events(done.events)} restored from {file}. {OFFERED}")
        self.stdout.write(f"{SIGN_IN} {_kept(done.kept)}".rstrip())
        if not checksum_in_name(file):
            self.stdout.write(UNSURE)
        if done.aside is not None:
            self.stdout.write(f"What was there before: {done.aside}")
            self.look_through(done.aside)
        if with_key:
            self.stdout.write(UNPACKED)
        elif installation() != name_by_key():
            self.stdout.write(OTHER_KEY.format(folder=settings.DATA))

    def look_through(self, aside: Path) -> None:
        """Say what is wrong with the old database, and store it next to the file, as for every backup."""
        # A damaged file, or one of another version, has its own message.
        with suppress(ValidationFailed, DatabaseError, sqlite3.Error):
            if found := findings_in(aside):
                judge_backup(aside, found)
                self.stdout.write("\n".join([FINDINGS, *found]))


def _kept(kept: KeptAdmission | None) -> str:
    if kept is None:
        return UNKNOWN
    said = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in zip(kept, NOUNS, strict=True) if count]
    return f"Kept as it was before the restore: {listed(said)}." if said else ""


def _events(count: int) -> str:
    return f"{count} event{'' if count == 1 else 's'}"
