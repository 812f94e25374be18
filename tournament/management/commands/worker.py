"""`manage.py worker`: it has nothing to do anymore. An earlier version's unit would restart it if it ended."""

from __future__ import annotations

import signal
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "No longer needed: the site makes every file itself. Remove uptown-worker@ (deploy/README.md, Upgrade)."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(self.help)
        self.stdout.flush()
        signal.pause()
