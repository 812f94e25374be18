"""The hall's board, steered from the desk."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournament.forms.playoffs import BoardForm
from tournament.refusals import Invalid
from tournament.services.board import show_on_board
from tournament.views.pages import find_event


@require_POST
def board_section(request: HttpRequest, event: str) -> HttpResponse:
    """What the board shows from now on; it asks by itself every few seconds."""
    found = find_event(request, event, "run-rounds")
    form = BoardForm(request.POST)
    if not form.is_valid():
        raise Invalid("Choose what the projector shows.")
    shown = show_on_board(request.actor, found, form.cleaned_data["shows"])
    messages.success(request, f"On the projector: {shown.get_board_shows_display().lower()}.")
    return redirect("desk-standings", found.slug)
