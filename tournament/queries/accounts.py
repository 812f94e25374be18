"""The accounts of the site, as an owner looks after them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Count
from django_otp.plugins.otp_totp.models import TOTPDevice


@dataclass(frozen=True, slots=True)
class Account:
    """One account. `own` is the account of whoever looks at the list."""

    pk: int
    name: str
    is_owner: bool
    events: int
    last: datetime | None
    is_closed: bool
    has_factor: bool
    own: bool


def accounts(viewer: User) -> tuple[Account, ...]:
    """Every account: those in use by name, then those that are closed."""
    with_app = set(TOTPDevice.objects.filter(confirmed=True).values_list("user_id", flat=True))
    found = User.objects.annotate(events=Count("offices")).order_by("-is_active", "username")
    return tuple(
        Account(
            pk=user.pk,
            name=user.get_username(),
            is_owner=user.is_staff or user.is_superuser,
            events=user.events,
            last=user.last_login,
            is_closed=not user.is_active,
            has_factor=user.pk in with_app,
            own=user == viewer,
        )
        for user in found
    )
