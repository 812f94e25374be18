"""The tablet itself: its key for the script that keeps hands, and taking over from another tablet."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournament.middleware import TABLE_COOKIE
from tournament.services.devices import take_over


@require_POST
def key(request: HttpRequest) -> HttpResponse:
    """The tablet's own key, for its script: the cookie that holds it cannot be read by scripts."""
    if request.actor.device is None:
        raise PermissionDenied("This tablet does not belong to a table")
    response = JsonResponse({"app": "uptown", "token": request.COOKIES[TABLE_COOKIE]})
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def writer(request: HttpRequest) -> HttpResponse:
    """This tablet writes at its table from now on."""
    if request.actor.device is None:
        raise PermissionDenied("This tablet does not belong to a table")
    take_over(request.actor._replace(user=None), request.actor.device)
    return redirect("tablet")
