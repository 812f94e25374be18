"""Setting up an event: a new one, one like last year's, its rules and options, its officials."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access
from tournament.forms.event import CopyForm, EventForm
from tournament.forms.faults import show_faults
from tournament.forms.official import OfficialForm
from tournament.forms.options import OptionsForm
from tournament.models import Event
from tournament.queries.checklist import checklist
from tournament.queries.events import blank_event, directed_events, event_fields, pinned_fields
from tournament.queries.officials import officials_of
from tournament.queries.rules import ruleset_of
from tournament.refusals import Refusal
from tournament.services import events, officials
from tournament.views.pages import find_event, need_password, sent


@require_http_methods(["GET", "HEAD", "POST"])
def event_new(request: HttpRequest) -> HttpResponse:
    """A new event."""
    access.require(request.actor, "create-event")
    form = EventForm(sent(request), initial=event_fields(blank_event()))
    if form.is_valid():
        event = events.create_event(request.actor, form.cleaned_data)
        messages.success(request, f"{event.name} is set up. The check list says what comes next.")
        return redirect("desk-setup", event.slug)
    return _new_page(request, form, _copy_form(request))


@require_POST
def event_copy(request: HttpRequest) -> HttpResponse:
    """A new event like an earlier one."""
    access.require(request.actor, "create-event")
    form = _copy_form(request, request.POST)
    if not form.is_valid():
        return _new_page(request, EventForm(initial=event_fields(blank_event())), form)
    said = form.cleaned_data
    like = find_event(request, said["like"], "set-up")
    event = events.copy_event(request.actor, like, said["name"], said["date"], with_teams=said["with_teams"])
    messages.success(request, f"{event.name} is set up like {like.name}.")
    return redirect("desk-setup", event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def event_setup(request: HttpRequest, event: str) -> HttpResponse:
    """The check list and the event itself."""
    found = find_event(request, event, "set-up")
    form = EventForm(sent(request), **_as_set_up(found))
    if request.method == "POST" and form.is_valid():
        drawn = found.rounds.exists()
        try:
            confirmed = "confirm" in request.POST
            events.change_event(request.actor, found, form.cleaned_data, confirmed=confirmed)
        except Refusal as refusal:
            return _setup_page(request, found, show_faults(form, refusal), form=form)
        messages.success(request, "The event is changed.")
        _say_draw_is_gone(request, found, drawn)
        return redirect("desk-setup", found.slug)
    return _setup_page(request, found, 422 if form.is_bound else 200, form=form)


@require_http_methods(["GET", "HEAD", "POST"])
def event_options(request: HttpRequest, event: str) -> HttpResponse:
    """All options of the rule sheet in words."""
    found = find_event(request, event, "set-up")
    form = OptionsForm(found, sent(request))
    if request.method == "POST" and form.is_valid():
        drawn = found.rounds.exists()
        try:
            events.change_options(request.actor, found, form.chosen, confirmed="confirm" in request.POST)
        except Refusal as refusal:
            return _options_page(request, found, form, show_faults(form, refusal))
        messages.success(request, "The options are recorded.")
        _say_draw_is_gone(request, found, drawn)
        return redirect("desk-options", found.slug)
    return _options_page(request, found, form, 422 if form.is_bound else 200)


@require_POST
def appoint(request: HttpRequest, event: str) -> HttpResponse:
    """A new director or verifier."""
    found = find_event(request, event, "set-up")
    form = OfficialForm(request.POST)
    if not form.is_valid():
        return _setup_page(request, found, 422, official=form)
    try:
        office, made = officials.appoint_official(request.actor, found, **form.cleaned_data)
    except Refusal as refusal:
        return _setup_page(request, found, show_faults(form, refusal), official=form)
    account = "with a new account" if made else "with the account and password they have"
    messages.success(request, f"{office.user} is {office.get_role_display().lower()}, {account}.")
    return redirect("desk-setup", found.slug)


@require_POST
def dismiss(request: HttpRequest, event: str, user: int) -> HttpResponse:
    """An office is taken back."""
    found = find_event(request, event, "set-up")
    need_password(request, "You are about to dismiss an official.")
    name = officials.dismiss_official(request.actor, found, user)
    messages.success(request, f"{name} holds no office here any more.")
    return redirect("desk-setup", found.slug)


def _say_draw_is_gone(request: HttpRequest, event: Event, drawn: bool) -> None:
    if drawn and not event.rounds.exists():
        messages.warning(request, f"The draw is taken back: {events.OTHER_TABLES}. Draw again.")


def _copy_form(request: HttpRequest, data: Any = None) -> CopyForm:
    return CopyForm(data, events=directed_events(request.actor), initial={"date": blank_event().date})


def _new_page(request: HttpRequest, form: EventForm, copy: CopyForm) -> HttpResponse:
    status = 422 if form.is_bound or copy.is_bound else 200
    return render(request, "event_new.html", {"form": form, "copy": copy}, status=status)


def _setup_page(
    request: HttpRequest, event: Event, status: int, form: EventForm | None = None, official: OfficialForm | None = None
) -> HttpResponse:
    context = {
        "event": event,
        "tab": "setup",
        "form": form or EventForm(**_as_set_up(event)),
        "official": official or OfficialForm(),
        "officials": officials_of(event),
        "checklist": checklist(event),
    }
    return render(request, "desk/setup.html", context, status=status)


def _options_page(request: HttpRequest, event: Event, form: OptionsForm, status: int) -> HttpResponse:
    context = {"event": event, "tab": "setup", "form": form, "groups": form.groups()}
    return render(request, "desk/options.html", context, status=status)


def _as_set_up(event: Event) -> dict[str, Any]:
    """How the form of an event begins."""
    return {
        "initial": event_fields(event),
        "pinned": pinned_fields(event),
        "singles": ruleset_of(event).singles,
    }
