"""The picture of an event to share, which is also the preview of its link."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import condition

from tournament.queries.share import share
from tournament.reports.sharepicture import share_picture
from tournament.views.pages import find_event

# A correction is seen after five minutes at most; the address in the link's preview changes with the picture.
KEPT = "public, max-age=300"


def _code(request: HttpRequest, event: str) -> str:
    return f'"{share(find_event(request, event, "see-event")).code}"'


@condition(etag_func=_code)
def event_picture(request: HttpRequest, event: str) -> HttpResponse:
    """The picture as a stranger may see it, whoever asks: an official's link shows no more."""
    found = find_event(request, event, "see-event")
    return HttpResponse(share_picture(share(found)), content_type="image/png", headers={"Cache-Control": KEPT})
