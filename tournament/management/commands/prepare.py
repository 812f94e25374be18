"""`manage.py prepare`: before a hosted site is started, and after every upgrade."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console

from tournament.services.accounts import first_owner
from tournament.serving.preparing import prepare


class Command(BaseCommand):
    help = "Bring a hosted site's database up to date, make its files and, the first time, its owner's account."

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console()
        prepare(console)
        for name, password, may in first_owner():
            console.print(f"{name}  {password}  {may}", highlight=False, markup=False, soft_wrap=True)
