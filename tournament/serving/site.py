"""The process that answers: the site, and the companions that a hall needs while it runs."""

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
    """The site for the server, with its companions: they end with it, and it ends with its parent process."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        # Ctrl+C and a closed window reach this process as well: a second signal to stop would make it hang.
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGHUP])
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    take_short_turns()
    application = get_wsgi_application()
    _start_companions(application)
    # Everything loaded so far stays as long as the process: garbage collection need not look at it again and again.
    gc.freeze()
    return application


def take_short_turns() -> None:
    """While one thread makes a paper, the others answer tablets: they get their turn after a millisecond, not five."""
    sys.setswitchinterval(0.001)


def _start_companions(application: Any) -> None:
    # Imported once Django is set up, which in a new process happens only now.
    from tournament.serving import keeping, server

    if settings.HALL_TRUST:
        server.open_door(application, settings.HALL_TRUST)
    keeping.start_backups()


def _end_with(parent: Any) -> None:
    """The parent process was killed: free its port, so that the site comes back at the same address."""
    parent.join()
    os._exit(1)
