"""Ruling on a game, step by step; and the report of all rulings of an event."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from tournament.forms.entry.posted import read_key, read_position
from tournament.forms.revision import read_place
from tournament.forms.ruling import RulingForm, ruling_on
from tournament.models import Game
from tournament.queries.deskgame import DeskGame, SheetLine, desk_game, sheet_line
from tournament.queries.rulings import rulings_of
from tournament.queries.rulingtable import likely_rulings
from tournament.refusals import Refusal
from tournament.services.corrections import announce_correction
from tournament.services.rulings import apply_ruling, replace_by_ruling
from tournament.views.deskgames import find_desk_game
from tournament.views.pages import find_event, need_password


@require_http_methods(["GET", "POST"])
def rule(request: HttpRequest, event: str, pk: int) -> HttpResponse:
    """What happened, whose fault, the choice, the effect; then apply. Every step is an address of its own."""
    game = find_desk_game(request, event, pk, "rule")
    found = desk_game(request.actor, pk)
    form = ruling_on(found, request.POST if request.method == "POST" else request.GET)
    if request.method == "GET":
        return render(request, "desk/ruling.html", _context(request, found, form))
    try:
        _apply(request, game, form)
    except Refusal as refusal:
        context = _context(request, found, form) | {"refusal": refusal, "shown": refusal.faults}
        return render(request, "desk/ruling.html", context, status=refusal.status)
    messages.success(request, "The ruling is on the sheet.")
    return redirect("desk-game", event, pk)


@require_http_methods(["GET", "POST"])
def rule_instead(request: HttpRequest, event: str, pk: int, position: int) -> HttpResponse:
    """A ruling in the place of a line that stands on the sheet already, on that of a final game too."""
    find_desk_game(request, event, pk, "rule")
    found = desk_game(request.actor, pk)
    line = sheet_line(found, position)
    form = ruling_on(found, request.POST if request.method == "POST" else request.GET, position)
    if request.method == "GET":
        return render(request, "desk/ruling.html", _context(request, found, form) | {"line": line})
    try:
        return _replace(request, found, line, form)
    except Refusal as refusal:
        context = _context(request, found, form) | {"line": line, "refusal": refusal, "shown": refusal.faults}
        return render(request, "desk/ruling.html", context, status=refusal.status)


@require_GET
def report(request: HttpRequest, event: str) -> HttpResponse:
    """Every ruling of the event: waived and withdrawn ones too."""
    found = find_event(request, event, "see-desk")
    context = {"event": found, "tab": "rulings", "rulings": rulings_of(found)}
    return render(request, "desk/rulings.html", context)


def _apply(request: HttpRequest, game: Game, form: RulingForm) -> None:
    facts, position, key = form.checked(), read_position(request.POST), read_key(request.POST)
    leaves = form.leaves and request.POST.get("leaves") == "yes"
    if leaves:
        need_password(request, "You are about to send a team away: its games are forfeited.")
    apply_ruling(request.actor, game, facts, position=position, client_key=key, leaves=leaves)


def _replace(request: HttpRequest, found: DeskGame, line: SheetLine, form: RulingForm) -> HttpResponse:
    """Save it; for a final game only what was announced."""
    place, facts = read_place(line, request.POST), form.checked()
    if found.sheet.state == "final":
        impact = announce_correction(request.actor, found.game, facts=facts, **place)
        if request.POST.get("announced") != impact.key:
            context = _context(request, found, form) | {"line": line, "impact": impact, "values": form.values}
            return render(request, "desk/ruling.html", context)
        need_password(request, "You are about to correct a final sheet.")
    replace_by_ruling(request.actor, found.game, facts, **place)
    messages.success(request, "The ruling stands in the place of the line.")
    return redirect("desk-game", found.game.round.event.slug, found.game.pk)


def _context(request: HttpRequest, found: DeskGame, form: RulingForm) -> dict[str, Any]:
    kind = found.sheet.call.kind if found.sheet.call else ""
    return {
        "event": found.game.round.event,
        "tab": "round",
        "found": found,
        "sheet": found.sheet,
        "form": form,
        "here": request.path,
        "shown": form.faults,
        "likely": likely_rulings(found.rules, kind),
        "position": found.sheet.next_position,
        "client_key": uuid.uuid4(),
    }
