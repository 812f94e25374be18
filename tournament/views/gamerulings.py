"""Ruling on a game, step by step; and the report of all rulings of an event."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from tournament.forms.entry.posted import read_key, read_position
from tournament.forms.revision import read_place
from tournament.forms.ruling import RulingForm, ruling_on
from tournament.models import Game
from tournament.queries.deskgame import DeskGame, SheetLine, desk_game, sheet_line
from tournament.queries.rulings import rulings_of, team_that_goes
from tournament.queries.rulingtable import likely_rulings
from tournament.refusals import Refusal
from tournament.services.corrections import announce_correction
from tournament.services.rulings import apply_ruling, replace_by_ruling
from tournament.views.deskgames import find_desk_game
from tournament.views.pages import confirmed, find_event, need_password
from tournament.views.teamchange import changed

FINAL = "You are about to correct a final sheet."


@require_http_methods(["GET", "POST"])
def rule(request: HttpRequest, event: str, pk: int) -> HttpResponse:
    """What happened, whose fault, the choice, the effect; then apply. Every step is an address of its own."""
    game = find_desk_game(request, event, pk, "rule")
    found = desk_game(request.actor, pk)
    form = ruling_on(found, request.POST if request.method == "POST" else request.GET)
    if request.method == "GET" or "show" in request.POST:
        return render(request, "desk/ruling.html", _context(request, found, form))
    try:
        return _apply(request, game, form)
    except Refusal as refusal:
        context = _context(request, found, form) | {"refusal": refusal, "shown": refusal.faults}
        return render(request, "desk/ruling.html", context, status=refusal.status)


@require_http_methods(["GET", "POST"])
def rule_instead(request: HttpRequest, event: str, pk: int, position: int) -> HttpResponse:
    """A ruling in the place of a line that stands on the sheet already, on that of a final game too."""
    find_desk_game(request, event, pk, "rule")
    found = desk_game(request.actor, pk)
    line = sheet_line(found, position)
    form = ruling_on(found, request.POST if request.method == "POST" else request.GET, position)
    if request.method == "GET" or "show" in request.POST:
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


def after_ruling(request: HttpRequest, game: Game, facts: dict[str, Any]) -> str:
    """Where to go when a ruling was put in place of a line or withdrawn: back to the sheet; where the ruling sends a
    team away, to that team's page, because whether it plays on is decided there."""
    event = game.round.event
    team = team_that_goes(game, facts)
    if team is None:
        return reverse("desk-game", args=[event.slug, game.pk])
    stands = "plays on" if team.status == "playing" else "plays no more"
    messages.warning(request, f"{team.name} {stands}, as before. If that is not right any more, change it here.")
    return reverse("desk-team", args=[event.slug, team.number])


def _apply(request: HttpRequest, game: Game, form: RulingForm) -> HttpResponse:
    """Write it; where a team goes with it, the rounds that have not started are shown first as they will be."""
    facts, position, key = form.checked(), read_position(request.POST), read_key(request.POST)
    team = team_that_goes(game, facts) if form.leaves and request.POST.get("leaves") == "yes" else None
    act = partial(apply_ruling, request.actor, game, facts, position=position, client_key=key, leaves=bool(team))
    event, sheet = game.round.event, reverse("desk-game", args=[game.round.event.slug, game.pk])
    if team:
        need_password(request, "You are about to send somebody away: the games are forfeited.")
        return changed(request, event, act, f"{team.name} leaves", "The ruling is on the sheet.", sheet)
    act()
    messages.success(request, "The ruling is on the sheet.")
    return redirect(sheet)


def _replace(request: HttpRequest, found: DeskGame, line: SheetLine, form: RulingForm) -> HttpResponse:
    """Save it; for a final game only what was announced."""
    place, facts = read_place(line, request.POST), form.checked()
    if found.sheet.state == "final":
        impact = announce_correction(request.actor, found.game, facts=facts, **place)
        if not confirmed(request, impact.key, FINAL):
            context = _context(request, found, form) | {"line": line, "impact": impact, "values": form.values}
            return render(request, "desk/ruling.html", context)
    replace_by_ruling(request.actor, found.game, facts, **place)
    messages.success(request, "The ruling stands in the place of the line.")
    return redirect(after_ruling(request, found.game, facts))


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
