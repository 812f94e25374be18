"""Passwords: a few are checked at a time, and wrong ones are counted by the address that they come from."""

from __future__ import annotations

import threading
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.http import HttpRequest
from django_otp import user_has_device

from tournament.limits import limited
from tournament.refusals import TooMany

# Behind one router a whole hall has one address; five wrong passwords for one name are locked before.
FAILURES_A_MINUTE = 30
# A password alone is longer than one beside a second factor.
LEAST, LEAST_BESIDE_A_CODE = 15, 12
# A password takes a core for a third of a second. Whoever waits holds one of the server's sixteen threads: pages and
# tablets keep half of them, and find time between three.
AT_ONCE, IN_LINE = 3, 8
CROWDED = "Too many people are signing in at this moment. Please try again in a few seconds."


class LengthValidator(MinimumLengthValidator):
    """Django's own, with fewer letters for an account that shows a code of an app, too."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError where the password is too short."""
        is_beside = settings.SECOND_FACTOR and user is not None and user.pk is not None and user_has_device(user)
        MinimumLengthValidator(LEAST_BESIDE_A_CODE if is_beside else LEAST).validate(password, user)


class QueuedHasher(PBKDF2PasswordHasher):
    """Django's own hash. Three are computed at a time in a process, a few more wait, and all others are told to."""

    _line, _places = threading.BoundedSemaphore(IN_LINE), threading.BoundedSemaphore(AT_ONCE)

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Compute the hash when it is its turn. Raises TooMany where too many wait already."""
        if not self._line.acquire(blocking=False):
            raise TooMany(CROWDED, seconds=3)
        try:
            with self._places:
                return super().encode(password, salt, iterations)
        finally:
            self._line.release()


class PasswordBackend(ModelBackend):
    """Django's own check of name and password, so many wrong ones a minute from one address, whatever the names."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **more: Any
    ) -> User | None:
        """The account of this name and password. Raises TooMany."""
        address = request.META.get("REMOTE_ADDR", "") if request is not None else ""
        with limited("sign-in", address, FAILURES_A_MINUTE, "wrong passwords") as tried:
            user = super().authenticate(request, username=username, password=password, **more)
            if user is not None:
                tried.was_right()
        return user if isinstance(user, User) else None
