"""Many tablets before a hosted site whose parts are killed in turn:

    python -m tests.hosted.chaos --seed 7 [--tables 12] [--games 3] [--control]

Four web processes behind nginx, which sends every request to any of them; PostgreSQL with a synchronous standby,
Redis. The evening is played undisturbed, then with the same hands again, while a tenth of the requests is
dropped, a tenth of the answers is lost, a tenth arrives twice, and web processes and the cache are killed in
turn. Also, a director who signed in once looks at the desk and asks for papers, a phone follows the standings,
and at the end somebody types wrong codes. Both evenings must end with the same standings and sheets, every acknowledged
line must be there, once; the director stays signed in, no phone sees older standings after newer ones, every paper is
made, and all processes together allow as many wrong codes as one.

`--trouble 0.1` is each of those tenths, `--kill 10` how many lines are answered for between two kills, on average.
With `--control` each process has counts and sessions of its own, as one alone may: the run must notice. Prints counts;
ends with 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle

from tests.beside import beside
from tests.halls import options
from tests.hosted.stack import Stack, told
from tests.journeys.chaos import EXPECTED, Killing, Outcome, play, report

# A web process that was killed has not answered; nginx says so for it.
BEHIND_NGINX = (*EXPECTED, "status 502", "status 504")
# Seconds until what was killed is started again, as systemd does.
SHORTEST, LONGEST = 0.3, 1.5


def main() -> int:
    seed = random.SystemRandom().randrange(1_000_000)
    chosen = options(__doc__, tables=12, games=3, webs=4, trouble=0.1, kill=10, seed=seed, control=False)
    application = "tests.hosted.processlocal" if chosen.control else "tournament.wsgi"
    with Stack(webs=chosen.webs, application=application) as stack, told(stack):
        print(f"seed {chosen.seed}: {chosen.tables} tables, {chosen.games} games each, {chosen.webs} web processes")
        calm, _, _, faults = _evening(chosen, stack, 0.0)
        rough, counts, killed, more = _evening(chosen, stack, chosen.trouble)
        # A process that was killed says nothing; what one says of itself is a mistake.
        more += stack.errors()[:5]
        return report(calm, rough, counts, killed, faults + more)


def _evening(
    chosen: argparse.Namespace, stack: Stack, trouble: float
) -> tuple[Outcome, Counter[str], Counter[str], list[str]]:
    from tests.hosted.people import People

    with People(stack) as people:
        killing = _killing(stack, chosen.kill if trouble else 0, chosen.seed)
        outcome, counts, killed, faults = play(chosen, stack.port, trouble, killing, BEHIND_NGINX)
    return outcome, counts, killed, faults + people.faults()


def _killing(stack: Stack, every: int, seed: int) -> Killing:
    @contextmanager
    def killing(answered: Callable[[], int]) -> Iterator[Counter[str]]:
        killed: Counter[str] = Counter()
        over = threading.Event()

        def run() -> None:
            chance = random.Random(seed)
            webs = cycle(stack.webs)
            for kind in cycle(("web", "cache", "web")):
                enough = answered() + every * (0.5 + chance.random())
                while answered() < enough:
                    # Not at the moment of an answer, but at any moment.
                    if over.wait(chance.random() / 20):
                        return
                name = next(webs) if kind == "web" else kind
                stack.kill(name)
                killed[kind] += 1
                over.wait(chance.uniform(SHORTEST, LONGEST))
                stack.start(name)

        with beside([run] if every else []):
            try:
                yield killed
            finally:
                over.set()

    return killing


if __name__ == "__main__":
    sys.exit(main())
