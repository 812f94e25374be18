"""`manage.py worker`: nothing is left to do for it. An earlier version's unit would start again what ends by itself."""

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
