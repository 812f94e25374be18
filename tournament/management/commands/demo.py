"""`manage.py demo`: two sample evenings of a club, people who can sign in, and the running site."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console
from rich.progress import Progress

from tournament.access import Actor
from tournament.management.preparing import prepare
from tournament.management.serving import announce, choose_port, serve
from tournament.models import Device, Event, Official
from tournament.services.archive import import_event
from tournament.services.devices import issue_card
from tournament.services.people import ensure_user

SAMPLES = settings.ROOT / "fixtures" / "demo"
# A table in the middle of its game.
TABLE = 6
EVENINGS = ("autumn-open.json", "autumn-evening.json")


class Command(BaseCommand):
    help = "Load the sample evenings, print who can sign in and where, and serve."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-serve", action="store_true", help="load the samples and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console()
        prepare(console)
        people = self.people()
        director = Actor(ensure_user("dana")[0])
        events = [self.evening(console, director, name) for name in EVENINGS]
        code = self.table_code(director, events[-1])
        port = choose_port(console, options["port"])
        places = [
            ("Desk of the evening in play", f"/desk/{events[-1].slug}/"),
            ("Projector", f"/e/{events[-1].slug}/board/"),
            ("Finished event", f"/e/{events[0].slug}/"),
            (f"Tablet of table {TABLE}, code {code}", f"/t/#{code}"),
        ]
        announce(console, port, people, places)
        if not options["no_serve"]:
            serve(port)

    def people(self) -> list[tuple[str, str, str]]:
        """The owner, a director and a verifier. Their passwords are kept readable for the demo only."""
        path: Path = settings.DATA / "demo-sign-in.json"
        kept: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        for name, owner in (("owner", True), ("dana", False), ("vic", False)):
            _, made = ensure_user(name, owner=owner)
            if made:
                kept[name] = made
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(kept, file)
        may = {"owner": "everything", "dana": "direct both evenings", "vic": "type in and check sheets"}
        return [(name, kept.get(name, "(your own)"), words) for name, words in may.items()]

    def evening(self, console: Console, director: Actor, name: str) -> Event:
        """Import a sample evening unless it is there already."""
        data = json.loads((SAMPLES / name).read_text(encoding="utf-8"))
        known = Event.objects.filter(name=data["event"]).first()
        if known is not None:
            return known
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(f"Loading {data['event']}", total=None)
            event = import_event(director, data, lambda _, done, total: bar.update(task, completed=done, total=total))
        verifier = ensure_user("vic")[0]
        Official.objects.get_or_create(event=event, user=verifier, defaults={"role": "verifier"})
        return event

    def table_code(self, director: Actor, event: Event) -> str:
        """A fresh code for a table in play, unless a tablet is bound to it already."""
        if Device.objects.filter(event=event, table=TABLE, revoked_at=None).exclude(token_hash="").exists():
            return "(in use)"
        return issue_card(director, event, TABLE)
