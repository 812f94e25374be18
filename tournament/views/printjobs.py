"""What a director prints in one go: chosen on the page, in one file, in the order of handing out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from tournament import access
from tournament.lists.catalog import LISTS, seating
from tournament.lists.rules import rules_list
from tournament.models import Event
from tournament.queries.book import event_sheets
from tournament.queries.bracket import bracket
from tournament.queries.cash import cash
from tournament.queries.eventbook import whole_book
from tournament.queries.pins import pin_teams
from tournament.queries.printjobs import CARDS, PINS, PrintJob, print_job
from tournament.queries.slips import team_slips
from tournament.reports.download import download
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.bracket import draw_bracket
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.poster import draw_poster
from tournament.reports.pdf.receipts import draw_receipts
from tournament.reports.pdf.score_sheet import draw_score_sheet
from tournament.reports.pdf.slips import NO_PINS, TableCard, draw_table_cards, draw_team_slips
from tournament.request import Request
from tournament.services.pins import give_pins
from tournament.services.printing import note_papers
from tournament.views.pages import find_event, site_of
from tournament.views.papers import papers_page
from tournament.views.printed import new_cards


@require_POST
def print_choice(request: Request, event: str, job: str) -> HttpResponse:
    """Print what was ticked. Cards and PINs are made here; a file without them has an address of its own."""
    found = find_event(request, event, "print")
    chosen = print_job(found, job).chosen(request.POST.getlist("part"))
    if not chosen.keys:
        return papers_page(request, found, wrong=job, status=409 if chosen.awaits else 422)
    note_papers(request.actor, found, chosen.keys)
    if {CARDS, PINS}.isdisjoint(chosen.keys):
        address = reverse("print-job", args=[found.slug, job])
        return redirect(f"{address}?{urlencode({'part': chosen.keys}, doseq=True)}")
    access.require(request.actor, "pair-tablets", found)
    access.require(request.actor, "give-pins", found)
    cards = new_cards(request, found) if CARDS in chosen.keys else []
    pins = (
        give_pins(request.actor, found, {team.number for team in pin_teams(found)}) if PINS in chosen.keys else NO_PINS
    )
    return _printed(found, chosen, site_of(request), cards, pins)


@require_safe
def print_file(request: Request, event: str, job: str) -> HttpResponse:
    """A job as one file. It changes nothing, and printed again it is the same paper."""
    found = find_event(request, event, "print")
    chosen = print_job(found, job)
    chosen = chosen.chosen(set(request.GET.getlist("part") or chosen.keys) - {CARDS, PINS})
    if not chosen.keys:
        raise Http404
    return _printed(found, chosen, site_of(request))


def _printed(
    event: Event, job: PrintJob, site: str, cards: Sequence[TableCard] = (), pins: Mapping[int, str] = NO_PINS
) -> HttpResponse:
    name = f"{event.name} {job.button.lower()}"
    papers = Papers(name, event.paper, site=site)
    one = Printing(papers, event, job.round, cards, pins)
    for key in job.keys:
        if key in DRAW:
            DRAW[key](one)
    return download(one.papers.finish(), name, "pdf", inline=True)


class Printing(NamedTuple):
    """A job on its way to paper; cards and PINs are there where they were asked for."""

    papers: Papers
    event: Event
    round: int | None
    cards: Sequence[TableCard]
    pins: Mapping[int, str]


def _sheets(one: Printing) -> None:
    for sheet in event_sheets(one.event, rounds=[one.round or 0]):
        draw_score_sheet(one.papers, sheet, one.event.time_zone)


def _bracket(one: Printing) -> None:
    one.papers.turn(landscape=True)
    draw_bracket(one.papers, one.event, bracket(one.event))
    one.papers.turn(landscape=False)


DRAW: dict[str, Callable[[Printing], None]] = {
    "seating": lambda one: draw_lists(one.papers, *seating(one.event.rounds.get(number=one.round or 0))),
    "slips": lambda one: draw_team_slips(one.papers, one.event, team_slips(one.event), one.pins),
    "sheets": _sheets,
    CARDS: lambda one: draw_table_cards(one.papers, one.event, one.cards),
    "rules": lambda one: draw_lists(one.papers, rules_list(one.event)),
    "standings": lambda one: draw_lists(one.papers, LISTS["standings"](one.event)),
    "bracket": _bracket,
    "poster": lambda one: draw_poster(one.papers, whole_book(one.event)),
    "receipts": lambda one: draw_receipts(one.papers, one.event, cash(one.event).lines),
    "book": lambda one: draw_event_book(one.papers, whole_book(one.event), event_sheets(one.event)),
}
