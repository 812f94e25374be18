"""Players enter themselves: the entry page, an entry's private link, and the desk's list of entries."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import is_hidden
from tournament.errors import Conflict, DomainError, Fault, TooMany, ValidationFailed
from tournament.forms.draw import read_seed
from tournament.forms.fields import show_faults
from tournament.forms.hand import read_confirmed
from tournament.forms.keys import read_place
from tournament.forms.teams import EntryForm
from tournament.models import Event, Player
from tournament.queries.history import ENTRIES
from tournament.queries.registrations import (
    decided_words,
    door,
    entries_of,
    entry_of,
    link_page,
    new_form_key,
    player_by_link,
    token_of,
)
from tournament.queries.rules import ruleset_of
from tournament.reports.pdf.lettering import qr_path
from tournament.request import Request
from tournament.services import registrations
from tournament.services.confirming import NeedsConfirmation
from tournament.site.limits import MANY, SECONDS, limited
from tournament.views.confirming import Button, question_page
from tournament.views.pages import done, find_event, hall_address, in_event, sent
from tournament.views.wall import typed_code

# The limit of entries a minute from one address: everybody in a hall shares one, so the hall's code lifts the limit.
MOST = 30
OLD_PAGE = "This page was open too long, and nothing was sent. Press the button again."
GONE = "Is the whole address there? The event may also have been deleted: ask the club."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_event("enter")
def enter(request: Request, event: Event) -> HttpResponse:
    """The event, who plays, and the entry form; also for an event that is not drawn yet."""
    if event.entries_from is None:
        raise Http404
    is_alone, in_hall = "alone" in request.POST, bool(typed_code(request, event))
    form, status = EntryForm(event, sent(request), alone=is_alone), 422 if request.method == "POST" else 200
    try:
        counted = limited("enter", request.actor.address, MOST, MANY.format("entries came"))
        with counted if form.is_bound and not in_hall else nullcontext():
            if form.is_valid():
                return _entered(request, event, form, in_hall=in_hall)
    except (Conflict, TooMany, ValidationFailed) as refusal:
        status = show_faults(form, refusal)
    other = EntryForm(event, alone=not is_alone)
    context = {"event": event, "is_alone": is_alone, "hidden": is_hidden(event), **door(event)}
    context |= {"form": other if is_alone else form, "alone": form if is_alone else other}
    keys = {"key": _key_of_page(request, event, not is_alone), "alone_key": _key_of_page(request, event, is_alone)}
    # If too many come from one address, the code on the wall lifts the limit: the page asks for it and keeps the typed
    # values.
    context |= keys | {"singles_play": ruleset_of(event).singles, "asks_code": status == TooMany.status}
    response = render(request, "public/enter.html", context, status=status)
    if status == TooMany.status:
        response["Retry-After"] = str(SECONDS)
    return response


def _entered(request: Request, event: Event, form: EntryForm, *, in_hall: bool) -> HttpResponse:
    """Enter once with the key of the form: sending it again leads to the same entry, whatever is typed."""
    key = request.POST.get("key", "")
    # A page from before the forms had keys has none.
    token = token_of(event, key or new_form_key(event))
    if token is None:
        raise Conflict(OLD_PAGE)
    player, is_new = registrations.enter(request.actor, event, token, in_hall=in_hall, **form.typed)
    if is_new:
        return redirect("entry", event.slug, token)
    words = f"You are entered already as {entry_of(player).name}. For another team, open the entry page again."
    return done(request, words, "entry", event.slug, token)


def _key_of_page(request: Request, event: Event, is_sent: bool) -> str:
    """The key of a form: as it was sent, so that the same form makes one entry however often it is refused."""
    key = request.POST.get("key", "")
    return key if is_sent and token_of(event, key) else new_form_key(event)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: Request, slug: str, token: str) -> HttpResponse:
    """The state of an entry, for the holder of a private link, who can also change what the link controls."""
    player = player_by_link(slug, token)
    if player is None:
        return render(request, "refused.html", {"title": "There is no entry at this link", "words": GONE}, status=404)
    event = find_event(request, slug, "enter")
    what, place = request.POST.get("what", ""), read_place(request.POST.get("partner", ""))
    acts = {"withdraw": registrations.withdraw, "stay": registrations.stay, "again": registrations.enter_again}
    acts |= {"alone": registrations.choose, "choose": partial(registrations.choose, position=place)}
    is_act = what in acts or what == "link"
    form = EntryForm(event, None if is_act else sent(request), player=player)
    status, faults, link = 422 if form.is_bound else 200, tuple[Fault, ...](), None
    try:
        if what == "link":
            link = _first_link(request, player, place)
        elif what in acts:
            acts[what](request.actor, player)
            return redirect("entry", slug, token)
        elif form.is_valid():
            registrations.change(request.actor, player, **form.typed)
            return done(request, "Saved.", "entry", slug, token)
    except DomainError as refusal:
        status = show_faults(form, refusal) if form.is_bound else refusal.status
        faults = () if form.is_bound else refusal.faults
    context = {"event": event, "form": form, "faults": faults, "link": link, "hidden": is_hidden(event)}
    context |= link_page(player)
    response = render(request, "public/entry.html", context, status=status)
    # No other address is told this one, not even within the site.
    response["Referrer-Policy"], response["X-Robots-Tag"] = "strict-origin", "noindex"
    return response


def _first_link(request: Request, player: Player, pk: int) -> dict[str, Any]:
    """The first private link of a partner, to hand over: it is shown once."""
    partner, token = registrations.first_link(request.actor, player, pk)
    return _link_facts(request, entry_of(player).event, partner, token)


def _link_facts(request: Request, event: Event, player: Player, token: str) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("entry", args=[event.slug, token]))
    return {"name": player.full_name, "address": address, "qr": qr_path(address)}


# At the desk.


@require_http_methods(["GET", "HEAD"])
@in_event("see-desk")
def entry_list(request: Request, event: Event) -> HttpResponse:
    """Every entry that players made: those that wait for the desk, the waiting list, who looks for a partner."""
    context = {"event": event, "tab": "teams", "entries": entries_of(event)}
    context["entry_page"] = hall_address(request, reverse("enter", args=[event.slug]))
    context["ticks"] = request.GET.get("ticked") != "none"
    context["draws"] = event.movement != "by-hand" and not event.rounds.exists()
    return render(request, "desk/entries.html", context)


@require_POST
@in_event("change-teams")
def acceptance(request: Request, event: Event) -> HttpResponse:
    """Accept the checked entries or not, and draw the games if asked to."""
    places = [read_place(text) for text in request.POST.getlist("entry")]
    is_accepted, draws = "refuse" not in request.POST, "draw" in request.POST
    seed = read_seed(request.POST.get("seed", "")) if draws else None
    confirmed = read_confirmed(request.POST)
    request.about = event, ENTRIES, str(next(iter(places), ""))
    act = partial(registrations.decide, request.actor, event, places, accepted=is_accepted)
    try:
        counts = act(seed=seed, confirmed=confirmed)
    except NeedsConfirmation as needed:
        back, buttons = reverse("desk-entries", args=[event.slug]), (Button("Accept, and draw again"),)
        title = "The games are already drawn"
        return question_page(request, event, needed, buttons, title=title, back=back, seed=seed)
    return done(request, decided_words(event, counts), "desk-draw" if draws else "desk-entries", event.slug)


@require_POST
@in_event("change-teams")
def player_link(request: Request, event: Event, pk: int) -> HttpResponse:
    """A player's new private link, to scan or print: the old one ends, and this one is shown once."""
    player, token = registrations.new_link(request.actor, event, pk)
    context = {"event": event, "tab": "teams", "player": player, "link": _link_facts(request, event, player, token)}
    return render(request, "desk/link.html", context)


@require_POST
@in_event("change-teams")
def joining(request: Request, event: Event) -> HttpResponse:
    """Make two players who came alone a team."""
    first, second = (read_place(request.POST.get(name, "")) for name in ("first", "second"))
    team = registrations.join(request.actor, event, first, second, request.POST.get("name", "").strip())
    return done(request, f"They are a team: {team.name}.", "desk-entries", event.slug)
