"""What the hall's window may show in its frames, and to whom these pages are answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csp.constants import SELF
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse

from tournament.access import NOBODY
from tournament.request import Request

# Exactly these pages may stand in a frame, and in one of this site alone.
FRAMED = frozenset({"desk", "tablet", "team", "board"})
# All frames share one set of cookies: a player's phone and the projector know nothing of who is signed in.
STRANGERS = frozenset({"team", "board"})


class FramesMiddleware:
    """Lets the hall frame its four pages, and answers phone and projector as to a stranger."""

    def __init__(self, get_response: Callable[[Request], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponse:
        response = self.get_response(request)
        if _name(request) in FRAMED:
            response["X-Frame-Options"] = "SAMEORIGIN"
            # As the decorator `csp_replace` of django-csp does it for one view.
            response._csp_replace = {"frame-ancestors": [SELF]}  # type: ignore[attr-defined]
        return response

    def process_view(self, request: Request, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if _name(request) in STRANGERS:
            request.user, request.actor = AnonymousUser(), NOBODY
        return None


def _name(request: Request) -> str:
    return (request.resolver_match.url_name or "") if request.resolver_match else ""
