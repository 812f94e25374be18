"""Acts in threads of their own beside the one that goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any


@contextmanager
def beside(acts: Sequence[Callable[[], Any]]) -> Iterator[None]:
    """Run them in the background and wait for them. Exceptions are raised here: a thread would hide a SystemExit."""
    with ThreadPoolExecutor(max(1, len(acts))) as pool:
        running = [pool.submit(act) for act in acts]
        yield
        for job in running:
            job.result()
