"""Long work beside the answers: it says how far it is, can be cancelled, and its file waits to be fetched.

On a club's laptop each work is a thread; on a hosted site it stands in the queue until a worker takes it. What is
done is the same: a maker, found by its name, given what was ordered.
"""

from __future__ import annotations

import json
import logging
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError, connections

from tournament.access import Actor
from tournament.models import Event
from tournament.queries.works import (
    CANCELLED,
    FAILED,
    MAKING,
    READY,
    WAITING,
    Work,
    cancel_file,
    find_work,
    work_file,
    works_folder,
)
from tournament.refusals import Refusal
from tournament.services.line import line_up

Tell = Callable[[int], None]
# Given who ordered it, the work's key, a way to say how many pieces are done, and the order: a file's content, or the
# address of what was made. A worker may be killed at any moment and the work done again, so it must end in the same.
Maker = Callable[[Actor, str, Tell, Any], bytes | str]
ItemT = TypeVar("ItemT")

KEPT_SECONDS = 6 * 3600
EVERY_SECONDS = 0.3
# Told when every piece is taken, and the file is being finished.
ALL = -1
MOST_FAULTS = 40
# One after another: the tables go on meanwhile.
_turn = threading.Lock()
MAKERS: dict[str, Maker] = {}
_log = logging.getLogger(__name__)


class Stopped(Exception):
    """Whoever asked for the work has cancelled it."""


def maker(name: str) -> Callable[[Maker], Maker]:
    """Name a maker, so that every process of the site finds it."""

    def named(make: Maker) -> Maker:
        MAKERS[name] = make
        return make

    return named


def begin_work(
    actor: Actor, job: str, order: Any, *, words: str, name: str, kind: str, total: int, action: str, back: str,
    event: Event | None = None,
) -> str:  # fmt: skip
    """Start a piece of work and return its key. `job` names its maker, which is given `order`, as JSON has it."""
    sweep_works()
    key = secrets.token_hex(16)
    owner, pk = actor.account.pk, event.pk if event else None
    state = WAITING if settings.HOSTED else MAKING
    (works_folder() / key).mkdir(parents=True)
    _order_file(key).write_text(json.dumps({"job": job, "address": actor.address, "order": order}), encoding="utf-8")
    _write(Work(key, words, name, kind, owner, pk, action, back, state, 0, total, (), ""))
    if settings.HOSTED:
        line_up(key)
    else:
        threading.Thread(target=run_work, args=(key,), name=f"work-{key[:6]}", daemon=True).start()
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
        # Another process may be throwing it away at this moment.
        with suppress(FileNotFoundError):
            if (now or time.time()) - old.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(old, ignore_errors=True)


def run_work(key: str, *, again: bool = False) -> None:
    """Do a work to its end. `again`: whoever called does so again where the database was not there."""
    found = find_work(key)
    if found is None or found.state in (READY, CANCELLED, FAILED):
        return
    told = _Told(replace(found, state=MAKING, stopping=False))
    try:
        _finish(told, _made(told))
    except Stopped:
        told.write(state=CANCELLED)
    except Refusal as refusal:
        told.write(state=FAILED, faults=tuple(fault.text for fault in refusal.faults)[:MOST_FAULTS])
    except Exception as fault:
        if again and isinstance(fault, OperationalError):
            raise
        _log.exception("Work %s broke", found.words)
        told.write(state=FAILED)
    finally:
        connections.close_all()


class _Told:
    """How far a work is, as it was last written down."""

    def __init__(self, work: Work) -> None:
        self.work, self.at, self.stop = work, time.monotonic(), cancel_file(work.key)
        self.write()

    def tell(self, done: int) -> None:
        if self.stop.exists():
            raise Stopped
        # What comes after the last piece takes long, too: that is always told.
        if time.monotonic() - self.at >= EVERY_SECONDS or done == ALL:
            self.at = time.monotonic()
            self.write(done=self.work.total if done == ALL else done)

    def write(self, **changed: Any) -> None:
        self.work = replace(self.work, **changed)
        _write(self.work)


def _made(told: _Told) -> bytes | str:
    """What the work comes to, when its turn has come."""
    while not _turn.acquire(timeout=1):
        told.tell(0)
    try:
        work = told.work
        said = json.loads(_order_file(work.key).read_text(encoding="utf-8"))
        actor = Actor(User.objects.get(pk=work.owner), None, said["address"])
        return MAKERS[said["job"]](actor, work.key, told.tell, said["order"])
    finally:
        _turn.release()


def _finish(told: _Told, made: bytes | str) -> None:
    """The file gets its name when it is whole, so that nobody fetches a half."""
    if isinstance(made, bytes):
        if told.stop.exists():
            raise Stopped
        _replace(work_file(told.work.key), made)
    told.write(state=READY, done=told.work.total, leads_to=made if isinstance(made, str) else "")


def _order_file(key: str) -> Path:
    return works_folder() / key / "order.json"


def _write(work: Work) -> None:
    _replace(works_folder() / work.key / "state.json", json.dumps(asdict(work)).encode())


def _replace(file: Path, content: bytes) -> None:
    part = file.with_suffix(".part")
    part.write_bytes(content)
    part.replace(file)
