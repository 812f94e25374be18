"""Accounts: creating them, passwords, second factors, closing them, and who may sign in after a restore."""

from __future__ import annotations

import secrets
from datetime import datetime
from itertools import starmap
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import DatabaseError, transaction
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from tournament.access import Actor, directs_everything
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Device, Event, Installation, Official
from tournament.queries.accounts import has_factor, public_key, sessions_of
from tournament.queries.rules import undirected
from tournament.site.limits import MANY, limited

# The second factor: set up an authenticator app, check its codes, reset it when the phone is lost.


RECOVERY_CODES = 10
APP_DIGITS = 6
FAILURES_A_MINUTE = 30
WRONG = "This code is not right. The app shows a new one every 30 seconds; after a wrong one wait a few seconds."


def new_key() -> str:
    """The key to set an app up with.

    It belongs to one browser: anybody else who knows the password gets another key.
    """
    return str(random_hex())


def app_with(user: User, key: str) -> TOTPDevice:
    """An unsaved app device that has not shown a right code yet."""
    return TOTPDevice(user=user, name="app", key=key)


@transaction.atomic
def confirm_factor(user: User, key: str, code: str) -> tuple[TOTPDevice, list[str]]:
    """Make the app the second factor once it shows a right code, and return its recovery codes.

    They are shown only once.

    Raises ValidationFailed.

    If two browsers do this at the same moment, only one of them sets it up.
    """
    User.objects.select_for_update().get(pk=user.pk)
    device = app_with(user, key)
    _must_be_right(not has_factor(user) and device.verify_token(_plain(code)))
    StaticDevice.objects.filter(user=user).delete()
    kept = StaticDevice.objects.create(user=user, name="recovery")
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=kept, token=one) for one in codes)
    return device, codes


def check_factor(user: User, code: str, address: str) -> str:
    """Return the name of the device that showed this code: the app, or a recovery code, which is then used up.

    Raises ValidationFailed and TooMany.
    """
    code = _plain(code)
    kind = TOTPDevice if len(code) == APP_DIGITS else StaticDevice
    with limited("code", address, FAILURES_A_MINUTE, MANY.format("wrong codes")) as tried:
        known = kind.objects.filter(user=user, confirmed=True).first()
        _must_be_right(known is not None and verify_token(user, known.persistent_id, code) is not None)
        tried.was_right()
    return str(known.persistent_id)


@transaction.atomic
def reset_factor(user: User) -> None:
    """Remove the second factor: the account sets up a new one at its next sign-in."""
    for kind in (TOTPDevice, StaticDevice):
        kind.objects.filter(user=user).delete()


def _plain(code: str) -> str:
    return "".join(code.split()).replace("-", "").lower()[:20]


def _must_be_right(is_right: bool) -> None:
    if not is_right:
        raise ValidationFailed([Fault("code", WRONG)])


# Accounts get a random password that is shown once; the owner then chooses one and is signed out in other browsers.

# Words that are easy to read aloud across a hall.
WORDS = (
    "amber basil cedar delta ember fable grove hazel iris jolly kettle lemon maple noble olive pearl quartz river "
    "silver tulip umber violet walnut yellow zephyr acorn bramble clover dapple elm fern ginger harbor ivory juniper"
).split()


def new_password() -> str:
    """Five words and a number: more than 30 bits, long enough to type and too long to guess at five tries a minute."""
    return "-".join([*(secrets.choice(WORDS) for _ in range(5)), str(secrets.randbelow(9000) + 1000)])


def ensure_user(name: str, *, password: str | None = None, owner: bool = False) -> tuple[User, str | None]:
    """Return the user of this name, and the password if the user had to be created."""
    with transaction.atomic():
        user, created = User.objects.get_or_create(username=name, defaults={"is_staff": owner, "is_superuser": owner})
        if not created:
            return user, None
        password = password or new_password()
        user.set_password(password)
        user.save(update_fields=["password"])
        return user, password


def first_owner() -> list[tuple[str, str, str]]:
    """Create the owner's account if there is no account yet: its name, its password, and a note to show with them."""
    if User.objects.exists():
        return []
    user, password = ensure_user("owner", owner=True)
    return [(user.get_username(), password or "", "everything; shown only this once, so write it down")]


