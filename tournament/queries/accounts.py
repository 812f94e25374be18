"""The accounts of the site: their second factor, and where they are signed in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.models import Official
from tournament.site import sessions
from tournament.words.texts import by_alphabet


def accounts() -> list[User]:
    """Every account: open ones by name, then closed ones. Each has a count of its `events`."""
    apps = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
    people = User.objects.annotate(events=Count("offices"), has_factor=Exists(apps))
    return sorted(people, key=lambda user: (not user.is_active, by_alphabet(user.username), user.pk))


# The second factor of an account: who needs one on the internet, and who has it.


def needs_factor(user: User) -> bool:
    """Whether an account can change so much that a password alone is not enough: owners and directors."""
    return user.is_staff or user.is_superuser or Official.objects.filter(user=user, role="director").exists()


def has_factor(user: User) -> bool:
    """Whether an authenticator app was set up and has shown a right code."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


# Where an account is signed in: every browser with a sign-in, since when, from where, last seen.

# How browsers name themselves, in the order in which to look: many mention other browsers next to their own name.
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "Chromebook"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class SignIn:
    """One browser. `key` names it on the page and gives no access; `here` is the browser that made the request."""

    key: str
    browser: str
    address: str
    since: datetime
    seen: datetime
    here: bool


def sign_ins_of(user: User, current: str | None) -> tuple[SignIn, ...]:
    """The browsers in which somebody is signed in now: this one first, then the most recently seen."""
    browsers = [_sign_in(session, data, current) for session, data in sessions_of(user)]
    return tuple(sorted(browsers, key=lambda browser: (not browser.here, -browser.seen.timestamp(), browser.key)))


def sessions_of(user: User) -> Iterator[tuple[Session, dict[str, Any]]]:
    """The sessions of an account that have not ended, with their data."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()):
        data = session.get_decoded()
        if data.get(SESSION_KEY) == str(user.pk):
            yield session, data


def public_key(session_key: str) -> str:
    """A displayable name for a session. It cannot be turned back into the cookie."""
    return salted_hmac("uptown.sign-in", session_key, algorithm="sha256").hexdigest()[:32]


def browser_words(header: str) -> str:
    """“Firefox on Windows”, from the browser's own description."""
    browser = next((words for mark, words in BROWSERS if mark in header), "")
    system = next((words for mark, words in SYSTEMS if mark in header), "")
    return " on ".join(part for part in (browser, system) if part) or "A browser"


def _sign_in(session: Session, data: dict[str, Any], current: str | None) -> SignIn:
    seen = session.expire_date - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    return SignIn(
        key=public_key(session.session_key),
        browser=browser_words(data.get(sessions.BROWSER, "")),
        address=data.get(sessions.ADDRESS, ""),
        since=datetime.fromtimestamp(data.get(sessions.SINCE, seen.timestamp()), UTC),
        seen=seen,
        here=session.session_key == current,
    )
