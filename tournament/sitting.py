"""How long a sign-in lasts: half an hour without a touch, twelve hours at most; ten minutes for what cannot be undone.

All times are kept in the session, in whole seconds.
"""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from typing import Any

IDLE_SECONDS = 30 * 60
LONGEST_SECONDS = 12 * 3600
FRESH_SECONDS = 10 * 60
# The session is not written at every look at a page.
TOUCH_SECONDS = 60
BEGAN, SEEN, PASSWORD = "sitting_began", "sitting_seen", "sitting_password"
ADDRESS, BROWSER = "sitting_address", "sitting_browser"

Session = MutableMapping[str, Any]


def begin(session: Session, address: str = "", browser: str = "") -> None:
    """Somebody signed in, with a password, just now, from this address with this browser."""
    now = int(time.time())
    session[BEGAN] = session[SEEN] = session[PASSWORD] = now
    session[ADDRESS], session[BROWSER] = address, browser[:300]


def confirm(session: Session) -> None:
    """The password was typed again."""
    session[PASSWORD] = session[SEEN] = int(time.time())


def touch(session: Session) -> None:
    """Somebody is there. A session from before there were sittings begins now."""
    now = int(time.time())
    session.setdefault(BEGAN, now)
    if now - session.get(SEEN, 0) >= TOUCH_SECONDS:
        session[SEEN] = now


def is_over(session: Session) -> bool:
    """Whether nobody was there for too long, or the sign-in is too old. A clock that fell back ends nothing."""
    now = int(time.time())
    return now - session.get(SEEN, now) > IDLE_SECONDS or now - session.get(BEGAN, now) > LONGEST_SECONDS


def is_fresh(session: Session) -> bool:
    """Whether the password was typed in the last ten minutes."""
    return 0 <= int(time.time()) - session.get(PASSWORD, 0) <= FRESH_SECONDS
