"""What every view needs: the event of the address, the access check, and a page or its part."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from tournament import access, sitting
from tournament.models import Event, Game
from tournament.refusals import PasswordNeeded


def find_event(request: HttpRequest, slug: str, action: str) -> Event:
    """The event of an address, if the actor may do this in it."""
    event = get_object_or_404(Event, slug=slug)
    access.require(request.actor, action, event)
    return event


def find_game(request: HttpRequest, slug: str, pk: int, action: str) -> Game:
    """A game of an event, if the actor may do this to it."""
    games = Game.objects.select_related("round__event")
    game = get_object_or_404(games, pk=pk, round__event__slug=slug)
    access.require(request.actor, action, game.round.event, game)
    return game


def need_password(request: HttpRequest, what: str, *, again: bool = False) -> None:
    """Ask for the password again where something cannot be undone, unless it was typed in the last ten minutes.

    `again` asks for it in any case: nobody else looks at what somebody does who runs an event alone.
    """
    if not (request.proven if again else sitting.is_fresh(request.session)):
        raise PasswordNeeded(what)


def confirmed(request: HttpRequest, announced: str, what: str) -> bool:
    """Whether whoever sends this has seen exactly what is announced; then the password is asked for, too."""
    if request.POST.get("announced") != announced:
        return False
    need_password(request, what)
    return True


def sent(request: HttpRequest) -> Any:
    """What a form was sent with; None where the page is only looked at (an empty form can be sent, too)."""
    return request.POST if request.method == "POST" else None


def page_or_part(
    request: HttpRequest, page: str, part: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The part for an htmx swap, the page for everybody else; a history restore gets the page."""
    wanted = part if request.htmx and not request.htmx.history_restore_request and not request.htmx.boosted else page
    response = render(request, wanted, context, status=status)
    response["Vary"] = "HX-Request, Cookie"
    return response


def nothing_new(request: HttpRequest, version: object) -> bool:
    """Whether a poll already shows this version: answer 204 then, and htmx swaps nothing."""
    return bool(request.htmx) and request.GET.get("version") == str(version)
