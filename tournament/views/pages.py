"""What every view needs: the event of the address, the access check, and a page or its part."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from tournament import access, sitting
from tournament.models import Event, Game
from tournament.network import lan_address
from tournament.refusals import PasswordNeeded
from tournament.request import Request

THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}


def find_event(request: Request, slug: str, action: str) -> Event:
    """The event of an address, if the actor may do this in it."""
    event = get_object_or_404(Event, slug=slug)
    access.require(request.actor, action, event)
    return event


def find_game(request: Request, slug: str, pk: int, action: str) -> Game:
    """A game of an event, if the actor may do this to it."""
    games = Game.objects.select_related("round__event")
    game = get_object_or_404(games, pk=pk, round__event__slug=slug)
    access.require(request.actor, action, game.round.event, game)
    return game


def hall_address(request: Request, path: str) -> str:
    """A page as a device in the hall reaches it: “localhost” would be the device itself."""
    parts = urlsplit(request.build_absolute_uri(path))
    if parts.hostname in THIS_MACHINE:
        port = f":{parts.port}" if parts.port else ""
        parts = parts._replace(netloc=f"{lan_address()}{port}")
    return parts.geturl()


def site_of(request: Request) -> str:
    """The address of the site in the hall: what printed QR codes lead to."""
    return hall_address(request, "/")


def need_password(request: Request, what: str, *, again: bool = False) -> None:
    """Ask for the password again where something cannot be undone, unless it was typed in the last ten minutes.

    `again` asks for it in any case: nobody else looks at what somebody does who runs an event alone.
    """
    if not (request.proven if again else sitting.is_fresh(request.session)):
        raise PasswordNeeded(what)


def confirmed(request: Request, announced: str, what: str) -> bool:
    """Whether whoever sends this has seen exactly what is announced; then the password is asked for, too."""
    if request.POST.get("announced") != announced:
        return False
    need_password(request, what)
    return True


def sent(request: Request) -> Any:
    """What a form was sent with; None where the page is only looked at (an empty form can be sent, too)."""
    return request.POST if request.method == "POST" else None


def page_or_part(request: Request, page: str, part: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The part for an htmx swap, the page for everybody else; a history restore gets the page."""
    wanted = part if request.htmx and not request.htmx.history_restore_request and not request.htmx.boosted else page
    response = render(request, wanted, context, status=status)
    response["Vary"] = "HX-Request, Cookie"
    return response


def nothing_new(request: Request, version: object) -> bool:
    """Whether a poll already shows this version: answer 204 then, and htmx swaps nothing."""
    return bool(request.htmx) and request.GET.get("version") == str(version)
