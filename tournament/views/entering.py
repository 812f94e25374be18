"""Players enter themselves: the entry page, an entry's private link, and the desk's list of entries."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import is_hidden
from tournament.errors import Conflict, DomainError, Fault, ValidationFailed
from tournament.forms.desk import read_place
from tournament.forms.draw import read_seed
from tournament.forms.fields import show_faults
from tournament.forms.hand import read_confirmed
from tournament.forms.teams import EntryForm
from tournament.limits import MANY, limited
from tournament.models import Event
from tournament.queries.entering import door, entries_of, entry_by_link, is_wall_code, place_in_line, singles_of
from tournament.queries.leaving import is_drawn, team_of
from tournament.queries.rules import ruleset_of
from tournament.request import Request
from tournament.services import entering, leaving
from tournament.services.confirming import NeedsConfirmation
from tournament.views.confirming import Button, question_page
from tournament.views.pages import done, find_event, in_event, sent

# So many entries a minute from one address: a hall has one for everybody in it, so its code lifts that.
MOST = 30
GONE = "Is the address whole? Or the event may have been deleted: ask the club."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_event("enter")
def enter(request: Request, event: Event) -> HttpResponse:
    """What the event is, who plays, and the form of an entry; of an event that is not drawn yet, too."""
    if event.entries_from is None:
        raise Http404
    is_alone, in_hall = "alone" in request.POST, is_wall_code(event, request.GET.get("code", ""))
    form, status = EntryForm(event, sent(request), alone=is_alone), 422 if request.method == "POST" else 200
    try:
        counted = limited("enter", request.actor.address, MOST, MANY.format("entries came"))
        with counted if form.is_bound and not in_hall else nullcontext():
            if form.is_valid():
                _, token = entering.enter(request.actor, event, **form.typed)
                return redirect("entry", event.slug, token)
    except (Conflict, ValidationFailed) as refusal:
        status = show_faults(form, refusal)
    other = EntryForm(event, alone=not is_alone)
    context = {"event": event, "is_alone": is_alone, "hidden": is_hidden(event), **door(event)}
    context |= {"form": other if is_alone else form, "alone": form if is_alone else other}
    context["singles_play"] = ruleset_of(event).singles
    return render(request, "public/enter.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: Request, slug: str, token: str) -> HttpResponse:
    """What became of an entry, for whoever has its private link, which changes it, too."""
    entry = entry_by_link(slug, token)
    if entry is None:
        return render(request, "refused.html", {"title": "This link leads to no entry", "words": GONE}, status=404)
    event = find_event(request, slug, "enter")
    what, partner = request.POST.get("what", ""), read_place(request.POST.get("partner", ""))
    acts = {"withdraw": entering.withdraw, "again": entering.enter_again, "alone": entering.choose}
    acts["stay"] = leaving.stay
    acts["choose"] = partial(entering.choose, position=partner)
    form = EntryForm(event, None if what in acts else sent(request), entry=entry)
    status, faults = 422 if form.is_bound else 200, tuple[Fault, ...]()
    try:
        if what in acts:
            acts[what](request.actor, entry)
            return redirect("entry", slug, token)
        if form.is_valid():
            entering.change(request.actor, entry, **form.typed)
            return done(request, "Saved.", "entry", slug, token)
    except DomainError as refusal:
        status = show_faults(form, refusal) if form.is_bound else refusal.status
        faults = () if form.is_bound else refusal.faults
    facts = {"event": event, "entry": entry, "form": form, "faults": faults, "line": place_in_line(entry)}
    facts |= {"playing": team_of(entry), "is_drawn": is_drawn(event)}
    response = render(request, "public/entry.html", facts | {"singles": singles_of(event)}, status=status)
    # No other address is told this one, not even within the site.
    response["Referrer-Policy"], response["X-Robots-Tag"] = "strict-origin", "noindex"
    return response


# At the desk.


@require_http_methods(["GET", "HEAD"])
@in_event("change-teams")
def entry_list(request: Request, event: Event) -> HttpResponse:
    """Every entry that players made: those that wait for the desk, the waiting list, who looks for a partner."""
    context = {"event": event, "tab": "teams", "entries": entries_of(event)}
    context["draws"] = event.movement != "by-hand" and not event.rounds.exists()
    return render(request, "desk/entries.html", context)


@require_POST
@in_event("change-teams")
def acceptance(request: Request, event: Event) -> HttpResponse:
    """One entry is accepted or not, or all that the page showed, and the games are drawn where that was asked for."""
    first, last = (read_place(request.POST.get(name, "")) for name in ("entry", "until"))
    is_accepted, draws = "refuse" not in request.POST, "draw" in request.POST
    seed = read_seed(request.POST.get("seed", "")) if draws else None
    confirmed = read_confirmed(request.POST)
    act = partial(entering.decide, request.actor, event, first, last or first, accepted=is_accepted)
    try:
        decided = act(seed=seed, confirmed=confirmed)
    except NeedsConfirmation as needed:
        back, buttons = reverse("desk-entries", args=[event.slug]), (Button("Accept, and draw again"),)
        title = "The games are drawn already"
        return question_page(request, event, needed, buttons, title=title, back=back, seed=seed)
    words = decided[0].name if len(decided) == 1 else f"{len(decided)} entries"
    words = f"{'Accepted' if is_accepted else 'Not accepted'}: {words}."
    return done(request, words, "desk-draw" if draws else "desk-entries", event.slug)


@require_POST
@in_event("change-teams")
def joining(request: Request, event: Event) -> HttpResponse:
    """Two who came alone become a team."""
    first, second = (read_place(request.POST.get(name, "")) for name in ("first", "second"))
    team = entering.join(request.actor, event, first, second, request.POST.get("name", "").strip())
    return done(request, f"They are a team: {team.name}.", "desk-entries", event.slug)
