"""Random events from SQLite to PostgreSQL and back by their event files: facts, sheets and standings stay the same.

    python -m tests.nightly.roundtrip [--events 200] [--database postgres://postgres@127.0.0.1/postgres]

Every step is a process of its own with a database of its own: one makes the events, two import what the one before
wrote. All three must tell the same of every event.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
from django.core.management import call_command
from django.utils import timezone

from tests.halls import ROOT, options
from tests.journeys.chaos import own_database
from tests.nightly.__main__ import NOT_CHECKED
from tournament.errors import DomainError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tournament.models import Event


def made(dana: User, count: int) -> Iterator[Event]:
    """Events of every game; every second is an evening of Bid Whist with all that a desk does to sheets."""
    from tests.tournament.desk.test_random_evenings import ACTS, random_evening
    from tests.tournament.reports.evenings import SHEETS, eventful, in_play, random_event
    from tournament.models import Event, Round

    yield eventful(dana)
    for number in range(1, count):
        chance = random.Random(number)
        if number % 2:
            families = sorted(SHEETS)
            yield in_play(random_event(families[number // 2 % len(families)], number, dana, rounds=1))
            continue
        event = random_evening(chance, dana)
        Round.objects.filter(event=event, state="closed").update(closed_at=timezone.now())
        Event.objects.filter(pk=event.pk).update(verify_own=True, name=f"Evening {number}", slug=f"evening-{number}")
        for _ in range(8):
            with suppress(DomainError):
                chance.choice(ACTS)(chance, event, dana)
        yield Event.objects.get(pk=event.pk)


def taken(dana: User, files: Iterable[str]) -> Iterator[Event]:
    from tournament.access import Actor
    from tournament.archive.store import import_event

    for file in files:
        yield import_event(Actor(dana), json.loads(file))


def step(source: str, out: Path) -> None:
    """Make or import events, and write of each what it tells, and its file."""
    django.setup()
    from tests.factories import make_user
    from tests.tournament.archive.filed import told
    from tournament.archive.store import export_event

    call_command("migrate", verbosity=0, interactive=False)
    dana = make_user("dana")
    with out.open("w", encoding="utf-8") as lines:
        every = made(dana, int(source)) if source.isdigit() else taken(dana, _files(Path(source)))
        for event in every:
            line = {"told": told(event), "books": books_of(event), "file": export_event(event)}
            lines.write(json.dumps(line, default=str) + "\n")


def books_of(event: Event) -> list[Any]:
    """Every sheet as a document with its result, and the standings."""
    from tournament.queries.papers import event_sheets
    from tournament.queries.standings import standings

    sheets = [
        (
            sheet.document,
            sheet.code,
            sheet.scores,
            sheet.sets,
            sheet.bostons,
            sheet.points,
            sheet.how,
            sheet.game.state,
        )
        for sheet in event_sheets(event)
    ]
    lines = [
        (line.label, line.number, line.won, line.points, line.bostons, line.sets) for line in standings(event).lines
    ]
    return [sheets, lines]


def _files(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.dumps(json.loads(line)["file"])


def _run(environment: dict[str, str], folder: Path, source: object, name: str) -> Path:
    out = folder / name
    words = [sys.executable, "-m", "tests.nightly.roundtrip", "--source", str(source), "--out", str(out)]
    known = {"UPTOWN_DATA": str(folder / f"{name}.hall"), "DJANGO_SETTINGS_MODULE": "tournament.settings"}
    subprocess.run(words, cwd=ROOT, env=os.environ | known | environment, check=True)
    return out


def _same(one: Path, *others: Path) -> tuple[int, int]:
    """How many events there are, and how many are not the same everywhere."""
    seen = wrong = 0
    for lines in zip(*(path.open(encoding="utf-8") for path in (one, *others)), strict=True):
        first, *rest = (_facts(line) for line in lines)
        seen, wrong = seen + 1, wrong + any(other != first for other in rest)
    return seen, wrong


def _facts(line: str) -> Any:
    document = json.loads(line)
    return document["told"], document["books"]


def main() -> int:
    # With a source it is one of the steps.
    chosen = options(__doc__, events=200, database=os.environ.get("TEST_DATABASE_URL", ""), source="", out="")
    if chosen.source:
        step(chosen.source, Path(chosen.out))
        return 0
    if not chosen.database:
        print("There is no PostgreSQL here: name one with --database or TEST_DATABASE_URL.")
        return NOT_CHECKED
    sqlite = {"DATABASE_URL": "", "TEST_DATABASE_URL": ""}
    with tempfile.TemporaryDirectory() as folder_name, own_database(chosen.database) as there:
        folder = Path(folder_name)
        here = _run(sqlite, folder, chosen.events, "made")
        other = _run(sqlite | {"DATABASE_URL": there["DATABASE_URL"]}, folder, here, "postgresql")
        back = _run(sqlite, folder, other, "back")
        seen, wrong = _same(here, other, back)
    print(f"{seen} events from SQLite to PostgreSQL and back: {wrong} tell something else")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
