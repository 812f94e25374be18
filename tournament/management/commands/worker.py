"""`manage.py worker`: do the long works of a hosted site."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Make large files and imports of a hosted site, one after another, until stopped. Start two or more."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.HOSTED:
            raise CommandError("Only a hosted site has workers; here the site does long work itself.")
        # The makers are known by their names once they are imported.
        from tournament import making  # noqa: F401
        from tournament.serving.worker import work

        work()
