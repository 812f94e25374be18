"""Accounts: made with a random password that is shown once, given one of their own, signed out in other browsers."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction

from tournament.access import Actor
from tournament.queries.accounts import public_key, sessions_of
from tournament.queries.rules import undirected
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.factors import reset_factor

# Words that are easily read aloud across a hall.
WORDS = (
    "amber basil cedar delta ember fable grove hazel iris jolly kettle lemon maple noble olive pearl quartz river "
    "silver tulip umber violet walnut yellow zephyr acorn bramble clover dapple elm fern ginger harbor ivory juniper"
).split()


def new_password() -> str:
    """Five words and a number: more than 30 bits, long enough to type and too long to guess at five tries a minute."""
    return "-".join([*(secrets.choice(WORDS) for _ in range(5)), str(secrets.randbelow(9000) + 1000)])


def ensure_user(name: str, *, password: str | None = None, owner: bool = False) -> tuple[User, str | None]:
    """The user of this name, made with a password if there is none yet. Returns the password only if it was made."""
    with transaction.atomic():
        user, created = User.objects.get_or_create(username=name, defaults={"is_staff": owner, "is_superuser": owner})
        if not created:
            return user, None
        password = password or new_password()
        user.set_password(password)
        user.save(update_fields=["password"])
        return user, password


def first_owner() -> list[tuple[str, str, str]]:
    """Where there is no account yet, the owner's: name, password, and what is said beside them."""
    if User.objects.exists():
        return []
    user, password = ensure_user("owner", owner=True)
    return [(user.get_username(), password or "", "everything; shown only this once, so write it down")]


@transaction.atomic
def end_sign_ins(actor: Actor, current: str | None, key: str = "") -> int:
    """End one sign-in of the actor's account, or without a key all but the current one; says how many ended."""
    keys = [session.session_key for session, _ in sessions_of(actor.account)]
    ended = [one for one in keys if (public_key(one) == key if key else one != current)]
    Session.objects.filter(session_key__in=ended).delete()
    return len(ended)


@transaction.atomic
def close_account(actor: Actor, user: int) -> tuple[str, list[str]]:
    """Let nobody sign in with an account any more, and end its sign-ins. Gives its name, which stays in the log.

    Somebody may have to be locked out at once, also the only director of an event: such events are named.
    """
    account = _theirs(actor, user)
    if account == actor.account:
        raise Invalid([Fault("", "This is your own account: another owner can close it.")])
    account.is_active = False
    account.save(update_fields=["is_active"])
    _sign_out(account)
    return account.get_username(), undirected(account)


@transaction.atomic
def open_account(actor: Actor, user: int) -> str:
    """Open a closed account again; gives its name."""
    account = _theirs(actor, user)
    account.is_active = True
    account.save(update_fields=["is_active"])
    return account.get_username()


@transaction.atomic
def reset_second_factor(actor: Actor, user: int) -> str:
    """Take an account's second factor back and end its sign-ins; gives its name."""
    account = _theirs(actor, user)
    reset_factor(account)
    _sign_out(account)
    return account.get_username()


def _theirs(actor: Actor, user: int) -> User:
    """An account that the owner may change: the installation's own only by itself."""
    account = User.objects.filter(pk=user).first()
    if account is None:
        raise Changed("There is no such account.")
    if account.is_superuser and not actor.account.is_superuser:
        raise Invalid([Fault("", "This account was made at the first start: only its own like can change it.")])
    return account


def _sign_out(account: User) -> None:
    keys = [session.session_key for session, _ in sessions_of(account)]
    Session.objects.filter(session_key__in=keys).delete()


@transaction.atomic
def change_password(actor: Actor, current: str | None, password: str, email: str = "") -> int:
    """Give the actor's account another password; says how many sign-ins in other browsers ended with the old one."""
    actor.account.set_password(password)
    actor.account.email = email
    actor.account.save(update_fields=["password", "email"])
    return end_sign_ins(actor, current)
