"""Many tablets over a bad network, and a server that is killed again and again:

    python -m tests.journeys.chaos --tables 50 --games 6 --seed 7 [--database postgres://postgres@127.0.0.1/postgres]

The real server runs as in a hall. First the evening is played undisturbed; then the same hands again, while a tenth
of the requests is dropped, a tenth of the answers is lost, a tenth of the requests arrives twice, and the server is
killed whenever it has answered for about sixty lines, which a quick machine does in a second. Both must end with the
same standings and the same sheets, and every line that was acknowledged must be there, once. Prints seed, counts and
times; ends with 1 where anything is wrong. `--trouble 0.1` is each of those tenths, `--kill 60` those lines, on
average (0 kills nothing), `--database` a PostgreSQL in which a database may be made.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import django
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tests.beside import beside
from tests.halls import options
from tests.journeys.server import Network, Server
from tournament.demo.tablet import Tablet

SHOWN = ("requests", "dropped", "lost", "doubled", "unreachable", "cut off")
EXPECTED = ("status 200", "status 503")
# What kills something in the background, given the number of answered lines; it counts what it killed.
Killing = Callable[[Callable[[], int]], AbstractContextManager[Counter[str]]]
Outcome = tuple[Any, ...]


def main() -> int:
    seed = random.SystemRandom().randrange(1_000_000)
    chosen = options(__doc__, tables=50, games=6, trouble=0.1, kill=60, seed=seed, database="")
    with own_database(chosen.database) as environment:
        os.environ.update(environment)
        django.setup()
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        call_command("migrate", verbosity=0, interactive=False)
        for_server = dict(os.environ)
        # By this name PostgreSQL tells this program's connections from those of the server, which are cut.
        os.environ["PGAPPNAME"] = "chaos"
        connection.close()
        return _compare(chosen, for_server)


def _compare(chosen: argparse.Namespace, environment: dict[str, str]) -> int:
    print(f"seed {chosen.seed}: {chosen.tables} tables, {chosen.games} games each, on {connection.vendor}", flush=True)
    server = Server(environment)

    def killing(every: int) -> Killing:
        return lambda answered: _killing(server, answered, every, chosen.seed)

    try:
        calm, _, _, faults = play(chosen, server.port, 0.0, killing(0))
        rough, counts, killed, more = play(chosen, server.port, chosen.trouble, killing(chosen.kill))
    finally:
        server.kill()
        connection.close()
    return report(calm, rough, counts, killed, [*faults, *more, *server.errors()[:5]])


def report(calm: Outcome, rough: Outcome, counts: Counter[str], killed: Counter[str], faults: list[str]) -> int:
    """Print what came of both evenings; 1 where anything is wrong."""
    faults += ["STANDINGS OR SHEETS DIFFER"] if calm != rough else []
    print(", ".join(f"{counts[key]} {key}" for key in SHOWN))
    print("answers: " + ", ".join(f"{count} × {key[7:]}" for key, count in sorted(counts.items()) if "status" in key))
    print("kills: " + (", ".join(f"{count} {what}" for what, count in killed.items()) or "none"))
    same = f"standings identical, {len(calm[1])} sheets with identical codes, nothing lost, nothing twice"
    print("\n".join(faults) or same)
    return 1 if faults else 0


def play(
    chosen: argparse.Namespace, port: int, trouble: float, killing: Killing, expected: Collection[str] = EXPECTED
) -> tuple[Outcome, Counter[str], Counter[str], list[str]]:
    """Play an evening over a network of so much trouble: what it came to, what happened, was killed and went wrong."""
    from tests.journeys.evening import Evening

    evening = Evening(chosen.tables, chosen.games, chosen.seed)
    networks = [Network(port, trouble, random.Random(f"{chosen.seed}/{one}")) for one in range(chosen.tables)]
    tablets = [Tablet(token, network, network.chance) for token, network in zip(evening.tokens, networks, strict=True)]
    start = time.perf_counter()
    with killing(lambda: sum(len(tablet.answered) for tablet in tablets)) as killed:
        for number in range(1, chosen.games + 1):
            plans = evening.next_round(number)
            # Every table plays its game, in whatever order the machine gives them.
            with beside([partial(tablet.play, plan) for tablet, plan in zip(tablets, plans, strict=True)]):
                pass
        evening.close()
    taken = time.perf_counter() - start
    answered = {uid: status for tablet in tablets for uid, status in tablet.answered.items()}
    name = "disturbed" if trouble else "undisturbed"
    print(f"{name}: {len(evening.sent)} items in {taken:.1f} s, {len(evening.sent) / taken:.0f} a second", flush=True)
    counts = sum((network.counts for network in networks), Counter())
    faults = [f"{name}: {fault}" for fault in evening.wrong(answered)]
    faults += [f"{name}: {count} × {key}" for key, count in counts.items() if key not in (*SHOWN, *expected)]
    return evening.outcome(), counts, killed, faults


@contextmanager
def _killing(server: Server, answered: Callable[[], int], every: int, seed: int) -> Iterator[Counter[str]]:
    """Kill the server in the background, on average once in this many lines; count what was killed."""
    killed: Counter[str] = Counter()
    over = threading.Event()

    def run() -> None:
        chance = random.Random(seed)
        while every:
            server.wait()
            enough = answered() + every * (0.5 + chance.random())
            while answered() < enough:
                # Not at the moment of an answer, but at any moment.
                if over.wait(chance.random() / 20):
                    return
            what = chance.choices(["worker", "server", "database connections"], [6, 2, 1])[0]
            if what == "database connections" and not _cut_connections():
                what = "worker"
            {"worker": server.kill_worker, "server": server.kill}.get(what, lambda: None)()
            killed[what] += 1

    with beside([run]):
        try:
            yield killed
        finally:
            over.set()
    server.wait()


def _cut_connections() -> bool:
    """PostgreSQL: end every connection but the ones of this process; says whether there was a PostgreSQL."""
    if connection.vendor != "postgresql":
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() "
                "and application_name <> 'chaos'"
            )
    finally:
        connection.close()
    return True


@contextmanager
def own_database(address: str) -> Iterator[dict[str, str]]:
    folder = tempfile.mkdtemp(prefix="uptown-chaos-")
    environment = {"UPTOWN_DATA": folder, "UPTOWN_HOSTS": "localhost,127.0.0.1", "TEST_DATABASE_URL": ""}
    environment |= {"DJANGO_SETTINGS_MODULE": "tournament.settings", "DATABASE_URL": ""}
    name = f"uptown_chaos_{uuid4().hex[:8]}"
    try:
        if address:
            _on(address, f"create database {name}")
            environment["DATABASE_URL"] = urlsplit(address)._replace(path=f"/{name}").geturl()
        yield environment
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if address:
            _on(address, f"drop database {name} with (force)")


def _on(address: str, command: str) -> None:
    with psycopg.connect(address, autocommit=True) as line:
        line.execute(command)


if __name__ == "__main__":
    sys.exit(main())
