"""Answers to requests that are not allowed, not found, or faulty; and health checks."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament import access
from tournament.errors import Fault
from tournament.gate.middleware import is_form
from tournament.gate.signing_in import SIGNED_OUT, ask_again
from tournament.models import Event
from tournament.queries.health import FINE, health
from tournament.request import Request


def forbidden(request: Request, exception: Exception | None = None) -> HttpResponse:
    """Not signed in: the sign-in page, with the typed values. Signed in without the right: a page that says so."""
    if request.user.is_anonymous and request.actor.device is None:
        if is_form(request):
            return ask_again(request, SIGNED_OUT)
        if request.method == "GET" and not request.htmx:
            return redirect_to_login(request.get_full_path())
        if request.htmx:
            # A page that asks for news by itself: its script says that the sign-in has ended.
            return HttpResponse(SIGNED_OUT, status=401, content_type="text/plain")
    what = str(exception or "")
    words = f"You are not allowed to do this{':' if what else '.'}"
    # The event of the address, if the user may see its desk.
    slug = request.resolver_match.kwargs.get("slug", "") if request.resolver_match else ""
    event = Event.objects.filter(slug=slug).first() if slug else None
    desk = event if event and access.may(request.actor, "see-desk", event) else None
    return _said(request, 403, "Not allowed here", words, what=what, desk=desk)


def not_understood(request: Request, exception: Exception | None = None) -> HttpResponse:
    """The request is larger than the site accepts, or is not a form of this site."""
    text, status = "This could not be read: it was not sent by a page of this site.", 400
    if isinstance(exception, RequestDataTooBig):
        text, status = f"This is too large: {settings.UPLOAD_LIMIT_BYTES // 1024 // 1024} MB is the limit.", 413
    return render(request, "refused.html", {"faults": [Fault("", text)], "status": status}, status=status)


def not_found(request: Request, exception: Exception | None = None) -> HttpResponse:
    return _said(request, 404, "Page not found", "There is no page at this address.")


def order_gone(request: Request) -> HttpResponse:
    """An earlier version kept orders of large files: a page of such an order may still be open."""
    words = "Go back to Print & files and press the button again: the file is now made at once."
    return _said(request, 410, "This order is gone", words)


def broken(request: Request) -> HttpResponse:
    words = "This is our error, not yours. Everything recorded before is safe, and the error was logged."
    return _said(request, 500, "Something went wrong", words)


def csrf_refused(request: Request, reason: str = "") -> HttpResponse:
    """A page that was open while somebody signed in elsewhere: its typed values can be sent again.

    Values from another site are not shown again: nobody would know what they confirm.
    """
    own = f"{request.scheme}://{request.get_host()}"
    if request.META.get("HTTP_ORIGIN") != own or not is_form(request) or request.path == reverse("sign-in"):
        return _said(request, 403, "This page is out of date", "Go back, reload the page and send it again.")
    return ask_again(request, "This page was open while you signed in or out elsewhere.", password=False)


def _said(request: Request, status: int, title: str, words: str, **more: object) -> HttpResponse:
    return render(request, "refused.html", {"title": title, "words": words, **more}, status=status)


@never_cache
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is checked."""
    return JsonResponse({"alive": True})


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Whether a hand could be stored now; if not, 503 and what is wrong."""
    parts = health()
    is_ready = set(parts.values()) == {FINE}
    return JsonResponse({"ready": is_ready, **parts}, status=200 if is_ready else 503)
