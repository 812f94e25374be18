"""The home page, setting up an event, its officials, and the event file."""

from __future__ import annotations

import json
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.module_loading import import_string
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe

from tournament import access
from tournament.archive.reading import read_event_file, told_of_event
from tournament.archive.store import HasFindings, export_event, import_event, summary
from tournament.errors import Conflict, DomainError
from tournament.forms.accounts import OfficialForm
from tournament.forms.desk import DeletionForm
from tournament.forms.event import CopyForm, EventForm, NewEvent
from tournament.forms.fields import show_faults
from tournament.forms.inviting import InvitedEvent
from tournament.forms.options import OptionsForm
from tournament.forms.uploads import EventFileForm
from tournament.gate.middleware import render
from tournament.models import Event
from tournament.queries.backups import database_file
from tournament.queries.events import (
    EventCard,
    archived_events,
    blank_event,
    directed_events,
    event_fields,
    pinned_fields,
    same_events,
    site_log,
)
from tournament.queries.home import home_events
from tournament.queries.inviting import invitation_from
from tournament.queries.rules import officials_of
from tournament.queries.season import seasons
from tournament.queries.todo_next import checklist, may_rehearse
from tournament.reports.files import event_json
from tournament.request import Request
from tournament.services import events
from tournament.services.inviting import set_up_invited
from tournament.views.accounts import invite
from tournament.views.pages import done, find_event, in_event, need_password, on_form, on_site, send_file, sent
from tournament.words.journal import WHY_DELETED


def _as_set_up(event: Event) -> dict[str, Any]:
    """The initial form of an event."""
    return {
        "initial": event_fields(event),
        "pinned": pinned_fields(event),
    }


