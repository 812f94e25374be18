"""Mail to players who moved up from the waiting list. The desk learns when a mail could not be sent."""

from __future__ import annotations

import logging
from contextlib import suppress
from threading import Thread

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections, transaction
from django.template.loader import render_to_string

from tournament.access import NOBODY, Actor
from tournament.errors import Conflict
from tournament.models import Event, Registration
from tournament.services.transactions import Shown, announce, writing

log = logging.getLogger(__name__)


def tell_by_mail(event: Event, entry: Registration) -> None:
    """Mail the players who moved up once that is stored. A thread waits for the mail server, so nobody else does."""
    contacts = [player.contact for player in entry.players.all() if "@" in player.contact]
    if not settings.MAIL or not contacts:
        return
    facts = {"event": event, "entry": entry, "team": entry.team}
    mail = EmailMessage(f"{event.name}: you are in", render_to_string("mail/moved_up.txt", facts), to=contacts)
    transaction.on_commit(Thread(target=_send, args=(mail, event.pk, entry)).start)


def _send(mail: EmailMessage, event: int, entry: Registration) -> None:
    """Send it. This is a thread's main function, so it logs every error: nobody else would report it."""
    try:
        mail.send()
    except Exception:
        log.exception("A mail could not be sent.")
        note_unsent(event, entry)
    finally:
        connections.close_all()


def note_unsent(event: int, entry: Registration) -> None:
    """Put it on the desk's list to tell them, until an official says that they know."""
    # A deleted event has no desk.
    with suppress(Conflict), writing(event, Shown.INSIDE) as locked:
        announce(NOBODY, locked, "entry", "entry", entry.position, "mail-failed", {"name": entry.name})


def note_told(actor: Actor, event: Event, entry: Registration) -> None:
    """Record that the desk has told them."""
    with writing(event, Shown.INSIDE) as locked:
        announce(actor, locked, "entry", "entry", entry.position, "told", {"name": entry.name})
