"""What a session holds besides Django's data: since when and where somebody is signed in, and when last active.

A sign-in ends twelve hours after a person's last page or act (`SESSION_COOKIE_AGE`). Automatic requests of a page
neither extend it nor write it. All times are whole seconds.
"""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from typing import Any

from django.contrib.auth import SESSION_KEY

# How long a typed password is valid for costly acts.
FRESH_SECONDS = 10 * 60
# The session is not written at every page.
WRITE_SECONDS = 10 * 60
SINCE, SEEN, PASSWORD, ADDRESS, BROWSER = "since", "seen", "password_typed", "address", "browser"

Session = MutableMapping[str, Any]


def begin(session: Session, address: str = "", browser: str = "") -> None:
    """Somebody signed in, with a password, just now, from this address with this browser."""
    now = int(time.time())
    session[SINCE] = session[SEEN] = session[PASSWORD] = now
    session[ADDRESS], session[BROWSER] = address, browser[:300]


def note_password(session: Session) -> None:
    """The password was typed again."""
    session[PASSWORD] = session[SEEN] = int(time.time())


def note_activity(session: Session) -> None:
    """The signed-in user did something. A clock that was set back is written, too."""
    now = int(time.time())
    if SESSION_KEY in session and abs(now - session.get(SEEN, 0)) >= WRITE_SECONDS:
        session[SEEN] = now


def is_fresh(session: Session) -> bool:
    """Whether the password was typed in the last ten minutes."""
    typed: int = session.get(PASSWORD, 0)
    return 0 <= int(time.time()) - typed <= FRESH_SECONDS
