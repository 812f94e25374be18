"""Check-in: a phone for its own team, a tablet of the hall for all of them, and the desk."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import is_bound, is_hidden, may, require
from tournament.errors import Conflict, DomainError, ValidationFailed
from tournament.forms.door import NO, DoorForm, NoteForm, read_key
from tournament.forms.hand import read_confirmed
from tournament.forms.keys import read_place
from tournament.gate.middleware import render
from tournament.models import Event, Ledger, Team
from tournament.queries.checkin import absences, absent_teams, closed_to, seat_of
from tournament.queries.door import debts_at
from tournament.queries.door import door_of as door_facts
from tournament.queries.leaving import is_drawn
from tournament.queries.ledger import receipts_of
from tournament.queries.roster import look_up
from tournament.queries.rules import ruleset_of
from tournament.request import Request
from tournament.services import teams
from tournament.services.confirming import NeedsConfirmation
from tournament.services.door import door as at_door
from tournament.services.door import set_note, take_all
from tournament.services.dues import TOO_OLD
from tournament.services.events import change_wall_code
from tournament.services.substitutions import has_rounds_to_reseat
from tournament.views.confirming import Button, question_page
from tournament.views.pages import done, in_event, page_or_part, public_page, sent
from tournament.views.teams import changed
from tournament.views.wall import LONGEST, typed_code
from tournament.words.phrases import money

# Payments of dropped teams are booked as given back.
BACK = " Give them their money now: it is in the books as given back."
# How to undo that.
THEY_ARE_HERE, OWES_AGAIN = "To undo this, press “They’re here” at check-in.", " Who got money back owes it again then."
# A phone is bound to the team that it checked in, for a day.
COOKIE, A_DAY = "uptown_here", 86_400


class Door(NamedTuple):
    """How somebody reached the page: with the code of the wall, on a tablet of the hall, or on a phone with its team.

    `own` is the team of the phone, `mine` whether this phone checked it in.
    """

    code: str
    tablet: bool
    own: Team | None
    mine: bool

    @property
    def is_open(self) -> bool:
        return bool(self.code or self.tablet or self.own)


def door_of(request: Request, event: Event) -> Door:
    """Raise TooMany if too many wrong codes came from one address."""
    tablet = is_bound(request.actor.device, event, None)
    saved = request.get_signed_cookie(COOKIE, default="", salt=str(event.epoch), max_age=A_DAY) or ""
    pk, _, moment = saved.partition("|")
    own = event.teams.filter(pk=pk).first() if pk and not tablet else None
    mine = own is not None and own.here_at is not None and own.here_at.isoformat() == moment
    return Door(typed_code(request, event), tablet, own, mine)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("check-in")
def check_in_page(request: Request, event: Event) -> HttpResponse:
    """Find your team and check it in."""
    if not event.checks_in or event.is_rehearsal:
        raise Http404
    door = door_of(request, event)
    if request.method == "POST":
        if not door.is_open:
            raise ValidationFailed("This is not the code on the wall. Scan it again, or ask the desk.")
        return _pressed(request, event, door)
    text = " ".join(request.GET.get("team", "").split())[:LONGEST]
    context = {"event": event, "door": door, "text": text, "closed": closed_to(event), "is_drawn": is_drawn(event)}
    if door.own is not None and door.mine:
        context |= {"owes": sum(debt.cents for debt in debts_at(event, door.own)), "seat": seat_of(event, door.own)}
    # Before the draw strangers are not told the event's name: only that a code is asked for, as the poster says.
    context["hidden"] = is_hidden(event)
    context["unnamed"] = context["hidden"] and not door.is_open
    if door.is_open and text:
        here = set(event.teams.exclude(here_at=None).values_list("number", flat=True))
        context |= {"teams": look_up(event, text), "here": here}
    context["wrong"] = "code" in request.GET and not door.code
    return public_page(request, "public/check_in.html", "public/_own.html", context, headed=False)


def _pressed(request: Request, event: Event, door: Door) -> HttpResponse:
    """A phone acts for one team; a tablet of the hall for whoever uses it."""
    number, is_here = _asked(request)
    address = reverse("check-in", args=[event.slug])
    if door.tablet:
        team, _ = teams.check_in(request.actor, event, number, "tablet", here=is_here)
        return done(request, f"{team}: {'here' if is_here else 'not here'}.", address)
    _check_phone(event, door, number, is_here=is_here)
    team, is_new = teams.check_in(request.actor, event, number, "phone", here=is_here)
    # A phone that keeps its team from an old code is not told the new one.
    response = redirect(f"{address}?code={door.code}" if door.code else address)
    if not is_here:
        response.delete_cookie(COOKIE, path=address)
    elif is_new or door.own is None:
        # Only the phone that has checked the team in knows the moment, and may take it back.
        moment = team.here_at.isoformat() if is_new and team.here_at else ""
        response.set_signed_cookie(
            COOKIE,
            f"{team.pk}|{moment}",
            salt=str(event.epoch),
            max_age=A_DAY,
            path=address,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response


def _check_phone(event: Event, door: Door, number: int, *, is_here: bool) -> None:
    """Raises Conflict if a phone checks in a second team, or takes back what it may not take back."""
    if door.own is not None and door.own.number != number:
        unit = ruleset_of(event).unit
        raise Conflict(f"This phone checked in {door.own}. For another {unit}, please go to the desk.")
    if is_here:
        return
    if not door.mine:
        raise Conflict("This was checked in elsewhere. Please go to the desk.")
    if is_drawn(event):
        raise Conflict("Game 1 is drawn. If you have to leave, please tell the desk.")


def _asked(request: Request) -> tuple[int, bool]:
    """The number of a team, 0 where there is none, and whether it is here."""
    return read_place(request.POST.get("number", "")), request.POST.get("here") != "no"


# The desk: a row per team, with who is here and what is owed, and missing teams at the top.


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("check-in-desk", polled=True)
def desk_page(request: Request, event: Event) -> HttpResponse:
    """Every team, with one press per row."""
    if request.method != "POST":
        return _desk(request, event)
    try:
        words = _at_desk(request, event)
    except DomainError as refusal:
        event.refresh_from_db()
        return _desk(request, event, refusal.status, faults=refusal.faults)
    if not request.htmx:
        return done(request, words, _back(request, event))
    event.refresh_from_db()
    return _desk(request, event, said=words)


def _desk(request: Request, event: Event, status: int = 200, **given: Any) -> HttpResponse:
    door = door_facts(event, with_money=may(request.actor, "pay", event))
    context = {"event": event, "tab": "teams", "door": door, "version": event.version, **given}
    return page_or_part(request, "desk/check_in.html", "desk/_check_in.html", context, status)


def _at_desk(request: Request, event: Event) -> str:
    """Do what the press of a row asks for, and report it."""
    form = DoorForm(request.POST)
    if not form.is_valid():
        raise Conflict(TOO_OLD)
    number, key = form.cleaned_data["number"], form.cleaned_data["key"]
    if form.cleaned_data["here"] == NO:
        team, _ = teams.check_in(request.actor, event, number, "desk", here=False)
        return f"{team.in_full}: not here."
    if form.takes:
        require(request.actor, "pay", event)
    team, lines = at_door(request.actor, event, number, key, here=form.is_here, takes=form.takes)
    said = [f"{team.in_full}: here."] * form.is_here
    if lines:
        said.append(_taken(event, lines))
    return " ".join(said)


def _taken(event: Event, lines: Sequence[Ledger]) -> str:
    return f"{money(sum(line.cents for line in lines), event.currency)} taken. {receipts_of(lines)}."


def _back(request: Request, event: Event) -> str:
    """Back to where the button was: at the door, on the list of the money, or on a team's account."""
    page, number = request.POST.get("from", ""), read_place(request.POST.get("number", ""))
    if page == "team" and number:
        return reverse("money-team", args=[event.slug, number])
    if page == "money":
        return f"{reverse('desk-money', args=[event.slug])}#team-{number}"
    return f"{reverse('desk-check-in', args=[event.slug])}#door-{number}"


