"""Seasons: the table for everybody, as a page and as files; and what owners set up."""

from __future__ import annotations

import json

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access
from tournament.errors import Conflict
from tournament.forms.desk import SeasonForm
from tournament.lists.standings import season_list
from tournament.middleware import render
from tournament.models import Event, Season
from tournament.queries.season import events_to_put_in, season_facts, seasons
from tournament.reports.files import download, file_of
from tournament.reports.pdf.lists import list_paper
from tournament.request import Request
from tournament.services import season as service
from tournament.tables import page_table
from tournament.views.pages import done, sent, site_of
from tournament.views.papers import WRITERS

# The table of a season. Page and files say a name as everybody may read it; owners find whole names where they set up.


@require_safe
def season_page(request: Request, slug: str) -> HttpResponse:
    facts = season_facts(_season(request, slug, "see-season"))
    context = {"season": facts.season, "facts": facts, "table": page_table(season_list(facts), request)}
    may_manage = access.may(request.actor, "manage-seasons")
    return render(request, "season.html", context | {"may_manage": may_manage})


@require_safe
def season_file(request: Request, slug: str, kind: str) -> HttpResponse:
    """The table for the wall, as Excel, CSV or JSON: the same names and figures as on the page."""
    facts = season_facts(_season(request, slug, "see-season"))
    listing, site = season_list(facts, paper=kind == "pdf"), site_of(request)
    cells = [[listing.said(column, row) for column in listing.columns] for row in listing.rows]
    key = json.dumps([slug, kind, site, facts.season.name, facts.season.paper, listing.under, listing.notes, cells])

    def make() -> bytes:
        return list_paper(listing, site=site) if kind == "pdf" else WRITERS[kind](listing)

    return download(file_of(key, make), f"{facts.season} standings", kind, inline=kind == "pdf")


# Setting seasons up.


@require_http_methods(["GET", "HEAD", "POST"])
def season_list_page(request: Request) -> HttpResponse:
    """All seasons, and a new one."""
    access.require(request.actor, "manage-seasons")
    form = SeasonForm(sent(request))
    if form.is_valid():
        season = service.create_season(request.actor, form.chosen)
        return done(request, f"{season} is set up. Put its events in.", "season-setup", season.slug)
    context = {"seasons": seasons(whole=True), "form": form}
    return render(request, "seasons.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def season_setup(request: Request, slug: str) -> HttpResponse:
    """Its scheme, its events, and the table with whole names."""
    season = _season(request, slug, "manage-seasons")
    form = SeasonForm(sent(request), season=season)
    if form.is_valid():
        service.change_season(request.actor, season, form.chosen)
        return done(request, f"{season} is changed: its table has followed.", "season-setup", slug)
    facts = season_facts(season, whole=True)
    context = {"season": season, "facts": facts, "form": form, "choices": events_to_put_in(season)}
    context |= {"table": page_table(season_list(facts), request)}
    return render(request, "season_setup.html", context, status=422 if form.is_bound else 200)


@require_POST
def season_events(request: Request, slug: str) -> HttpResponse:
    """Put an event in, or take it out."""
    season = _season(request, slug, "manage-seasons")
    name = "out" if "out" in request.POST else "event"
    event = Event.objects.filter(slug=request.POST.get(name, "")).first()
    if event is None:
        raise Conflict("Choose an event from the list.")
    if name == "out":
        service.take_out(request.actor, season, event)
        return done(request, f"{event} no longer counts in {season}.", "season-setup", slug)
    service.put_in(request.actor, season, event)
    return done(request, f"{event} counts in {season}.", "season-setup", slug)


@require_POST
def season_deletion(request: Request, slug: str) -> HttpResponse:
    season = _season(request, slug, "manage-seasons")
    service.delete_season(request.actor, season)
    return done(request, f"{season} is deleted. Its events stay.", "seasons")


def _season(request: Request, slug: str, action: str) -> Season:
    access.require(request.actor, action)
    return get_object_or_404(Season, slug=slug)
