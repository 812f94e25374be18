"""What monitoring programs are told: whether the site can accept a hand now. No name, path, or version is in it."""

from __future__ import annotations

import os

from django.conf import settings
from django.db import DatabaseError

from tournament.site.data_folder import is_full
from tournament.site.database import why_other

FINE = "ok"


def health() -> dict[str, str]:
    """Database, migrations, data folder, and disk: each “ok”, or what is wrong."""
    parts = {"database": FINE, "migrations": FINE, "folder": FINE, "disk": FINE}
    try:
        # One query shows whether the database answers and which version wrote it.
        parts["migrations"] = "another version" if why_other() else FINE
    except DatabaseError:
        parts["database"] = parts["migrations"] = "no answer"
    if not os.access(settings.DATA, os.W_OK):
        parts["folder"] = "read-only"
    if is_full(settings.DATA):
        parts["disk"] = "full"
    return parts
