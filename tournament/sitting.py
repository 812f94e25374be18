"""How long a sign-in lasts: half an hour without a touch, twelve hours at most; ten minutes for what cannot be undone.

After half an hour without a touch the sign-in is asleep: the pages that asked for news while it was awake go on being
answered, and everything else asks for the password first. What stays open is bounded on purpose:
- it is read only: a GET by which an open page asks for news of itself, and no other;
- it is what was in sight already: the same session, the same address with the same question (another table, another
  filter or another page is not among them);
- it ends twelve hours after the sign-in, whatever happens, and with signing out or a new password at once.
Whoever finds the laptop unattended sees what the screen has been showing all along, and can neither look nor act.

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
# So many pages may be open at once and stay awake; the ones opened last.
MOST_WATCHED = 12
BEGAN, SEEN, PASSWORD = "sitting_began", "sitting_seen", "sitting_password"
ADDRESS, BROWSER, WATCHED = "sitting_address", "sitting_browser", "sitting_watched"

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


def watch(session: Session, page: str) -> None:
    """A page that is open asked for news while somebody was there: it may go on asking when nobody is."""
    watched = session.get(WATCHED, [])
    if page not in watched:
        session[WATCHED] = [*watched, page][-MOST_WATCHED:]


def may_watch(session: Session, page: str) -> bool:
    """Whether this page was open while somebody was there, and the sign-in is not too old."""
    watched: list[str] = session.get(WATCHED, [])
    return page in watched and not is_too_old(session)


def is_asleep(session: Session) -> bool:
    """Whether nobody was there for too long. A clock that fell back ends nothing."""
    now = int(time.time())
    seen: int = session.get(SEEN, now)
    return now - seen > IDLE_SECONDS


def is_too_old(session: Session) -> bool:
    """Whether the sign-in has lasted as long as any may."""
    now = int(time.time())
    began: int = session.get(BEGAN, now)
    return now - began > LONGEST_SECONDS


def is_fresh(session: Session) -> bool:
    """Whether the password was typed in the last ten minutes."""
    typed: int = session.get(PASSWORD, 0)
    return 0 <= int(time.time()) - typed <= FRESH_SECONDS
