"""Inviting to the last event of a season: the best of its table or the winners of an evening open New event."""

from __future__ import annotations

from contextlib import suppress
from secrets import randbelow
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament.errors import Conflict, DomainError, ValidationFailed
from tournament.forms.fields import whole_number
from tournament.forms.inviting import InvitedEvent, typed_in
from tournament.gate.middleware import render
from tournament.models import Season
from tournament.queries.inviting import (
    Field,
    Place,
    Table,
    drawn_of,
    field_of,
    invite,
    invite_winners,
    invited_of,
    places_of,
)
from tournament.request import Request
from tournament.services.season import SEEDS
from tournament.views.season import in_season
from tournament.views.setup import new_page

USUAL_SIZE = 8


@require_http_methods(["GET", "HEAD", "POST"])
@in_season("manage-seasons")
def invitation(request: Request, season: Season) -> HttpResponse:
    """Say how many, settle a tie on the line, and go on to New event with the list typed in. A lot is drawn by POST."""
    if request.method == "POST":
        drawn = urlencode({"size": request.POST.get("size", "")[:4], "lot": randbelow(SEEDS)})
        return redirect(f"{reverse('season-invite', args=[season.slug])}?{drawn}")
    table = places_of(season)
    if not {"size", "winners"} & request.GET.keys():
        return _page(request, season, table)
    try:
        if "winners" in request.GET:
            told = invite_winners(season, table)
        else:
            field = field_of(table.places, _size(request))
            if field.level and not {"chosen", "lot", "level"} & request.GET.keys():
                return _page(request, season, table, field=field)
            told = invite(season, *_chosen(request, field))
    except DomainError as refusal:
        return _refused(request, season, table, refusal)
    told, text = typed_in(told)
    return new_page(request, InvitedEvent(told, text=text), 200)


def _size(request: Request) -> int:
    return whole_number(request.GET.get("size", ""), 0, 9999) or 0


def _chosen(request: Request, field: Field) -> tuple[list[Place], int | None]:
    """Those who are in, and the number with which tied ones were drawn, if they were."""
    if not field.level:
        return list(field.sure), None
    lot = whole_number(request.GET.get("lot", ""), 0, SEEDS)
    if lot is not None:
        return invited_of(field, drawn_of(field, lot)), lot
    if request.GET.getlist("level") != [place.key for place in field.level]:
        raise Conflict("The season’s table has changed. Look at who is tied again.")
    return invited_of(field, request.GET.getlist("chosen")), None


def _refused(request: Request, season: Season, table: Table, refusal: DomainError) -> HttpResponse:
    """The page again with what is wrong, and those who are tied if that can be said."""
    given: dict[str, Any] = {"faults": refusal.faults, "chosen": request.GET.getlist("chosen")}
    if "winners" not in request.GET:
        with suppress(ValidationFailed):
            given["field"] = field_of(table.places, _size(request))
    return _page(request, season, table, refusal.status, **given)


def _page(request: Request, season: Season, table: Table, status: int = 200, **given: Any) -> HttpResponse:
    most = len(table.places)
    context = {"season": season, "table": table, "most": most, "size": _size(request) or min(USUAL_SIZE, most)}
    return render(request, "seasons/invite.html", context | given, status)
