"""The demo's own pages: home with one button for each door, the hall in one window, and the other tables' play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_update
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access
from tournament.access import NOBODY, Actor
from tournament.demo import AUTHENTICATION_BACKENDS
from tournament.demo.evenings import (
    CUP,
    FEWEST_TEAMS,
    MOST_TEAMS,
    TABLE,
    VISITORS_SHEET,
    PlayState,
    begin_again,
    director,
    doors_of,
    evening_in_play,
    happenings,
    phone_of,
    play_list,
    play_state,
    set_directing,
    start_playing,
    stop_playing,
)
from tournament.errors import DomainError
from tournament.forms.roster.form import RosterForm
from tournament.models import Event
from tournament.queries.home import example, home_events
from tournament.request import Request
from tournament.services.devices import bind_further
from tournament.views.pages import in_event, page_or_part
from tournament.views.tablet import keep_key

# Exactly these pages may be framed, and only by this site.
FRAMED = frozenset({"desk", "tablet", "team", "board"})
# All frames share their cookies, so these pages ignore who is signed in: a player's phone and the projector.
STRANGERS = frozenset({"team", "board"})


class FramesMiddleware:
    """Lets the hall frame its four pages, and answers phone and projector as if nobody were signed in."""

    def __init__(self, get_response: Callable[[Request], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponse:
        response = self.get_response(request)
        if _name(request) in FRAMED:
            response["X-Frame-Options"] = "SAMEORIGIN"
            # Does what the decorator `csp_replace` of django-csp does for one view.
            response._csp_replace = {"frame-ancestors": [SELF]}  # type: ignore[attr-defined]
        return response

    def process_view(self, request: Request, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if _name(request) in STRANGERS:
            request.user, request.actor = AnonymousUser(), NOBODY
        return None


def _name(request: Request) -> str:
    return (request.resolver_match.url_name or "") if request.resolver_match else ""


@require_POST
def desk(request: Request) -> HttpResponse:
    event = found_evening()
    sign_in_as_dana(request)
    return redirect("desk", event.slug)


@require_POST
def tablet(request: Request) -> HttpResponse:
    """Sit down at the table: this browser becomes another tablet there."""
    response = redirect("tablet")
    sit_down(request, found_evening(), response)
    return response


@require_POST
def evenings(request: Request) -> HttpResponse:
    """Start the evening over today, next to the one that was played."""
    begin_again()
    return redirect("events")


@require_POST
def cup(request: Request) -> HttpResponse:
    """Where members enter and check in by themselves: with the code on the wall, like everybody in the hall."""
    event = begin_again(CUP)
    if "check-in" in request.POST:
        return redirect(f"{reverse('check-in', args=[event.slug])}?code={event.wall_code}")
    return redirect("enter", event.slug)


def found_evening() -> Event:
    event = evening_in_play()
    if event is None:
        raise Http404
    return event


def sign_in_as_dana(request: Request) -> None:
    """Sign in as Dana, but not twice: pages that are open elsewhere in this browser keep working."""
    dana = director()
    if request.user != dana:
        login(request, dana, backend=AUTHENTICATION_BACKENDS[0])


def sit_down(request: Request, event: Event, response: HttpResponse) -> None:
    """Bind this browser to the table, unless it is already bound there."""
    if not is_seated(request, event):
        keep_key(request, response, bind_further(Actor(address=request.actor.address), event, TABLE))


def is_seated(request: Request, event: Event) -> bool:
    device = request.actor.device
    return device is not None and (device.event_id, device.table) == (event.pk, TABLE)


# The decorator's types only know views that take Django's own request.
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]
@require_http_methods(["GET", "HEAD", "POST"])
def hall(request: Request) -> HttpResponse:
    """The hall in one window; a visitor who is not yet at the desk and the table presses a button first."""
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
@in_event("see-desk", polled=True)
def feed(request: Request, event: Event) -> HttpResponse:
    """What just happened; a poll that already shows the latest act gets 204."""
    context = {"event": event, "feed": happenings(event)}
    return page_or_part(request, "demo/feed.html", "demo/_feed.html", context)


@require_safe
def home(request: Request) -> HttpResponse:
    """What Uptown is, in one sentence and one picture, and the ways in."""
    evening = evening_in_play()
    doors = doors_of(evening) if evening else None
    context = {"home": home_events(request.actor), "example": example(), "doors": doors, "play": play_state()}
    return render(request, "demo/home.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def visitors_list(request: Request) -> HttpResponse:
    """A visitor's own teams: pasted, checked, and played to their champion."""
    event, is_look = Event(sheet=VISITORS_SHEET), bool(request.htmx or request.POST.get("mend"))
    form = RosterForm(event, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and form.is_seen and not is_look and not form.is_rewritten:
        teams = len(form.roster.rows)
        if not form.roster.faults and not FEWEST_TEAMS <= teams <= MOST_TEAMS:
            form.add_error("text", f"Paste {FEWEST_TEAMS} to {MOST_TEAMS} teams; here are {teams}.")
        elif not form.roster.faults:
            try:
                event = play_list(form.roster.rows)
            except DomainError as refused:
                form.add_error("text", str(refused))
            else:
                messages.success(request, "Your event plays by itself, from the first hand to the podium.")
                return redirect("standings", event.slug)
    context = {"form": form, "roster": form.roster, "event": event, "most": MOST_TEAMS, "fewest": FEWEST_TEAMS}
    return render(request, "demo/list.html", context, status=422 if request.method == "POST" and not is_look else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: Request) -> HttpResponse:
    """What the other tables do; a POST makes them play."""
    if request.method == "POST":
        return _after(request, lambda: start_playing(directs=request.POST.get("directs") == "yes"))
    state = play_state()
    if request.htmx and request.GET.get("version") == state.version:
        return HttpResponse(status=204)
    return _part(request, state)


@require_POST
def directing(request: Request) -> HttpResponse:
    """Also direct, or leave that to people."""
    return _after(request, lambda: set_directing(request.POST.get("directs") == "yes"))


@require_POST
def pause(request: Request) -> HttpResponse:
    return _after(request, stop_playing)


def _after(request: Request, act: Callable[[], None]) -> HttpResponse:
    """Do it; then answer with the part, or with the page that the button was on."""
    status, refusal = 200, ""
    try:
        act()
    except DomainError as refused:
        status, refusal = refused.status, str(refused)
    if request.htmx:
        return _part(request, play_state(), status, refusal)
    if refusal:
        messages.warning(request, refusal)
    return redirect("demo-hall" if _where(request) == "hall" else "events")


def _part(request: Request, state: PlayState, status: int = 200, refusal: str = "") -> HttpResponse:
    context = {"play": state, "where": _where(request), "refusal": refusal}
    return render(request, "demo/_play.html", context, status=status)


def _where(request: Request) -> str:
    return "hall" if "hall" in (request.GET.get("where"), request.POST.get("where")) else "home"
