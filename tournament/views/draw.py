"""The draw at the desk: by the event's movement, taken back, or by hand."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from tournament.forms.draw import DrawForm, HandDrawForm
from tournament.forms.fields import show_faults
from tournament.models import Event
from tournament.pairing.plan import rounds_text
from tournament.queries.draws import draw_overview, draw_plan, movement_words, seats_words
from tournament.queries.roster import lost_by_redraw, redrawn_words
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services import draws
from tournament.services.substitutions import announce_redraw
from tournament.views.pages import done, find_event, sent


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: Request, event: str) -> HttpResponse:
    """Who meets whom, table by table; the remaining rounds are drawn here."""
    found = find_event(request, event, "draw")
    form = DrawForm(sent(request), initial={"seats": DrawForm.NUMBER if found.by_number else DrawForm.LOT})
    if not form.is_valid():
        return _page(request, found, form, 422 if form.is_bound else 200)
    try:
        return _draw(request, found, form)
    except Refusal as refusal:
        return _page(request, found, form, show_faults(form, refusal))


def _draw(request: Request, event: Event, form: DrawForm) -> HttpResponse:
    """Draw at once, unless a draw would be lost that was made by hand or printed: then it is said first."""
    seed, by_number = form.chosen_seed, form.by_number
    lost = lost_by_redraw(event)
    if lost.exists and request.POST.get("announced") != lost.key:
        announced = announce_redraw(request.actor, event, seed, by_number)
        context = {"event": event, "tab": "draw", "lost": lost, "reseating": announced}
        return render(request, "desk/draw_again.html", context | {"seed": seed, "seats": form.data.get("seats", "")})
    before = draw_overview(event, state="planned")
    drawn = draws.draw_rounds(request.actor, event, seed=seed, by_number=by_number)
    words = redrawn_words(before, draw_overview(event, state="planned"), len(drawn))
    return done(request, words, "desk-draw", event.slug)


@require_POST
def removal(request: Request, event: str) -> HttpResponse:
    """The draw of the rounds that have not started is deleted."""
    found = find_event(request, event, "draw")
    count = draws.take_back_draw(request.actor, found)
    return done(request, f"The draw of {count} round{'' if count == 1 else 's'} is deleted.", "desk-draw", found.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def by_hand(request: Request, event: str, number: int) -> HttpResponse:
    """Rounds seated by hand, with a warning for everything that looks wrong."""
    found = find_event(request, event, "draw")
    form = HandDrawForm(found, number, draw_overview(found), sent(request), request.FILES or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            accepted = bool(form.cleaned_data["accept"])
            draws.draw_rounds_by_hand(request.actor, found, form.rounds, accepted=accepted)
        except Refusal as refusal:
            status = show_faults(form, refusal)
        else:
            return done(request, f"Drawn by hand: {rounds_text(form.rounds)}.", "desk-draw", found.slug)
    return render(request, "desk/draw_by_hand.html", _hand_context(found, number, form), status=status)


def _hand_context(event: Event, number: int, form: HandDrawForm) -> dict[str, object]:
    return {"event": event, "tab": "draw", "number": number, "form": form}


def _page(request: Request, event: Event, form: DrawForm, status: int) -> HttpResponse:
    overview = draw_overview(event)
    context = {"event": event, "tab": "draw", "form": form, "overview": overview, "plan": draw_plan(event)}
    context |= {"movement": movement_words(event, overview.notes), "seats": seats_words(event, overview)}
    return render(request, "desk/draw.html", context, status=status)
