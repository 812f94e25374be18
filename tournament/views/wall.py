"""The code on the wall: a visitor who types it is in the hall. Wrong ones are counted, wherever they are typed."""

from __future__ import annotations

from tournament.models import Event
from tournament.queries.registrations import is_wall_code
from tournament.request import Request
from tournament.site.limits import MANY, limited

WRONG_CODES_A_MINUTE = 30
LONGEST = 60


def typed_code(request: Request, event: Event) -> str:
    """The scanned or typed code if it is right; empty if it is wrong, or none was typed.

    Raises TooMany if too many wrong codes came from one address.
    """
    typed = (request.POST.get("code") or request.GET.get("code", "")).replace(" ", "").upper()[:LONGEST]
    if not typed:
        return ""
    with limited("wall", request.actor.address, WRONG_CODES_A_MINUTE, MANY.format("wrong codes")) as tried:
        if not is_wall_code(event, typed):
            return ""
        tried.was_right()
    return typed
