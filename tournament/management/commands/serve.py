"""`manage.py serve`: run the site for a hall, without sample events."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console

from tournament.management.serving import announce, choose_port, prepare, serve
from tournament.services.people import ensure_user


class Command(BaseCommand):
    help = "Run the site for a hall: prepares the database, prints the addresses and serves."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console()
        prepare(console)
        people = []
        if not User.objects.exists():
            user, password = ensure_user("owner", owner=True)
            people.append((user.get_username(), password or "", "everything; shown only this once, write it down"))
        port = choose_port(console, options["port"])
        announce(console, port, people, [("Sign in", "/sign-in/")])
        serve(port)
