"""The page where a tablet learns to trust this hall, and the certificate that it installs."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.request import Request
from tournament.serving.server import Trust, hall_trust

# Firefox keeps certificates of its own. An iPad calls itself a Macintosh.
DEVICES = (("Firefox", "firefox"), ("Android", "android"), ("Windows", "windows"), ("Mac", "apple"), ("iP", "apple"))


@require_safe
def trust(request: Request) -> HttpResponse:
    """Steps for every kind of device; those for the one that asks are open."""
    agent = request.headers.get("User-Agent", "")
    device = next((name for sign, name in DEVICES if sign in agent), "")
    return render(request, "trust.html", {"trust": _found(), "device": device})


@require_safe
def certificate(request: Request) -> HttpResponse:
    """The certificate, as devices offer to install it."""
    return HttpResponse(_found().certificate, content_type="application/x-x509-ca-cert")


def _found() -> Trust:
    found = hall_trust()
    if found is None:
        raise Http404("This site has no certificate of its own")
    return found
