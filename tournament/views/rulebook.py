"""The rules of an event, in words."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from tournament.queries.rulebook import rulebook
from tournament.request import Request
from tournament.views.pages import find_event


def rules_page(request: Request, event: str) -> HttpResponse:
    """The rule sheet with all its options."""
    found = find_event(request, event, "see-event")
    return render(request, "public/rules.html", {"event": found, "tab": "rules", "book": rulebook(found)})
