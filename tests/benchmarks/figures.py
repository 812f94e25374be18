"""What every page, act and paper costs: SQL statements, calls of functions and processor time, beside a kept file.

    python -m tests.benchmarks figures                 measure everything, and say what got slower than the file says
    python -m tests.benchmarks figures --statements    statements and calls alone: fast, and what `.ci/run` looks at
    python -m tests.benchmarks figures --write         write the file `figures.json`
    … --only WORD                                      the items with this word in their names; of the file the same

An event of 24, 100 and 500 teams, a season of 12, 40 and 100 evenings (`databases`); what `.ci/run` looks at leaves out
the largest. Each item is measured in a process of
its own that begins with the database as it is kept. The first time is not counted; the second tells statements and
calls (of functions in `scoring` and `tournament`), the others the processor time, of which the middle one counts. The
file also holds the processor time as a multiple of a loop that was measured right beside it: only that is compared,
because it says the same on another machine.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import hashlib
import json
import logging
import lzma
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from django.core.management import call_command
from django.db import connection
from django.template.loader import get_template
from django.test import Client

import tournament
from tests.benchmarks.act_items import evening_acts, tablet_items
from tests.benchmarks.clubhouse import Clubhouse
from tests.benchmarks.hall import machine, measured
from tests.benchmarks.items import Item
from tests.benchmarks.page_items import evening_files, evening_pages, polls
from tests.benchmarks.season_items import season_items

FILE = Path(__file__).with_name("figures.json")
SITE = Path(tournament.__file__).parents[1]
DATABASES = SITE / "fixtures" / "databases"
SIZES = {"evening": ("24", "100", "500"), "season": ("12", "40", "100")}
# Those that `.ci/run` looks at.
SMALL = {"evening": ("24", "100"), "season": ("12", "40")}
# How often the processor time is taken of an item.
TIMED = 3
# What takes long to make, from what pages read, too: `--statements` leaves it out.
SLOW = ("paper: ", "workbook: ", "list: ", "file: ")
# What may differ without a word: a few calls, by the order of sets and the second of the clock; and the time.
CALLS, TIME = 1.03, 1.15
# How many calls more the large evening or season may take than the small one: so many times what the file says, and
# some for what is small anyway.
GROWTH, FEW = 1.1, 50


class Figures(NamedTuple):
    """What an item costs once. `ratio` is the processor time as a multiple of that of `reference`."""

    statements: int
    calls: int
    ms: float = 0.0
    ratio: float = 0.0


# By name and size.
Found = dict[str, dict[str, Figures]]


class Task(NamedTuple):
    item: Item
    kind: str
    size: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statements", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--commit", default="", help="the commit that the file is to name")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD")
    parser.add_argument("--file", type=Path, default=FILE, help="the file to write or to compare with")
    asked = parser.parse_args()
    leaves_out = SLOW if asked.statements and not asked.write else ()

    def is_asked(name: str) -> bool:
        return any(word in name for word in asked.only) and not name.startswith(leaves_out)

    sizes_of = SMALL if asked.statements and not asked.write else SIZES
    tasks = [
        Task(item, kind, size)
        for kind, sizes in sizes_of.items()
        for item in items_of(kind)
        if is_asked(item.name)
        for size in sizes
    ]
    found = all_measured(tasks, timed=0 if asked.statements else TIMED)
    commit, before = read_file(asked.file)
    if asked.write:
        kept = before if asked.statements else {}
        found = with_times_of(kept, found)
        written = found if asked.only == [""] else before | found
        asked.file.write_text(as_text(written, asked.commit or commit), encoding="utf-8")
        return 0
    before = {name: sizes for name, sizes in before.items() if is_asked(name)}
    wrong = [*worse(before, found), *unlisted(before, found)] if asked.statements else slower(before, found)
    if not asked.statements:
        wrong += bent(found)
    print("\n".join(wrong) or "Nothing got worse.")
    return 1 if asked.statements and wrong else 0


def items_of(kind: str) -> list[Item]:
    """All that is measured of an evening, or of a season."""
    if kind == "season":
        return season_items()
    return [*evening_pages(), *polls(), *tablet_items(), *evening_acts(), *evening_files()]


def all_measured(tasks: Sequence[Task], timed: int) -> Found:
    """The figures of all tasks. Where no time is taken, as many at once as there are cores."""
    databases = {(task.kind, task.size): loaded(f"{task.kind}-{task.size}") for task in tasks}
    warm_up(next(iter(databases.values())))
    at_once = 1 if timed else os.cpu_count() or 1
    found: Found = {}
    for task, figures in in_children(tasks, databases, timed, at_once):
        found.setdefault(task.item.name, {})[task.size] = figures
    return found


# The databases.


def loaded(name: str) -> Path:
    """A kept database with the tables of this program. It is made once, and again when one of the two changes."""
    packed = (DATABASES / f"{name}.sql.xz").read_bytes()
    version = hashlib.sha256(packed)
    for file in sorted((SITE / "tournament" / "migrations").glob("*.py")):
        version.update(file.read_bytes())
    path = SITE / "build" / f"{name}-{version.hexdigest()[:16]}.sqlite3"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        begun = path.with_suffix(f".{os.getpid()}")
        with closing(sqlite3.connect(begun)) as opened:
            opened.executescript(lzma.decompress(packed).decode())
        use(begun)
        call_command("migrate", verbosity=0, interactive=False)
        connection.close()
        begun.replace(path)
    return path


def use(database: Path) -> None:
    connection.close()
    connection.settings_dict["NAME"] = str(database)


def warm_up(database: Path) -> None:
    """Import every view and read every template before processes begin; each of them looks at its own event first."""
    with tempfile.TemporaryDirectory(prefix="uptown-figures-") as folder:
        use(Path(shutil.copy(database, folder)))
        for path in ("/sign-in/", "/practice/"):
            Client().get(path)
        connection.close()
    for file in (SITE / "templates").rglob("*.html"):
        get_template(str(file.relative_to(SITE / "templates")))
    # As the site does at its start: what is there by now is not looked through for garbage.
    gc.collect()
    gc.freeze()


# Measuring.


def in_children(
    tasks: Iterable[Task], paths: dict[tuple[str, str], Path], timed: int, at_once: int
) -> Iterator[tuple[Task, Figures]]:
    """Each task in a process of its own, some at once; they come back as they are done."""
    waiting, running, failed = list(tasks), dict[int, tuple[Task, Path]](), list[str]()
    with tempfile.TemporaryDirectory(prefix="uptown-figures-") as folder:
        while waiting or running:
            while waiting and len(running) < at_once:
                task = waiting.pop(0)
                place = Path(tempfile.mkdtemp(dir=folder))
                running[begun(task, paths[task.kind, task.size], place, timed)] = task, place
            pid, status = os.wait()
            task, place = running.pop(pid)
            if status != 0:
                failed.append(f"{task.item.name}, {task.size}")
            else:
                yield task, Figures(*json.loads((place / "figures.json").read_text()))
            shutil.rmtree(place)
    if failed:
        raise SystemExit(f"Could not be measured: {'; '.join(failed)}")


def begun(task: Task, database: Path, place: Path, timed: int) -> int:
    """Begin a process that measures one item on a copy of its database, and give its key."""
    connection.close()
    sys.stdout.flush()
    if pid := os.fork():
        return pid
    try:
        logging.disable(logging.WARNING)
        shutil.copy(database, place / "site.sqlite3")
        use(place / "site.sqlite3")
        figures = measured_item(task.item, timed)
        (place / "figures.json").write_text(json.dumps(figures))
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def measured_item(item: Item, timed: int) -> Figures:
    house = Clubhouse()
    item.before(house, 0)
    item.act(house, 0)
    item.before(house, 1)
    profile = cProfile.Profile(subcalls=False, builtins=False)
    profile.enable()
    _, asked = measured(partial(item.act, house, 1))
    profile.disable()
    statements, calls = len(asked), calls_of_ours(profile)
    if not timed:
        return Figures(statements, calls)
    times, beside = [], []
    for done in range(2, 2 + timed):
        item.before(house, done)
        beside.append(measured(reference)[0])
        times.append(measured(partial(item.act, house, done))[0])
    middle = statistics.median(times)
    return Figures(statements, calls, round(middle * 1000, 1), round(middle / statistics.median(beside), 2))


def calls_of_ours(profile: cProfile.Profile) -> int:
    """How often functions of the program were called; those that Python itself brings are not its own."""
    ours = (str(SITE / "scoring"), str(SITE / "tournament"))
    total = 0
    for entry in profile.getstats():
        if not isinstance(entry.code, str) and entry.code.co_filename.startswith(ours):
            total += entry.callcount
    return total


def reference() -> int:
    """Work that every machine can do, some milliseconds of it: what processor times are compared with."""
    words = {number: f"word {number}" for number in range(6_000)}
    return sum(len(words[number].split()) for number in sorted(words, reverse=True))


# The file.


def with_times_of(kept: Found, found: Found) -> Found:
    """The same figures; where no time was taken the one that the file says stays."""
    timed: Found = {}
    for name, sizes in found.items():
        timed[name] = {}
        for size, figures in sizes.items():
            known = kept.get(name, {}).get(size, figures)
            timed[name][size] = figures if figures.ratio else figures._replace(ms=known.ms, ratio=known.ratio)
    return timed


def as_text(found: Found, commit: str) -> str:
    """One line an item, in the order of their names."""
    about = {"commit": commit, "machine": machine(), "times": f"median of {TIMED}", "columns": Figures._fields}
    lines = []
    for name in sorted(found):
        sizes = {size: found[name][size] for size in sorted(found[name], key=int)}
        lines.append(f"  {json.dumps(name)}: {json.dumps(sizes)}")
    return f'{{\n "about": {json.dumps(about)},\n "figures": {{\n' + ",\n".join(lines) + "\n }\n}\n"


def read_file(file: Path) -> tuple[str, Found]:
    """The commit that a file names, and its figures; nothing where there is none yet."""
    if not file.exists():
        return "", {}
    kept = json.loads(file.read_text(encoding="utf-8"))
    figures = {
        name: {size: Figures(*figures) for size, figures in sizes.items()} for name, sizes in kept["figures"].items()
    }
    return kept["about"]["commit"], figures


# What differs.


def slower(before: Found, now: Found) -> list[str]:
    """A sentence for each figure that is higher than the file says; a time that it does not say is not compared."""
    said = []
    for name, size in in_both(before, now):
        old, new = before[name][size], now[name][size]
        parts = []
        if new.statements > old.statements:
            parts.append(f"{old.statements} to {new.statements} statements")
        if new.calls > old.calls * CALLS:
            parts.append(f"{old.calls:,} to {new.calls:,} calls")
        if old.ratio and new.ratio > old.ratio * TIME:
            parts.append(f"{old.ratio:.2f} to {new.ratio:.2f} times the loop ({new.ms:.1f} ms)")
        if parts:
            said.append(f"{name}, {size}: {', '.join(parts)}")
    return said


def worse(before: Found, now: Found) -> list[str]:
    """A sentence for each item with more statements than the file says, or whose calls grow more with the size."""
    said = [
        f"{name}, {size}: {now[name][size].statements} statements, the file says {before[name][size].statements}"
        for name, size in in_both(before, now)
        if now[name][size].statements > before[name][size].statements
    ]
    for name in sorted(before.keys() & now.keys()):
        old, new = growth(before[name]), growth(now[name])
        if new > old * GROWTH + FEW:
            said.append(f"{name}: the larger one takes {new:,} calls more than the smaller, the file says {old:,}")
    return said


def growth(sizes: dict[str, Figures]) -> int:
    """How many calls the second size takes beyond those of the smallest; none where there is one size."""
    calls = [sizes[size].calls for size in sorted(sizes, key=int)]
    return calls[min(1, len(calls) - 1)] - calls[0]


# How much faster than the evening or season calls may grow, where that becomes so much larger again.
LINEAR = 1.1


def bent(now: Found) -> list[str]:
    """A sentence for each item whose calls grow faster than the evening or season."""
    said = []
    for name in sorted(now):
        sizes = sorted(now[name], key=int)
        if len(sizes) < len(SIZES["evening"]):
            continue
        small, middle, large = (now[name][size].calls for size in sizes)
        steps = (int(sizes[2]) - int(sizes[1])) / (int(sizes[1]) - int(sizes[0]))
        straight = (middle - small) * steps
        if large - middle > straight * LINEAR + FEW * steps:
            said.append(f"{name}: {large - middle:,} calls more at {sizes[2]}, in a straight line {straight:,.0f}")
    return said


def unlisted(before: Found, now: Found) -> list[str]:
    new, gone = now.keys() - before.keys(), before.keys() - now.keys()
    return [f"{name}: the file does not have it; figures --write --only adds it" for name in sorted(new)] + [
        f"{name}: the file has it, and nothing measures it" for name in sorted(gone)
    ]


def in_both(before: Found, now: Found) -> list[tuple[str, str]]:
    return [
        (name, size)
        for name in sorted(before.keys() & now.keys())
        for size in sorted(before[name].keys() & now[name].keys(), key=int)
    ]
