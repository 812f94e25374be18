"""A power cut at a random moment, again and again: every hand that was acknowledged is there, and nothing is damaged.

    python -m tests.nightly.powercut [--cuts 1000] [--hands 60] [--seed 1]

Hands are recorded through the services on SQLite with the settings that are shipped, while `recorder.c` notes every
write and sync below SQLite. A cut keeps what was synced; of what was not, each sector of 512 bytes is there, is not, or
is torn, by lot. The same is done with `synchronous=OFF`, which must lose something: else this would see nothing.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import django
from django.db import connection

from tests.halls import ROOT, options
from tests.nightly.__main__ import NOT_CHECKED

HERE = Path(__file__).parent
SECTOR = 512
NAME, ACKNOWLEDGED = "uptown.sqlite3", "acknowledged"
# A sheet can have any number of these.
VOID = {"entry": "void", "rule": "18"}
FILES = (NAME, f"{NAME}-journal", f"{NAME}-wal")


class Step(NamedTuple):
    """w: `data` was written at `place`; t: the size became `place`; s: synced; u: removed."""

    what: str
    place: int
    name: str
    data: bytes


def steps(record: Path) -> Iterator[Step]:
    with record.open("rb") as file:
        while line := file.readline():
            what, offset, length, name = line.decode().rstrip("\n").split(" ", 3)
            yield Step(what, int(offset), Path(name).name, file.read(int(length)) if what == "w" else b"")


class Disk:
    """What is certainly on the disk, and what was done since and may be there or not."""

    def __init__(self, folder: Path) -> None:
        self.safe = {name: (folder / name).read_bytes() for name in FILES if (folder / name).is_file()}
        self.open: dict[str, list[Step]] = {}

    def take(self, step: Step) -> None:
        """A step of the program. SQLite syncs the folder when it makes or removes a file, so names are safe."""
        if step.what == "s":
            for late in self.open.pop(step.name, []):
                self.safe[step.name] = done(self.safe.get(step.name, b""), late)
        else:
            self.open.setdefault(step.name, []).append(step)

    def cut(self, chance: random.Random, folder: Path) -> None:
        """Write the files as a power cut may leave them."""
        luck = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for name in {*self.safe, *self.open} & {*FILES}:
            data = self.safe.get(name, b"")
            for late in self.open.get(name, []):
                for part in sectors(late):
                    if chance.random() < luck:
                        data = done(data, part)
                    elif part.what == "w" and chance.random() < 0.1:
                        data = done(data, part._replace(data=part.data[: chance.randrange(len(part.data) + 1)]))
            if data or name in self.safe:
                (folder / name).write_bytes(data)


def sectors(step: Step) -> Iterator[Step]:
    """A write as the disk may do it: sector by sector."""
    if step.what != "w":
        yield step
        return
    at = 0
    while at < len(step.data):
        size = SECTOR - (step.place + at) % SECTOR
        yield step._replace(place=step.place + at, data=step.data[at : at + size])
        at += size


def done(data: bytes, step: Step) -> bytes:
    """The content of a file after a step."""
    if step.what == "u":
        return b""
    if step.what == "t":
        return data[: step.place].ljust(step.place, b"\0")
    return data[: step.place].ljust(step.place, b"\0") + step.data + data[step.place + len(step.data) :]


def check(folder: Path, acknowledged: list[str]) -> str:
    """What is wrong with a database after a cut, or nothing."""
    try:
        with closing(sqlite3.connect(folder / NAME)) as database:
            [(answer,)] = database.execute("PRAGMA integrity_check(1)").fetchall()
            found = {key for (key,) in database.execute("SELECT client_key FROM tournament_entry")}
    except sqlite3.DatabaseError as fault:
        return f"damaged: {fault}"
    lost = [key for key in acknowledged if key not in found]
    return f"damaged: {answer}" if answer != "ok" else f"lost: {len(lost)} of {len(acknowledged)}" if lost else ""


def cuts(record: Path, before: Path, count: int, seed: int) -> tuple[int, list[str]]:
    """Cut so often; how many states were seen, and what was wrong with them."""
    every, chance = list(steps(record)), random.Random(seed)
    disk, keys, wrong = Disk(before), list[str](), []
    moments = sorted(chance.choices(range(1, len(every)), k=count))
    with tempfile.TemporaryDirectory() as folder:
        for number, step in enumerate(every):
            while moments and moments[0] == number:
                del moments[0]
                shutil.rmtree(folder)
                Path(folder).mkdir()
                disk.cut(chance, Path(folder))
                if fault := check(Path(folder), keys):
                    wrong.append(fault)
            if step.name == ACKNOWLEDGED:
                keys += step.data.decode().split()
            else:
                disk.take(step)
    return count, wrong


def site_in(folder: Path) -> dict[str, str]:
    return {"UPTOWN_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "tournament.settings"}


def write_hands(folder: Path, hands: int, *, careless: bool) -> None:
    """Record hands one after another, and say of each that it is recorded; run under the recorder."""
    os.environ |= site_in(folder)
    django.setup()
    from django.contrib.auth.models import User

    from tournament.access import Actor
    from tournament.models import Game
    from tournament.services.entries import record_entry
    from tournament.serving.preparing import check_durability

    if careless:
        connection.settings_dict["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    else:
        check_durability()
    actor, games = Actor(User.objects.get()), list(Game.objects.select_related("round__event"))
    with open(folder / ACKNOWLEDGED, "ab", buffering=0) as said:
        for number in range(hands):
            entry = record_entry(actor, games[number % len(games)], VOID, source="desk")
            said.write(f"{entry.client_key.hex}\n".encode())
    connection.close()


def _prepare(folder: Path) -> None:
    """A database with an event in play, made by a process that has ended."""
    lines = (
        "import django; django.setup()",
        "from django.core.management import call_command; call_command('migrate', verbosity=0)",
        "from tests.factories import *; d = make_user('dana'); e = make_event(director=d); t = make_teams(e, 8)",
        "make_round(e, list(zip(t[::2], t[1::2])))",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=ROOT, env=os.environ | site_in(folder), check=True)


def recorded(place: Path, before: Path, hands: int, *, careless: bool = False) -> Path:
    """The record of some hands, written on a copy of the database."""
    compiler = shutil.which("cc")
    library, folder, record = place / "recorder.so", place / f"hall-{careless}", place / f"record-{careless}"
    subprocess.run([str(compiler), "-shared", "-fPIC", "-o", library, HERE / "recorder.c", "-ldl"], check=True)
    shutil.copytree(before, folder)
    under = {"LD_PRELOAD": str(library), "RECORDED_FOLDER": str(folder), "RECORD": str(record)}
    words = [sys.executable, "-m", "tests.nightly.powercut", "--folder", str(folder), "--hands", str(hands)]
    words += ["--careless"] if careless else []
    subprocess.run(words, cwd=ROOT, env=os.environ | under, check=True)
    return record


def main() -> int:
    # With a folder it is the program that writes the hands there.
    chosen = options(__doc__, cuts=1000, hands=60, seed=1, folder="", careless=False)
    if chosen.folder:
        write_hands(Path(chosen.folder), chosen.hands, careless=chosen.careless)
        return 0
    if shutil.which("cc") is None or not sys.platform.startswith("linux"):
        print("There is no C compiler here, so writes cannot be recorded.")
        return NOT_CHECKED
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _prepare(place / "before")
        seen, wrong = cuts(recorded(place, place / "before", chosen.hands), place / "before", chosen.cuts, chosen.seed)
        careless = recorded(place, place / "before", chosen.hands, careless=True)
        _, control = cuts(careless, place / "before", chosen.cuts, chosen.seed)
    with suppress(IndexError):
        print(wrong[0])
    kinds = {kind: sum(fault.startswith(kind) for fault in wrong) for kind in ("lost", "damaged")}
    print(
        f"{seen:,} power cuts: {kinds['lost']} lost, {kinds['damaged']} damaged;"
        f" without syncs {len(control):,} of as many lost or damaged"
    )
    return 0 if not wrong and control else 1


if __name__ == "__main__":
    sys.exit(main())
