"""Who is at work in the demo. They need no password: nobody has one there."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest

from tournament.services.accounts import ensure_user

DIRECTOR, VERIFIER = "dana", "vic"


class OpenDoors(ModelBackend):
    """Signs in whom a door names, whatever the password is; never an owner, and nobody but these two."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **said: Any
    ) -> User | None:
        if not settings.DEMO or username not in (DIRECTOR, VERIFIER):
            return None
        return User.objects.filter(username=username, is_staff=False, is_superuser=False, is_active=True).first()


def director() -> User:
    """Dana, who directs the samples and nothing else."""
    return _person(DIRECTOR)


def verifier() -> User:
    """Vic, who types sheets in and compares them."""
    return _person(VERIFIER)


def in_the_demo(request: HttpRequest) -> dict[str, Any]:
    """What every page of the demo knows: that it is one."""
    return {"demo": settings.DEMO}


def _person(name: str) -> User:
    return ensure_user(name)[0]
