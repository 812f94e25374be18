"""The people of the club: who the players of an event are, a person's own page, and what owners do with them."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import conditional_page, require_GET, require_POST, require_safe

from tournament import access
from tournament.errors import Conflict, DomainError
from tournament.forms.keys import read_person, read_rows
from tournament.gate.middleware import render
from tournament.models import Event, Person
from tournament.queries.deletion import deletion_of, people_of_near_names
from tournament.queries.members import debts_of
from tournament.queries.people import (
    both_played,
    everybody,
    may_wish_for,
    people_in,
    person_facts,
    person_title,
)
from tournament.queries.season import seasons_of
from tournament.request import Request
from tournament.services import people
from tournament.views.pages import done, in_event, need_password, on_site
from tournament.words.phrases import NAMES_SHOWN


@require_safe
@in_event("change-teams")
def desk_people(request: Request, event: Event) -> HttpResponse:
    """Who was matched with whom, who is still open, and how everybody wants to be shown."""
    rows = people_in(event, access.directed_events(request.actor))
    context = {"event": event, "tab": "teams", "rows": rows, "shows": NAMES_SHOWN.items()}
    context["open"] = any(row.match and row.match.is_certain for row in rows)
    return render(request, "desk/people.html", context)


@require_POST
@in_event("change-teams")
def find(request: Request, event: Event) -> HttpResponse:
    """Link all players of an event who were not linked before, as the page has shown."""
    count = people.find_people(request.actor, event)
    return done(request, f"{count} player{pluralize(count)} matched.", "desk-people", event.slug)


@require_POST
@in_event("change-teams")
def choose(request: Request, event: Event, pk: int) -> HttpResponse:
    """Link a player to a person by number, as the list offers it, or to somebody new."""
    number = read_person(request.POST.get("person", ""))
    if number is None and "new" not in request.POST:
        raise Conflict("Choose a person from the list.")
    player = people.choose_person(request.actor, event, pk, number)
    return done(request, f"{player.full_name}: saved.", "desk-people", event.slug)


@require_POST
@in_event("change-teams")
def wish(request: Request, event: Event, pk: int) -> HttpResponse:
    """Set how a person who plays here wants to be shown in every event."""
    person = next((row.person for row in people_in(event) if row.person and row.person.pk == pk), None)
    if person is None:
        raise Conflict("This person no longer plays in this event. Load the page again.")
    _require_wish(request, person)
    people.set_wish(request.actor, event, person, request.POST.get("show", ""))
    return done(request, f"{person}: saved.", "desk-people", event.slug)


@require_POST
@in_event("change-teams")
def row_wish(request: Request, event: Event, pk: int) -> HttpResponse:
    """Set how a player is shown in this event only."""
    player = people.set_row_wish(request.actor, event, pk, request.POST.get("show", ""))
    return done(request, f"{player.full_name}: saved for this event.", "desk-people", event.slug)


@require_POST
@in_event("change-teams")
def kept_wish(request: Request, event: Event, pk: int) -> HttpResponse:
    """Make a player's wish for this event that of the person from now on."""
    player = people.row_in(event, pk)
    if player.person is not None:
        _require_wish(request, player.person)
    people.keep_wish(request.actor, event, pk)
    return done(request, f"{player.full_name}: kept for every event.", "desk-people", event.slug)


def _require_wish(request: Request, person: Person) -> None:
    """Directors of all of a person's events, and owners, may set how the person is shown everywhere."""
    if not may_wish_for(person.merged_into or person, access.directed_events(request.actor)):
        raise PermissionDenied("This person plays in events that you do not direct.")


# A person's page, for everybody; all people, for owners.


@conditional_page
@require_safe
def person_page(request: Request, pk: int) -> HttpResponse:
    """What everybody may see of a person; for owners also what they can do with it."""
    person = get_object_or_404(Person.objects.select_related("merged_into"), pk=pk)
    if person.merged_into and not access.may(request.actor, "manage-people"):
        return redirect("person", person.merged_into.pk)
    return _person_page(request, person)


