"""Who wrote something: a person with an account, a table's tablet, or a name that stood in an event file."""

from __future__ import annotations

from typing import Any

from tournament.models import Device


def author(by: str, person: Any = None, device: Device | None = None) -> str:
    """The name as it is shown; nothing where nobody is known."""
    if by or person is not None:
        return by or person.get_username()
    return f"Table {device.table}" if device is not None else ""
