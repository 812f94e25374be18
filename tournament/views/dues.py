"""Dues on a season's own page: what they are, who owes, what was paid and given back."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.errors import DomainError
from tournament.forms.dues import DuesForm, SeasonDuesForm
from tournament.forms.fields import show_faults
from tournament.gate.middleware import render
from tournament.lists.money import dues_list
from tournament.models import Event, Season
from tournament.queries.dues import dues_lines, events_played, members_of
from tournament.queries.season_events import events_of
from tournament.reports.files import download, making_file
from tournament.request import Request
from tournament.services import dues as services
from tournament.services.transactions import dry_run
from tournament.tables import cell_from, page_table
from tournament.views.pages import done, need_password
from tournament.views.papers import WRITERS
from tournament.views.season import in_season
from tournament.words.phrases import money


def stand_in(season: Season) -> Event:
    """An unsaved event that gives lists the season's name, currency, paper, and clock."""
    last = events_of(season).last() or Event()
    return Event(
        name=season.name,
        slug=season.slug,
        date=last.date or timezone.localdate(),
        currency=season.currency,
        paper=season.paper,
        time_zone=last.time_zone,
    )


def _page(request: Request, season: Season, status: int = 200, **given: Any) -> HttpResponse:
    event, members = stand_in(season), members_of(season)
    pays = cell_from("seasons/_owes.html", request, event)
    table = page_table(dues_list(event, members, events_played(season), pays), request)
    context = {"season": season, "event": event, "table": table, "members": members, "lines": dues_lines(season)}
    context |= {
        "amount": SeasonDuesForm(initial={"cents": season.dues_cents}),
        "owed": sum(one.owes for one in members),
    }
    return render(request, "seasons/dues.html", context | given, status)


@require_http_methods(["GET", "HEAD", "POST"])
@in_season("manage-seasons")
def dues(request: Request, season: Season) -> HttpResponse:
    """What every member owes and has paid; the owner sets the amount."""
    if request.method != "POST":
        return _page(request, season)
    form = SeasonDuesForm(request.POST)
    if not form.is_valid():
        return _page(request, season, 422, amount=form)
    services.set_dues(request.actor, season, form.cleaned_data["cents"] or 0)
    return done(request, "Dues saved.", "season-dues", season.slug)


@require_POST
@in_season("manage-seasons")
def payment(request: Request, season: Season) -> HttpResponse:
    """A member pays the owner, not at an event's desk."""
    form, status = DuesForm(request.POST), 422
    try:
        if form.is_valid():
            line = services.take_dues(request.actor, season, form.cleaned_data["person"], form.cleaned_data["key"])
            words = f"{money(line.cents, season.currency)} dues taken from {line.member}. Receipt {line.number}."
            return done(request, words, "season-dues", season.slug)
    except DomainError as refusal:
        status = show_faults(form, refusal)
    return _page(request, season, status, form=form)


@require_safe
@in_season("manage-seasons")
def dues_file(request: Request, season: Season, kind: str) -> HttpResponse:
    with making_file():
        content = WRITERS[kind](dues_list(stand_in(season), members_of(season), events_played(season)))
    return download(content, f"{season.name} dues", kind)


@require_POST
@in_season("manage-seasons")
def reversal(request: Request, season: Season, number: int) -> HttpResponse:
    """Give dues back; `number` is the key of their line, because desks number their own receipts."""
    act = partial(services.give_back_dues, request.actor, season, number)
    dry_run(act)
    need_password(request, "Give these dues back.")
    line = act()
    words = f"{money(-line.cents, season.currency)} dues given back to {line.member}. Receipt {line.number}."
    return done(request, words, reverse("season-dues", args=[season.slug]))
