"""The playoffs: at the desk the cut, level teams and the bracket round by round; the bracket for everybody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from tournament.access import Actor
from tournament.errors import DomainError
from tournament.forms.hand import read_confirmed
from tournament.forms.playoffs import CutForm, PlacingForm, TieForm
from tournament.gate.middleware import render
from tournament.models import Event
from tournament.queries.bracket import bracket
from tournament.queries.draws import DRAW
from tournament.queries.match_words import form_words
from tournament.queries.playoffs import form_previews, playoffs
from tournament.queries.rules import ruleset_of
from tournament.queries.rulings import LATE, known_rule
from tournament.queries.standings import full_standings
from tournament.queries.todo import open_needs
from tournament.request import Request
from tournament.services.confirming import NeedsConfirmation
from tournament.services.playoffs import (
    decide_placing,
    end_tiebreak,
    finish_event,
    make_cut,
    play_match_again,
    put_both_out,
    start_playoff_round,
    start_tie_round,
    start_tiebreak,
)
from tournament.views.confirming import Button, question_page
from tournament.views.desk import needs_seen
from tournament.views.pages import done, in_event, on_form, public_page

DECIDED_AT_ONCE = frozenset({"lots", "head-to-head"})


def _page(request: Request, event: Event, status: int = 200, **given: Any) -> HttpResponse:
    event = get_object_or_404(Event, pk=event.pk)
    facts = playoffs(event)
    names = {line.number: line.team for line in facts.table.lines}
    context = {"event": event, "tab": "playoffs", "facts": facts, "names": names, "tie_form": TieForm(), **given}
    context.setdefault("cut_form", CutForm.of(event))
    context["forms"] = form_previews(event, facts)
    context["late_rule"] = known_rule(ruleset_of(event), LATE)
    context["asked"] = [question.source for question in facts.asked]
    context["needs"] = needs_seen(request, event, open_needs(event)) if facts.champion and event.stage != "over" else ()
    return render(request, "desk/playoffs.html", context, status=status)


@in_event("see-desk", polled=True)
def playoffs_page(request: Request, event: Event) -> HttpResponse:
    """The current state, and the one thing that comes next."""
    return _page(request, event)


@on_form("run-playoffs", "cut_form", CutForm, _page)
def cut(request: Request, event: Event, form: CutForm) -> HttpResponse:
    """Make the cut."""
    chosen = form.cleaned_data
    make_cut(request.actor, event, chosen["size"], best_of=chosen["best_of"], form=form.chosen_form())
    words = "The cut is made. You can change it until the first playoff game or tie-break is drawn."
    return done(request, words, "desk-playoffs", event.slug)


@on_form("run-playoffs", "tie_form", TieForm, _page)
def tiebreak(request: Request, event: Event, form: TieForm) -> HttpResponse:
    """Break a tie at the cut by the chosen method."""
    method = form.cleaned_data.pop("method")
    start_tiebreak(request.actor, event, method, **form.cleaned_data)
    decided = "Saved. The standings show what was decided, and why."
    words = decided if method in DECIDED_AT_ONCE else "The tie-break is in play."
    return done(request, words, "desk-playoffs", event.slug)


@require_POST
@in_event("run-playoffs")
def tie_round(request: Request, event: Event) -> HttpResponse:
    """The next game of a tie-break with byes."""
    return _act(request, event, start_tie_round, "{} is in play.")


@require_POST
@in_event("run-playoffs")
def tie_end(request: Request, event: Event) -> HttpResponse:
    """The tie-break now decides only seeds: draw them by lot."""
    act = partial(end_tiebreak, witness=request.POST.get("witness", ""))
    return _act(request, event, act, "The seeds are drawn. The bracket can start.")


@require_POST
@in_event("run-playoffs")
def placing(request: Request, event: Event) -> HttpResponse:
    """After results changed: keep what was made from them, or make it again."""
    form = PlacingForm(request.POST)
    if not form.is_valid():
        return _page(request, event, placing_form=form, status=422)
    try:
        decide_placing(request.actor, event, **form.cleaned_data)
    except DomainError as refusal:
        return _page(request, event, faults=refusal.faults, status=refusal.status)
    back = "desk-draw" if form.cleaned_data["source"].startswith(DRAW) else "desk-playoffs"
    return done(request, "Decision saved.", back, event.slug)


@require_POST
@in_event("run-playoffs")
def bracket_round(request: Request, event: Event) -> HttpResponse:
    """Start the bracket's next round; where the event begins with it, teams short of players are named first."""
    act = partial(start_playoff_round, confirmed=read_confirmed(request.POST))
    try:
        return _act(request, event, act, "{} is in play.")
    except NeedsConfirmation as needed:
        back, buttons = reverse("desk-playoffs", args=[event.slug]), (Button("Start anyway"),)
        return question_page(request, event, needed, buttons, title="Start the bracket?", back=back, tab="playoffs")


@require_POST
@in_event("run-playoffs")
def ending(request: Request, event: Event) -> HttpResponse:
    """Finish the event."""
    return _act(request, event, finish_event, "The event is finished.")


@require_POST
@in_event("run-playoffs")
def replay_match(request: Request, event: Event, key: str) -> HttpResponse:
    """The last game of a match is void, and the match is played again."""
    act = partial(play_match_again, key=key, reason=request.POST.get("reason", ""))
    return _act(request, event, act, "The game doesn’t count. The match is played again.")


@require_POST
@in_event("run-playoffs")
def both_out(request: Request, event: Event, key: str) -> HttpResponse:
    """Both teams of a match that nobody won are out, or both are back in."""
    back = "back" in request.POST
    words = "Both are back in." if back else "Both are out. “Bring both back” on the match undoes it."
    return _act(request, event, partial(put_both_out, key=key, back=back), words)


def _act(request: Request, event: Event, act: Callable[[Actor, Event], object], words: str) -> HttpResponse:
    """One button without a form: do it, or say on the page why it cannot be done."""
    try:
        result = act(request.actor, event)
    except DomainError as refusal:
        return _page(request, event, faults=refusal.faults, status=refusal.status)
    return done(request, words.format(result), "desk-playoffs", event.slug)


@in_event("see-event")
def bracket_page(request: Request, event: Event) -> HttpResponse:
    """The playoffs as they are now."""
    drawn = bracket(event, full_standings(event))
    context = {"event": event, "tab": "bracket", "drawn": drawn, "form_words": form_words(event)}
    return public_page(request, "public/bracket.html", "public/_bracket.html", context)
