"""`manage.py demo`: sample evenings of a club in a folder of their own, and the running site with open doors."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from tournament.demo.evenings import load_samples
from tournament.serving.preparing import prepare
from tournament.serving.server import alone, announce, choose_port, serve
from tournament.site.data_folder import COMMAND

ELSEWHERE = f"The demo is started as “{COMMAND} demo”, in a folder of its own."
OPEN = "Open http://localhost:{}/ (nobody needs a password, and nothing in it is real)"
LOADED = "The sample evenings are in {}."


class Command(BaseCommand):
    help = "Run the demo: sample evenings, nobody needs a password, and nothing in it is real."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-serve", action="store_true", help="load the samples and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(ELSEWHERE)
        with suppress(KeyboardInterrupt), alone():
            self.run_demo(Console(), options)

    def run_demo(self, console: Console, options: dict[str, Any]) -> None:
        """Run everything from loading the samples to Ctrl+C."""
        prepare(console)
        with console.status("Loading the sample evenings"):
            load_samples()
        if options["no_serve"]:
            console.print(LOADED.format(settings.DATA), soft_wrap=True)
            return
        port = choose_port(console, options["port"])
        announce(console, port, [], [], title=OPEN.format(port))
        serve(port)
