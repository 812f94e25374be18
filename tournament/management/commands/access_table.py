"""`manage.py access_table`: the table of SECURITY.md, made from `access.py`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tournament.access import ACTIONS, ROLES


def access_table() -> str:
    """Actions by role as Markdown."""
    lines = ["| action | " + " | ".join(ROLES) + " |", "|---|" + "---|" * len(ROLES)]
    for words, allowed in ACTIONS.values():
        cells = ["yes" if role in allowed else "" for role in ROLES]
        lines.append(f"| {words} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


class Command(BaseCommand):
    help = "Print the action × role table of SECURITY.md."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(access_table())
