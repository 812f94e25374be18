"""What a tablet's script sends and asks for, answered in JSON; every refusal is JSON, too."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from tournament.access import Actor
from tournament.forms.messages import read_batch, read_report, read_uids
from tournament.queries.devices import installation, known_device, name_by_key, writer_of
from tournament.queries.outcomes import coming_forms, coming_key, stretch_of
from tournament.queries.parked import known_uids
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.tablet import DEALER, PLAY, TabletPage, TabletPlace, tablet_page, tablet_place
from tournament.refusals import Busy, Refusal, TooLarge, Unknown
from tournament.request import Request
from tournament.services.devices import note_report
from tournament.services.submissions import receive
from tournament.views.tablet import table_part

SCHEME = "Table "
APP, VERSION = "uptown", 1
Answering = Callable[[Request, Actor], dict[str, Any]]


def message(*methods: str) -> Callable[[Answering], Callable[[Request], HttpResponse]]:
    """A view that answers a tablet.

    The tablet says who it is in a header; cookies are not looked at, so that no other page can make a browser send
    something here.
    """

    def wrap(view: Answering) -> Callable[[Request], HttpResponse]:
        @csrf_exempt
        @functools.wraps(view)
        def answering(request: Request) -> HttpResponse:
            if request.method not in methods:
                return _signed(JsonResponse({"app": APP, "error": "method"}, status=405))
            return _answer(view, request)

        return answering

    return wrap


def _answer(view: Answering, request: Request) -> HttpResponse:
    try:
        actor = _table(request)
        return _signed(JsonResponse(_about(actor) | view(request, actor)))
    except RequestDataTooBig:
        return _refused(TooLarge("This is too large for a message."))
    except OperationalError:
        return _refused(Busy("The database is busy. Please send it again in a moment."))
    except Refusal as refusal:
        return _refused(refusal)


def _table(request: Request) -> Actor:
    header = request.headers.get("Authorization", "")
    device = known_device(header.removeprefix(SCHEME)) if header.startswith(SCHEME) else None
    if device is None:
        raise Unknown("This tablet belongs to no table here. Scan the table's card again.")
    return Actor(None, device, request.META.get("REMOTE_ADDR", ""))


def _about(actor: Actor) -> dict[str, Any]:
    device = actor.tablet
    writer = writer_of(device)
    return {
        "app": APP,
        "v": VERSION,
        # `known_device` fetched it with the tablet.
        "instance": getattr(device, "installation", None) or name_by_key(),
        "epoch": str(device.event.epoch),
        "table": device.table,
        "former": device.revoked_at is not None,
        "writes": device.writes and device.revoked_at is None,
        "writer": writer.letter if writer is not None else "",
        "now": timezone.now().isoformat(),
    }


def _refused(refusal: Refusal) -> HttpResponse:
    faults = [{"field": fault.field, "text": fault.text, "rule": fault.rule} for fault in refusal.faults]
    answer = {"app": APP, "v": VERSION, "instance": installation(), "faults": faults}
    response = JsonResponse(answer, status=refusal.status)
    if refusal.seconds:
        response["Retry-After"] = str(refusal.seconds)
    return _signed(response)


def _signed(response: HttpResponse) -> HttpResponse:
    response["X-App"] = APP
    response["Cache-Control"] = "no-store"
    return response


@message("POST")
def submissions(request: Request, actor: Actor) -> dict[str, Any]:
    """Take a batch: one answer per item, in order; the event's version with all of it, and the page if it is wanted."""
    batch = read_batch(request.body)
    tablet = actor.tablet
    answers = receive(actor, batch.items)
    note_report(tablet, batch.unsent_after(len(answers)), batch.report.battery)
    said = {"results": [answer._asdict() for answer in answers], "reached": tablet.event.version}
    return said | {"page": table_part(tablet, batch.ahead)} if batch.page and tablet.revoked_at is None else said


@message("POST")
def known(request: Request, actor: Actor) -> dict[str, Any]:
    """Which of these uids the event has, and what became of them."""
    return {"known": known_uids(actor.tablet.event, read_uids(request.body))}


@message("GET", "POST")
def ping(request: Request, actor: Actor) -> dict[str, Any]:
    """A sign of life; a tablet may say how many lines it has not sent yet, and how full its battery is."""
    report = read_report(request.body) if request.method == "POST" else None
    note_report(actor.tablet, report.unsent if report else None, report.battery if report else None)
    return {}


@message("GET")
def state(request: Request, actor: Actor) -> dict[str, Any]:
    """What the tablet needs for the time without a connection."""
    place = tablet_place(actor.tablet)
    if place.game is None or actor.tablet.revoked_at is not None:
        return nothing_ahead()
    return sent_ahead(place)


def nothing_ahead() -> dict[str, Any]:
    """There is no game."""
    return {"game": None, "coming": "", "from": 0, "lines": [], "forms": [], "before": [], "parts": {}}


def sent_ahead(place: TabletPlace) -> dict[str, Any]:
    """The forms of the game in play from the hand that is due on, those `before` it, and the page around them.

    Forms and parts are runs of `lines`: they have most of them in common.
    """
    page = tablet_page(place)
    sheet = page.sheet
    assert sheet is not None
    lines: dict[str, int] = {}
    forms = [_runs(form, lines) for form in coming_forms(sheet, _form)]
    parts = {phase: _runs(_part(page, sheet, phase), lines) for phase in (DEALER, PLAY)} if sheet.unbegun else {}
    past = sheet.hands - stretch_of(sheet).carry.hands
    about = {"game": sheet.pk, "coming": coming_key(page), "from": sheet.hands, "lines": list(lines), "parts": parts}
    return about | {"forms": forms[past:], "before": forms[:past]}


def _form(sheet: GameSheet) -> str:
    entry, preview = reverse("tablet-entry", args=[sheet.pk]), reverse("tablet-preview", args=[sheet.pk])
    context = {"sheet": sheet, "entry_action": entry, "preview_action": preview, "entry_target": "#table"}
    context |= {"position": sheet.next_position, "client_key": "", "values": {}, "faults": (), "ahead": sheet.unbegun}
    return render_to_string("components/entry_form.html", context)


def _part(page: TabletPage, sheet: GameSheet, phase: str) -> str:
    context = {
        "page": replace(page, phase=phase),
        "sheet": sheet,
        "position": sheet.next_position,
        "faults": (),
        "ahead": True,
    }
    return render_to_string("tablet/_stage.html", context)


def _runs(html: str, lines: dict[str, int]) -> list[list[int]]:
    """A page as the numbers of its lines, from where to where; a line that is not known yet is added."""
    runs: list[list[int]] = []
    for text in _texts(html):
        at = lines.setdefault(text, len(lines))
        if runs and runs[-1][1] == at:
            runs[-1][1] += 1
        else:
            runs.append([at, at + 1])
    return runs


def _texts(html: str) -> list[str]:
    """The page broken where a block begins: a button is one text, whatever lines its template has."""
    lines = (line.strip() for line in html.splitlines())
    return re.split(r'\n(?=<(?!/?(?:input type="radio|kbd|small|span(?! hidden))))', "\n".join(filter(None, lines)))
