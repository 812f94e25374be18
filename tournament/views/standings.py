"""The standings: the front page of an event, the desk's own, and the hall's projector."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from tournament import access
from tournament.access import NOBODY
from tournament.forms.desk import BoardForm
from tournament.lists.standings import places_list, standings_list
from tournament.models import Event
from tournament.phrases import BOARD_SECTIONS
from tournament.queries.playoffs import shown_finale
from tournament.queries.projector import board
from tournament.queries.records import pot
from tournament.queries.rules import hall_notice, visibility
from tournament.queries.standings import Standings, shown_standings
from tournament.refusals import Invalid
from tournament.request import Request
from tournament.services.events import show_on_board
from tournament.tables import page_table
from tournament.views.pages import done, find_event, nothing_new, page_or_part, public_page


def standings_page(request: Request, event: str) -> HttpResponse:
    """The standings with every tie explained."""
    found = find_event(request, event, "see-event")
    context = _context(request, found, shown_standings(found, request.actor))
    return public_page(request, "public/standings.html", "public/_standings.html", context)


def _context(request: Request, event: Event, table: Standings) -> dict[str, object]:
    seen = visibility(event, request.actor)
    stakes, end = pot(event, seen, table.books), shown_finale(event, seen)
    places = places_list(event, end)
    return {
        "event": event,
        "tab": "standings",
        "standings": table,
        "table": page_table(standings_list(event, table), request),
        "finale": end,
        "places": page_table(places, request, prefix="place-", orderable=False) if end.exists else None,
        "pot": stakes,
    }


def desk_standings(request: Request, event: str) -> HttpResponse:
    """The standings with every tie explained, and what the public sees of them now."""
    found = find_event(request, event, "see-desk")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    table = shown_standings(found, request.actor)
    if request.htmx and request.GET.get("code") == table.code:
        return HttpResponse(status=204)
    context = {
        "event": found,
        "tab": "standings",
        "standings": table,
        "table": page_table(standings_list(found, table), request),
        "notice": hall_notice(found),
        "board_sections": BOARD_SECTIONS.items() if access.may(request.actor, "run-rounds", found) else (),
    }
    return page_or_part(request, "desk/standings.html", "desk/_standings.html", context)


def board_page(request: Request, event: str) -> HttpResponse:
    """What the whole hall may see, whoever opened it: an official's laptop shows no more than a stranger's."""
    found = find_event(request, event, "see-event")
    facts = board(found, shown_standings(found, NOBODY), visibility(found, NOBODY))
    return public_page(request, "board/board.html", "board/_board.html", {"event": found, "board": facts})


@require_POST
def board_section(request: Request, event: str) -> HttpResponse:
    """What the board shows from now on; it asks by itself every few seconds."""
    found = find_event(request, event, "run-rounds")
    form = BoardForm(request.POST)
    if not form.is_valid():
        raise Invalid("Choose what the projector shows.")
    shown = show_on_board(request.actor, found, form.cleaned_data["shows"])
    return done(request, f"On the projector: {shown.get_board_shows_display().lower()}.", "desk-standings", found.slug)
