"""What a tablet's script asks for and sends: its queue, what is known of it, signs of life, the state of its table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from tournament.access import Actor
from tournament.forms.messages import read_batch, read_report, read_uids
from tournament.queries.outcomes import coming_sheets, outcomes
from tournament.queries.sheet import sheet_games
from tournament.queries.submissions import known_uids
from tournament.queries.tablet import tablet_place
from tournament.services.devices import note_report
from tournament.services.submissions import receive
from tournament.views.messages import message


@message("POST")
def submissions(request: HttpRequest, actor: Actor) -> dict[str, Any]:
    """Take a batch: one answer per item, in order."""
    batch = read_batch(request.body)
    answers = receive(actor, batch.items)
    note_report(actor.device, batch.report.unsent, batch.report.battery)
    return {"results": [answer._asdict() for answer in answers]}


@message("POST")
def known(request: HttpRequest, actor: Actor) -> dict[str, Any]:
    """Which of these uids the event has, and what became of them."""
    return {"known": known_uids(actor.device.event, read_uids(request.body))}


@message("GET", "POST")
def ping(request: HttpRequest, actor: Actor) -> dict[str, Any]:
    """A sign of life; a tablet may say how many lines it has not sent yet, and how full its battery is."""
    report = read_report(request.body) if request.method == "POST" else None
    note_report(actor.device, report.unsent if report else None, report.battery if report else None)
    return {"now": timezone.now().isoformat()}


@message("GET")
def state(request: HttpRequest, actor: Actor) -> dict[str, Any]:
    """What the next hand would come to, whatever it is; and the entry forms of the hands after it."""
    place = tablet_place(actor.device)
    game = place.game
    if game is None or actor.device.revoked_at is not None:
        return {"game": None, "version": place.version, "outcomes": {}, "forms": []}
    loaded = sheet_games().get(pk=game.pk)
    found = {key: (one.headline, one.lines, one.outcome, one.scores, one.over) for key, one in outcomes(loaded).items()}
    forms = [_form(sheet) for sheet in coming_sheets(loaded)]
    return {"game": game.pk, "version": place.version, "outcomes": found, "forms": forms}


def _form(sheet: Any) -> str:
    entry, preview = reverse("tablet-entry", args=[sheet.pk]), reverse("tablet-preview", args=[sheet.pk])
    context = {"sheet": sheet, "entry_action": entry, "preview_action": preview, "entry_target": "#table"}
    context |= {"position": sheet.next_position, "client_key": "", "values": {}, "faults": ()}
    return render_to_string("components/entry_form.html", context)
