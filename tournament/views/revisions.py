"""Correcting a line of a sheet: the line prefilled, what the correction changes, and only then the correction."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from tournament import access
from tournament.forms.revision import Revision, line_values, read_revision, typed_line
from tournament.models import Game
from tournament.queries.deskgame import DeskGame, SheetLine, desk_game, sheet_before, sheet_line
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.corrections import announce_correction, bring_back, correct_sheet
from tournament.services.rulings import withdraw_ruling
from tournament.views.deskgames import find_desk_game, on_sheet
from tournament.views.gamerulings import FINAL, after_ruling
from tournament.views.pages import confirmed


@require_http_methods(["GET", "POST"])
def revise(request: Request, event: str, pk: int, position: int) -> HttpResponse:
    """Write a line anew or take it off. A final game first shows what changes, everywhere."""
    game = find_desk_game(request, event, pk, "correct")
    found = desk_game(request.actor, pk)
    line = sheet_line(found, position)
    access.require(request.actor, "rule" if line.ruled else "correct", game.round.event)
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
    game, position, revision, reason = found.game, line.row.position, said.revision, said.reason
    if found.sheet.state == "final":
        impact = announce_correction(
            request.actor, game, position=position, facts=said.facts, revision=revision, reason=reason
        )
        if not confirmed(request, impact.key, FINAL):
            values = typed_line(request.POST)
            return _page(request, found, line, values=values, impact=impact, changed=bool(said.announced))
    if line.ruled and said.facts is None:
        withdraw_ruling(request.actor, game, position=position, revision=revision, reason=reason)
    else:
        correct_sheet(request.actor, game, position=position, facts=said.facts, revision=revision, reason=reason)
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
