"""What tablets sent: what is known of a list of uids, and how much waits for the desk."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import QuerySet

from tournament.models import Event, Submission
from tournament.models.submission import PARKED

WAITING = "waiting"


def known_uids(event: Event, uids: Sequence[uuid.UUID]) -> dict[str, str]:
    """The status of every one of these that the event has; the others were never received, or were lost since."""
    found = Submission.objects.filter(event=event, uid__in=uids).values_list("uid", "status")
    return {str(uid): status for uid, status in found}


def parked_count(event: Event) -> int:
    """How many cases the desk has to decide; what waits behind one of them is none of its own."""
    return cases(event).count()


def cases(event: Event) -> QuerySet[Submission]:
    """What waits for the desk, and not merely for something else that does."""
    waiting = Submission.objects.filter(event=event, status=PARKED)
    return waiting.exclude(code=WAITING, after__in=waiting.values("uid"))


def chained(waiting: Sequence[Submission]) -> list[list[Submission]]:
    """What waits, case by case: what is to be decided, and behind it what the tablet wrote on top of it, in order."""
    uids = {row.uid for row in waiting}
    held = {row.pk for row in waiting if row.code == WAITING and row.after in uids}
    chains = []
    for first in waiting:
        if first.pk in held:
            continue
        chain = [first]
        for one in chain:
            chain += [row for row in waiting if row.pk in held and row.after == one.uid]
        chains.append(chain)
    return chains
