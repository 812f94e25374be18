"""manage.py import_event FILE --director NAME: a whole event from its file, with a progress bar."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from scoring.fields import parse_json
from scoring.ledger import CannotScore
from tournament.access import Actor
from tournament.archive.reading import left_out
from tournament.archive.store import import_event
from tournament.errors import DomainError


class Command(BaseCommand):
    help = "Import an event file. Everything is checked first: if anything is wrong, nothing is stored."
    # Checks read every page of the site, which this never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the event file; “-” reads standard input")
        parser.add_argument("--director", required=True, help="who directs the event: a name to sign in with")

    def handle(self, *args: Any, **options: Any) -> None:
        director = get_user_model().objects.filter(username=options["director"]).first()
        if director is None:
            raise CommandError(f"There is no account “{options['director']}”.")
        data = read(options["file"])
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=Console(stderr=True)) as bar:
            tasks: dict[str, TaskID] = {}

            def tell(what: str, done: int, total: int) -> None:
                if what not in tasks:
                    tasks[what] = bar.add_task(what, total=total)
                bar.update(tasks[what], completed=done, total=total)

            try:
                event = import_event(Actor(director), data, tell)
            except DomainError as refusal:
                raise CommandError("\n".join(fault.text for fault in refusal.faults)) from refusal
        self.stdout.write("\n".join([f"{event.name} is imported: /desk/{event.slug}/", *left_out(data)]))


def read(name: str) -> Any:
    """What stands in the file, or a sentence why it cannot be read."""
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return parse_json(content.decode("utf-8-sig"))
    except OSError as fault:
        raise CommandError(f"The file “{name}” cannot be read: {fault.strerror}.") from fault
    except UnicodeDecodeError as fault:
        raise CommandError("This file is not an Uptown event file.") from fault
    except CannotScore as refusal:
        raise CommandError(f"This file is not an Uptown event file: {refusal.problems[0].text}") from refusal
