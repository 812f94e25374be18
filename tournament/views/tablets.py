"""The tablets at the desk, what waits for a decision, and the page where a tablet learns to trust the hall."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST, require_safe

from tournament.errors import DomainError
from tournament.gate.middleware import render
from tournament.models import Event, Submission
from tournament.queries.desk import desk_round
from tournament.queries.devices import spaced_code, tables_without, tablet_list
from tournament.queries.pending import pending
from tournament.queries.rules import ruleset_of
from tournament.queries.todo import needs_of
from tournament.reports.pdf.lettering import QrPath, qr_path
from tournament.request import Request
from tournament.services import devices
from tournament.services.devices import issue_card, issue_cards, issue_second_card, revoke_device
from tournament.services.submissions import decide
from tournament.serving.server import Trust, hall_trust
from tournament.views.desk import needs_seen
from tournament.views.pages import done, hall_address, in_event, page_or_part

# Codes wait in the official's session until they have been shown once.
CARDS = "cards"


class Card(NamedTuple):
    """A card to show and print: the address behind the QR picture, and the code for typing."""

    table: int
    code: str
    address: str
    qr: QrPath


@require_GET
@in_event("pair-tablets")
def tablet_cards(request: Request, event: Event) -> HttpResponse:
    """Every table with its tablet; new cards are shown at the top, once."""
    # A page that refreshes itself must not consume codes that another page is to show.
    codes = [] if request.htmx else request.session.pop(f"{CARDS}-{event.pk}", [])
    tables, trust = tablet_list(event), hall_trust()
    context: dict[str, Any] = {"event": event, "tab": "tablets", "tables": tables, "trust": trust}
    context |= {
        # Tablets that were awaited when the page was made: once heard from, they work again.
        "awaited": [
            *request.GET.getlist("awaited"),
            *(str(row.device.pk) for row in tables if row.device and row.awaited),
        ],
        "waits": any(row.awaited for row in tables),
        "cards": [_card(request, table, code) for table, code in codes],
        "without": tables_without(tables),
        "with_battery": any(row.device is not None and row.device.battery is not None for row in tables),
        "count": len({row.table for row in tables}),
        "address": hall_address(request, reverse("pair")),
        "trust_code": qr_path(trust.page) if trust else None,
    }
    return render(request, "desk/tablets.html", context)


@require_POST
@in_event("pair-tablets")
def card(request: Request, event: Event, table: int) -> HttpResponse:
    """Issue a new card for a table; what it had before stops working."""
    _keep(request, event, {table: issue_card(request.actor, event, table)})
    return done(request, f"Table {table}: card issued.", "desk-tablets", event.slug)


@require_POST
@in_event("pair-tablets")
def further_card(request: Request, event: Event, table: int) -> HttpResponse:
    """Issue a card for another tablet at a table; the existing one continues."""
    _keep(request, event, {table: issue_second_card(request.actor, event, table)})
    return done(request, f"Table {table}: card for a second tablet issued.", "desk-tablets", event.slug)


@require_POST
@in_event("pair-tablets")
def all_cards(request: Request, event: Event) -> HttpResponse:
    """Issue cards for every table whose tablet is not bound."""
    tables = tables_without(tablet_list(event))
    _keep(request, event, issue_cards(request.actor, event, tables))
    return done(request, f"{len(tables)} card{'' if len(tables) == 1 else 's'} issued.", "desk-tablets", event.slug)


@require_POST
@in_event("pair-tablets")
def revocation(request: Request, event: Event, table: int) -> HttpResponse:
    """Withdraw a table's tablet and card."""
    if revoke_device(request.actor, event, table):
        messages.success(request, f"Table {table}: the tablet and its card no longer work.")
    return redirect("desk-tablets", event.slug)


@require_POST
@in_event("pair-tablets")
def put_back(request: Request, event: Event, table: int) -> HttpResponse:
    """Allow a withdrawn tablet again."""
    if devices.put_back(request.actor, event, table):
        messages.success(request, f"Table {table}: the tablet is allowed again; waiting for it.")
    else:
        messages.error(request, f"Table {table} already has a new card or tablet.")
    return redirect("desk-tablets", event.slug)


def _keep(request: Request, event: Event, codes: dict[int, str]) -> None:
    request.session[f"{CARDS}-{event.pk}"] = sorted(codes.items())


def _card(request: Request, table: int, code: str) -> Card:
    address = f"{hall_address(request, reverse('pair'))}#{code}"
    return Card(table, spaced_code(code), address, qr_path(address))


# What tablets sent and the sheet could not accept: the desk sees it with its reason, and decides.


@require_GET
@in_event("see-desk", polled=True)
def pending_list(request: Request, event: Event) -> HttpResponse:
    """Everything that waits for a decision."""
    return _pending_page(request, event)


@require_POST
@in_event("correct")
def decision(request: Request, event: Event, pk: int) -> HttpResponse:
    """Apply it, put it in a line's place, or discard it."""
    submission = get_object_or_404(Submission, pk=pk, event=event)
    choice, reason = request.POST.get("choice", ""), request.POST.get("reason", "")
    try:
        decided = decide(request.actor, submission, choice, reason)
    except DomainError as refusal:
        return _pending_page(request, event, {"faults": refusal.faults, "at": pk, "typed": reason}, refusal.status)
    messages.success(request, f"Table {decided.device.table}: {decided.get_status_display().lower()}.")
    return redirect("desk-parked", event.slug)


def _pending_page(
    request: Request, event: Event, more: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    context = {"event": event, "tab": "pending", "pending": pending(event), "version": event.version, **(more or {})}
    shown = desk_round(event)
    context["needs"] = needs_seen(request, event, needs_of(event, shown, ruleset_of(event))) if shown else ()
    return page_or_part(request, "desk/pending.html", "desk/_pending.html", context, status)


# The page where a tablet learns to trust this hall, and the certificate that it installs.

# Firefox keeps its own certificates. An iPad calls itself a Macintosh.
DEVICES = (("Firefox", "firefox"), ("Android", "android"), ("Windows", "windows"), ("Mac", "apple"), ("iP", "apple"))


@require_safe
def trust(request: Request) -> HttpResponse:
    """Steps for every kind of device; those for the current one are open."""
    agent = request.headers.get("User-Agent", "")
    device = next((name for mark, name in DEVICES if mark in agent), "")
    return render(request, "trust.html", {"trust": _found(), "device": device})


@require_safe
def certificate(request: Request) -> HttpResponse:
    """The certificate, as devices offer to install it."""
    return HttpResponse(_found().certificate, content_type="application/x-x509-ca-cert")


def _found() -> Trust:
    trust = hall_trust()
    if trust is None:
        raise Http404("This site has no certificate of its own")
    return trust
