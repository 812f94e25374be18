"""`manage.py serve`: run the site for a hall, without sample events."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console

from tournament.services.accounts import first_owner
from tournament.services.laptops import look_for_other, note_address
from tournament.serving.preparing import prepare
from tournament.serving.server import EVERYWHERE, THIS_MACHINE, alone, announce, choose_port, serve
from tournament.site.data_folder import leave_demo_alone
from tournament.site.network import lan_address

People = list[tuple[str, str, str]]
PLACES = [("Sign in", "/sign-in/")]
ASIDE = (
    "\nAnother laptop{} took these events over: {} says so. This one takes nothing from tables and desk until you say "
    "on the desk which of the two goes on."
)


class Command(BaseCommand):
    help = "Run a club's site: prepare the database, print the addresses and serve."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--host",
            default=THIS_MACHINE if settings.PROXIES else EVERYWHERE,
            help="the address to answer at: every one of this machine, behind a proxy (UPTOWN_BEHIND_PROXY) 127.0.0.1",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        leave_demo_alone(settings.DATA)
        with suppress(KeyboardInterrupt), alone():
            self.run_site(Console(), options)

    def run_site(self, console: Console, options: dict[str, Any]) -> None:
        """Run everything from the first start to Ctrl+C."""
        prepare(console)
        self.answer(console, choose_port(console, options["port"]), first_owner(), options)

    def answer(self, console: Console, port: int, people: People, options: dict[str, Any]) -> None:
        """Print where the site is, and answer until it is stopped."""
        announce(console, port, people, PLACES, host=options["host"])
        self.before_doors_open(console, f"http://{lan_address()}:{port}/")
        serve(port, options["host"])

    def before_doors_open(self, console: Console, address: str) -> None:
        """Store where the site is, and warn if another laptop has replaced it."""
        if lan_address() != THIS_MACHINE:
            note_address(address)
        other = look_for_other()
        if other is not None:
            console.print(ASIDE.format(f" ({other.laptop})" * bool(other.laptop), other.told), soft_wrap=True)