def _setup_page(
    request: Request,
    event: Event,
    status: int,
    form: EventForm | None = None,
    official: OfficialForm | None = None,
    *,
    loses_draw: bool = False,
) -> HttpResponse:
    context = {
        "loses_draw": loses_draw,
        "event": event,
        "tab": "setup",
        "form": form or EventForm(**_as_set_up(event)),
        "official": official or OfficialForm(),
        "officials": officials_of(event),
        "checklist": checklist(event),
        "may_rehearse": may_rehearse(event),
    }
    return render(request, "desk/setup.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@on_site("create-event")
def event_new(request: Request) -> HttpResponse:
    """A new event: with its list and its draw in one press, or set up alone; also one that people were invited to."""
    try:
        new = _sent_event(request)
    except Conflict as refusal:
        new = NewEvent(request.POST, request.FILES)
        new.list.is_valid()
        return new_page(request, new, new.refuse(refusal))
    if not new.is_ready:
        return new_page(request, new, new.status)
    try:
        event = _set_up(request, new)
    except DomainError as refusal:
        return new_page(request, new, new.refuse(refusal))
    words = f"{event.name} is set up."
    if event.stage == "playoffs":
        return done(request, f"{words} Its bracket can begin.", "desk-playoffs", event.slug)
    if new.list_decides_pot:
        words += " The list says who is in the pot, so each team chooses. You can change that under Setup, Money."
    return done(request, words, "desk" if new.draws else "desk-setup", event.slug)


def _sent_event(request: Request, *, is_draft: bool = False) -> NewEvent:
    """The new event from its form, with its invitation if it has one. Raises Conflict if the invitation is invalid."""
    data = sent(request)
    if data is None or "invitation" not in data:
        initial = event_fields(blank_event(request.actor))
        return NewEvent(data, request.FILES, is_draft=is_draft, initial=initial)
    return InvitedEvent(invitation_from(data["invitation"]), data, request.FILES, is_draft=is_draft)


def _set_up(request: Request, new: NewEvent) -> Event:
    rows = new.list.roster.rows
    if not isinstance(new, InvitedEvent):
        return events.set_up_event(request.actor, new.fields, rows, draw=new.draws)
    told, straight = new.invitation, new.is_straight
    return set_up_invited(request.actor, told, new.fields, rows, straight=straight, draw=new.draws)


@require_POST
@on_site("create-event")
def event_draft(request: Request) -> HttpResponse:
    """A preview of a new event while it is typed: its list line by line, the questions of its game. Stores nothing."""
    try:
        new = _sent_event(request, is_draft=True)
    except Conflict:
        new = NewEvent(request.POST, request.FILES, is_draft=True)
    new.list.is_valid()
    has_other_questions = request.POST.get("shown") != new.blank.sheet
    return render(request, "events/_draft.html", _new(new) | {"all": has_other_questions})


@require_POST
@on_site("create-event")
def event_copy(request: Request) -> HttpResponse:
    """A new event like an earlier one."""
    form = _copy_form(request, request.POST)
    if not form.is_valid():
        return new_page(request, NewEvent(), 422, form)
    typed = form.cleaned_data
    like = find_event(request, typed["like"], "set-up")
    event = events.copy_event(request.actor, like, typed["name"], typed["date"], with_teams=typed["with_teams"])
    like_it = " like the earlier one" if event.name == like.name else f" like {like.name}"
    left = events.not_copied(like, with_teams=typed["with_teams"])
    return done(request, f"{event.name} is set up{like_it}.{left}", "desk-setup", event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("set-up")
def event_setup(request: Request, event: Event) -> HttpResponse:
    """The check list and the event itself."""
    form = EventForm(sent(request), **_as_set_up(event))
    if request.method == "POST" and form.is_valid():
        drawn = event.rounds.exists()
        try:
            confirmed = "confirm" in request.POST
            events.change_event(request.actor, event, form.cleaned_data, confirmed=confirmed)
        except DomainError as refusal:
            status, loses_draw = show_faults(form, refusal), _loses_draw(refusal)
            return _setup_page(request, event, status, form=form, loses_draw=loses_draw)
        messages.success(request, "The event is changed.")
        _say_draw_is_gone(request, event, drawn)
        return redirect("desk-setup", event.slug)
    return _setup_page(request, event, 422 if form.is_bound else 200, form=form)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("set-up")
def event_options(request: Request, event: Event) -> HttpResponse:
    """All options of the rule sheet in words."""
    form = OptionsForm(event, sent(request))
    if request.method == "POST" and form.is_valid():
        drawn = event.rounds.exists()
        try:
            confirmed = "confirm" in request.POST
            events.change_options(request.actor, event, form.chosen, stages=form.stages, confirmed=confirmed)
        except DomainError as refusal:
            status = show_faults(form, refusal)
            return _options_page(request, event, form, status, loses_draw=_loses_draw(refusal))
        messages.success(request, "The options are saved.")
        _say_draw_is_gone(request, event, drawn)
        return redirect("desk-options", event.slug)
    return _options_page(request, event, form, 422 if form.is_bound else 200)


@on_form("set-up", "official", OfficialForm, _setup_page)
def appoint(request: Request, event: Event, form: OfficialForm) -> HttpResponse:
    """A new director or verifier."""
    need_password(request, f"You are about to appoint {form.cleaned_data['username']}.")
    office, is_new = events.appoint_official(request.actor, event, **form.cleaned_data)
    if is_new and office.user.email:
        return done(request, invite(request, office), "desk-setup", event.slug)
    account = "with a new account" if is_new else "with the existing account and password"
    words = f"{office.user} is {office.get_role_display().lower()}, {account}."
    return done(request, words, "desk-setup", event.slug)


@require_POST
@in_event("set-up")
def dismiss(request: Request, event: Event, user: int) -> HttpResponse:
    """Remove an official."""
    need_password(request, "You are about to remove an official.")
    name = events.dismiss_official(request.actor, event, user)
    return done(request, f"{name} is no longer an official of this event.", "desk-setup", event.slug)


@require_POST
@in_event("set-up")
def rehearsal(request: Request, event: Event) -> HttpResponse:
    """Play a copy of the event to its champion; on the copy's page, delete it."""
    if event.is_rehearsal:
        events.discard_events([event])
        words = "The rehearsal is deleted."
        return done(request, words, "desk-setup", event.slug.removeprefix(Event.REHEARSAL))
    copy = import_string(settings.REHEARSE)(request.actor.account, event)
    words = "The rehearsal plays by itself. Only you see it, and your event stays as it is."
    return done(request, words, "standings", copy.slug)


def _loses_draw(refusal: DomainError) -> bool:
    """Whether it is refused only because a draw would be deleted: the page asks for that."""
    return any(fault.field == events.LOST_DRAW for fault in refusal.faults)


def _say_draw_is_gone(request: Request, event: Event, drawn: bool) -> None:
    if drawn and not event.rounds.exists():
        messages.warning(request, f"The draw is deleted: {WHY_DELETED[events.OTHER_TABLES]}. Draw again.")


def _copy_form(request: Request, data: Any = None) -> CopyForm:
    events, like = directed_events(request.actor), request.GET.get("like", "")
    name = next((event.name for event in Event.objects.filter(slug=like)), "") if like in dict(events) else ""
    return CopyForm(data, events=events, initial={"date": blank_event(request.actor).date, "like": like, "name": name})


def new_page(request: Request, new: NewEvent, status: int, copy: CopyForm | None = None) -> HttpResponse:
    return render(request, "events/new.html", _new(new) | {"copy": copy or _copy_form(request)}, status=status)


def _new(new: NewEvent) -> dict[str, Any]:
    return {"new": new, "form": new.event, "list": new.list, "roster": new.list.roster, "event": new.blank}


def _options_page(
    request: Request, event: Event, form: OptionsForm, status: int, *, loses_draw: bool = False
) -> HttpResponse:
    context = {"event": event, "tab": "setup", "form": form, "groups": form.groups(), "loses_draw": loses_draw}
    return render(request, "desk/options.html", context, status=status)


# The archive: events off the front page, and their deletion.


@require_safe
def archive(request: Request) -> HttpResponse:
    """Every archived event; for owners also what happened to whole events."""
    log = site_log() if access.may(request.actor, "delete") else ()
    return render(request, "archive.html", {"cards": archived_events(request.actor), "log": log})


def _archive_page(request: Request, event: Event, status: int = 200, form: DeletionForm | None = None) -> HttpResponse:
    context = {"event": event, "tab": "setup", "form": form or DeletionForm()}
    return render(request, "desk/archive.html", context | {"is_file": database_file() is not None}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("archive")
def event_archive(request: Request, event: Event) -> HttpResponse:
    """Take the event off the front page, or put it back."""
    if request.method != "POST":
        return _archive_page(request, event)
    archived = "archived" in request.POST
    events.archive_event(request.actor, event, archived=archived)
    words = "archived: it is off the front page" if archived else "on the front page again"
    return done(request, f"{event.name} is {words}.", "event-archive", event.slug)


@on_form("delete", "form", DeletionForm, _archive_page)
def event_deletion(request: Request, event: Event, form: DeletionForm) -> HttpResponse:
    """Delete an archived event for good."""
    need_password(request, f"You are about to delete {event.name} with every hand, and all that was paid.")
    backup = events.delete_event(request.actor, event, form.cleaned_data["name"], export_event)
    return done(request, f"{event.name} is deleted. The backup from before is {backup.name}.", "archive")


# The home page: what this is, and the events of the club.


@conditional_page
def event_list(request: Request) -> HttpResponse:
    """The club, what it plays tonight, and all its events, newest first."""
    return render(request, "events.html", {"home": home_events(request.actor), "seasons": seasons()})


# The event file: the whole event out, and in again.


@require_http_methods(["GET", "HEAD", "POST"])
@on_site("create-event")
def event_import(request: Request) -> HttpResponse:
    """Upload an event file: checked, or imported at once."""
    form = EventFileForm(sent(request), request.FILES if request.method == "POST" else None)
    if not form.is_valid():
        return _import_page(request, form, 422 if form.is_bound else 200)
    file, seen = form.cleaned_data["file"], form.cleaned_data["findings_seen"]
    try:
        if "check" in request.POST or _alike(request, form):
            return _checked(request, form)
        event = import_event(request.actor, file, epoch=_epoch(request, file), findings_seen=seen)
    except HasFindings as question:
        return _import_page(request, form, question.status, findings=question.texts)
    except DomainError as refusal:
        return _import_page(request, form, refusal.status, faults=refusal.faults)
    messages.success(request, f"{event.name} is imported.")
    return redirect("event-imported", event.slug)


def _import_page(request: Request, form: EventFileForm, status: int, **found: Any) -> HttpResponse:
    return render(request, "event_import.html", {"form": form, **found}, status=status)


def _epoch(request: Request, file: Any) -> UUID:
    """Import once a file that one person sends twice, as by a second press."""
    return uuid5(NAMESPACE_OID, json.dumps([request.actor.account.pk, request.POST.get("beside", ""), file]))


@require_safe
@in_event("set-up")
def event_imported(request: Request, event: Event) -> HttpResponse:
    """What was imported from the file, in numbers."""
    context = {"event": event, "act": event.journal.filter(action="import", code="file").first()}
    return render(request, "event_imported.html", context)


@require_safe
@in_event("export")
def event_export(request: Request, event: Event) -> HttpResponse:
    """Download the event file."""
    return send_file(request, event, lambda: event_json(export_event(event)), event.slug, "json")


def _alike(request: Request, form: EventFileForm) -> list[EventCard]:
    """Events of the same name and date that are here already, unless the importer has been asked."""
    told = told_of_event(form.cleaned_data["file"])
    return [] if "beside" in request.POST else same_events(str(told.get("name", "")), str(told.get("date", "")))


def _checked(request: Request, form: EventFileForm) -> HttpResponse:
    file, twins = read_event_file(form.cleaned_data["file"]), _alike(request, form)
    status = 200 if "check" in request.POST else 409
    return _import_page(request, form, status, file=file.event, summary=summary(file), twins=twins)
