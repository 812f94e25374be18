"""manage.py sentences: every sentence that a person may read, one a line, with the place where it stands."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournament.management.sentences import sentences


class Command(BaseCommand):
    help = "Print every sentence that a person may read, with its file and line; “…” is filled in later."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        text = "".join(f"{one.path}:{one.line}\t{one.text}\n" for one in sentences())
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
