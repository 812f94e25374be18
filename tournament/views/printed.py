"""Papers of the whole event: standings, bracket, reports, money, slips, cards, poster, the event book."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from tournament.lists.catalog import LISTS, seating
from tournament.lists.rules import rules_list
from tournament.models import Event, Round
from tournament.queries.book import event_sheets
from tournament.queries.bracket import bracket
from tournament.queries.cash import cash
from tournament.queries.devices import spaced_code
from tournament.queries.eventbook import whole_book
from tournament.queries.papers import is_large
from tournament.queries.slips import team_slips
from tournament.queries.tablets import tables_without, tablet_list
from tournament.reports.download import download
from tournament.reports.pdf.book import event_book_paper
from tournament.reports.pdf.bracket import bracket_paper
from tournament.reports.pdf.cash import cash_paper
from tournament.reports.pdf.lists import list_paper
from tournament.reports.pdf.poster import poster_paper
from tournament.reports.pdf.receipts import ledger_receipts_paper
from tournament.reports.pdf.slips import TableCard, table_cards_paper, team_slips_paper
from tournament.request import Request
from tournament.services.devices import issue_cards
from tournament.services.printing import note_papers
from tournament.views.pages import find_event, hall_address, site_of
from tournament.views.works import LARGE

# What a paper is called in the name of its file, and what makes it of an event and the address of its public page.
PAPERS: dict[str, tuple[str, Callable[[Event, str], bytes]]] = {
    "bracket": ("playoffs", lambda event, site: bracket_paper(event, bracket(event))),
    "cash": ("cash sheet", lambda event, site: cash_paper(event, cash(event))),
    "receipts": ("receipts", lambda event, site: ledger_receipts_paper(event, cash(event).lines)),
    "rules": ("rules", lambda event, site: list_paper(rules_list(event))),
    "slips": ("slips", lambda event, site: team_slips_paper(event, team_slips(event), site=site)),
    "poster": ("results", lambda event, site: poster_paper(whole_book(event), site)),
    "book": ("event book", lambda event, site: event_book_paper(whole_book(event), event_sheets(event), site)),
}


def event_paper(request: Request, event: str, name: str) -> HttpResponse:
    found = find_event(request, event, "print")
    if name in LARGE and is_large(found):
        return redirect("large-paper", found.slug, name)
    note_papers(request.actor, found, [name])
    words, make = PAPERS[name] if name in PAPERS else (name, lambda found, site: list_paper(LISTS[name](found)))
    return download(make(found, site_of(request)), f"{found.name} {words}", "pdf", inline=True)


def seating_pdf(request: Request, event: str, number: int) -> HttpResponse:
    """Who sits where in a round, for the wall."""
    found = find_event(request, event, "print")
    round_ = get_object_or_404(Round, event=found, number=number)
    note_papers(request.actor, found, ["seating"])
    content = list_paper(*seating(round_), site=site_of(request))
    return download(content, f"{found.name} {round_} seating", "pdf", inline=True)


@require_POST
def cards_pdf(request: Request, event: str) -> HttpResponse:
    """New cards for every table whose tablet is not bound, with QR codes, on paper at once: codes are shown once."""
    found = find_event(request, event, "pair-tablets")
    content = table_cards_paper(found, new_cards(request, found))
    return download(content, f"{found.name} table cards", "pdf", inline=True)


def new_cards(request: Request, event: Event) -> list[TableCard]:
    """New cards for the tables that have no tablet."""
    address = hall_address(request, reverse("pair"))
    codes = issue_cards(request.actor, event, tables_without(tablet_list(event)))
    return [TableCard(table, spaced_code(code), f"{address}#{code}") for table, code in sorted(codes.items())]
