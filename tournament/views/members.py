"""The members of a season: ticked, taken from those who played or from the season before, or pasted as a list."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from tournament.errors import DomainError, ValidationFailed
from tournament.forms.members import read_answers, read_list, read_ticks
from tournament.gate.middleware import render
from tournament.models import Season
from tournament.queries.members import (
    NEW,
    SKIP,
    LineQuestion,
    Listed,
    ask_about,
    has_teams,
    last_season,
    listed_members,
    read_lines,
    suggested,
)
from tournament.request import Request
from tournament.services import members as services
from tournament.views.pages import done
from tournament.views.season import in_season


class MemberRow(NamedTuple):
    """A member on the page: whether the box is checked, the team as it was typed, and what is wrong with it."""

    member: Listed
    is_ticked: bool
    team: str
    wrong: str


class AskedRow(NamedTuple):
    """A line of the list on the page, and which of its answers is chosen."""

    asked: LineQuestion
    chosen: str


def _page(request: Request, season: Season, status: int = 200, **given: Any) -> HttpResponse:
    rows = [MemberRow(member, True, member.team, "") for member in listed_members(season)]
    context = {"season": season, "rows": rows, "for_teams": has_teams(season), "last": last_season(season)}
    context |= {"teams": sorted({row.team for row in rows if row.team}), "new": NEW, "skip": SKIP, "names": ""}
    return render(request, "seasons/members.html", context | given, status)


@require_http_methods(["GET", "HEAD", "POST"])
@in_season("manage-seasons")
def members(request: Request, season: Season) -> HttpResponse:
    """Who belongs to the season; everything that changes it is a button of this page."""
    if request.method != "POST":
        return _page(request, season)
    if "names" in request.POST:
        return _add_listed(request, season)
    if "shown" in request.POST or "save" in request.POST:
        return _save(request, season)
    try:
        add = services.add_from_last_season if "last" in request.POST else services.add_who_played
        return _changed(request, season, add(request.actor, season))
    except DomainError as refusal:
        return _page(request, season, refusal.status, faults=refusal.faults)


def _save(request: Request, season: Season) -> HttpResponse:
    """Keep the checked members and the teams of the list."""
    shown, ticked, teams = read_ticks(request.POST)
    try:
        return _changed(request, season, services.save_members(request.actor, season, shown, ticked, teams))
    except DomainError as refusal:
        wrong = {fault.field: fault.text for fault in refusal.faults}
        rows = [_as_typed(member, ticked, teams, wrong) for member in listed_members(season)]
        return _page(request, season, refusal.status, faults=refusal.faults, rows=rows)


def _as_typed(member: Listed, ticked: set[int], teams: dict[int, str], wrong: dict[str, str]) -> MemberRow:
    pk = member.person.pk
    return MemberRow(member, pk in ticked, teams.get(pk, member.team), wrong.get(f"team-{pk}", ""))


def _add_listed(request: Request, season: Season) -> HttpResponse:
    """Add the names of a list, or ask who is who on it; the list stays as it was typed."""
    names = read_list(request.POST)
    lines, faults = read_lines(names, with_teams=has_teams(season))
    answers = read_answers(request.POST, lines)
    try:
        if faults:
            raise ValidationFailed(faults)
        return _changed(request, season, services.add_listed(request.actor, season, lines, answers))
    except DomainError as refusal:
        rows = [AskedRow(row, suggested(row)) for row in ask_about(lines, answers) if not row.is_certain]
        return _page(request, season, refusal.status, faults=refusal.faults, names=names, asked=rows)


def _changed(request: Request, season: Season, changed: services.Changed) -> HttpResponse:
    return done(request, str(changed), "season-members", season.slug)
