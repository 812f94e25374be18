"""The pictures of an event: its charts, and the one to share."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import condition

from tournament.queries.pictures import pictures
from tournament.queries.share import share
from tournament.queries.standings import shown_standings
from tournament.queries.visibility import visibility
from tournament.reports.pictures import wide_and_narrow
from tournament.reports.sharepicture import share_picture
from tournament.request import Request
from tournament.views.pages import find_event


def pictures_page(request: Request, event: str) -> HttpResponse:
    """All pictures that may be seen."""
    found = find_event(request, event, "see-event")
    table = shown_standings(found, request.actor)
    drawn = wide_and_narrow(pictures(found, table, visibility(found, request.actor)))
    context = {"event": found, "tab": "pictures", "pictures": drawn, "hidden": table.hidden}
    return render(request, "public/pictures.html", context)


# A correction is seen after five minutes at most; the address in the link's preview changes with the picture.
KEPT = "public, max-age=300"


def _code(request: Request, event: str) -> str:
    return f'"{share(find_event(request, event, "see-event")).code}"'


@condition(etag_func=_code)
def event_picture(request: Request, event: str) -> HttpResponse:
    """The picture as a stranger may see it, whoever asks: an official's link shows no more."""
    found = find_event(request, event, "see-event")
    return HttpResponse(share_picture(share(found)), content_type="image/png", headers={"Cache-Control": KEPT})
