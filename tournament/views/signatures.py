"""Signatures at the desk: those that stand on paper, for all sides at once; and an official who signs for a side."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournament.forms.entry.posted import read_index
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.signatures import (
    note_paper_signatures,
    sign_sheet,
    take_paper_signatures_back,
    take_signature_back,
)
from tournament.views.deskgames import back_to, find_desk_game, refused_at


@require_POST
def on_paper(request: Request, event: str, pk: int) -> HttpResponse:
    """All sides signed the paper sheet, as whoever sends this has seen."""
    game = find_desk_game(request, event, pk, "paper-signatures")
    try:
        note_paper_signatures(request.actor, game, request.POST.get("code", ""))
    except Refusal as refusal:
        return refused_at(request, game, refusal, "witness")
    messages.success(
        request, f"Table {game.table} is signed on paper. You can take that back until the round is closed."
    )
    return back_to(request, game)


@require_POST
def back(request: Request, event: str, pk: int) -> HttpResponse:
    """The signatures on paper are taken back, or the signature of one side until the last has signed."""
    game = find_desk_game(request, event, pk, "paper-signatures")
    try:
        if "side" in request.POST:
            take_signature_back(request.actor, game, read_index(request.POST["side"]))
        else:
            take_paper_signatures_back(request.actor, game, request.POST.get("code", ""))
    except Refusal as refusal:
        return refused_at(request, game, refusal, "witness")
    messages.success(request, "Taken back: the game waits to be signed.")
    return redirect("desk-game", event, pk)


@require_POST
def witness(request: Request, event: str, pk: int) -> HttpResponse:
    """Sign for a side as a witness, with the reason."""
    game = find_desk_game(request, event, pk, "witness")
    name, said = request.actor.account.get_username(), request.POST
    side, code, reason = read_index(said.get("side", "")), said.get("code", ""), said.get("reason", "")
    try:
        sign_sheet(request.actor, game, side=side, name=name, code=code, reason=reason)
    except Refusal as refusal:
        return refused_at(request, game, refusal, "witness")
    messages.success(request, "Signed.")
    return redirect("desk-game", event, pk)
