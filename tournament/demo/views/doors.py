"""The doors of the demo: one press each, and whoever presses is at the desk or at the table."""

from __future__ import annotations

from django.contrib.auth import login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournament.access import Actor
from tournament.demo.evenings import TABLE, begin_again, evening_in_play
from tournament.demo.parts import AUTHENTICATION_BACKENDS
from tournament.demo.people import director
from tournament.models import Event
from tournament.request import Request
from tournament.services.devices import bind_further
from tournament.views.tablet import keep_key


@require_POST
def desk(request: Request) -> HttpResponse:
    event = found_evening()
    sign_in_as_dana(request)
    return redirect("desk", event.slug)


@require_POST
def tablet(request: Request) -> HttpResponse:
    """Sit down at the table: this browser is one more tablet there."""
    response = redirect("tablet")
    sit_down(request, found_evening(), response)
    return response


@require_POST
def evenings(request: Request) -> HttpResponse:
    """Begin the evening once more, today, beside what was played."""
    begin_again()
    return redirect("events")


def found_evening() -> Event:
    event = evening_in_play()
    if event is None:
        raise Http404
    return event


def sign_in_as_dana(request: Request) -> None:
    """Nobody is signed in twice: pages that are open elsewhere in this browser go on working."""
    dana = director()
    if request.user != dana:
        login(request, dana, backend=AUTHENTICATION_BACKENDS[0])


def sit_down(request: Request, event: Event, response: HttpResponse) -> None:
    """Bind this browser to the table, unless it is bound there already."""
    if not is_seated(request, event):
        keep_key(request, response, bind_further(Actor(address=request.actor.address), event, TABLE))


def is_seated(request: Request, event: Event) -> bool:
    device = request.actor.device
    return device is not None and (device.event_id, device.table) == (event.pk, TABLE)
