"""Ruling on a game, step by step; correcting a line of a sheet; and the report of all rulings of an event."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from tournament import access
from tournament.forms.hand import (
    Revision,
    line_values,
    read_announced,
    read_key,
    read_place,
    read_position,
    read_revision,
    typed_line,
)
from tournament.forms.ruling import RulingForm, ruling_on
from tournament.lists.sheets import rulings_list
from tournament.models import Game
from tournament.queries.deskgame import DeskGame, SheetLine, desk_game, desk_sheet, sheet_before, sheet_line
from tournament.queries.rulings import likely_of, rulings_of, team_that_goes
from tournament.queries.sheet import with_sheet
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.corrections import (
    NotAnnounced,
    apply_ruling,
    bring_back,
    correct_sheet,
    replace_by_ruling,
    withdraw_ruling,
)
from tournament.tables import page_table
from tournament.views.deskgames import find_desk_game, on_sheet
from tournament.views.pages import done, find_event, need_password
from tournament.views.teamchange import changed

FINAL = "You are about to correct a final sheet."


@require_http_methods(["GET", "POST"])
def rule(request: Request, event: str, pk: int) -> HttpResponse:
    """What happened, whose fault, the choice, the effect; then apply. Every step is an address of its own.

    A game that its hands ended and nobody has signed leads on to the place of the last hand.
    """
    game = find_desk_game(request, event, pk, "rule")
    found = desk_game(request.actor, pk)
    if request.method == "GET" and found.last_hand is not None:
        # What comes out when the books are counted is ruled on in the place of the hand that ended the game.
        there = reverse("game-line-ruling", args=[event, pk, found.last_hand])
        return redirect(f"{there}?{request.GET.urlencode()}" if request.GET else there)
    form = ruling_on(found, request.POST if request.method == "POST" else request.GET)
    if request.method == "GET" or "show" in request.POST:
        return render(request, "desk/ruling.html", _context(request, found, form))
    try:
        return _apply(request, game, form)
    except Refusal as refusal:
        context = _context(request, found, form) | {"refusal": refusal, "shown": refusal.faults}
        return render(request, "desk/ruling.html", context, status=refusal.status)


@require_http_methods(["GET", "POST"])
def rule_instead(request: Request, event: str, pk: int, position: int) -> HttpResponse:
    """A ruling in the place of a line that stands on the sheet already, on that of a final game too."""
    found = desk_sheet(request.actor, with_sheet(find_desk_game(request, event, pk, "rule")))
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
def report(request: Request, event: str) -> HttpResponse:
    """Every ruling of the event, the newest first: waived and withdrawn ones too."""
    found = find_event(request, event, "see-desk")
    table = page_table(rulings_list(found, rulings_of(found)), request, order_by="-at")
    context = {"event": found, "tab": "rulings", "table": table}
    return render(request, "desk/rulings.html", context)


def after_ruling(request: Request, game: Game, facts: dict[str, Any]) -> str:
    """Where to go when a ruling was put in place of a line or withdrawn.

    Back to the sheet; where the ruling sends a team away, to that team's page, because whether it plays on is decided
    there.
    """
    event = game.round.event
    team = team_that_goes(game, facts)
    if team is None:
        return reverse("desk-game", args=[event.slug, game.pk])
    stands = "Still in play" if team.status == "playing" else "Still withdrawn"
    messages.warning(request, f"{stands}: {team.name}. If that is no longer right, change it here.")
    return reverse("desk-team", args=[event.slug, team.number])


def _apply(request: Request, game: Game, form: RulingForm) -> HttpResponse:
    """Write it; where a team goes with it, the rounds that have not started are shown first as they will be."""
    facts, position, key = form.checked(), read_position(request.POST), read_key(request.POST)
    team = team_that_goes(game, facts) if form.leaves and request.POST.get("leaves") == "yes" else None
    act = partial(apply_ruling, request.actor, game, facts, position=position, client_key=key, leaves=bool(team))
    event, sheet = game.round.event, reverse("desk-game", args=[game.round.event.slug, game.pk])
    if team:
        return changed(request, event, act, f"Withdraw {team.name}", "The ruling is on the sheet.", back=sheet)
    act()
    return done(request, "The ruling is on the sheet.", sheet)


def _replace(request: Request, found: DeskGame, line: SheetLine, form: RulingForm) -> HttpResponse:
    """Save it; for a final game only what was announced."""
    announced = read_announced(request.POST)
    # A hand that nobody has signed is ruled on like any other: what happened says why it is replaced.
    happened = form.rule.when if form.rule and found.last_hand == line.row.position else ""
    place, facts = read_place(line, request.POST, happened), form.checked()
    if announced:
        need_password(request, FINAL)
    try:
        replace_by_ruling(request.actor, found.game, facts, **place, announced=announced)
    except NotAnnounced as asked:
        context = _context(request, found, form) | {"line": line, "impact": asked.impact, "values": form.values}
        return render(request, "desk/ruling.html", context)
    messages.success(request, "The ruling is on the sheet in place of the line.")
    return redirect(after_ruling(request, found.game, facts))


def _context(request: Request, found: DeskGame, form: RulingForm) -> dict[str, Any]:
    kind = found.sheet.call.kind if found.sheet.call else ""
    return {
        "event": found.game.round.event,
        "tab": "round",
        "found": found,
        "sheet": found.sheet,
        "form": form,
        "here": request.path,
        "shown": form.faults,
        "likely": likely_of(form.table, kind),
        "position": found.sheet.next_position,
        "client_key": uuid.uuid4(),
    }


@require_http_methods(["GET", "POST"])
def revise(request: Request, event: str, pk: int, position: int) -> HttpResponse:
    """Write a line anew or take it off. A final game first shows what changes, everywhere."""
    game = find_desk_game(request, event, pk, "correct")
    found = desk_sheet(request.actor, with_sheet(game))
    line = sheet_line(found, position)
    if line.ruled:
        access.require(request.actor, "rule", game.round.event)
    if request.method == "GET":
        return _page(request, found, line, values=line_values(line.facts, sheet_before(found, position)))
    try:
        return _save(request, found, line, read_revision(sheet_before(found, position), line, request.POST))
    except Refusal as refusal:
        return _page(request, found, line, status=refusal.status, values=typed_line(request.POST), refusal=refusal)


@on_sheet("correct", "set-aside")
def set_aside(request: Request, game: Game) -> str:
    """Lines that a correction put behind the end of the game count again."""
    count = bring_back(request.actor, game, request.POST.get("reason", ""))
    return f"{count} line{'' if count == 1 else 's'} brought back."


def _save(request: Request, found: DeskGame, line: SheetLine, said: Revision) -> HttpResponse:
    game, announced = found.game, said.announced
    place: dict[str, Any] = {"position": line.row.position, "revision": said.revision, "reason": said.reason}
    if announced:
        need_password(request, FINAL)
    try:
        if line.ruled and said.facts is None:
            withdraw_ruling(request.actor, game, **place, announced=announced)
        else:
            correct_sheet(request.actor, game, facts=said.facts, **place, announced=announced)
    except NotAnnounced as asked:
        values = typed_line(request.POST)
        return _page(request, found, line, values=values, impact=asked.impact, changed=bool(announced))
    messages.success(request, "The ruling is withdrawn." if line.ruled else "The line is corrected.")
    return redirect(after_ruling(request, game, line.facts if line.ruled else {}))


def _page(request: Request, found: DeskGame, line: SheetLine, status: int = 200, **extra: Any) -> HttpResponse:
    context = {
        "event": found.game.round.event,
        "tab": "round",
        "found": found,
        "sheet": sheet_before(found, line.row.position),
        "final": found.sheet.state == "final",
        "line": line,
        **extra,
    }
    return render(request, "desk/revision.html", context, status=status)
