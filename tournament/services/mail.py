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
    """A mail to whoever moved up, once that is stored; the mail server's time is nobody's who enters meanwhile."""
    contacts = [player.contact for player in entry.players.all() if "@" in player.contact]
    if not settings.MAIL or not contacts:
        return
    facts = {"event": event, "entry": entry, "team": entry.team}
    mail = EmailMessage(f"{event.name}: you are in", render_to_string("mail/moved_up.txt", facts), to=contacts)
    transaction.on_commit(Thread(target=_send, args=(mail, event.pk, entry)).start)


def _send(mail: EmailMessage, event: int, entry: Registration) -> None:
    """Send it. This is a thread's first function: whatever goes wrong here, nobody else would say."""
    try:
        mail.send()
    except Exception:
        log.exception("A mail could not be sent.")
        note_unsent(event, entry)
    finally:
        connections.close_all()


def note_unsent(event: int, entry: Registration) -> None:
    """The desk is to tell them: it is on its list until somebody says that they know."""
    # An event that was deleted meanwhile has no desk.
    with suppress(Conflict), writing(event, Shown.INSIDE) as locked:
        announce(NOBODY, locked, "entry", "entry", entry.position, "mail-failed", {"name": entry.name})


def note_told(actor: Actor, event: Event, entry: Registration) -> None:
    """The desk has told them itself."""
    with writing(event, Shown.INSIDE) as locked:
        announce(actor, locked, "entry", "entry", entry.position, "told", {"name": entry.name})
