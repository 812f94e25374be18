"""The tablets at the desk: every table's card and tablet, issuing, printing and withdrawing."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from tournament.models import Event
from tournament.queries.devices import spaced_code, tables_without, tablet_list
from tournament.reports.pictures import QrPath, qr_path
from tournament.request import Request
from tournament.services import devices
from tournament.services.devices import issue_card, issue_cards, issue_second_card, revoke_device
from tournament.serving.server import hall_trust
from tournament.views.pages import done, find_event, hall_address

# Codes wait in the official's session until they were shown, once.
CARDS = "cards"


class Card(NamedTuple):
    """A card to show and print: the address behind the QR picture, and the code for typing."""

    table: int
    code: str
    address: str
    qr: QrPath


@require_GET
def tablet_cards(request: Request, event: str) -> HttpResponse:
    """Every table with its tablet; cards that were just issued stand on top, this once."""
    found = find_event(request, event, "pair-tablets")
    codes = request.session.pop(f"{CARDS}-{found.pk}", [])
    tables, trust = tablet_list(found), hall_trust()
    context: dict[str, Any] = {"event": found, "tab": "tablets", "tables": tables, "trust": trust}
    context |= {
        "cards": [_card(request, table, code) for table, code in codes],
        "without": tables_without(tables),
        "with_battery": any(row.battery is not None for row in tables),
        "count": len({row.table for row in tables}),
        "address": hall_address(request, reverse("pair")),
        "trust_code": qr_path(trust.page) if trust else None,
    }
    return render(request, "desk/tablets.html", context)


@require_POST
def card(request: Request, event: str, table: int) -> HttpResponse:
    """Issue a new card for a table; what it had before stops working."""
    found = find_event(request, event, "pair-tablets")
    _keep(request, found, {table: issue_card(request.actor, found, table)})
    return done(request, f"Table {table}: card issued.", "desk-tablets", found.slug)


@require_POST
def further_card(request: Request, event: str, table: int) -> HttpResponse:
    """Issue a card for one more tablet at a table; the one that is there goes on."""
    found = find_event(request, event, "pair-tablets")
    _keep(request, found, {table: issue_second_card(request.actor, found, table)})
    return done(request, f"Table {table}: card for a second tablet issued.", "desk-tablets", found.slug)


@require_POST
def all_cards(request: Request, event: str) -> HttpResponse:
    """Issue cards for every table whose tablet is not bound."""
    found = find_event(request, event, "pair-tablets")
    tables = tables_without(tablet_list(found))
    _keep(request, found, issue_cards(request.actor, found, tables))
    return done(request, f"{len(tables)} card{'' if len(tables) == 1 else 's'} issued.", "desk-tablets", found.slug)


@require_POST
def revocation(request: Request, event: str, table: int) -> HttpResponse:
    """Withdraw a table's tablet and card."""
    found = find_event(request, event, "pair-tablets")
    if revoke_device(request.actor, found, table):
        messages.success(request, f"Table {table}: the tablet and its card no longer work.")
    return redirect("desk-tablets", found.slug)


@require_POST
def put_back(request: Request, event: str, table: int) -> HttpResponse:
    """A tablet that was withdrawn works again."""
    found = find_event(request, event, "pair-tablets")
    if devices.put_back(request.actor, found, table):
        messages.success(request, f"Table {table}: the tablet works again.")
    else:
        messages.error(request, f"Table {table} already has a new card or tablet.")
    return redirect("desk-tablets", found.slug)


def _keep(request: Request, event: Event, codes: dict[int, str]) -> None:
    request.session[f"{CARDS}-{event.pk}"] = sorted(codes.items())


def _card(request: Request, table: int, code: str) -> Card:
    address = f"{hall_address(request, reverse('pair'))}#{code}"
    return Card(table, spaced_code(code), address, qr_path(address))
