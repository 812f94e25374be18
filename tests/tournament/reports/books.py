"""Everything that is printed of an event, as texts and cells: `python -m tests.tournament.reports.books FILE …`.

Run as a program it is an empty installation of its own: it imports event files and prints their books as JSON, each
with the event file that this installation writes.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl
from pypdf import PdfReader

if TYPE_CHECKING:
    from tournament.models import Event

ROOT = Path(__file__).parents[3]


def books_of(event: Event) -> dict[str, Any]:
    """The text of every page that is printed, every cell of the workbook, and every list."""
    from tests.tournament.reports.evenings import on_paper
    from tournament.lists.catalog import LISTS
    from tournament.queries.papers import event_sheets
    from tournament.queries.pictures import whole_book
    from tournament.reports.excel.workbook import event_workbook
    from tournament.reports.files import list_json
    from tournament.reports.pdf.book import draw_event_book
    from tournament.reports.pdf.score_sheet import score_sheets

    whole = whole_book(event)
    workbook = openpyxl.load_workbook(io.BytesIO(event_workbook(whole, event_sheets(event))))
    books = {
        "book": _pages(on_paper(draw_event_book, whole, event_sheets(event))),
        "sheets": _pages(score_sheets(event_sheets(event), zone=event.time_zone)),
        "cells": {page.title: [[cell.value for cell in row] for row in page.iter_rows()] for page in workbook},
        "lists": {name: json.loads(list_json(make(event))) for name, make in LISTS.items()},
    }
    return json.loads(json.dumps(books, default=str))


def books_elsewhere(folder: Path, files: list[Path]) -> list[dict[str, Any]]:
    """The books of event files as a new installation on SQLite, in a process of its own, prints them."""
    names = ("DATABASE_URL", "TEST_DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    environment = {key: value for key, value in os.environ.items() if key not in names}
    environment["UPTOWN_DATA"] = str(folder)
    command = [sys.executable, "-m", __name__, *map(str, files)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=600)
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def _pages(content: bytes) -> list[str]:
    """The texts of the pages, without the time of printing."""
    return [re.sub(r"Printed .*", "", page.extract_text()) for page in PdfReader(io.BytesIO(content)).pages]


def main(files: list[str]) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tournament.settings"
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from tournament.access import Actor
    from tournament.archive.store import export_event, import_event

    call_command("migrate", verbosity=0)
    actor = Actor(User.objects.create_user("dana"))
    found = []
    for name in files:
        event = import_event(actor, json.loads(Path(name).read_text(encoding="utf-8")))
        found.append(books_of(event) | {"file": export_event(event)})
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