@transaction.atomic
def end_sign_ins(actor: Actor, current: str | None, key: str = "") -> int:
    """End one sign-in of the actor's account, or without a key all but the current one. Returns how many ended."""
    keys = [session.session_key for session, _ in sessions_of(actor.account)]
    ended = [one for one in keys if (public_key(one) == key if key else one != current)]
    Session.objects.filter(session_key__in=ended).delete()
    return len(ended)


@transaction.atomic
def close_account(actor: Actor, user: int) -> tuple[str, list[str]]:
    """Stop an account from signing in, end its sign-ins, and return its name, which stays in the log.

    This works at once, even for the only director of an event. Such events are named.
    """
    account = _theirs(actor, user)
    if account == actor.account:
        raise ValidationFailed([Fault("", "This is your own account: another owner can close it.")])
    account.is_active = False
    account.save(update_fields=["is_active"])
    _sign_out(account)
    return account.get_username(), undirected(account)


@transaction.atomic
def open_account(actor: Actor, user: int) -> str:
    """Open a closed account again and return its name."""
    account = _theirs(actor, user)
    account.is_active = True
    account.save(update_fields=["is_active"])
    return account.get_username()


@transaction.atomic
def reset_second_factor(actor: Actor, user: int) -> str:
    """Remove an account's second factor, end its sign-ins, and return its name."""
    account = _theirs(actor, user)
    reset_factor(account)
    _sign_out(account)
    return account.get_username()


def _theirs(actor: Actor, user: int) -> User:
    """Return an account that the actor may change. Only the installation's own account may change one like it."""
    account = User.objects.filter(pk=user).first()
    if account is None:
        raise Conflict("There is no such account.")
    if directs_everything(Actor(account)) and not directs_everything(actor):
        raise ValidationFailed(
            [Fault("", "This account was made at the first start: only an account like it can change it.")]
        )
    return account


def _sign_out(account: User) -> None:
    keys = [session.session_key for session, _ in sessions_of(account)]
    Session.objects.filter(session_key__in=keys).delete()


@transaction.atomic
def change_password(actor: Actor, current: str | None, password: str, email: str = "") -> int:
    """Give the actor's account another password. Returns how many sign-ins in other browsers ended."""
    actor.account.set_password(password)
    actor.account.email = email
    actor.account.save(update_fields=["password", "email"])
    return end_sign_ins(actor, current)


# Who may sign in, kept across a restore: access that was revoked since the backup stays revoked.

# Includes the mail address, because the link for a new password goes there.
ACCOUNT = ("username", "password", "email", "is_active", "is_staff", "is_superuser")
# Includes the time of the last accepted code, so that no code is accepted twice.
APP = ("name", "confirmed", "key", "step", "t0", "digits", "tolerance", "drift", "last_t")


class Office(NamedTuple):
    """Who holds which office in an event.

    The event's creation time is part of it: after a restore, another event may have its number.
    """

    event: int
    made: datetime
    name: str
    role: str


class Admission(NamedTuple):
    """Who may sign in according to a database: accounts with apps and recovery codes, offices, and tablets."""

    installation: str
    accounts: dict[str, dict[str, Any]]
    apps: list[dict[str, Any]]
    codes: list[tuple[str, str]]
    events: set[tuple[int, datetime]]
    offices: set[Office]
    withdrawn: dict[tuple[int, datetime], datetime]


class KeptAdmission(NamedTuple):
    """How much access a restored database would have given back."""

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
    """Keep everybody out of the restored database who was not let in before, and end every sign-in.

    Returns None if that is not known: there was no database, or it belonged to another site.
    """
    end_every_sign_in()
    now = admission()
    if before is None or now is None or not before.installation or before.installation != now.installation:
        return None
    accounts = _keep_accounts(before, now)
    _keep_factors(before)
    return KeptAdmission(accounts, _keep_offices(before, now), _keep_withdrawn(before))


def end_every_sign_in() -> None:
    """Everybody signs in again: otherwise a sign-in that ended after the backup would be valid again."""
    Session.objects.all().delete()
    if "cache" in settings.SESSION_ENGINE:
        caches[settings.SESSION_CACHE_ALIAS].clear()


def _keep_accounts(before: Admission, now: Admission) -> int:
    """Accounts created since the backup are created again: an event must not lose its only director."""
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
    """A phone that was lost since stays shut out, and a used recovery code stays used."""
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
    """An event that did not exist before keeps the officials of the backup; otherwise nobody would direct it."""
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
