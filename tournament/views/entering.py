"""Players enter themselves: the entry page, an entry's private link, and the desk's list of entries."""

from __future__ import annotations

from contextlib import nullcontext
from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import is_hidden
from tournament.errors import DomainError, TooMany
from tournament.forms.entering import EntryForm, JoinForm, read_place
from tournament.forms.fields import show_faults
from tournament.limits import MANY, SECONDS, limited
from tournament.middleware import render as desk_render
from tournament.models import Event, Registration
from tournament.queries.entering import (
    door,
    entries_of,
    entry_by_link,
    entry_words,
    is_wall_code,
    kept_waiting,
    singles_of,
)
from tournament.queries.rules import ruleset_of
from tournament.request import Request
from tournament.services import entering
from tournament.views.pages import Page, done, find_event, in_event, sent

# So many entries a minute from one address: a hall has one for everybody in it, so its code lifts that.
MOST = 30
GONE = {
    "title": "This link leads to no entry",
    "words": "Is the address whole? Or the event may have been deleted: ask the club.",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_event("enter")
def enter(request: Request, event: Event) -> HttpResponse:
    """What the event is, who plays, and the form of an entry; of an event that is not drawn yet, too."""
    # A stranger is told of no other act in it.
    request.about = None
    if event.entries_from is None:
        raise Http404
    has_partners, is_alone = not ruleset_of(event).singles, "alone" in request.POST
    team = EntryForm(event, None if is_alone else sent(request))
    alone = EntryForm(event, sent(request) if is_alone else None, alone=True) if has_partners else None
    form = alone if is_alone and alone else team
    status = 422 if form.is_bound else 200
    if form.is_bound:
        in_hall = is_wall_code(event, request.GET.get("code", ""))
        try:
            with (
                nullcontext() if in_hall else limited("enter", request.actor.address, MOST, MANY.format("entries came"))
            ):
                if form.is_valid():
                    _, token = entering.enter(request.actor, event, form.wanted)
                    return redirect("entry", event.slug, token)
        except Event.DoesNotExist:
            raise Http404 from None
        except DomainError as refusal:
            status = show_faults(form, refusal)
    context = {"event": event, "door": door(event), "form": team, "alone": alone, "is_alone": is_alone}
    context["hidden"] = is_hidden(event)
    response = render(request, "public/enter.html", context, status=status)
    if status == TooMany.status:
        response["Retry-After"] = str(SECONDS)
    return response


def by_link(view: Page) -> Page:
    """A page of whoever has an entry's private link; a link that leads nowhere says so."""

    @never_cache
    @wraps(view)
    def page(request: Request, slug: str, token: str) -> HttpResponse:
        entry = entry_by_link(slug, token)
        if entry is None:
            return render(request, "refused.html", GONE, status=404)
        find_event(request, slug, "enter")
        request.about = None
        try:
            response = view(request, entry, token)
        except (Event.DoesNotExist, Registration.DoesNotExist):
            return render(request, "refused.html", GONE, status=404)
        # No other address is told this one, not even within the site.
        response["Referrer-Policy"], response["X-Robots-Tag"] = "strict-origin", "noindex"
        return response

    return page


@require_http_methods(["GET", "HEAD", "POST"])
@by_link
def entry(request: Request, entry: Registration, token: str) -> HttpResponse:
    """What became of an entry; what can still be changed of it is changed here."""
    form = EntryForm(entry.event, sent(request), entry=entry)
    if form.is_valid():
        try:
            entering.change(request.actor, entry, form.wanted)
        except DomainError as refusal:
            return _entry(request, entry, form, show_faults(form, refusal))
        return done(request, "Saved.", "entry", entry.event.slug, token)
    return _entry(request, entry, form, 422 if form.is_bound else 200)


@require_POST
@by_link
def entry_act(request: Request, entry: Registration, token: str) -> HttpResponse:
    """Withdraw, enter again, choose a partner or take that back."""
    what, position = request.POST.get("what", ""), read_place(request.POST.get("partner", ""))
    try:
        if what == "withdraw":
            entering.withdraw(request.actor, entry)
        elif what == "again":
            entering.enter_again(request.actor, entry)
        elif what in ("choose", "alone"):
            entering.choose(request.actor, entry, position if what == "choose" else None)
    except DomainError as refusal:
        form = EntryForm(entry.event, entry=entry)
        return _entry(request, entry, form, refusal.status, faults=refusal.faults)
    return redirect("entry", entry.event.slug, token)


def _entry(request: Request, entry: Registration, form: EntryForm, status: int, **extra: Any) -> HttpResponse:
    event = entry.event
    singles = [one for one in singles_of(event) if one.position != entry.position] if entry.state == "single" else []
    context = {"event": event, "entry": entry, "form": form, "singles": singles, "words": entry_words(entry)}
    context["token"] = request.resolver_match.kwargs["token"] if request.resolver_match else ""
    return render(request, "public/entry.html", context | extra, status=status)


# At the desk.


def _list(request: Request, event: Event, status: int = 200, join: JoinForm | None = None) -> HttpResponse:
    entries = entries_of(event)
    join = join or JoinForm(_pairs(entries["single"]))
    context = {"event": event, "tab": "teams", "entries": entries, "join": join, "stuck": kept_waiting(event)}
    context["until"] = entries["asked"][-1].position if entries["asked"] else 0
    return desk_render(request, "desk/entries.html", context, status=status)


@require_http_methods(["GET", "HEAD"])
@in_event("change-teams")
def entry_list(request: Request, event: Event) -> HttpResponse:
    """Every entry that players made: those that wait for the desk, the waiting list, who looks for a partner."""
    return _list(request, event)


@require_POST
@in_event("change-teams")
def acceptance(request: Request, event: Event) -> HttpResponse:
    """One entry is accepted or not, or all that the page showed."""
    place = read_place(request.POST.get("entry", ""))
    if "refuse" in request.POST:
        refused = entering.refuse(request.actor, event, place)
        return done(request, f"Not accepted: {refused.name}.", "desk-entries", event.slug)
    until = read_place(request.POST.get("until", ""))
    found = entering.accept(request.actor, event, place or None, until)
    late = sum(entry.state == "waiting" for entry in found)
    words = f"Accepted: {found[0].name}." if len(found) == 1 else f"{len(found)} entries are accepted."
    waiting = f" On the waiting list: {late}." if late else ""
    return done(request, f"{words}{waiting}", "desk-entries", event.slug)


@require_POST
@in_event("change-teams")
def joining(request: Request, event: Event) -> HttpResponse:
    """Two who came alone become a team."""
    form = JoinForm(_pairs(entries_of(event)["single"]), request.POST)
    if not form.is_valid():
        return _list(request, event, 422, form)
    try:
        team = entering.join(request.actor, event, **form.cleaned_data)
    except DomainError as refusal:
        return _list(request, event, show_faults(form, refusal), form)
    return done(request, f"They are a team: {team.name}.", "desk-entries", event.slug)


def _pairs(singles: list[Registration]) -> list[tuple[int, str]]:
    return [(one.position, one.name) for one in singles]
