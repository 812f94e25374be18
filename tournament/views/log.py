"""The journal of an event: who did what, when and from where."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.lists.history import log_list
from tournament.queries.history import acts_found, log_page
from tournament.reports.download import download
from tournament.reports.pdf.lists import list_paper
from tournament.views.pages import find_event
from tournament.views.papers import WRITERS

KINDS = {**WRITERS, "pdf": list_paper}


@require_GET
def log(request: HttpRequest, event: str) -> HttpResponse:
    """The journal page by page; `?format=csv` (json, xlsx, pdf) downloads everything that was found."""
    found = find_event(request, event, "see-log")
    asked = {"text": _asked(request, "q")[:80].strip(), "action": _asked(request, "act")[:30]}
    if (kind := request.GET.get("format", "")) in KINDS:
        return download(KINDS[kind](log_list(found, acts_found(found, **asked))), f"{found.name} log", kind)
    page = log_page(found, page=request.GET.get("page", "1"), **asked)
    return render(request, "desk/log.html", {"event": found, "tab": "log", "log": page, **asked})


def _asked(request: HttpRequest, name: str) -> str:
    """What is looked for; PostgreSQL cannot even be asked for the sign NUL."""
    return request.GET.get(name, "").replace("\0", "")
