"""The home page of the demo: three doors, the hall, and the events of the club."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.demo.evenings import evening_in_play
from tournament.demo.facts import doors_of
from tournament.demo.player.running import play_state
from tournament.queries.home import example, home_events
from tournament.request import Request


@require_safe
def home(request: Request) -> HttpResponse:
    """What this is, in one sentence and one picture, and the ways in."""
    evening = evening_in_play()
    doors = doors_of(evening) if evening else None
    context = {"home": home_events(request.actor), "example": example(), "doors": doors, "play": play_state()}
    return render(request, "demo/home.html", context)
