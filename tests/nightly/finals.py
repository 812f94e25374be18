"""Random walks of a table and the desk to a final game: never without both signatures under its sheet.

    python -m tests.nightly.finals [--walks 100000] [--seed 1]

A signature is a player's own on the tablet, or an official's who says why, or who has seen it on paper. After every
act, carried out or refused, it is asked of the rows alone. Walks that begin alike go together until their ways part:
what several of them do to the same rows is done once. What is refused must leave the rows as they are: from there
those who tried it go on, and so do those whose act changed nothing.
"""

from __future__ import annotations

import gc
import sys

from tests.benchmarks.hall import open_site
from tests.halls import options


def main() -> int:
    chosen = options(__doc__, walks=100_000, seed=1)
    open_site()
    from tests.nightly.walks import Walks, a_table

    walks = Walks(a_table(), chosen.seed)
    # What was imported stays to the end: Python need not look through it for garbage again and again.
    gc.freeze()
    gc.set_threshold(50_000)
    wrong = walks.go(chosen.walks)
    print(*wrong[:5], sep="\n")
    ended = ", ".join(f"{count:,} by {name}" for name, count in sorted(walks.ways.items()))
    acts = f"{walks.done:,} different acts, {walks.refused:,} of them refused"
    print(f"{chosen.walks:,} walks of {acts}, seen final after {ended}: {len(wrong)} without both signatures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
