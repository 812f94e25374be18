"""Long work in a thread of its own: it says how far it is, can be cancelled, and its file waits to be fetched."""

from __future__ import annotations

import json
import logging
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeVar

from django.db import connections

from tournament.access import Actor
from tournament.models import Event
from tournament.queries.works import CANCELLED, FAILED, MAKING, READY, Work, cancel_file, work_file, works_folder
from tournament.refusals import Refusal

Tell = Callable[[int], None]
# A file's content, or the address of what was made.
Make = Callable[[Tell], bytes | str]
ItemT = TypeVar("ItemT")

KEPT_SECONDS = 6 * 3600
EVERY_SECONDS = 0.3
# Told when every piece is taken, and the file is being finished.
ALL = -1
MOST_FAULTS = 40
# One after another: the tables go on meanwhile.
_turn = threading.Lock()
_log = logging.getLogger(__name__)


class Stopped(Exception):
    """Whoever asked for the work has cancelled it."""


def begin_work(
    actor: Actor, make: Make, *, words: str, name: str, kind: str, total: int, action: str, back: str,
    event: Event | None = None,
) -> str:  # fmt: skip
    """Start a piece of work and return its key. `make` is told how to say how many of `total` are done."""
    sweep_works()
    key = secrets.token_hex(16)
    work = Work(
        key, words, name, kind, actor.account.pk, event.pk if event else None, action, back, MAKING, 0, total, (), ""
    )
    (works_folder() / key).mkdir(parents=True)
    _write(work)
    threading.Thread(target=_run, args=(work, make), name=f"work-{key[:6]}", daemon=True).start()
    return key


def cancel_work(work: Work) -> None:
    """Ask a work to stop; it does so at its next step, and nothing of it stays."""
    cancel_file(work.key).touch()


def counted(items: Iterable[ItemT], tell: Tell) -> Iterator[ItemT]:
    """The items one by one, telling how many have been taken."""
    tell(0)
    for number, item in enumerate(items, start=1):
        yield item
        tell(number)
    tell(ALL)


def sweep_works(now: float | None = None) -> None:
    """Throw away what nobody has fetched for hours."""
    folder = works_folder()
    for old in folder.iterdir() if folder.is_dir() else ():
        if (now or time.time()) - old.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(old, ignore_errors=True)


def _run(work: Work, make: Make) -> None:
    told = time.monotonic()
    stop = cancel_file(work.key)

    def tell(done: int) -> None:
        nonlocal work, told
        if stop.exists():
            raise Stopped
        # What comes after the last piece takes long, too: that is always told.
        if time.monotonic() - told < EVERY_SECONDS and done != ALL:
            return
        done = work.total if done == ALL else done
        work, told = replace(work, done=done), time.monotonic()
        _write(work)

    try:
        while not _turn.acquire(timeout=1):
            tell(0)
        try:
            made = make(tell)
        finally:
            _turn.release()
        if stop.exists() and isinstance(made, bytes):
            raise Stopped
        _finish(work, made)
    except Stopped:
        _write(replace(work, state=CANCELLED))
    except Refusal as refusal:
        faults = tuple(fault.text for fault in refusal.faults)[:MOST_FAULTS]
        _write(replace(work, state=FAILED, faults=faults))
    except Exception:
        _log.exception("Work %s broke", work.words)
        _write(replace(work, state=FAILED))
    finally:
        connections.close_all()


def _finish(work: Work, made: bytes | str) -> None:
    """The file gets its name when it is whole, so that nobody fetches a half."""
    if isinstance(made, bytes):
        _replace(work_file(work.key), made)
    _write(replace(work, state=READY, done=work.total, leads_to=made if isinstance(made, str) else ""))


def _write(work: Work) -> None:
    _replace(works_folder() / work.key / "state.json", json.dumps(asdict(work)).encode())


def _replace(file: Path, content: bytes) -> None:
    part = file.with_suffix(".part")
    part.write_bytes(content)
    part.replace(file)
