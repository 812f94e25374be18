"""The queue of sheets that were typed from paper, and the second person's look at one of them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament.access import may
from tournament.queries.deskgame import desk_game
from tournament.queries.scored import verify_queue
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.events import change_event
from tournament.services.signatures import verify_sheet
from tournament.views.deskgames import find_desk_game
from tournament.views.pages import find_event


@require_GET
def queue(request: Request, event: str) -> HttpResponse:
    """The sheets that wait, were rejected or verified; those of one typist."""
    found = find_event(request, event, "see-desk")
    state, typist = request.GET.get("state", "waiting"), request.GET.get("by", "")
    shown = verify_queue(found, state, typist)
    context = {"event": found, "tab": "round", "queue": shown, "state": state, "by": typist}
    context["may_run_alone"] = found.compares_paper and may(request.actor, "set-up", found)
    context["alone"] = found.officials.count() < 2
    return render(request, "desk/verify.html", context)


@require_POST
def alone(request: Request, event: str) -> HttpResponse:
    """Whoever directs runs the event alone: nobody is asked for a second look."""
    found = find_event(request, event, "set-up")
    change_event(request.actor, found, {"verify_own": True}, confirmed=True)
    messages.success(request, "You run this event alone: typed sheets count. You can turn that off under Setup.")
    return redirect("desk", event)


@require_http_methods(["GET", "POST"])
def verify(request: Request, event: str, pk: int) -> HttpResponse:
    """One sheet beside its paper: accept or reject, not edit."""
    game = find_desk_game(request, event, pk, "verify")
    found = desk_game(request.actor, pk)
    context = {"event": game.round.event, "tab": "round", "found": found, "sheet": found.sheet}
    if request.method == "GET":
        return render(request, "desk/verify_game.html", context)
    accepted = request.POST.get("what") == "accept"
    said = {"code": request.POST.get("code", ""), "reason": request.POST.get("reason", "")}
    try:
        verify_sheet(request.actor, game, accepted=accepted, **said)
    except Refusal as refusal:
        shown = context | {"refusal": refusal, "values": request.POST}
        return render(request, "desk/verify_game.html", shown, status=refusal.status)
    messages.success(request, f"{game.round}, table {game.table}: sheet {'accepted' if accepted else 'rejected'}.")
    return redirect("desk-verify", event)
