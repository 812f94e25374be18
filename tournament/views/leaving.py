"""A team wants to leave after the draw, or has a seat there and does not play: what the desk does about it."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from tournament.forms.hand import read_confirmed
from tournament.forms.keys import read_place
from tournament.models import Event, Team
from tournament.request import Request
from tournament.services.confirming import NeedsConfirmation
from tournament.services.leaving import keep, let_go, seat_instead
from tournament.views.confirming import Button, question_page
from tournament.views.pages import done, in_event
from tournament.views.teams import BACK_IN_PLAY

GO, AGAIN, STAY = "go", "again", "stay"


@require_POST
@in_event("change-teams")
def decision(request: Request, event: Event, number: int) -> HttpResponse:
    """The desk lets a team go, draws again with that, or keeps it."""
    team, what = get_object_or_404(Team, event=event, number=number), request.POST.get("what")
    if what == STAY:
        keep(request.actor, event, number)
        return done(request, f"They stay: {team.full_name}.", "desk", event.slug)
    if what not in (GO, AGAIN):
        raise Http404
    try:
        let_go(request.actor, event, number, redraw=what == AGAIN, confirmed=read_confirmed(request.POST))
    except NeedsConfirmation as needed:
        buttons = (Button("Let them go" if needed.impact.why_not else "Let them go and draw again"),)
        title, back = f"Let {team.full_name} go", reverse("desk", args=[event.slug])
        return question_page(request, event, needed, buttons, title=title, back=back, undo=BACK_IN_PLAY)
    return done(request, f"Withdrawn: {team.full_name}. {BACK_IN_PLAY}", "desk", event.slug)


@require_POST
@in_event("draw")
def seat(request: Request, event: Event, number: int) -> HttpResponse:
    """A team without a place in game 1 takes that of one that does not play."""
    team = seat_instead(request.actor, event, number, read_place(request.POST.get("number", "")))
    return done(request, f"Seated in game 1: {team.full_name}.", "desk", event.slug)
