"""Passwords: a few are checked at a time, and wrong ones are counted by name and address, and by address alone."""

from __future__ import annotations

import hashlib
import threading
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django_otp import user_has_device

from tournament.errors import TooMany
from tournament.site.limits import MANY, limited

# A whole hall shares one address behind its router: five wrong passwords lock one name at that address, and nobody
# else.
WRONG_PASSWORDS = 5
LOCKED = "The password was wrong five times. Please wait a minute, then try again."
FAILURES_A_MINUTE = 30
# A password alone must be longer than one with a second factor.
LEAST, LEAST_BESIDE_A_CODE = 15, 12
# Runs that a finger can slide along: the alphabet, and the keyboard by rows and by columns.
ROWS = "abcdefghijklmnopqrstuvwxyz 01234567890 qwertyuiop asdfghjkl zxcvbnm 1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p"
LEAST_STEPS = 8
PLAIN = "This password is easy to guess: your name, repeats and runs like 1234 do not count. Add a few words."
# A password takes a core for a third of a second. Each waiting user holds one of the server's sixteen threads: pages
# and tablets keep half of them, and get time between three checks.
AT_ONCE, IN_LINE = 3, 8
CROWDED = "Too many people are signing in at this moment. Please try again in a few seconds."


class LengthValidator(MinimumLengthValidator):
    """Django's own, with fewer letters for an account that also uses the code of an app."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError if the password is too short."""
        is_beside = settings.SECOND_FACTOR and user is not None and user.pk is not None and user_has_device(user)
        MinimumLengthValidator(LEAST_BESIDE_A_CODE if is_beside else LEAST).validate(password, user)


class PlainValidator:
    """Without the account's name, this many steps from one letter to the next must be neither runs nor repeats."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError if the rest is too little."""
        rest = password.casefold()
        for name in (user.username, user.email.partition("@")[0]) if user is not None else ():
            rest = rest.replace(name.casefold(), "") if len(name) > 2 else rest
        steps = {step for step in pairwise(rest) if len(set(step)) == 2 and "".join(step) not in ROWS + ROWS[::-1]}
        if len(steps) < LEAST_STEPS:
            raise ValidationError(PLAIN)


class QueuedHasher(PBKDF2PasswordHasher):
    """Django's own hash. A process computes three at a time, a few more wait, and all others are asked to."""

    _line, _places = threading.BoundedSemaphore(IN_LINE), threading.BoundedSemaphore(AT_ONCE)

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Compute the hash in turn. Raises TooMany if too many wait already."""
        if not self._line.acquire(blocking=False):
            raise TooMany(CROWDED, seconds=3)
        try:
            with self._places:
                return super().encode(password, salt, iterations)
        finally:
            self._line.release()


class PasswordBackend(ModelBackend):
    """Django's own check of name and password, with a limit of wrong ones a minute for a name at one address.

    Some more are allowed from the address, whatever the names.
    """

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **more: Any
    ) -> User | None:
        """The account of this name and password. Raises TooMany."""
        address = request.META.get("REMOTE_ADDR", "") if request is not None else ""
        # A name of any length and characters becomes a key of the cache.
        name = hashlib.sha256((username or "").encode()).hexdigest()[:32]
        with (
            limited("sign-in", address, FAILURES_A_MINUTE, MANY.format("wrong passwords")) as from_here,
            limited(f"sign-in:{name}", address, WRONG_PASSWORDS, LOCKED) as with_name,
        ):
            user = super().authenticate(request, username=username, password=password, **more)
        if isinstance(user, User):
            from_here.was_right()
            with_name.forget_all()
            return user
        if with_name.number == WRONG_PASSWORDS:
            with_name.start_minute()
            raise TooMany(LOCKED)
        return None
