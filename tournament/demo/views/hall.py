"""The hall in one window: desk, tablet, a player's phone and the projector side by side, and what just happened."""

from __future__ import annotations

from csp.constants import SELF
from csp.decorators import csp_update
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from tournament import access
from tournament.demo.evenings import TABLE
from tournament.demo.facts import phone_of
from tournament.demo.feed import happenings
from tournament.demo.player.running import play_state
from tournament.demo.views.doors import found_evening, is_seated, sign_in_as_dana, sit_down
from tournament.request import Request
from tournament.views.pages import find_event, nothing_new, page_or_part


# Its types know only views of Django's own request.
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]
@require_http_methods(["GET", "HEAD", "POST"])
def hall(request: Request) -> HttpResponse:
    """The window; whoever is not at desk and table yet presses once."""
    event = found_evening()
    if request.method == "POST":
        sign_in_as_dana(request)
        response = redirect("demo-hall")
        sit_down(request, event, response)
        return response
    if not (access.may(request.actor, "see-desk", event) and is_seated(request, event)):
        return render(request, "demo/hall_closed.html", {"event": event})
    context = {"event": event, "table": TABLE, "phone": phone_of(event), "feed": happenings(event)}
    context["play"] = play_state()
    return render(request, "demo/hall.html", context)


@require_safe
def feed(request: Request, event: str) -> HttpResponse:
    """What just happened; a poll that shows the latest already gets 204."""
    found = find_event(request, event, "see-desk")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    context = {"event": found, "feed": happenings(found)}
    return page_or_part(request, "demo/feed.html", "demo/_feed.html", context)
