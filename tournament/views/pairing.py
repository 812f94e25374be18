"""A tablet and its table: the code of its card, its key, who keeps score."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from tournament.middleware import TABLE_COOKIE
from tournament.queries.devices import withdrawn_tablet
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.devices import pair_device, take_over

COOKIE_DAYS = 60


@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: Request) -> HttpResponse:
    """A field for the code; only pressing the button binds the tablet, since a link may be opened by anybody."""
    code, withdrawn = request.POST.get("code", "")[:40], withdrawn_tablet(request.COOKIES.get(TABLE_COOKIE, ""))
    context = {"device": request.actor.device, "code": code, "withdrawn": withdrawn, "faults": ()}
    if request.method != "POST":
        return render(request, "tablet/pair.html", context)
    try:
        token = pair_device(request.actor, code)
    except Refusal as refusal:
        return render(request, "tablet/pair.html", {**context, "faults": refusal.faults}, status=refusal.status)
    response = redirect("tablet")
    keep_key(request, response, token)
    return response


def keep_key(request: Request, response: HttpResponse, token: str) -> None:
    """Give the tablet its key, which no script can read."""
    age = COOKIE_DAYS * 24 * 3600
    response.set_cookie(TABLE_COOKIE, token, max_age=age, httponly=True, samesite="Strict", secure=request.is_secure())


@require_POST
def key(request: Request) -> HttpResponse:
    """The tablet's own key, for its script: the cookie that holds it cannot be read by scripts."""
    if request.actor.device is None:
        raise PermissionDenied("This tablet does not belong to a table")
    response = JsonResponse({"app": "uptown", "token": request.COOKIES[TABLE_COOKIE]})
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def writer(request: Request) -> HttpResponse:
    """Let this tablet write at its table from now on."""
    if request.actor.device is None:
        raise PermissionDenied("This tablet does not belong to a table")
    take_over(request.actor._replace(user=None), request.actor.device)
    return redirect("tablet")
