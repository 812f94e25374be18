"""The desk lets entries in from the waiting list, and finds partners for players who came alone."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from tournament.models import Event
from tournament.request import Request
from tournament.services import waiting
from tournament.services.mail import note_told
from tournament.views.pages import done, in_event
from tournament.views.teams import changed


@require_POST
@in_event("change-teams")
def letting_in(request: Request, event: Event, position: int) -> HttpResponse:
    """Let an entry in; past the limit, or if games are drawn, after showing what that changes."""
    entry = get_object_or_404(event.registrations, position=position)
    act, back = partial(waiting.let_in, request.actor, event, position), reverse("desk-entries", args=[event.slug])
    warns: dict[str, Any] = {"warning": waiting.PAST_THE_LIMIT, "warn": waiting.past_the_limit}
    return changed(request, event, act, f"Let {entry.name} in", f"In: {entry.name}.", "Let in", back, **warns)


@require_POST
@in_event("change-teams")
def told(request: Request, event: Event, position: int) -> HttpResponse:
    """The desk has told an entry that it moved up, because the mail could not be sent."""
    entry = get_object_or_404(event.registrations, position=position)
    note_told(request.actor, event, entry)
    return done(request, f"{entry.name} has been told.", "desk", event.slug)


@require_POST
@in_event("change-teams")
def partner(request: Request, event: Event, position: int) -> HttpResponse:
    """Give somebody who came alone the partner that the desk names."""
    typed = {name: request.POST.get(name, "").strip() for name in ("partner", "name")}
    team = waiting.give_partner(request.actor, event, position, **typed)
    return done(request, f"They are a team: {team.name}.", "desk-entries", event.slug)
