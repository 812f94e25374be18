"""The second factor of an account: who needs one on the internet, and who has it."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.models import Official


def needs_factor(user: User) -> bool:
    """Whether an account may change so much that a password alone is too little: owners and directors."""
    return user.is_staff or user.is_superuser or Official.objects.filter(user=user, role="director").exists()


def has_factor(user: User) -> bool:
    """Whether an authenticator app was set up and has shown a right code once."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def confirms_with_code(*names: str) -> bool:
    """Whether one of these accounts shows a code beside its password where it confirms what somebody else does."""
    found: Iterable[User] = User.objects.filter(username__in=names) if settings.SECOND_FACTOR else ()
    return any(needs_factor(user) or has_factor(user) for user in found)