def _person_page(request: Request, person: Person, status: int = 200, **typed: Any) -> HttpResponse:
    """The page, for owners with the new name that was `typed` and what is wrong with it."""
    owner = access.may(request.actor, "manage-people")
    title = person_title(person)
    facts = person_facts(person, title)
    # A person is public because of events that show the name, and not before there is one.
    if not owner and not (title and facts.events):
        raise Http404
    context = {"person": person, "title": title, "facts": facts}
    context |= {"seasons": seasons_of(person, title) if title else []}
    context |= {"partners": facts.partners.most_common(), "against": list(facts.against.items())}
    if owner:
        context |= {"people": everybody(), "shows": NAMES_SHOWN.items(), "name": person.name, "faults": ()} | typed
    return render(request, "person.html", context, status=status)


@require_GET
@on_site("manage-people")
def people_list(request: Request) -> HttpResponse:
    return render(request, "people.html", {"people": everybody()})


@require_POST
@on_site("manage-people")
def merger(request: Request, pk: int) -> HttpResponse:
    """Show what merging two people changes, and merge them once that is confirmed."""
    person = get_object_or_404(Person, pk=pk)
    into = Person.objects.filter(pk=read_person(request.POST.get("into", "")) or 0).first()
    if into is None:
        raise Conflict("Choose a person from the list.")
    if why := people.why_not_merged(person, into):
        raise Conflict(why)
    if "sure" not in request.POST:
        events = dict(everybody())
        context = {"person": person, "into": into, "count": events[person], "into_count": events[into]}
        return render(request, "person_merger.html", context | {"both": both_played(person, into)})
    people.merge_persons(request.actor, person, into)
    return done(request, f"{person} is merged into {into}.", "person", into.pk)


@require_POST
@on_site("manage-people")
def parting(request: Request, pk: int) -> HttpResponse:
    person = get_object_or_404(Person, pk=pk)
    people.part_person(request.actor, person)
    return done(request, f"{person} is on the list as a separate person again.", "person", person.pk)


@require_POST
@on_site("manage-people")
def naming(request: Request, pk: int) -> HttpResponse:
    """Change a person's spelling, and the rows that were spelled as before."""
    person, name = get_object_or_404(Person, pk=pk), request.POST.get("name", "")
    try:
        person = people.rename_person(request.actor, person, name)
    except DomainError as refusal:
        return _person_page(request, person, refusal.status, name=name, faults=refusal.texts)
    near = ", ".join(f"{other}, No. {other.pk}" for other in people_of_near_names(person))
    words = f"Saved: {person}. Same or similar name: {near}." if near else f"Saved: {person}."
    return done(request, words, "person", person.pk)


@require_POST
@on_site("manage-people")
def own_wish(request: Request, pk: int) -> HttpResponse:
    """Set how a person wants to be shown in every event."""
    person = get_object_or_404(Person, pk=pk, merged_into=None)
    people.set_wish(request.actor, None, person, request.POST.get("show", ""))
    return done(request, f"{person}: saved.", "person", person.pk)


@require_POST
@on_site("manage-people")
def deletion(request: Request, pk: int) -> HttpResponse:
    """Show what is deleted with a person, and delete it with the checked rows once that is confirmed."""
    person = get_object_or_404(Person, pk=pk)
    if person.deleted_at or person.merged_into_id:
        raise Conflict("This person has been merged or deleted. Load the page again.")
    if "sure" not in request.POST:
        context = {"person": person, "goes": deletion_of(person), "debts": debts_of(person)}
        return render(request, "person_deletion.html", context)
    need_password(request, "You are about to delete a person for good.")
    people.delete_person(request.actor, person, read_rows(request.POST.getlist("row")))
    return done(request, "The person is deleted.", "people")
