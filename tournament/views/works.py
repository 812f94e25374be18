"""Long work: what is large is announced, shown while it is made, cancelled, and fetched when it is ready."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access
from tournament.making import LARGE, begin_paper
from tournament.models import Event
from tournament.queries.papers import game_count
from tournament.queries.works import READY, Work, find_work, work_file
from tournament.reports.download import download
from tournament.request import Request
from tournament.services.works import cancel_work
from tournament.views.pages import find_event, site_of


@require_http_methods(["GET", "HEAD", "POST"])
def large_paper(request: Request, event: str, name: str) -> HttpResponse:
    """A file of a large event: how much it is, and the button that starts it."""
    found, large = find_event(request, event, "print"), LARGE[name]
    if request.method == "POST":
        return redirect("work", begin_paper(request.actor, found, name, site_of(request)))
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


def _own(request: Request, key: str) -> Work:
    """A work of whoever asks; nobody else learns that it is there."""
    person, work = request.actor.person, find_work(key)
    if person is None or work is None or work.owner != person.pk:
        raise Http404
    event = get_object_or_404(Event, pk=work.event) if work.event is not None else None
    access.require(request.actor, work.action, event)
    return work
