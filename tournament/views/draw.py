"""The draw at the desk: by the event's movement, taken back, or by hand."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from tournament.forms.draw import DrawForm, HandDrawForm
from tournament.forms.faults import show_faults
from tournament.models import Event
from tournament.queries.draws import draw_overview, draw_plan, movement_words
from tournament.refusals import Refusal
from tournament.services import draws
from tournament.views.pages import find_event, sent


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, event: str) -> HttpResponse:
    """Who meets whom, table by table; the remaining rounds are drawn here."""
    found = find_event(request, event, "draw")
    form = DrawForm(sent(request))
    if form.is_valid():
        try:
            seed, by_number = form.cleaned_data["seed"], form.by_number
            drawn = draws.draw_rounds(request.actor, found, seed=seed, by_number=by_number)
        except Refusal as refusal:
            return _page(request, found, form, show_faults(form, refusal))
        messages.success(request, f"{len(drawn)} round{'' if len(drawn) == 1 else 's'} drawn.")
        return redirect("desk-draw", found.slug)
    return _page(request, found, form, 422 if form.is_bound else 200)


@require_POST
def removal(request: HttpRequest, event: str) -> HttpResponse:
    """The draw of the rounds that have not started is taken back."""
    found = find_event(request, event, "draw")
    count = draws.take_back_draw(request.actor, found)
    messages.success(request, f"The draw of {count} round{'' if count == 1 else 's'} is taken back.")
    return redirect("desk-draw", found.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def by_hand(request: HttpRequest, event: str, number: int) -> HttpResponse:
    """One round seated by hand, with a warning for everything that looks wrong."""
    found = find_event(request, event, "draw")
    form = HandDrawForm(found, number, draw_overview(found), sent(request))
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            accepted = form.cleaned_data["accept"]
            draws.draw_by_hand(request.actor, found, number, form.tables, accepted=accepted)
        except Refusal as refusal:
            status = show_faults(form, refusal)
        else:
            messages.success(request, f"Round {number} is drawn by hand.")
            return redirect("desk-draw", found.slug)
    return render(request, "desk/draw_by_hand.html", _hand_context(found, number, form), status=status)


def _hand_context(event: Event, number: int, form: HandDrawForm) -> dict[str, object]:
    return {"event": event, "tab": "draw", "number": number, "form": form}


def _page(request: HttpRequest, event: Event, form: DrawForm, status: int) -> HttpResponse:
    overview = draw_overview(event)
    context = {"event": event, "tab": "draw", "form": form, "overview": overview, "plan": draw_plan(event)}
    context["movement"] = movement_words(event, overview.notes)
    return render(request, "desk/draw.html", context, status=status)
