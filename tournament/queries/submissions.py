"""What tablets sent: what is known of a list of uids, and how much waits for the desk."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from tournament.models import Event, Submission
from tournament.models.submission import PARKED


def known_uids(event: Event, uids: Sequence[uuid.UUID]) -> dict[str, str]:
    """The status of every one of these that the event has; the others were never received, or were lost since."""
    found = Submission.objects.filter(event=event, uid__in=uids).values_list("uid", "status")
    return {str(uid): status for uid, status in found}


def version_of(event: Event) -> int:
    """The event's version as it is now, whatever was read before."""
    return Event.objects.values_list("version", flat=True).get(pk=event.pk)


def parked_count(event: Event) -> int:
    """How many wait for the desk to decide."""
    return Submission.objects.filter(event=event, status=PARKED).count()
