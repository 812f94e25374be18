"""manage.py sheets: every rule sheet with its options in words, as JSON."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand

from scoring.document import print_sheets


class Command(BaseCommand):
    help = "Print every rule sheet with its options in words, as JSON."
    requires_system_checks: list[str] = []

    def content(self) -> object:
        return print_sheets()

    def handle(self, *args: Any, **options: Any) -> None:
        text = json.dumps(self.content(), ensure_ascii=False, indent=2) + "\n"
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
