"""`manage.py backup`: a checked copy of the database, made while the site runs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournament.refusals import Refusal
from tournament.services.backups import make_backup


class Command(BaseCommand):
    help = "Copy the database into the folder of backups, check the copy and print its name."
    # Checks read every page of the site, which this never opens.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(str(make_backup()))
            self.stderr.write(f"For a spare laptop copy secret-key and certificates from {settings.DATA}, too.")
        except (Refusal, OSError) as fault:
            raise CommandError(str(fault)) from fault
