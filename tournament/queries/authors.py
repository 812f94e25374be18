"""Who wrote something: a person with an account, a table's tablet, or a name that stood in an event file."""

from __future__ import annotations

from django.contrib.auth.models import User

from tournament.models import Device


def shown_author(by: str, person: User | None = None, device: Device | None = None) -> str:
    """The same as people read it on a sheet: an official by the own name, where the account has one."""
    return (not by and person is not None and person.get_full_name()) or author(by, person, device)


def author(by: str, person: User | None = None, device: Device | None = None) -> str:
    """The name as it is shown; nothing where nobody is known."""
    if by:
        return by
    if person is not None:
        return person.get_username()
    return f"Table {device.table}" if device is not None else ""