@require_POST
@in_event("pay")
def all_paid(request: Request, event: Event) -> HttpResponse:
    """Take payment from everybody who is here: the page first shows who pays how much."""
    back, key = reverse("desk-check-in", args=[event.slug]), read_key(request.POST.get("key", ""))
    try:
        lines = take_all(request.actor, event, key, confirmed=read_confirmed(request.POST))
    except NeedsConfirmation as needed:
        button = (Button("They paid"),)
        return question_page(request, event, needed, button, title="Everyone who is here paid?", back=back)
    return done(request, _taken(event, lines), back)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("check-in-desk")
def note(request: Request, event: Event, number: int) -> HttpResponse:
    """The desk's own note about a team."""
    team = get_object_or_404(Team, event=event, number=number)
    form = NoteForm(sent(request), initial={"note": team.note})
    if form.is_valid():
        set_note(request.actor, event, number, form.cleaned_data["note"])
        return done(request, "Note saved.", f"{reverse('desk-check-in', args=[event.slug])}#door-{number}")
    context = {"event": event, "tab": "teams", "team": team, "form": form}
    return render(request, "desk/team_note.html", context, status=422 if form.is_bound else 200)


@require_POST
@in_event("set-up")
def new_code(request: Request, event: Event) -> HttpResponse:
    """A new code for the wall; the page first shows which papers become useless with the old one."""
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
    """Leave out everybody who has not come, in one act; the page first shows who, and what they get back.

    Directors alone may do both: change teams, and give money back.
    """
    numbers = [read_place(number) for number in request.POST.get("numbers", "").split(",")]
    gone, back = absent_teams(event).filter(number__in=numbers), reverse("desk-check-in", args=[event.slug])
    names = absences(event, gone)
    verb = f"Drop {len(names)} {ruleset_of(event).unit}{pluralize(names)}"
    title = f"{verb} not here yet?"
    words, undo = f"Dropped: {', '.join(names)}.", THEY_ARE_HERE
    if any(name.endswith("goes back") for name in names):
        words, undo = words + BACK, undo + OWES_AGAIN
    act = partial(teams.leave_out, request.actor, event, numbers)
    if has_rounds_to_reseat(event):
        warns = {"warning": teams.NOT_HERE, "warn": tuple}
        return changed(request, event, act, title, words, "Drop", back, undo, **warns)
    try:
        act(confirmed=read_confirmed(request.POST))
    except NeedsConfirmation as needed:
        return question_page(request, event, needed, (Button(verb),), title=title, back=back, undo=undo)
    return done(request, f"{words} {undo}", back)


@require_POST
@in_event("change-teams")
def came(request: Request, event: Event, number: int) -> HttpResponse:
    """A team that was left out is here after all."""
    team = get_object_or_404(Team, event=event, number=number)
    act = partial(teams.come, request.actor, event, number)
    back = reverse("desk-check-in", args=[event.slug])
    return changed(request, event, act, f"{team.name} came", f"Here and back in play: {team}.", "Bring back", back)
