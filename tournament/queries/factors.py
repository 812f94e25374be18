"""The second factor of an account: who needs one on the internet, and who has it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.models import Official


def needs_factor(user: User) -> bool:
    """Whether an account may change so much that a password alone is too little: owners and directors."""
    return user.is_staff or user.is_superuser or Official.objects.filter(user=user, role="director").exists()


def has_factor(user: User) -> bool:
    """Whether an authenticator app was set up and has shown a right code once."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())
