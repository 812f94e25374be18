"""The public schedule: every round with its tables, byes and results; and the way to one's own team."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from tournament.queries.lookup import look_up
from tournament.queries.schedule import schedule
from tournament.queries.visibility import visibility
from tournament.request import Request
from tournament.views.pages import find_event, page_or_part


def schedule_page(request: Request, event: str) -> HttpResponse:
    """One round in full; `round` in the address chooses it."""
    found = find_event(request, event, "see-event")
    asked = request.GET.get("round", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else None
    plan = schedule(found, visibility(found, request.actor), number)
    context = {"event": found, "tab": "schedule", "plan": plan}
    return page_or_part(request, "public/schedule.html", "public/_schedule.html", context)


def search(request: Request, event: str) -> HttpResponse:
    """To the page of the one team that was meant; otherwise everybody who is called so, and where they sit now."""
    found = find_event(request, event, "see-event")
    text = request.GET.get("team", "")
    if not text.strip():
        return redirect("teams", found.slug)
    looked = look_up(found, text)
    if len(looked.found) == 1:
        return redirect("team", found.slug, looked.found[0].number)
    return render(request, "public/search.html", {"event": found, "tab": "teams", "looked": looked})
