"""What a director prints in one go: chosen on the page, in one file, in the order of handing out."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from tournament import access
from tournament.models import Event
from tournament.queries.devices import spaced_code, tables_without, tablet_list
from tournament.queries.papers import CARDS, PrintJob, print_job
from tournament.reports.pdf.bracket import TableCard
from tournament.reports.pdf.catalog import Wanted, printed
from tournament.request import Request
from tournament.services.devices import issue_cards
from tournament.services.transactions import note_papers
from tournament.views.pages import find_event, hall_address, send_file, site_of
from tournament.views.papers import papers_page


@require_POST
def print_choice(request: Request, event: str, job: str) -> HttpResponse:
    """Print what was ticked. Cards are made here; a file without them has an address of its own."""
    found = find_event(request, event, "print")
    chosen = print_job(found, job).chosen(request.POST.getlist("part"))
    if not chosen.keys:
        return papers_page(request, found, wrong=job, status=409 if chosen.awaits else 422)
    note_papers(request.actor, found, chosen.keys)
    if CARDS not in chosen.keys:
        address = reverse("print-job", args=[found.slug, job])
        return redirect(f"{address}?{urlencode({'part': chosen.keys}, doseq=True)}")
    access.require(request.actor, "pair-tablets", found)
    return _printed(request, found, chosen)


@require_safe
def print_file(request: Request, event: str, job: str) -> HttpResponse:
    """A job as one file. It changes nothing, and printed again it is the same paper."""
    found = find_event(request, event, "print")
    chosen = print_job(found, job)
    chosen = chosen.chosen(set(request.GET.getlist("part") or chosen.keys) - {CARDS})
    if not chosen.keys:
        raise Http404
    return _printed(request, found, chosen)


def _printed(request: Request, event: Event, job: PrintJob) -> HttpResponse:
    name = f"{event.name} {job.button.lower()}"

    def make() -> bytes:
        cards = _new_cards(request, event) if CARDS in job.keys else []
        return printed(Wanted(event, job.round or 0, cards), job.keys, name, site_of(request))

    return send_file(request, event, make, name, "pdf", inline=True)


def _new_cards(request: Request, event: Event) -> list[TableCard]:
    """New cards for the tables that have no tablet."""
    address = hall_address(request, reverse("pair"))
    codes = issue_cards(request.actor, event, tables_without(tablet_list(event)))
    return [TableCard(table, spaced_code(code), f"{address}#{code}") for table, code in sorted(codes.items())]
