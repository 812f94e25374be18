"""The machine of the database is gone while many tablets write, and its standby takes over:

    python -m tests.hosted.failover --seed 7 [--tables 12] [--games 2] [--control]

A hosted site with a synchronous standby. First the standby is held still: a write must wait for it. Then tablets play;
after `--before 100` acknowledged messages every process of the primary is killed, the standby is promoted, and the
evening is played to its end by web processes that find the new primary by themselves. Every message that was
acknowledged must be there, once.

With `--control` the primary does not wait for its standby, which receives nothing more for a moment before the end: the
run must notice what is lost. Prints counts and seconds; ends with 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from typing import TYPE_CHECKING

import psycopg
from django.db import connection

from tests.halls import options
from tests.hosted.stack import Stack, told
from tests.journeys.server import Network
from tournament.demo.tablet import Tablet

if TYPE_CHECKING:
    from tests.journeys.evening import Evening


def main() -> int:
    seed = random.SystemRandom().randrange(1_000_000)
    chosen = options(__doc__, tables=12, games=2, before=100, seed=seed, control=False)
    with Stack(webs=2, synchronous=not chosen.control) as stack, told(stack):
        from tests.journeys.evening import Evening

        faults = [] if chosen.control or _waits(stack) else ["A write was acknowledged that the standby did not have"]
        evening = Evening(chosen.tables, chosen.games, chosen.seed)
        tablets = [
            Tablet(token, Network(stack.port, 0.0, random.Random(number)), random.Random(number))
            for number, token in enumerate(evening.tokens)
        ]
        playing = threading.Thread(target=_play, args=(tablets, evening, chosen.games), daemon=True)
        playing.start()
        faults += _lose_primary(stack, tablets, chosen)
        if not chosen.control:
            playing.join()
            _forget_connection()
            faults += evening.wrong(_answered(tablets))
            count = len(_answered(tablets))
            print(f"{len(evening.sent)} messages in all, {count} acknowledged, {len(faults)} faults")
        print("\n".join(faults) or "0 acknowledged messages lost")
        return 1 if faults else 0


def _play(tablets: list[Tablet], evening: Evening, games: int) -> None:
    for number in range(1, games + 1):
        _forget_connection()
        plans = evening.next_round(number)
        threads = [
            threading.Thread(target=tablet.play, args=(plan,), daemon=True)
            for tablet, plan in zip(tablets, plans, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def _forget_connection() -> None:
    """This process asks beside the site: what it last asked may be gone."""
    connection.close()


def _lose_primary(stack: Stack, tablets: list[Tablet], chosen: argparse.Namespace) -> list[str]:
    """Kill the primary and promote the standby; what was acknowledged before and is not in the new primary."""
    assert stack.standby is not None
    _until(tablets, chosen.before)
    if chosen.control:
        stack.standby.cut_off()
        _until(tablets, len(_answered(tablets)) + 10)
    gone = time.perf_counter()
    stack.database.kill()
    before = _answered(tablets)
    stack.take_over()
    promoted = time.perf_counter()
    there = {str(uid) for (uid,) in stack.standby.run("select uid from tournament_submission")}
    lost = sorted(before.keys() - there)
    if not chosen.control:
        _until(tablets, len(before) + 1)
    again = time.perf_counter()
    print(
        f"{len(before)} messages were acknowledged when the primary was killed, {len(lost)} of them lost; "
        f"promoted after {promoted - gone:.1f} s, next acknowledgement after {again - gone:.1f} s",
        flush=True,
    )
    return [f"{len(lost)} acknowledged messages lost"] if lost else []


def _waits(stack: Stack) -> bool:
    """Whether a write waits while the standby is stopped, whatever a statement's time limit, and then succeeds."""
    assert stack.standby is not None
    done = threading.Event()

    def write() -> None:
        with psycopg.connect(stack.database.address(), options="-c statement_timeout=500", autocommit=True) as line:
            line.execute("create table waited (one int)")
        done.set()

    stack.standby.freeze(True)
    threading.Thread(target=write, daemon=True).start()
    waited = not done.wait(2)
    stack.standby.freeze(False)
    ended = done.wait(30)
    print(f"a write waits while the standby stands still: {'yes' if waited and ended else 'no'}", flush=True)
    return waited and ended


def _until(tablets: list[Tablet], count: int) -> None:
    while len(_answered(tablets)) < count:
        time.sleep(0.01)


def _answered(tablets: list[Tablet]) -> dict[str, str]:
    return {uid: status for tablet in tablets for uid, status in list(tablet.answered.items())}


if __name__ == "__main__":
    sys.exit(main())
