"""Two laptops: which one goes on, and what may be missing since the copy that this one took over."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from tournament.errors import ValidationFailed
from tournament.models import Event
from tournament.request import Request
from tournament.services.laptops import go_on, mark_checked, stay_aside
from tournament.views.pages import done, in_event

GOES_ON = "This laptop goes on. Stop the other one: of what it took, only hands come here, from the tablets"
STOPPED = "This laptop has stopped: the other one goes on."
CHECKED = "Checked: what the copy lacked is no longer asked for."


@require_POST
@in_event("go-on")
def this_laptop(request: Request, event: Event) -> HttpResponse:
    """The director says which of two laptops goes on."""
    what = request.POST.get("what")
    if what == "goes-on":
        go_on(request.actor)
        return done(request, GOES_ON, "desk", event.slug)
    if what == "stopped":
        stay_aside()
        return done(request, STOPPED, "desk", event.slug)
    raise ValidationFailed("Choose which of the two laptops goes on.")


@require_POST
@in_event("go-on")
def copy_checked(request: Request, event: Event) -> HttpResponse:
    """Record that somebody has checked what may be missing since the copy."""
    mark_checked(request.actor, event)
    return done(request, CHECKED, "desk", event.slug)
