"""manage.py import_event FILE --director NAME: a whole event from its file, with a progress bar."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from scoring.fields import parse_json
from scoring.ledger import CannotScore
from tournament.access import Actor
from tournament.archive.store import HasFindings, import_event
from tournament.errors import DomainError

ASKED = "Nothing was imported. To import the event as it is, add --with-findings."


class Command(BaseCommand):
    help = "Import an event file. Everything is checked first: if anything is wrong, nothing is stored."
    # The checks read every page of the site, which this command never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the event file; “-” reads standard input")
        parser.add_argument("--director", required=True, help="who directs the event: a name to sign in with")
        parser.add_argument(
            "--with-findings", action="store_true", help="import it although its results do not match its sheets"
        )

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
                event = import_event(Actor(director), data, tell, findings_seen=options["with_findings"])
            except HasFindings as question:
                raise CommandError("\n".join([*question.texts, ASKED])) from question
            except DomainError as refusal:
                raise CommandError("\n".join(refusal.texts)) from refusal
        self.stdout.write(f"{event.name} is imported: /desk/{event.slug}/")


def read(name: str) -> Any:
    """The content of the file, or a sentence why it cannot be read."""
    most = settings.EVENT_FILE_LIMIT_BYTES
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise CommandError(f"The file is too large. The limit is {most // 1024 // 1024} MB.")
        return parse_json(content.decode("utf-8-sig"))
    except OSError as fault:
        raise CommandError(f"The file “{name}” cannot be read: {fault.strerror}.") from fault
    except UnicodeDecodeError as fault:
        raise CommandError("This file is not an Uptown event file.") from fault
    except CannotScore as refusal:
        raise CommandError(f"This file is not an Uptown event file: {refusal.problems[0].text}") from refusal
