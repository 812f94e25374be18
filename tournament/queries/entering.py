"""The way in for players: what stands on the wall of the hall."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from tournament.models import Event
from tournament.queries.devices import LETTERS


def wall_code(event: Event) -> str:
    """Six letters and digits that only who is in the hall can read; an event that is restored elsewhere has others."""
    digest = salted_hmac("tournament.wall", f"{event.pk}/{event.epoch}", algorithm="sha256").digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:6])
