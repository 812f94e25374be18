"""Papers of the whole event: standings, bracket, reports, money, slips, cards, poster, the event book."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from tournament.lists.catalog import LISTS, seating
from tournament.lists.money import cash_lists
from tournament.lists.rules import rules_list
from tournament.models import Event, Round
from tournament.queries.book import event_facts, event_sheets
from tournament.queries.bracket import bracket
from tournament.queries.cash import cash
from tournament.queries.devices import spaced_code
from tournament.queries.eventbook import whole_book
from tournament.queries.papers import is_large
from tournament.queries.rules import ruleset_of
from tournament.queries.slips import team_slips
from tournament.queries.tablets import tables_without, tablet_list
from tournament.reports.download import download
from tournament.reports.pdf.book import event_book_paper
from tournament.reports.pdf.bracket import bracket_paper
from tournament.reports.pdf.lists import list_paper
from tournament.reports.pdf.poster import poster_paper
from tournament.reports.pdf.receipts import ledger_receipts_paper
from tournament.reports.pdf.slips import TableCard, table_cards_paper, team_slips_paper
from tournament.services.devices import issue_cards
from tournament.services.printing import note_papers
from tournament.views.pages import find_event
from tournament.views.works import LARGE

PAPERS: dict[str, tuple[str, Callable[[Event], bytes]]] = {
    "bracket": ("playoffs", lambda event: bracket_paper(event_facts(event), bracket(event))),
    "cash": ("cash sheet", lambda event: list_paper(*cash_lists(event, cash(event), ruleset_of(event).unit))),
    "receipts": ("receipts", lambda event: ledger_receipts_paper(event_facts(event), cash(event).lines)),
    "rules": ("rules", lambda event: list_paper(rules_list(event_facts(event)))),
    "slips": ("slips", lambda event: team_slips_paper(event_facts(event), team_slips(event))),
    "poster": ("results", lambda event: poster_paper(whole_book(event))),
    "book": ("event book", lambda event: event_book_paper(whole_book(event), event_sheets(event))),
}


def event_paper(request: HttpRequest, event: str, name: str) -> HttpResponse:
    """A paper of the event by its name."""
    found = find_event(request, event, "print")
    if name in LARGE and is_large(found):
        return redirect("large-paper", found.slug, name)
    note_papers(request.actor, found, [name])
    words, make = PAPERS[name] if name in PAPERS else (name, lambda found: list_paper(LISTS[name](found)))
    return download(make(found), f"{found.name} {words}", "pdf", inline=True)


def seating_pdf(request: HttpRequest, event: str, number: int) -> HttpResponse:
    """Who sits where in a round, for the wall."""
    found = find_event(request, event, "print")
    round_ = get_object_or_404(Round, event=found, number=number)
    note_papers(request.actor, found, ["seating"])
    return download(list_paper(*seating(round_)), f"{found.name} {round_} seating", "pdf", inline=True)


@require_POST
def cards_pdf(request: HttpRequest, event: str) -> HttpResponse:
    """New cards for every table whose tablet is not bound, with QR codes, on paper at once: codes are shown once."""
    found = find_event(request, event, "pair-tablets")
    content = table_cards_paper(event_facts(found), new_cards(request, found))
    return download(content, f"{found.name} table cards", "pdf", inline=True)


def new_cards(request: HttpRequest, event: Event) -> list[TableCard]:
    """New cards for the tables that have no tablet."""
    address = request.build_absolute_uri(reverse("pair"))
    codes = issue_cards(request.actor, event, tables_without(tablet_list(event)))
    return [TableCard(table, spaced_code(code), f"{address}#{code}") for table, code in sorted(codes.items())]
