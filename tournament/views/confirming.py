"""How pages ask “do it?”: what an act changes, the buttons that do it, and the typed values, to be sent again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from django.http import HttpResponse

from tournament.gate.middleware import render
from tournament.models import Event
from tournament.queries.impact import Impact
from tournament.request import Request
from tournament.services.confirming import NeedsConfirmation
from tournament.services.transactions import dry_run
from tournament.site import sessions
from tournament.views.pages import need_password

# Fields of the question itself, which nobody typed.
OWN = frozenset({"csrfmiddlewaretoken", "confirmed", "seating", "drawn"})
DoneT = TypeVar("DoneT")


class Button(NamedTuple):
    """A button that does the act: its words, and what it sends besides the typed values."""

    words: str
    name: str = ""
    value: str = ""


def question(
    request: Request, needed: NeedsConfirmation, buttons: tuple[Button, ...], back: str, undo: str = "", **fixed: object
) -> dict[str, Any]:
    """What `desk/_question.html` shows. `fixed` is what chance has decided: what is shown is what will be done.

    `undo` says how to undo the act: it is shown before the act, and again after it.
    """
    posted = [(name, value) for name, values in request.POST.lists() for value in values]
    hidden = [(name, value) for name, value in posted if name not in OWN and name not in fixed]
    return {
        "impact": needed.impact,
        "changed": needed.is_changed,
        "hidden": [*hidden, *fixed.items()],
        "buttons": buttons,
        "here": request.get_full_path(),
        "back": back,
        "why": request.POST.get("reason", ""),
        "undo": undo,
    }


def question_page(
    request: Request,
    event: Event,
    needed: NeedsConfirmation,
    buttons: tuple[Button, ...],
    *,
    title: str,
    back: str,
    tab: str = "teams",
    undo: str = "",
    **fixed: object,
) -> HttpResponse:
    """A page of its own that asks, for acts that have none."""
    context = {"event": event, "tab": tab, "title": title} | question(request, needed, buttons, back, undo, **fixed)
    return render(request, "desk/question.html", context)


def correction_buttons(impact: Impact, words: str = "Save the correction") -> tuple[Button, ...]:
    """Save it; if the next round would then be drawn differently, also with the decision about that draw."""
    if not impact.redraws:
        return (Button(words),)
    again = Button(f"{words}, draw again", "drawn", "replay")
    return again, Button(f"{words}, keep the draw", "drawn", "keep"), Button("Save, decide later")


def seating_buttons(impact: Impact, verb: str) -> tuple[Button, ...]:
    """Do it and draw again the games that have not started; or leave draw and bracket as they are."""
    if impact.reseeds:
        leaves = verb == "Withdraw"
        follow = "the next in moves up" if leaves else "draw the bracket again"
        stay = "the opponent has a bye" if leaves else "the bracket stays"
        return Button(f"{verb}: {follow}"), Button(f"{verb}: {stay}", "seating", "keep")
    if not impact.groups or impact.why_not:
        return (Button(verb),)
    again = Button(f"{verb} and re-seat")
    return (again, Button(f"{verb}, keep the draw", "seating", "keep")) if impact.can_keep else (again,)


def with_password(request: Request, what: str, act: Callable[[], DoneT]) -> DoneT:
    """Do a costly act. Its refusal, or its question, comes before the password is asked for."""
    if not sessions.is_fresh(request.session):
        dry_run(act)
        need_password(request, what)
    return act()
