"""Ending sign-ins of one's own account in other browsers."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.db import transaction

from tournament.access import Actor
from tournament.queries.signins import public_key, sessions_of


@transaction.atomic
def end_sign_ins(actor: Actor, current: str | None, key: str = "") -> int:
    """End one sign-in of the actor's account, or without a key all but the current one; says how many ended."""
    keys = [session.session_key for session, _ in sessions_of(actor.person)]
    ended = [one for one in keys if (public_key(one) == key if key else one != current)]
    Session.objects.filter(session_key__in=ended).delete()
    return len(ended)
