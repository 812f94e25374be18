"""Who may come in, carried over a restore: what was taken away since the backup does not come back with it."""

from __future__ import annotations

from datetime import datetime
from itertools import starmap
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import DatabaseError
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.models import Device, Event, Installation, Official

# With the mail address: a link to a new password goes there.
ACCOUNT = ("username", "password", "email", "is_active", "is_staff", "is_superuser")
# With the last moment whose code was taken: none is taken twice.
APP = ("name", "confirmed", "key", "step", "t0", "digits", "tolerance", "drift", "last_t")


class Office(NamedTuple):
    """Who is what in an event. After a restore another event may have its number, but was not made at that moment."""

    event: int
    made: datetime
    name: str
    role: str


class Admission(NamedTuple):
    """Who may come in, as a database says it: accounts with apps and recovery codes, offices and tablets."""

    installation: str
    accounts: dict[str, dict[str, Any]]
    apps: list[dict[str, Any]]
    codes: list[tuple[str, str]]
    events: set[tuple[int, datetime]]
    offices: set[Office]
    withdrawn: dict[tuple[int, datetime], datetime]


class KeptAdmission(NamedTuple):
    """How much of a restored database would have let somebody in otherwise."""

    accounts: int
    offices: int
    tablets: int


def admission() -> Admission | None:
    """Who may come in now; None where the database cannot be read."""
    try:
        return Admission(
            Installation.objects.values_list("name", flat=True).first() or "",
            {one["username"]: one for one in User.objects.values(*ACCOUNT)},
            list(TOTPDevice.objects.order_by("user__username", "pk").values("user__username", *APP)),
            list(StaticToken.objects.order_by("pk").values_list("device__user__username", "token")),
            set(Event.objects.values_list("pk", "created_at")),
            set(starmap(Office, Official.objects.values_list("event", "event__created_at", "user__username", "role"))),
            {(pk, made): at for pk, made, at in Device.objects.values_list("pk", "created_at", "revoked_at") if at},
        )
    except DatabaseError:
        return None


def keep_admission(before: Admission | None) -> KeptAdmission | None:
    """Let nobody into the restored database who was not let in before, and end every sign-in.

    None where that is not known: there was no database, or one of another site.
    """
    end_every_sign_in()
    now = admission()
    if before is None or now is None or not before.installation or before.installation != now.installation:
        return None
    accounts = _keep_accounts(before, now)
    _keep_factors(before)
    return KeptAdmission(accounts, _keep_offices(before, now), _keep_withdrawn(before))


def end_every_sign_in() -> None:
    """Everybody signs in again: a sign-in that ended after the backup would live again."""
    Session.objects.all().delete()
    if "cache" in settings.SESSION_ENGINE:
        caches[settings.SESSION_CACHE_ALIAS].clear()


def _keep_accounts(before: Admission, now: Admission) -> int:
    """Accounts made since are made again: an event must not lose its only director."""
    closed = {
        name: one | {"is_active": False}
        for name, one in now.accounts.items()
        if name not in before.accounts and one["is_active"]
    }
    other = {name: one for name, one in before.accounts.items() if now.accounts.get(name) != one} | closed
    for name, account in other.items():
        User.objects.update_or_create(username=name, defaults=account)
    return len(other)


def _keep_factors(before: Admission) -> None:
    """A phone that was lost since lets nobody in again, and a recovery code that was used up stays so."""
    for kind in (TOTPDevice, StaticDevice):
        kind.objects.all().delete()
    users = dict(User.objects.values_list("username", "pk"))
    TOTPDevice.objects.bulk_create(
        TOTPDevice(user_id=users[app["user__username"]], **{name: app[name] for name in APP}) for app in before.apps
    )
    owners = dict.fromkeys(name for name, _ in before.codes)
    kept = {name: StaticDevice.objects.create(user_id=users[name], name="recovery") for name in owners}
    StaticToken.objects.bulk_create(StaticToken(device=kept[name], token=token) for name, token in before.codes)


def _keep_offices(before: Admission, now: Admission) -> int:
    """An event that was not there before keeps those of the backup, or nobody would direct it."""
    users = dict(User.objects.values_list("username", "pk"))
    events = before.events & now.events
    old, new = ({one for one in offices if one[:2] in events} for offices in (now.offices, before.offices))
    for event, _, name, role in old - new:
        Official.objects.filter(event=event, user=users[name], role=role).delete()
    Official.objects.bulk_create(
        Official(event_id=event, user_id=users[name], role=role) for event, _, name, role in new - old
    )
    return len({(one.event, one.name) for one in old ^ new})


def _keep_withdrawn(before: Admission) -> int:
    back = [one for one in Device.objects.filter(revoked_at=None) if (one.pk, one.created_at) in before.withdrawn]
    for device in back:
        device.revoked_at, device.code_hash = before.withdrawn[device.pk, device.created_at], ""
    Device.objects.bulk_update(back, ["revoked_at", "code_hash"])
    return len(back)
