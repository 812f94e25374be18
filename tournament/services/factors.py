"""The second factor: an authenticator app is set up, its codes are checked, and what is lost is reset."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from tournament.limits import MANY, limited
from tournament.queries.accounts import has_factor
from tournament.refusals import Fault, Invalid

RECOVERY_CODES = 10
APP_DIGITS = 6
FAILURES_A_MINUTE = 30
WRONG = "This code is not right. The app shows a new one every 30 seconds; after a wrong one wait a few seconds."


def new_key() -> str:
    """What an app is set up with. It is one browser's: whoever else knows the password is shown another one."""
    return str(random_hex())


def app_with(user: User, key: str) -> TOTPDevice:
    """An app that has not shown a right code yet, and is not stored."""
    return TOTPDevice(user=user, name="app", key=key)


@transaction.atomic
def confirm_factor(user: User, key: str, code: str) -> tuple[TOTPDevice, list[str]]:
    """Take the app as second factor once it shows a right code, and give its recovery codes, once. Raises Invalid.

    Of two browsers that do this at the same moment one has set it up.
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
    """The name of what showed this code: the app, or a recovery code, which is used up. Raises Invalid, and TooMany."""
    code = _plain(code)
    kind = TOTPDevice if len(code) == APP_DIGITS else StaticDevice
    with limited("code", address, FAILURES_A_MINUTE, MANY.format("wrong codes")) as tried:
        known = kind.objects.filter(user=user, confirmed=True).first()
        _must_be_right(known is not None and verify_token(user, known.persistent_id, code) is not None)
        tried.was_right()
    return str(known.persistent_id)


@transaction.atomic
def reset_factor(user: User) -> None:
    """Take the second factor back: the account sets a new one up at its next sign-in."""
    for kind in (TOTPDevice, StaticDevice):
        kind.objects.filter(user=user).delete()


def _plain(code: str) -> str:
    return "".join(code.split()).replace("-", "").lower()[:20]


def _must_be_right(is_right: bool) -> None:
    if not is_right:
        raise Invalid([Fault("code", WRONG)])
