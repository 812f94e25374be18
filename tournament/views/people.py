"""The people of the club: who the players of an event are, a person's own page, and what owners do with them."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_POST, require_safe

from tournament import access
from tournament.errors import Conflict
from tournament.forms.desk import read_person
from tournament.middleware import render
from tournament.models import Event, Person
from tournament.phrases import NAMES_SHOWN
from tournament.queries.people import both_played, everybody, people_in, person_facts, person_title
from tournament.queries.season import seasons_of
from tournament.request import Request
from tournament.services import people
from tournament.views.pages import done, in_event, need_password, on_site


@require_safe
@in_event("change-teams")
def desk_people(request: Request, event: Event) -> HttpResponse:
    """Who was matched how, who is asked about, and how everybody wants to be shown."""
    rows = people_in(event)
    context = {"event": event, "tab": "teams", "rows": rows, "shows": NAMES_SHOWN.items(), "people": everybody()}
    context["open"] = any(row.match and row.match.is_certain for row in rows)
    return render(request, "desk/people.html", context)


@require_POST
@in_event("change-teams")
def find(request: Request, event: Event) -> HttpResponse:
    """Link all players of an event from before, as the page has shown it."""
    count = people.find_people(request.actor, event)
    return done(request, f"{count} player{pluralize(count)} matched.", "desk-people", event.slug)


@require_POST
@in_event("change-teams")
def choose(request: Request, event: Event, pk: int) -> HttpResponse:
    """Say who a player is: a person by number, as the list offers it, or somebody new."""
    number = read_person(request.POST.get("person", ""))
    if number is None and "new" not in request.POST:
        raise Conflict("Choose a person from the list.")
    player = people.choose_person(request.actor, event, pk, number)
    return done(request, f"{player.full_name}: saved.", "desk-people", event.slug)


@require_POST
@in_event("change-teams")
def wish(request: Request, event: Event, pk: int) -> HttpResponse:
    """How a person who plays here wants to be shown."""
    person = next((row.person for row in people_in(event) if row.person and row.person.pk == pk), None)
    if person is None:
        raise Conflict("This person no longer plays in this event. Load the page again.")
    people.set_wish(request.actor, event, person, request.POST.get("show", ""))
    return done(request, f"{person}: saved.", "desk-people", event.slug)


# A person's page, for everybody; all people, for owners.


@require_safe
def person_page(request: Request, pk: int) -> HttpResponse:
    """What everybody may see of a person; owners find there what can be done with it."""
    person = get_object_or_404(Person.objects.select_related("merged_into"), pk=pk)
    owner = access.may(request.actor, "manage-people")
    title = person_title(person)
    if person.merged_into and not owner:
        return redirect("person", person.merged_into.pk)
    facts = person_facts(person, title)
    # A person is public by the events that show the name, and not before there is one.
    if not owner and not (title and facts.events):
        raise Http404
    context = {"person": person, "title": title, "facts": facts}
    context |= {"seasons": seasons_of(person, title) if title else []}
    context |= {"partners": facts.partners.most_common(), "against": list(facts.against.items())}
    return render(request, "person.html", context | ({"people": everybody()} if owner else {}))


@require_GET
@on_site("manage-people")
def people_list(request: Request) -> HttpResponse:
    return render(request, "people.html", {"people": everybody()})


@require_POST
@on_site("manage-people")
def merger(request: Request, pk: int) -> HttpResponse:
    """Show what merging two people changes, and merge them once that was confirmed."""
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
    return done(request, f"{person} is a person of its own again.", "person", person.pk)


@require_POST
@on_site("manage-people")
def deletion(request: Request, pk: int) -> HttpResponse:
    person = get_object_or_404(Person, pk=pk)
    need_password(request, "You are about to delete a person for good.")
    people.delete_person(request.actor, person)
    return done(request, "The person is deleted.", "people")
