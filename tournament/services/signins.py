"""One's own account: a password of one's own, and sign-ins in other browsers that end."""

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


@transaction.atomic
def change_password(actor: Actor, current: str | None, password: str) -> int:
    """Give the actor's account another password; says how many sign-ins in other browsers ended with the old one."""
    actor.person.set_password(password)
    actor.person.save(update_fields=["password"])
    return end_sign_ins(actor, current)
