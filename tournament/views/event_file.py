"""The event file: the whole event out, and in again."""

from __future__ import annotations

import json
from uuid import NAMESPACE_OID, UUID, uuid5

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from tournament import access
from tournament.archive.reading import left_out, read_event_file
from tournament.archive.store import export_event, import_event, summary
from tournament.forms.uploads import EventFileForm
from tournament.queries.events import EventCard, same_events
from tournament.refusals import Refusal
from tournament.reports.files import event_json
from tournament.request import Request
from tournament.views.pages import find_event, send_file, sent


@require_http_methods(["GET", "HEAD", "POST"])
def event_import(request: Request) -> HttpResponse:
    """Upload an event file: looked through, or imported at once."""
    access.require(request.actor, "create-event")
    form = EventFileForm(sent(request), request.FILES if request.method == "POST" else None)
    if not form.is_valid():
        return render(request, "event_import.html", {"form": form}, status=422 if form.is_bound else 200)
    try:
        if "check" in request.POST or _alike(request, form):
            return _checked(request, form)
        event = import_event(request.actor, form.cleaned_data["file"], epoch=_epoch(request, form))
    except Refusal as refusal:
        return render(request, "event_import.html", {"form": form, "faults": refusal.faults}, status=refusal.status)
    messages.success(request, f"{event.name} is imported.")
    for remark in left_out(form.cleaned_data["file"]):
        messages.warning(request, remark)
    return redirect("event-imported", event.slug)


@require_safe
def event_imported(request: Request, event: str) -> HttpResponse:
    """What came out of the file, in numbers."""
    found = find_event(request, event, "set-up")
    file = read_event_file(export_event(found), timezone.localdate())
    return render(request, "event_imported.html", {"event": found, "summary": summary(file)})


@require_safe
def event_export(request: Request, event: str) -> HttpResponse:
    """Download the event file."""
    found = find_event(request, event, "export")
    return send_file(request, found, lambda: event_json(export_event(found)), found.slug, "json")


def _alike(request: Request, form: EventFileForm) -> list[EventCard]:
    """Events of the same name and date that are here already, unless whoever imports has been asked."""
    data = form.cleaned_data["file"]
    return [] if "beside" in request.POST else same_events(str(data.get("event", "")), str(data.get("date", "")))


def _epoch(request: Request, form: EventFileForm) -> UUID:
    """The same for a file that one person sends twice, as by a second press: it is one event."""
    sent_file = [request.actor.account.pk, request.POST.get("beside", ""), form.cleaned_data["file"]]
    return uuid5(NAMESPACE_OID, json.dumps(sent_file))


def _checked(request: Request, form: EventFileForm) -> HttpResponse:
    data = form.cleaned_data["file"]
    file, twins = read_event_file(data, timezone.localdate()), _alike(request, form)
    context = {"form": form, "file": file, "summary": summary(file), "twins": twins, "remarks": left_out(data)}
    return render(request, "event_import.html", context, status=200 if "check" in request.POST else 409)
