"""A fault at every statement of every act: the database is then as before or as after, and the act can be done again.

    python -m tests.nightly.faults [--acts pay,close_round]

Each act of `acts.py` is done again and again on the same evening; the n-th time its n-th statement (or commit) fails
with an error, or the process is killed there, until there is no n-th statement any more.
"""

from __future__ import annotations

import ast
import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from django.apps import apps
from django.conf import settings
from django.db import OperationalError, connection, connections

from tests.benchmarks.hall import open_site
from tests.halls import options

if TYPE_CHECKING:
    from tests.nightly.acts import Act

SERVICES = str(Path(__file__).parents[2] / "tournament" / "services")
Rows = dict[str, list[tuple[Any, ...]]]
# What a stopped program would leave in the middle is looked for at most so many statements deep.
DEEPEST = 2000
# Lots of two teams fall alike in two runs as often as not, and in so many hardly ever.
LOTS = 8


class Fault:
    """Fails at the n-th statement or commit: by an error of the database, or because the process is killed there."""

    def __init__(self, statement: int, killed: bool) -> None:
        self.left, self.killed = statement, killed

    def strike(self) -> None:
        self.left -= 1
        if self.left == 0:
            if self.killed:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OperationalError("disk I/O error")

    @contextmanager
    def armed(self) -> Iterator[None]:
        real = connections["default"]
        commit = real.commit

        def committed() -> None:
            self.strike()
            commit()

        def run(execute: Callable[..., Any], *rest: Any) -> Any:
            self.strike()
            return execute(*rest)

        with patch.object(real, "commit", committed), connection.execute_wrapper(run):
            yield


class Evening:
    """An event on a database in a file, which can be put back as it was."""

    def __init__(self) -> None:
        connection.ensure_connection()
        self.kept = sqlite3.connect(":memory:")
        connection.connection.backup(self.kept)

    def put_back(self) -> None:
        connection.close()
        connection.ensure_connection()
        self.kept.backup(connection.connection)


def rows() -> Rows:
    """Every row of every table, in the order of the keys."""
    found: Rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            meta = model._meta
            cursor.execute(f'SELECT * FROM "{meta.db_table}" ORDER BY "{meta.pk.column}"')
            found[meta.db_table] = [tuple(row) for row in cursor.fetchall()]
    return found


def differing(one: Rows, other: Rows) -> set[tuple[str, int]]:
    """The columns in which two runs of the same act differ: moments and what is drawn by lot."""
    return {
        (table, row)
        for table in one
        for first, second in zip(one[table], other[table], strict=True)
        for row, (a, b) in enumerate(zip(first, second, strict=True))
        if a != b
    }


def without(state: Rows, columns: set[tuple[str, int]]) -> Rows:
    return {
        table: [tuple(value for column, value in enumerate(row) if (table, column) not in columns) for row in found]
        for table, found in state.items()
    }


def sweep(do: Callable[[], object]) -> tuple[int, list[str]]:
    """Do an act with a fault at every statement; how many there are, and what was wrong, as sentences."""
    evening, before = Evening(), rows()
    afters = []
    for _ in range(LOTS):
        do()
        afters.append(rows())
        evening.put_back()
    chance = set().union(*(differing(afters[0], other) for other in afters[1:]))
    after = without(afters[0], chance)
    wrong, statements = [], 0
    for killed in (False, True):
        for number in range(1, DEEPEST):
            if not _struck(do, Fault(number, killed)):
                break
            where = f"{'killed' if killed else 'failed'} at statement {number}"
            statements += 1
            state = rows()
            if state == before and killed:
                # As never begun, and this process knows nothing of it.
                continue
            if state == before:
                do()
                if without(rows(), chance) != after:
                    wrong.append(f"{where}: done again, it comes to something else")
            elif without(state, chance) != after:
                wrong.append(f"{where}: neither before nor after")
            evening.put_back()
    return statements, wrong


def _struck(do: Callable[[], object], fault: Fault) -> bool:
    """Do an act until the fault strikes; whether it did."""
    if fault.killed:
        return _killed(do, fault)
    with suppress(Exception), fault.armed():
        do()
    return fault.left <= 0


def _killed(do: Callable[[], object], fault: Fault) -> bool:
    """The same in a process of its own, which is not there any more afterwards."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        with suppress(BaseException), fault.armed():
            do()
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def reached(do: Callable[[], object]) -> set[str]:
    """The functions of `tournament/services` that an act runs, as module.function."""
    found: set[str] = set()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SERVICES):
            found.add(f"{Path(code.co_filename).stem}.{code.co_qualname}")

    sys.setprofile(look)
    try:
        do()
    finally:
        sys.setprofile(None)
    return found


def public() -> set[str]:
    """Every public function of `tournament/services`, as module.function."""
    return {
        f"{file.stem}.{node.name}"
        for file in Path(SERVICES).glob("*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }


def main() -> int:
    chosen = options(__doc__, acts="").acts
    open_site()
    from django.contrib.auth.models import User

    from tests.factories import make_user
    from tests.nightly.acts import ACTS, ELSEWHERE
    from tournament.access import Actor
    from tournament.models import Event

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # When the disk has it does not matter here.
    connection.settings_dict["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    connection.close()
    empty, total, wrong, seen = Evening(), 0, 0, set(ELSEWHERE)
    names = chosen.split(",") if chosen else list(ACTS)
    for name in names:
        empty.put_back()
        act, dana = ACTS[name], make_user("dana")
        pk = act.world(dana).pk

        def do(act: Act = act, dana: User = dana, pk: int = pk) -> object:
            return act.do(Actor(User.objects.get(pk=dana.pk)), Event.objects.get(pk=pk))

        evening = Evening()
        seen |= reached(do)
        evening.put_back()
        count, faults = sweep(do)
        total, wrong = total + count, wrong + len(faults)
        print(f"{name}: {count} faults", *faults[:5], sep="\n  ", flush=True)
    missed = sorted(public() - seen) if not chosen else []
    print(*[f"no act reaches {service}" for service in missed], sep="\n")
    print(
        f"{total:,} faults at the statements and commits of {len(names)} acts; {wrong} wrong, {len(missed)} not reached"
    )
    return 1 if wrong or missed else 0


if __name__ == "__main__":
    sys.exit(main())
