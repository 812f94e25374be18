"""Starting and closing a round, its clock; the buttons stand on the desk's Round page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_POST

from tournament.forms.clock import set_clock
from tournament.models import Event
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services import rounds
from tournament.services.clock import call_time
from tournament.views.pages import find_event


@require_POST
def start(request: Request, event: str, number: int) -> HttpResponse:
    """Start a round that is drawn."""
    found = find_event(request, event, "run-rounds")
    act = partial(rounds.start_round, request.actor, found, number)
    return _act(request, found, act, "{} is in play.", "The round was not started")


@require_POST
def take_back(request: Request, event: str, number: int) -> HttpResponse:
    """The start of a round is taken back, as long as nothing is written in it."""
    found = find_event(request, event, "run-rounds")
    act = partial(rounds.take_start_back, request.actor, found, number)
    done = "{} has not started: its tables are drawn and wait."
    return _act(request, found, act, done, "The start was not undone")


@require_POST
def close(request: Request, event: str, number: int) -> HttpResponse:
    """Close a round that is played out."""
    found = find_event(request, event, "run-rounds")
    act = partial(rounds.close_round, request.actor, found, number)
    return _act(request, found, act, "{} is closed.", f"Round {number} cannot be closed yet")


@require_POST
def clock(request: Request, event: str, number: int) -> HttpResponse:
    """The clock of a round: pause, continue, extend."""
    found = find_event(request, event, "run-rounds")
    act = partial(set_clock, request.actor, found, number, request.POST)
    return _act(request, found, act, "{}", "The clock was not changed")


@require_POST
def time(request: Request, event: str, number: int) -> HttpResponse:
    """Time is up: every table is told."""
    found = find_event(request, event, "run-rounds")

    def act() -> str:
        count = call_time(request.actor, found, number)
        return f"{count} table{pluralize(count)}"

    return _act(request, found, act, "Time is called at {}.", "Time was not called")


def _act(request: Request, event: Event, act: Callable[[], object], done: str, refused: str) -> HttpResponse:
    """Do it, or say what is missing, with the way to mend it; htmx asks from within a page and gets it said there."""
    try:
        made = act()
    except Refusal as refusal:
        context = {"event": event, "tab": "round", "title": refused, "faults": refusal.faults}
        return render(request, "desk/round_refused.html", context, status=refusal.status)
    messages.success(request, done.format(made))
    return redirect("desk", event.slug)
