"""The desk's first page with all tables, the round's clock, the draw, and the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament import access
from tournament.errors import DomainError
from tournament.forms.desk import set_clock
from tournament.forms.draw import DrawForm, HandDrawForm
from tournament.forms.fields import show_faults
from tournament.forms.hand import read_confirmed, read_index
from tournament.gate.middleware import render
from tournament.lists.catalog import log_list
from tournament.lists.column import Listing
from tournament.models import Call, Event
from tournament.pairing.plan import rounds_text
from tournament.queries.decisions import draw_question
from tournament.queries.desk import desk_round, desk_version
from tournament.queries.draws import (
    draw_overview,
    draw_plan,
    movement_words,
    redrawn_words,
    seats_words,
    seed_words,
    way_back_to_draw,
)
from tournament.queries.history import PER_PAGE, actions_of, acts_found
from tournament.queries.laptops import desk_state
from tournament.queries.outlook import desk_outlook
from tournament.queries.playoffs import playoffs, shown_finale
from tournament.queries.pot import pot
from tournament.queries.rules import ruleset_of, visibility
from tournament.queries.standings import shown_standings
from tournament.queries.todo import Need, needs_of
from tournament.reports.pdf.lists import list_paper
from tournament.request import Request
from tournament.services import draws, rounds
from tournament.services.confirming import NeedsConfirmation
from tournament.services.rounds import answer_call, call_time, go_to_call, seat_everybody, unseat_everybody
from tournament.services.substitutions import look_at_redraw, seat_late, unseat_late
from tournament.tables import page_table
from tournament.views.confirming import Button, question_page
from tournament.views.pages import done, in_event, nothing_new, page_or_part, send_file, sent
from tournament.views.papers import WRITERS

TOP = 5


@require_GET
@in_event("see-desk")
def desk(request: Request, event: Event) -> HttpResponse:
    """The round in play, the next or the last; or the one that the address names."""
    version = desk_version(event)
    if nothing_new(request, version):
        return HttpResponse(status=204)
    return page_or_part(
        request, "desk/round.html", "desk/_round.html", _round(request, event) | {"version": version, "has_stage": True}
    )


@require_GET
@in_event("see-desk")
def next_act(request: Request, event: Event) -> HttpResponse:
    """The button of the next act, for the header of every page of the desk.

    It includes how far the event is, and whether another laptop goes on with it.
    """
    if nothing_new(request, desk_state(event)):
        return HttpResponse(status=204)
    context = {"event": event, "tab": request.GET.get("tab", ""), "has_stage": "stage" in request.GET, "is_news": True}
    return render(request, "desk/_next_act.html", context)


@require_POST
@in_event("answer")
def answer(request: Request, event: Event, pk: int) -> HttpResponse:
    """The director has been at the table: close its call."""
    call = get_object_or_404(Call.objects.select_related("game__round"), pk=pk, game__round__event=event)
    answer_call(request.actor, call)
    messages.success(request, f"The call from table {call.game.table} is answered.")
    return redirect("desk", event.slug)


@require_POST
@in_event("answer")
def on_my_way(request: Request, event: Event, pk: int) -> HttpResponse:
    """A director is on the way to a table: its tablet says so."""
    call = go_to_call(request.actor, get_object_or_404(Call, pk=pk, game__round__event=event))
    table = call.game.table
    messages.success(request, f"The tablet of table {table} now says that the director is on the way.")
    return redirect("desk", event.slug)


@require_POST
@in_event("seat-round")
def seat_all(request: Request, event: Event, number: int) -> HttpResponse:
    """Seat everybody in the hall but the late ones."""
    tables, waiting = seat_everybody(request.actor, event, number)
    where = f"{tables} table{'' if tables == 1 else 's'}"
    late = f" Not seated: {waiting.words}." if waiting.late else ""
    messages.success(request, f"Seated at {where}.{late}")
    return redirect("desk", event.slug)


@require_POST
@in_event("seat-round")
def unseat_all(request: Request, event: Event, number: int) -> HttpResponse:
    """Undo the seats of one press."""
    try:
        tables = unseat_everybody(request.actor, event, number)
    except DomainError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"Undone: {tables} table{'' if tables == 1 else 's'} to be seated again.")
    return redirect("desk", event.slug)


def _round(request: Request, event: Event) -> dict[str, Any]:
    asked = request.GET.get("round", "")
    chosen = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 5 else None
    shown = desk_round(event, chosen)
    state, text = request.GET.get("show", ""), request.GET.get("q", "")[:60]
    places = shown_finale(event, visibility(event, request.actor)).places.lines[:TOP]
    table = shown_standings(event, request.actor)
    pool = pot(event, books=table.books)
    outlook = desk_outlook(event, shown, table.books.playing, timezone.now()) if shown else ""
    extra = {"pot": pool, "top": table.lines[:TOP], "places": places, "outlook": outlook}
    rules = ruleset_of(event)
    facts = {
        "desk": shown,
        "chosen": shown is not None and shown.number == chosen,
        "chosen_query": f"&round={chosen}" if shown is not None and shown.number == chosen else "",
        "tables": shown.shown(state, text) if shown else (),
        "needs": needs_seen(request, event, needs_of(event, shown, rules, pool)) if shown else (),
        "rules": rules,
    }
    return {
        "event": event,
        "tab": "round",
        "show": state,
        "q": text,
        **facts,
        **extra,
    }


def needs_seen(request: Request, event: Event, needs: Sequence[Need]) -> tuple[Need, ...]:
    """What is to do, for this official: sums of money are shown only to those who handle it."""
    sees_money = access.may(request.actor, "pay", event)
    return tuple(need for need in needs if need.action != "pay" or sees_money)


@require_POST
@in_event("run-rounds")
def start(request: Request, event: Event, number: int) -> HttpResponse:
    """Start a drawn round; games that it gives away and teams short of players are named first."""
    act = partial(rounds.start_round, request.actor, event, number, confirmed=read_confirmed(request.POST))
    try:
        return _act(request, event, act, "{} is in play.", "The game was not started")
    except NeedsConfirmation as needed:
        back = reverse("desk", args=[event.slug])
        buttons = (Button("Start without them" if needed.impact.warning == rounds.GIVEN else "Start anyway"),)
        return question_page(request, event, needed, buttons, title=f"Start game {number}?", back=back, tab="round")


@require_POST
@in_event("run-rounds")
def take_back(request: Request, event: Event, number: int) -> HttpResponse:
    """Undo the start of a round, as long as nothing is written in it."""
    act = partial(rounds.take_start_back, request.actor, event, number)
    done = "{} has not started: its tables are drawn and wait."
    return _act(request, event, act, done, "The start was not undone")


@require_POST
@in_event("run-rounds")
def late(request: Request, event: Event, number: int) -> HttpResponse:
    """Let a late team play the one with the bye; or undo that because it came too late."""
    if "undo" in request.POST:
        table = read_index(request.POST["undo"]) or 0
        act = partial(unseat_late, request.actor, event, number, table)
        return _act(request, event, act, "{} is taken off: the bye is back.", "It was not undone")
    act = partial(seat_late, request.actor, event, number, read_index(request.POST.get("late", "")) or 0)
    return _act(request, event, act, "{}: send them there.", "They were not seated")


@require_POST
@in_event("run-rounds")
def close(request: Request, event: Event, number: int) -> HttpResponse:
    """Close a round that is played out."""

    def act() -> str:
        closed = rounds.close_round(request.actor, event, number)
        champion = playoffs(event).champion if closed.stage == "playoff" else ""
        return f"{closed} is closed.{f' Champion: {champion}.' if champion else ''}"

    return _act(request, event, act, "{}", f"Game {number} cannot be closed yet")


@require_POST
@in_event("run-rounds")
def clock(request: Request, event: Event, number: int) -> HttpResponse:
    """The clock of a round: pause, continue, extend."""
    act = partial(set_clock, request.actor, event, number, request.POST)
    return _act(request, event, act, "{}", "The clock was not changed")


@require_POST
@in_event("run-rounds")
def time(request: Request, event: Event, number: int) -> HttpResponse:
    """Time is up: every table is told."""

    def act() -> str:
        count = call_time(request.actor, event, number)
        return f"{count} table{pluralize(count)}"

    return _act(request, event, act, "Time is called at {}.", "Time was not called")


def _act(request: Request, event: Event, act: Callable[[], object], done: str, refused: str) -> HttpResponse:
    """Do it, or say what is missing, with a link to fix it; for htmx the message appears within the page."""
    try:
        result = act()
    except DomainError as refusal:
        context = {"event": event, "tab": "round", "title": refused, "faults": refusal.faults}
        context |= drawn_question(request, event) if any(fault.field == "draw" for fault in refusal.faults) else {}
        return render(request, "desk/round_refused.html", context, status=refusal.status)
    messages.success(request, done.format(result))
    return redirect("desk", event.slug)


# The journal of an event: who did what, when and from where.

KINDS: dict[str, Callable[[Listing], bytes]] = {**WRITERS, "pdf": list_paper}


@require_GET
@in_event("see-log")
def log(request: Request, event: Event) -> HttpResponse:
    """The journal page by page; `?format=csv` (json, xlsx, pdf) downloads everything that was found."""
    asked = {"text": _asked(request, "q")[:80].strip(), "action": _asked(request, "act")[:30]}
    with_money = access.may(request.actor, "pay", event)
    acts = acts_found(event, **asked, with_money=with_money)
    if (kind := request.GET.get("format", "")) in KINDS:
        return send_file(request, event, lambda: KINDS[kind](log_list(event, acts)), f"{event.name} log", kind)
    table = page_table(log_list(event, acts), request, longest=PER_PAGE, orderable=False)
    context = {"event": event, "tab": "log", "table": table, **asked}
    context["actions"] = actions_of(event, with_money=with_money)
    return render(request, "desk/log.html", context)


def _asked(request: Request, name: str) -> str:
    """The search text; PostgreSQL cannot even be asked for the character NUL."""
    return request.GET.get(name, "").replace("\0", "")


# The draw at the desk: by the event's movement, taken back, or by hand.


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("draw")
def draw(request: Request, event: Event) -> HttpResponse:
    """Who meets whom, table by table; the remaining rounds are drawn here."""
    form = DrawForm(sent(request), initial={"seats": DrawForm.NUMBER if event.by_number else DrawForm.LOT})
    if not form.is_valid():
        return _page(request, event, form, 422 if form.is_bound else 200)
    try:
        return _draw(request, event, form)
    except DomainError as refusal:
        return _page(request, event, form, show_faults(form, refusal))


def _draw(request: Request, event: Event, form: DrawForm) -> HttpResponse:
    """Draw at once, unless a draw would be lost that was made by hand or printed: then ask first."""
    seed, confirmed = form.chosen_seed, read_confirmed(request.POST)
    try:
        count, impact = draws.draw_again(request.actor, event, seed=seed, by_number=form.by_number, confirmed=confirmed)
    except NeedsConfirmation as needed:
        return _lose_draw(request, event, needed, "Draw again", seed=seed)
    words = f"{redrawn_words(impact, count)} {seed_words(event, impact)}"
    return done(request, words, "desk-draw", event.slug)


def _lose_draw(
    request: Request, event: Event, needed: NeedsConfirmation, words: str, undo: str = "", **fixed: Any
) -> HttpResponse:
    """Ask before a draw is lost."""
    asked: dict[str, Any] = {"title": f"{words}?", "back": reverse("desk-draw", args=[event.slug]), "tab": "draw"}
    return question_page(request, event, needed, (Button(words),), undo=undo, **asked, **fixed)


@require_POST
@in_event("draw")
def removal(request: Request, event: Event) -> HttpResponse:
    """Delete the draw of rounds that have not started, after showing what is lost and how to get it back."""
    undo = way_back_to_draw(event)
    try:
        count = draws.take_back_draw(request.actor, event, confirmed=read_confirmed(request.POST))
    except NeedsConfirmation as needed:
        return _lose_draw(request, event, needed, "Delete the draw", undo=undo)
    words = f"The draw of {count} game{pluralize(count)} is deleted. {undo}"
    return done(request, words, "desk-draw", event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("draw")
def by_hand(request: Request, event: Event, number: int) -> HttpResponse:
    """Rounds seated by hand, with a warning for everything that looks wrong."""
    form = HandDrawForm(event, number, draw_overview(event), sent(request), request.FILES or None)
    status, asked = 422 if form.is_bound else 200, dict[str, Any]()
    if form.is_valid():
        try:
            draws.draw_rounds_by_hand(request.actor, event, form.rounds, confirmed=read_confirmed(request.POST))
        except NeedsConfirmation as needed:
            asked = {"impact": needed.impact, "changed": needed.is_changed}
        except DomainError as refusal:
            status = show_faults(form, refusal)
        else:
            return done(request, f"Drawn by hand: {rounds_text(form.rounds)}.", "desk-draw", event.slug)
    context = {"event": event, "tab": "draw", "number": number, "form": form} | asked
    return render(request, "desk/draw_by_hand.html", context, status=status)


def drawn_question(request: Request, event: Event) -> dict[str, Any]:
    """Ask what to do if the results would now draw a round differently, and show what a new draw would change."""
    question = draw_question(event)
    if question is None:
        return {}
    return {"question": question, "impact": look_at_redraw(request.actor, event)}


def _page(request: Request, event: Event, form: DrawForm, status: int) -> HttpResponse:
    overview = draw_overview(event)
    context = {"event": event, "tab": "draw", "form": form, "overview": overview, "plan": draw_plan(event)}
    context |= {"movement": movement_words(event, overview.notes), "seats": seats_words(event, overview)}
    context |= drawn_question(request, event)
    return render(request, "desk/draw.html", context, status=status)
