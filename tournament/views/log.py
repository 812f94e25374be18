"""The journal of an event: who did what, when and from where."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.lists.catalog import log_list
from tournament.lists.column import Listing
from tournament.queries.history import PER_PAGE, actions_of, acts_found
from tournament.reports.pdf.lists import list_paper
from tournament.request import Request
from tournament.tables import page_table
from tournament.views.pages import find_event, send_file
from tournament.views.papers import WRITERS

KINDS: dict[str, Callable[[Listing], bytes]] = {**WRITERS, "pdf": list_paper}


@require_GET
def log(request: Request, event: str) -> HttpResponse:
    """The journal page by page; `?format=csv` (json, xlsx, pdf) downloads everything that was found."""
    found = find_event(request, event, "see-log")
    asked = {"text": _asked(request, "q")[:80].strip(), "action": _asked(request, "act")[:30]}
    acts = acts_found(found, **asked)
    if (kind := request.GET.get("format", "")) in KINDS:
        return send_file(request, found, lambda: KINDS[kind](log_list(found, acts)), f"{found.name} log", kind)
    table = page_table(log_list(found, acts), request, longest=PER_PAGE, orderable=False)
    context = {"event": found, "tab": "log", "table": table, "actions": actions_of(found), **asked}
    return render(request, "desk/log.html", context)


def _asked(request: Request, name: str) -> str:
    """What is looked for; PostgreSQL cannot even be asked for the sign NUL."""
    return request.GET.get(name, "").replace("\0", "")
