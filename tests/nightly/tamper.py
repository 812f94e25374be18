"""Change bytes and rows of copies behind the program's back: every change of a result must be reported (G14).

    python -m tests.nightly.tamper [--changes 1000] [--seed 1]

A change counts where results, standings, places, pot or money of an event are other ones afterwards, or cannot be
read. The control looks at the same copies without chain and seal: some changes must then be missed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

LISTS = ("standings", "games", "final-places", "bracket", "pot", "money")
SAMPLES = ("autumn-open",)


def prepare(folder: Path) -> Path:
    """A database with the sample evenings, in a folder of its own."""
    os.environ |= {"UPTOWN_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "tournament.settings"}
    for name in ("DATABASE_URL", "TEST_DATABASE_URL"):
        os.environ.pop(name, None)
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection

    from tournament.access import Actor
    from tournament.archive.store.event import import_event
    from tournament.place import FIXTURES

    call_command("migrate", verbosity=0)
    dana = User.objects.create(username="dana")
    for name in SAMPLES:
        import_event(Actor(dana), json.loads((FIXTURES / "demo" / f"{name}.json").read_text(encoding="utf-8")))
    connection.close()
    return folder / "uptown.sqlite3"


def picture(file: Path) -> object:
    """What a file says of results, standings, places, pot and money; the error where it cannot be read."""
    from tournament.database import at_file
    from tournament.lists.catalog import LISTS as ALL
    from tournament.models import Event
    from tournament.reports.files import list_json

    with at_file(file):
        try:
            return [list_json(ALL[name](event)) for event in Event.objects.order_by("pk") for name in LISTS]
        except Exception as fault:
            return type(fault).__name__


def looked(file: Path, *, chained: bool) -> list[str]:
    from tournament.database import at_file
    from tournament.services.verifying import findings, reading

    with at_file(file):
        try:
            with reading():
                return list(findings(chained=chained))
        except Exception as fault:
            return [type(fault).__name__]


def change_bytes(chance: random.Random, file: Path) -> str:
    """One to eight bytes anywhere, each with another value."""
    content = bytearray(file.read_bytes())
    places = [chance.randrange(len(content)) for _ in range(chance.choice((1, 1, 1, 2, 8)))]
    for place in places:
        content[place] ^= 1 << chance.randrange(8)
    file.write_bytes(content)
    return f"bytes {places}"


def change_rows(chance: random.Random, file: Path) -> str:
    """A row is changed, taken away, or written twice; whoever does that puts the triggers back."""
    with contextlib.closing(sqlite3.connect(file)) as opened:
        opened.execute("PRAGMA foreign_keys=OFF")
        laid = opened.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        known = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'tournament_%'"
        tables = [name for (name,) in opened.execute(known)]
        for name, _ in laid:
            opened.execute(f"DROP TRIGGER {name}")
        while True:
            with contextlib.suppress(sqlite3.IntegrityError, IndexError):
                said = _change_row(chance, opened, chance.choice(tables))
                break
        for _, sql in laid:
            opened.execute(sql)
        opened.commit()
    return said


def _change_row(chance: random.Random, opened: sqlite3.Connection, table: str) -> str:
    columns = [f'"{row[1]}"' for row in opened.execute(f"PRAGMA table_info({table})")]
    keys = [key for (key,) in opened.execute(f"SELECT id FROM {table}")]
    key, act = chance.choice(keys), chance.choice(("change", "change", "change", "delete", "twice", "swap"))
    if act == "delete":
        opened.execute(f"DELETE FROM {table} WHERE id = ?", [key])
    elif act == "twice":
        others = ", ".join(columns[1:])
        opened.execute(f"INSERT INTO {table} ({others}) SELECT {others} FROM {table} WHERE id = ?", [key])
    else:
        column, other = chance.choice(columns), chance.choice(keys)
        [(value,)] = opened.execute(f"SELECT {column} FROM {table} WHERE id = ?", [key])
        [(given,)] = opened.execute(f"SELECT {column} FROM {table} WHERE id = ?", [other])
        new = given if act == "swap" else _other(chance, value)
        opened.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", [new, key])
        return f"{table} {key}: {column} {value!r} -> {new!r}"
    return f"{table} {key}: {act}"


def _other(chance: random.Random, value: Any) -> Any:
    """Another value of its kind: a digit or a letter of a text, a number beside it."""
    if isinstance(value, int):
        return chance.choice((value + 1, value - 1, 0, 1, value * 2))
    if not isinstance(value, str) or not value:
        return chance.choice((0, 1, 2, "playoff", "void"))
    place = chance.randrange(len(value))
    sign = str(chance.randrange(10)) if value[place].isdigit() else chance.choice("aeinrst")
    return value[:place] + sign + value[place + 1 :]


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.nightly.tamper")
    options.add_argument("--changes", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    chance, missed, control, other = random.Random(chosen.seed), [], 0, 0
    with tempfile.TemporaryDirectory() as place:
        file, copy = prepare(Path(place)), Path(place) / "copy.sqlite3"
        before = picture(file)
        if (found := looked(file, chained=True)) or not isinstance(before, list):
            print(f"The unchanged database is no good start: {found or before}")
            return 1
        for _ in range(chosen.changes):
            shutil.copyfile(file, copy)
            said = chance.choice((change_bytes, change_rows, change_rows))(chance, copy)
            if picture(copy) == before:
                continue
            other += 1
            control += not looked(copy, chained=False)
            if not looked(copy, chained=True):
                missed.append(said)
    print("\n".join(missed))
    print(
        f"{chosen.changes} changes, {other} of a result: {other - len(missed)} reported, {len(missed)} missed; "
        f"{control} missed without chain and seal"
    )
    return 1 if missed or not control or not other else 0


if __name__ == "__main__":
    sys.exit(main())
