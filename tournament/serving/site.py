"""The process that answers: the site, and beside it what a hall needs while it runs."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application


def site() -> Any:
    """The site for the server, with its companions: they end with it, and it ends with the process that started it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        # Ctrl+C and a closed window reach this process as well: told twice to stop, it would hang until it is killed.
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGHUP])
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    take_short_turns()
    application = get_wsgi_application()
    _start_companions(application)
    # What was loaded stays as long as the process: it is not looked through again and again for garbage.
    gc.freeze()
    return application


def take_short_turns() -> None:
    """While one thread makes a paper, the others answer tablets: they get their turn after a millisecond, not five."""
    sys.setswitchinterval(0.001)


def _start_companions(application: Any) -> None:
    # Imported when Django is set up, which a process that starts afresh does only now.
    from tournament.serving import keeping, server

    if settings.HALL_TRUST:
        server.open_door(application, settings.HALL_TRUST)
    keeping.start_backups()


def _end_with(parent: Any) -> None:
    """Whoever started this was killed: leave its port, so that the site comes back under the same address."""
    parent.join()
    os._exit(1)
