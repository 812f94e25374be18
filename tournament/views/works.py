"""Long work: what is large is announced, shown while it is made, cancelled, and fetched when it is ready."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access
from tournament.models import Event
from tournament.queries.book import event_sheets
from tournament.queries.eventbook import whole_book
from tournament.queries.papers import game_count
from tournament.queries.works import READY, Work, find_work, work_file
from tournament.reports.download import download
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.pdf.book import event_book_paper
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services.works import Tell, begin_work, cancel_work, counted
from tournament.views.pages import find_event


class Large(NamedTuple):
    """A file that takes long for a large event: what it is called, its kind, and what makes it."""

    words: str
    kind: str
    make: Callable[[Event, Tell], bytes]


def _book(event: Event, tell: Tell) -> bytes:
    return event_book_paper(whole_book(event), counted(event_sheets(event), tell))


def _sheets(event: Event, tell: Tell) -> bytes:
    sheets = counted(event_sheets(event), tell)
    return score_sheets(sheets, paper=event.paper, zone=event.time_zone, title=event.name)


def _workbook(event: Event, tell: Tell) -> bytes:
    return event_workbook(whole_book(event), counted(event_sheets(event), tell))


LARGE = {
    "book": Large("event book", "pdf", _book),
    "score-sheets": Large("score sheets", "pdf", _sheets),
    "workbook": Large("workbook", "xlsx", _workbook),
}


@require_http_methods(["GET", "HEAD", "POST"])
def large_paper(request: HttpRequest, event: str, name: str) -> HttpResponse:
    """A file of a large event: how much it is, and the button that starts it."""
    found, large = find_event(request, event, "print"), LARGE[name]
    if request.method == "POST":
        return redirect("work", _begin(request, found, large))
    context = {"event": found, "tab": "papers", "large": large, "games": game_count(found)}
    return render(request, "desk/large.html", context)


@require_safe
def work_page(request: HttpRequest, work: str) -> HttpResponse:
    """How far a work is: the page asks again by itself until it is over."""
    found = _own(request, work)
    if found.state == READY and found.leads_to:
        return redirect(found.leads_to)
    return render(request, "work.html", {"work": found})


@require_POST
def work_cancellation(request: HttpRequest, work: str) -> HttpResponse:
    """Stop a work."""
    found = _own(request, work)
    cancel_work(found)
    return redirect("work", found.key)


@require_safe
def work_result(request: HttpRequest, work: str) -> HttpResponse:
    """The file that a work has made."""
    found = _own(request, work)
    if found.state != READY or found.leads_to:
        raise Http404
    return download(work_file(found.key).read_bytes(), found.name, found.kind)


def _begin(request: HttpRequest, event: Event, large: Large) -> str:
    return begin_work(
        request.actor,
        lambda tell: large.make(event, tell),
        words=large.words,
        name=f"{event.name} {large.words}",
        kind=large.kind,
        total=game_count(event),
        action="print",
        back=reverse("desk-papers", args=[event.slug]),
        event=event,
    )


def _own(request: HttpRequest, key: str) -> Work:
    """A work of whoever asks; nobody else learns that it is there."""
    person, work = request.actor.person, find_work(key)
    if person is None or work is None or work.owner != person.pk:
        raise Http404
    event = get_object_or_404(Event, pk=work.event) if work.event is not None else None
    access.require(request.actor, work.action, event)
    return work
