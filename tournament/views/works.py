"""Long work: what is large is announced, shown while it is made, cancelled, and fetched when it is ready."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access
from tournament.lists.column import Listing
from tournament.lists.hands import hands_list
from tournament.models import Event
from tournament.queries.book import event_sheets
from tournament.queries.eventbook import whole_book
from tournament.queries.papers import game_count
from tournament.queries.works import READY, Work, find_work, work_file
from tournament.reports.download import download
from tournament.reports.excel.lists import list_workbook
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.files import list_csv, list_json
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.paper import paper_of
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.request import Request
from tournament.services.works import Tell, begin_work, cancel_work, counted
from tournament.views.pages import find_event, site_of


class Large(NamedTuple):
    """A file that takes long for a large event: what it is called, its kind, and what makes it for a site."""

    words: str
    kind: str
    make: Callable[[Event, Tell, str], bytes]


def _book(event: Event, tell: Tell, site: str) -> bytes:
    whole, sheets = whole_book(event, lambda: tell(0)), counted(event_sheets(event), tell)
    return paper_of(event, "event book", lambda papers: draw_event_book(papers, whole, sheets), site)


def _sheets(event: Event, tell: Tell, site: str) -> bytes:
    sheets = counted(event_sheets(event), tell)
    return score_sheets(sheets, paper=event.paper, zone=event.time_zone, title=event.name, site=site)


def _workbook(event: Event, tell: Tell, site: str) -> bytes:
    return event_workbook(whole_book(event, lambda: tell(0)), counted(event_sheets(event), tell))


def _hands(write: Callable[[Listing], bytes]) -> Callable[[Event, Tell, str], bytes]:
    return lambda event, tell, site: write(hands_list(event, counted(event_sheets(event), tell)))


LARGE = {
    "book": Large("event book", "pdf", _book),
    "score-sheets": Large("score sheets", "pdf", _sheets),
    "workbook": Large("workbook", "xlsx", _workbook),
    "hands-csv": Large("hands", "csv", _hands(list_csv)),
    "hands-json": Large("hands", "json", _hands(list_json)),
    "hands-xlsx": Large("hands", "xlsx", _hands(list_workbook)),
}


@require_http_methods(["GET", "HEAD", "POST"])
def large_paper(request: Request, event: str, name: str) -> HttpResponse:
    """A file of a large event: how much it is, and the button that starts it."""
    found, large = find_event(request, event, "print"), LARGE[name]
    if request.method == "POST":
        return redirect("work", _begin(request, found, large))
    context = {"event": found, "tab": "papers", "large": large, "games": game_count(found)}
    return render(request, "desk/large.html", context)


@require_safe
def work_page(request: Request, work: str) -> HttpResponse:
    """How far a work is: the page asks again by itself until it is over."""
    found = _own(request, work)
    if found.state == READY and found.leads_to:
        return redirect(found.leads_to)
    return render(request, "work.html", {"work": found})


@require_POST
def work_cancellation(request: Request, work: str) -> HttpResponse:
    """Stop a work."""
    found = _own(request, work)
    cancel_work(found)
    return redirect("work", found.key)


@require_safe
def work_result(request: Request, work: str) -> HttpResponse:
    """The file that a work has made."""
    found = _own(request, work)
    if found.state != READY or found.leads_to:
        raise Http404
    return download(work_file(found.key).read_bytes(), found.name, found.kind)


def _begin(request: Request, event: Event, large: Large) -> str:
    site = site_of(request)
    return begin_work(
        request.actor,
        lambda tell: large.make(event, tell, site),
        words=large.words,
        name=f"{event.name} {large.words}",
        kind=large.kind,
        total=game_count(event),
        action="print",
        back=reverse("desk-papers", args=[event.slug]),
        event=event,
    )


def _own(request: Request, key: str) -> Work:
    """A work of whoever asks; nobody else learns that it is there."""
    person, work = request.actor.person, find_work(key)
    if person is None or work is None or work.owner != person.pk:
        raise Http404
    event = get_object_or_404(Event, pk=work.event) if work.event is not None else None
    access.require(request.actor, work.action, event)
    return work
