"""Check-in: a phone for its own team, a tablet of the hall for all of them, and the desk."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import is_bound, is_hidden
from tournament.errors import Conflict, ValidationFailed
from tournament.forms.desk import read_place
from tournament.forms.hand import read_confirmed
from tournament.middleware import render
from tournament.models import Event, Team
from tournament.queries.checkin import absent_teams, check_in, closed_to
from tournament.queries.roster import look_up
from tournament.queries.rules import ruleset_of
from tournament.queries.season import desk_dues
from tournament.request import Request
from tournament.services import teams
from tournament.services.confirming import NeedsConfirmation
from tournament.services.events import change_wall_code
from tournament.services.substitutions import has_rounds_to_reseat
from tournament.views.confirming import Button, question_page
from tournament.views.pages import done, in_event, page_or_part
from tournament.views.teams import changed
from tournament.views.wall import LONGEST, typed_code

# A phone is bound to the team that it checked in, for a day.
COOKIE, A_DAY = "uptown_here", 86_400


class Door(NamedTuple):
    """How somebody came to the page: with the code of the wall, on a tablet of the hall, on a phone with its team.

    `own` is the team of the phone, `mine` whether it is this phone that checked it in.
    """

    code: str
    tablet: bool
    own: Team | None
    mine: bool

    @property
    def is_open(self) -> bool:
        return bool(self.code or self.tablet or self.own)


def door_of(request: Request, event: Event) -> Door:
    """Raises TooMany where too many wrong codes came from one address."""
    tablet = is_bound(request.actor.device, event, None)
    saved = request.get_signed_cookie(COOKIE, default="", salt=str(event.epoch), max_age=A_DAY) or ""
    pk, _, moment = saved.partition("|")
    own = event.teams.filter(pk=pk).first() if pk and not tablet else None
    mine = own is not None and own.here_at is not None and own.here_at.isoformat() == moment
    return Door(typed_code(request, event), tablet, own, mine)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("check-in")
def check_in_page(request: Request, event: Event) -> HttpResponse:
    """Find your team, and say that you are here."""
    if not event.checks_in or event.is_rehearsal:
        raise Http404
    door = door_of(request, event)
    if request.method == "POST":
        if not door.is_open:
            raise ValidationFailed("This is not the code on the wall. Scan it again, or ask the desk.")
        return _pressed(request, event, door)
    text = " ".join(request.GET.get("team", "").split())[:LONGEST]
    context = {"event": event, "door": door, "text": text, "closed": closed_to(event)}
    # Before the draw strangers are not told what it is called: only that a code is asked for, as the poster says.
    context["unnamed"] = is_hidden(event) and not door.is_open
    if door.is_open and text:
        here = set(event.teams.exclude(here_at=None).values_list("number", flat=True))
        context |= {"teams": look_up(event, text), "here": here}
    return render(request, "public/check_in.html", context | {"wrong": "code" in request.GET and not door.code})


def _pressed(request: Request, event: Event, door: Door) -> HttpResponse:
    """A phone speaks for one team; a tablet of the hall for whoever stands before it."""
    number, is_here = _asked(request)
    if not door.tablet and door.own is not None and door.own.number != number:
        raise Conflict(
            f"This phone checked in {door.own}. For another {ruleset_of(event).unit}, please go to the desk."
        )
    if not is_here and not (door.tablet or door.mine):
        raise Conflict("This was checked in elsewhere. Please go to the desk.")
    team, is_new = teams.check_in(request.actor, event, number, "tablet" if door.tablet else "phone", here=is_here)
    address = reverse("check-in", args=[event.slug])
    if door.tablet:
        return done(request, f"{team}: {'here' if is_here else 'not here after all'}.", address)
    # A phone that keeps its team from an old code is not told the new one.
    response = redirect(f"{address}?code={door.code}" if door.code else address)
    if not is_here:
        response.delete_cookie(COOKIE, path=address)
    elif is_new or door.own is None:
        value = f"{team.pk}|{team.here_at.isoformat() if is_new and team.here_at else ''}"
        options = {"path": address, "secure": request.is_secure(), "httponly": True, "samesite": "Lax"}
        response.set_signed_cookie(COOKIE, value, salt=str(event.epoch), max_age=A_DAY, **options)
    return response


def _asked(request: Request) -> tuple[int, bool]:
    """The number of a team, 0 where there is none, and whether it is here."""
    return read_place(request.POST.get("number", "")), request.POST.get("here") != "no"


# The desk: a row a team, and who has not come on top.


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("check-in-desk", polled=True)
def desk_page(request: Request, event: Event) -> HttpResponse:
    """Everybody with one press a row."""
    if request.method == "POST":
        number, is_here = _asked(request)
        team, _ = teams.check_in(request.actor, event, number, "desk", here=is_here)
        if not request.htmx:
            return done(request, f"{team}: {'here' if is_here else 'not here'}.", "desk-check-in", event.slug)
        event.refresh_from_db()
    context = {"event": event, "tab": "teams", "door": check_in(event)}
    context |= {"version": event.version, "dues": desk_dues(event)}
    return page_or_part(request, "desk/check_in.html", "desk/_check_in.html", context)


@require_POST
@in_event("set-up")
def new_code(request: Request, event: Event) -> HttpResponse:
    """Another code for the wall; the page says first which papers end with the old one."""
    back = reverse("desk-check-in" if event.checks_in else "desk-entries", args=[event.slug])
    try:
        changed_event = change_wall_code(request.actor, event, confirmed=read_confirmed(request.POST))
    except NeedsConfirmation as needed:
        buttons = (Button("Make a new code"),)
        return question_page(request, event, needed, buttons, title="A new code on the wall", back=back)
    return done(request, f"The code on the wall is {changed_event.wall_code} now. Print it and put it up.", back)


@require_POST
@in_event("change-teams")
def leave_out(request: Request, event: Event) -> HttpResponse:
    """Who has not come is left out, all in one act; the page says first who it is."""
    numbers = [read_place(number) for number in request.POST.get("numbers", "").split(",")]
    gone, back = absent_teams(event).filter(number__in=numbers), reverse("desk-check-in", args=[event.slug])
    names = teams.names_of(gone)
    verb = f"Leave out {len(names)} {ruleset_of(event).unit}{pluralize(names)}"
    title = f"{verb} not here yet?"
    words = f"Left out: {', '.join(names)}. “They came” brings them back."
    act = partial(teams.leave_out, request.actor, event, numbers)
    if has_rounds_to_reseat(event):
        warns = {"warning": teams.NOT_HERE, "warn": teams.names_of}
        return changed(request, event, act, title, words, "Leave out", back, **warns)
    try:
        act(confirmed=read_confirmed(request.POST))
    except NeedsConfirmation as needed:
        return question_page(request, event, needed, (Button(verb),), title=title, back=back)
    return done(request, words, back)


@require_POST
@in_event("change-teams")
def came(request: Request, event: Event, number: int) -> HttpResponse:
    """A team that was left out is here after all."""
    team = get_object_or_404(Team, event=event, number=number)
    act = partial(teams.come, request.actor, event, number)
    back = reverse("desk-check-in", args=[event.slug])
    return changed(request, event, act, f"{team.name} came", f"Here and back in play: {team}.", "Bring back", back)
