"""What a tablet's script asks for and sends: its queue, what is known of it, signs of life, the state of its table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from tournament.access import Actor
from tournament.forms.messages import read_batch, read_report, read_uids
from tournament.queries.submissions import known_uids
from tournament.queries.tablet import tablet_place
from tournament.services.devices import note_report
from tournament.services.submissions import receive
from tournament.views.ahead import nothing_ahead, sent_ahead
from tournament.views.messages import message


@message("POST")
def submissions(request: HttpRequest, actor: Actor) -> dict[str, Any]:
    """Take a batch: one answer per item, in order; and the event's version with all of it."""
    batch = read_batch(request.body)
    answers = receive(actor, batch.items)
    note_report(actor.device, batch.report.unsent, batch.report.battery)
    return {"results": [answer._asdict() for answer in answers], "reached": actor.device.event.version}


@message("POST")
def known(request: HttpRequest, actor: Actor) -> dict[str, Any]:
    """Which of these uids the event has, and what became of them."""
    return {"known": known_uids(actor.device.event, read_uids(request.body))}


@message("GET", "POST")
def ping(request: HttpRequest, actor: Actor) -> dict[str, Any]:
    """A sign of life; a tablet may say how many lines it has not sent yet, and how full its battery is."""
    report = read_report(request.body) if request.method == "POST" else None
    note_report(actor.device, report.unsent if report else None, report.battery if report else None)
    return {}


@message("GET")
def state(request: HttpRequest, actor: Actor) -> dict[str, Any]:
    """What the tablet needs for the time without a connection."""
    place = tablet_place(actor.device)
    if place.game is None or actor.device.revoked_at is not None:
        return nothing_ahead()
    return sent_ahead(place)
