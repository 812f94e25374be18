"""Accounts of officials. There are no default passwords: the first start makes random ones and shows them once."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.db import transaction

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
