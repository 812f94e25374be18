"""The journal of an event: who did what, when and from where."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.queries.history import log_page, log_rows
from tournament.reports.csv_file import csv_bytes
from tournament.reports.download import download
from tournament.views.pages import find_event

COLUMNS = ("when (UTC)", "who", "from", "act", "noun", "key", "what", "before", "after")


@require_GET
def log(request: HttpRequest, event: str) -> HttpResponse:
    """The journal page by page; `?format=csv` downloads everything that was found."""
    found = find_event(request, event, "see-log")
    asked = {"text": _asked(request, "q")[:80].strip(), "action": _asked(request, "act")[:30]}
    if request.GET.get("format") == "csv":
        return download(csv_bytes([COLUMNS, *log_rows(found, **asked)]), f"{found.name} log", "csv")
    page = log_page(found, page=request.GET.get("page", "1"), **asked)
    return render(request, "desk/log.html", {"event": found, "tab": "log", "log": page, **asked})


def _asked(request: HttpRequest, name: str) -> str:
    """What is looked for; PostgreSQL cannot even be asked for the sign NUL."""
    return request.GET.get(name, "").replace("\0", "")
