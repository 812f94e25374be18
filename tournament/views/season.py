"""Seasons: the table for everybody, as a page and as files; and what owners set up."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe

from tournament.errors import Conflict, DomainError
from tournament.forms.event import LikeForm
from tournament.forms.fields import show_faults, whole_number
from tournament.forms.keys import read_person, read_rows
from tournament.forms.season import MOST_WEIGHT, SeasonForm, read_weight
from tournament.gate.middleware import render
from tournament.lists.standings import season_list
from tournament.models import Event, PartnerDraw, Season
from tournament.queries.members import drawable_members, present_tonight
from tournament.queries.season import (
    TIMES,
    drawn_pairs,
    events_to_put_in,
    season_facts,
    season_shows,
    seasons_with_counts,
    shown_person,
)
from tournament.queries.season_checks import stand_ins, told_changes
from tournament.queries.season_events import events_of
from tournament.reports.files import download, file_of
from tournament.reports.pdf.lists import list_paper
from tournament.request import Request
from tournament.services import season as services
from tournament.tables import page_table
from tournament.views.pages import Page, done, on_site, sent, site_of
from tournament.views.papers import WRITERS

# The number of events of a season with a column on its page and a place below the table.
LAST_EVENTS = 10


def in_season(action: str) -> Callable[[Page], Page]:
    """A page of a season, for those who may do this."""

    def wrap(view: Page) -> Page:
        @on_site(action)
        @wraps(view)
        def page(request: Request, slug: str, **given: Any) -> HttpResponse:
            return view(request, get_object_or_404(Season, slug=slug), **given)

        return page

    return wrap


# The table of a season. Page and files show public names; owners find whole names on the setup page.


@conditional_page
@require_safe
@in_season("see-season")
def season_page(request: Request, season: Season) -> HttpResponse:
    """The last events with a column each; all of them by a link."""
    facts = season_facts(season)
    last = 0 if "all" in request.GET else LAST_EVENTS
    context = {
        "season": facts.season,
        "facts": facts,
        "table": page_table(season_list(facts, last=last), request),
        "events": facts.events[-last:],
        "has_earlier": last and len(facts.events) > last,
    }
    return render(request, "season.html", context)


@require_safe
@in_season("see-season")
def season_file(request: Request, season: Season, kind: str) -> HttpResponse:
    """The table for the wall, as Excel, CSV or JSON: the same names and figures as on the page."""
    facts = season_facts(season)
    listing, site = season_list(facts, paper=kind == "pdf"), site_of(request)
    cells = [[listing.said(column, row) for column in listing.columns] for row in listing.rows]
    key = json.dumps(
        [season.slug, kind, site, facts.season.name, facts.season.paper, listing.under, listing.notes, cells]
    )

    def make() -> bytes:
        return list_paper(listing, site=site) if kind == "pdf" else WRITERS[kind](listing)

    return download(file_of(key, make), f"{facts.season} standings", kind, inline=kind == "pdf")


# Setting seasons up.


@require_http_methods(["GET", "HEAD", "POST"])
@on_site("manage-seasons")
def season_list_page(request: Request) -> HttpResponse:
    """All seasons, and a new one."""
    form = SeasonForm(sent(request))
    if form.is_valid():
        season = services.create_season(request.actor, form.chosen)
        return done(request, f"{season} is set up. Put its events in.", "season-setup", season.slug)
    context = {"seasons": seasons_with_counts(), "form": form}
    return render(request, "seasons.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@in_season("manage-seasons")
def season_setup(request: Request, season: Season) -> HttpResponse:
    """Its scheme, its events, and the table with whole names."""
    form, status = SeasonForm(sent(request), season=season), 422 if request.method == "POST" else 200
    try:
        if form.is_valid():
            services.change_season(request.actor, season, form.chosen)
            return done(request, f"{season} is saved. The table is up to date.", "season-setup", season.slug)
    except DomainError as refusal:
        status = show_faults(form, refusal)
        season.refresh_from_db()
    facts = season_facts(season, whole=True)
    context = {"season": season, "facts": facts, "form": form, "choices": events_to_put_in(season)}
    context |= {"stand_ins": stand_ins(facts), "changes": told_changes(facts), "weights": range(MOST_WEIGHT + 1)}
    context |= {"table": page_table(season_list(facts), request)}
    return render(request, "season_setup.html", context, status=status)


@require_POST
@in_season("manage-seasons")
def season_events(request: Request, season: Season) -> HttpResponse:
    """Add an event, remove it, or set how much it counts."""
    name = next((name for name in ("out", "weigh") if name in request.POST), "event")
    event = Event.objects.filter(slug=request.POST.get(name, "")).first()
    if event is None:
        raise Conflict("Choose an event from the list.")
    if name == "out":
        services.take_out(request.actor, season, event)
        return done(request, f"{event} no longer counts in {season}.", "season-setup", season.slug)
    if name == "weigh":
        weight = read_weight(request.POST)
        services.weigh(request.actor, season, event, weight)
        return done(request, f"{event} counts {TIMES.get(weight, f'{weight} times')}.", "season-setup", season.slug)
    services.put_in(request.actor, season, event)
    return done(request, f"{event} counts in {season}.", "season-setup", season.slug)


@require_POST
@in_season("manage-seasons")
def season_team(request: Request, season: Season) -> HttpResponse:
    """Put somebody on the list of the fixed team they sat for."""
    person = read_person(request.POST.get("person", "")) or 0
    row = services.add_to_team(request.actor, season, person, request.POST.get("team", ""))
    return done(request, f"{row.person} is on {row.team}. The table is up to date.", "season-setup", season.slug)


@require_POST
@in_season("manage-seasons")
def season_told(request: Request, season: Season) -> HttpResponse:
    """The owner has seen what the table counts differently since the upgrade."""
    services.see_what_changed(request.actor, season)
    return done(request, "Noted.", "season-setup", season.slug)


@require_POST
@in_season("manage-seasons")
def season_deletion(request: Request, season: Season) -> HttpResponse:
    services.delete_season(request.actor, season)
    return done(request, f"{season} is deleted. Its events stay.", "seasons")


# Partners by lot.


def _partners(request: Request, season: Season, status: int = 200, **given: Any) -> HttpResponse:
    draw = season.draws.select_related("alone__merged_into").last()
    context: dict[str, Any] = {"season": season, "members": drawable_members(season), "like": LikeForm(), "draw": draw}
    context |= {"chosen": present_tonight(season)}
    context |= {"pairs": drawn_pairs(draw) if draw else [], "alone": draw and draw.alone}
    context |= {"events": events_of(season).filter(stage="setup", archived_at=None)}
    return render(request, "seasons/partners.html", context | given, status)


@require_http_methods(["GET", "HEAD", "POST"])
@in_season("manage-seasons")
def partners(request: Request, season: Season) -> HttpResponse:
    """Choose who is present, draw, and see the pairs."""
    if request.method != "POST":
        return _partners(request, season)
    chosen = sorted(read_rows(request.POST.getlist("member")))
    try:
        draw = services.draw_pairs(request.actor, season, chosen)
    except DomainError as refusal:
        return _partners(request, season, refusal.status, faults=refusal.faults, chosen=chosen)
    return done(request, f"{len(draw.pairs)} pairs are drawn.", "season-partners", season.slug)


@require_POST
@in_season("manage-seasons")
def partners_entries(request: Request, season: Season) -> HttpResponse:
    """Enter the pairs as the teams of an event that is being set up, or of a new one."""
    draw, form = get_object_or_404(PartnerDraw, season=season, number=request.POST.get("draw", "0")[:4]), None
    event = events_of(season).filter(slug=request.POST.get("event", "")[:60]).first()
    try:
        if event is not None:
            services.enter_pairs(request.actor, draw, event)
        else:
            form = LikeForm(request.POST)
            if not form.is_valid():
                return _partners(request, season, 422, like=form)
            event = services.new_event_of_pairs(request.actor, draw, **form.cleaned_data)
    except DomainError as refusal:
        return _partners(request, season, refusal.status, faults=refusal.faults, **({"like": form} if form else {}))
    return done(request, f"{len(draw.pairs)} pairs are entered in {event}.", "season-partners", season.slug)


@require_safe
@in_season("see-season")
def partners_board(request: Request, season: Season) -> HttpResponse:
    """One pair at a time on the projector; Enter, the space bar or a click shows the next."""
    draw = season.draws.select_related("alone").last()
    pairs = drawn_pairs(draw) if draw else []
    number = whole_number(request.GET.get("pair", "0"), 0, len(pairs) + 1) or 0
    alone = draw and draw.alone and shown_person(draw.alone, season_shows(season), 2 * len(pairs) + 1)
    context: dict[str, Any] = {"season": season, "draw": draw, "pairs": pairs, "number": number, "alone": alone}
    context |= {"pair": pairs[number - 1] if 0 < number <= len(pairs) else None}
    return render(request, "seasons/partners_board.html", context)
