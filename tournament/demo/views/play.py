"""Letting the other tables play: whoever opened the demo may press."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from tournament.demo.player import running
from tournament.refusals import Refusal
from tournament.request import Request


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: Request) -> HttpResponse:
    """What the other tables do; sent, they begin to play."""
    if request.method == "POST":
        port, directs = int(request.META["SERVER_PORT"]), request.POST.get("directs") == "yes"
        return _after(request, lambda: running.start(port, directs=directs))
    state = running.play_state()
    if request.htmx and request.GET.get("version") == state.version:
        return HttpResponse(status=204)
    return _part(request, state)


@require_POST
def directing(request: Request) -> HttpResponse:
    """Also direct, or leave that to people again."""
    return _after(request, lambda: running.direct(request.POST.get("directs") == "yes"))


@require_POST
def pause(request: Request) -> HttpResponse:
    return _after(request, running.stop)


def _after(request: Request, act: Callable[[], None]) -> HttpResponse:
    """Do it; then the part again, or the page that the press came from."""
    status, refusal = 200, ""
    try:
        act()
    except Refusal as refused:
        status, refusal = refused.status, str(refused)
    if request.htmx:
        return _part(request, running.play_state(), status, refusal)
    if refusal:
        messages.warning(request, refusal)
    return redirect("demo-hall" if _where(request) == "hall" else "events")


def _part(request: Request, state: running.PlayState, status: int = 200, refusal: str = "") -> HttpResponse:
    context = {"play": state, "where": _where(request), "refusal": refusal}
    return render(request, "demo/_play.html", context, status=status)


def _where(request: Request) -> str:
    return "hall" if "hall" in (request.GET.get("where"), request.POST.get("where")) else "home"
