"""The player at work in the demo: one thread of the server's one process, which ends with it.

Whether it plays is known by whether the thread lives, and nothing of it is stored: after a crash nobody plays, and no
flag says otherwise. The evening itself goes on where it was.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import NamedTuple

from django.conf import settings
from django.db import OperationalError, connection

from tournament.access import Actor
from tournament.demo.evenings import TABLE, evening_in_play, is_over
from tournament.demo.people import DIRECTOR, director
from tournament.demo.player.director import AT_ONCE, DIRECTING, LOOKING_ON, Pace
from tournament.demo.player.evening import Evening, Step
from tournament.demo.player.line import Connection, Lost
from tournament.models import Event
from tournament.refusals import Changed

# Whoever waits for people looks again after this; a site that is busy is left alone for as long.
LOOK_AGAIN = 0.2
BUSY = 2
# A fault of the program that comes back so often in a row ends the play.
MOST_FAULTS = 5
log = logging.getLogger(__name__)


class PlayState(NamedTuple):
    """What the page shows: whether the other tables play, whether Dana does too, how fast, and what is going on."""

    event: Event | None
    plays: bool = False
    directs: bool = False
    rate: str = ""
    said: str = ""
    waits: str = ""

    @property
    def version(self) -> str:
        return f"{self.plays:d}{self.directs:d}/{self.waits or self.said}"

    @property
    def ended(self) -> str:
        """Why nobody can play, in words."""
        if self.event is None or self.plays or self.may_start:
            return ""
        return "The evening is over." if self.event.stage == "over" else "This evening was on another day."

    @property
    def may_start(self) -> bool:
        return self.event is not None and not self.plays and not is_over(self.event)


class Run:
    def __init__(self, event: Event, port: int, directs: bool) -> None:
        self.slug, self.said, self.waits = event.slug, "", ""
        line = reach(port)
        actor = Actor(director())
        self.evening = Evening(event, line, pace(directs), (DIRECTOR, "demo"), actor, TABLE)
        self.evening.directs = directs
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._play, name="player", daemon=True)

    @property
    def plays(self) -> bool:
        return self.thread.is_alive() and not self.stopping.is_set()

    def direct(self, directs: bool) -> None:
        """Also direct from now on, or leave that to people."""
        self.evening.direct(pace(directs), directs=directs)

    def _play(self) -> None:
        seconds, faults = 0.0, 0
        while not self.stopping.wait(seconds):
            began = time.monotonic()
            try:
                step = self._step()
                faults = 0
            except (Lost, OperationalError):
                step = Step(waits="The site is busy.", seconds=BUSY)
            except Exception:
                log.exception("The player stumbled")
                faults += 1
                step = Step(waits="Something went wrong; it is tried again.", seconds=BUSY, over=faults == MOST_FAULTS)
            finally:
                connection.close()
            self.said, self.waits = step.said or self.said, step.waits
            if step.over:
                return
            # What the step itself took is part of its time.
            seconds = max(step.seconds - (time.monotonic() - began), 0 if step.said else LOOK_AGAIN)

    def _step(self) -> Step:
        current = evening_in_play()
        if current is None or current.slug != self.slug:
            return Step(waits="Another evening was started.", over=True)
        return self.evening.step()


_lock = threading.Lock()
_run: Run | None = None


def start(port: int, *, directs: bool) -> None:
    """Let the other tables play, if nobody does yet. Raises Changed where there is nothing to play, or it plays."""
    global _run
    with _lock:
        event = evening_in_play()
        if event is None or is_over(event):
            raise Changed("This evening is over, or was on another day. Start it over first.")
        if _run is not None and _run.plays:
            raise Changed("The other tables are playing already.")
        if _run is not None:
            # Whoever was told to stop finishes what was begun.
            _run.thread.join(BUSY)
        _run = Run(event, port, directs)
        _run.thread.start()


def direct(directs: bool) -> None:
    """Also direct, or no more. Raises Changed where nobody plays."""
    if _run is None or not _run.plays:
        raise Changed("Nobody is playing. Let the other tables play first.")
    _run.direct(directs)


def stop() -> None:
    """Stop after the hand that is being written; pressed twice it is stopped as well."""
    if _run is not None:
        _run.stopping.set()
        _run.waits = ""


def play_state() -> PlayState:
    event = evening_in_play()
    if event is None or _run is None or _run.slug != event.slug:
        return PlayState(event, rate=pace(False).words)
    plays = _run.plays
    directs = plays and _run.evening.directs
    return PlayState(event, plays, directs, pace(directs).words, _run.said, _run.waits)


def reach(port: int) -> Connection:
    """A line to the site's own address. Raises Changed where that does not answer."""
    line = Connection("127.0.0.1", port)
    try:
        line.open()
    except OSError as fault:
        raise Changed("The site does not answer at its own address, so nobody can play.") from fault
    return line


def pace(directs: bool) -> Pace:
    """How fast it plays; tests do not wait."""
    return AT_ONCE if settings.DEMO_AT_ONCE else DIRECTING if directs else LOOKING_ON
