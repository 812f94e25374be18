"""The tablet's page and what a table does on it: seats, hands, undo, calls, signatures. It acts as the table alone."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from tournament import access
from tournament.forms.entry import read_hand, read_key, read_position
from tournament.queries.preview import effect_of_hand
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.tablet import tablet_place
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.calls import call_director, withdraw_call
from tournament.services.clock import end_without_hand
from tournament.services.devices import note_report
from tournament.services.entries import record_entry, undo_entry
from tournament.services.seating import choose_first_dealer, seat_side
from tournament.services.signatures import sign_at_table, take_signature_back
from tournament.views.pages import nothing_new, page_or_part
from tournament.views.table_page import own_game, table_page


@require_GET
def tablet(request: Request) -> HttpResponse:
    """The table's page; a poll that shows the latest already gets 204. What is typed in the form comes along."""
    device = request.actor.device
    if device is None:
        to = reverse("pair")
        return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
    access.require(request.actor, "see-table", device.event)
    note_report(device)
    place = tablet_place(device)
    if nothing_new(request, place.version):
        return HttpResponse(status=204)
    return table_page(request, place, polled=bool(request.GET))


@require_POST
def entry_list(request: Request, pk: int) -> HttpResponse:
    """Record a hand, or a hand that does not count."""
    actor, game = own_game(request, pk, "record", scoring=True)
    try:
        posted = read_hand(game_sheet(sheet_games().get(pk=pk)), request.POST).checked()
        entry = record_entry(actor, game, posted.facts, position=posted.position, client_key=posted.client_key)
    except Refusal as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    messages.success(request, "Void hand received" if entry.kind == "void" else "Hand received")
    return redirect("tablet")


@require_http_methods(["GET", "POST"])
def preview(request: Request, pk: int) -> HttpResponse:
    """What the hand that is being typed would do; nothing is stored."""
    actor, _ = own_game(request, pk, "see-table")
    game = sheet_games().get(pk=pk)
    posted = read_hand(game_sheet(game), request.POST or request.GET)
    effect = effect_of_hand(game, posted.facts, posted.faults, at_table=True)
    if request.htmx:
        return page_or_part(request, "components/effect.html", "components/effect.html", {"effect": effect})
    return table_page(request, tablet_place(actor.tablet), effect=effect)


@require_POST
def undo_list(request: Request, pk: int) -> HttpResponse:
    """Take the last line off the sheet; it stays on record."""
    actor, game = own_game(request, pk, "record", scoring=True)
    try:
        position = read_position(request.POST)
        undo_entry(actor, game, position=-1 if position is None else position, client_key=read_key(request.POST))
    except Refusal as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    messages.success(request, "Undone")
    return redirect("tablet")


@require_POST
def seat_list(request: Request, pk: int) -> HttpResponse:
    """A side is seated, or the first dealer is named."""
    actor, game = own_game(request, pk, "seat", scoring="dealer" in request.POST)
    try:
        if "dealer" in request.POST:
            choose_first_dealer(actor, game, _number(request.POST["dealer"]))
        else:
            seat_side(actor, game, _number(request.POST.get("side", "")))
    except Refusal as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    return redirect("tablet")


@require_POST
def call_list(request: Request, pk: int) -> HttpResponse:
    """Call the director."""
    actor, game = own_game(request, pk, "call")
    try:
        call_director(actor, game, request.POST.get("kind", ""))
    except Refusal as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    return redirect("tablet")


@require_POST
def call_return(request: Request, pk: int) -> HttpResponse:
    """The table no longer needs the director."""
    actor, game = own_game(request, pk, "call")
    withdraw_call(actor, game)
    return redirect("tablet")


@require_POST
def time_list(request: Request, pk: int) -> HttpResponse:
    """Time was called and no hand was in play: the game ends as it stands."""
    actor, game = own_game(request, pk, "record", scoring=True)
    try:
        end_without_hand(actor, game, read_position(request.POST))
    except Refusal as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    messages.success(request, "Time: received")
    return redirect("tablet")


@require_POST
def signature_list(request: Request, pk: int) -> HttpResponse:
    """A player signs for a side."""
    actor, game = own_game(request, pk, "sign")
    side = _number(request.POST.get("side", ""))
    said = {key: request.POST.get(key, "") for key in ("name", "code", "pin")}
    try:
        sign_at_table(actor, game, side=side, **said)
    except Refusal as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    messages.success(request, f"Signed by {said['name']}")
    return redirect("tablet")


@require_POST
def signature_return(request: Request, pk: int) -> HttpResponse:
    """A side takes its signature back before every side has signed."""
    actor, game = own_game(request, pk, "sign")
    try:
        take_signature_back(actor, game, _number(request.POST.get("side", "")))
    except Refusal as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    return redirect("tablet")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
