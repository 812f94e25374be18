"""Every paper that there is, by its name in addresses and print jobs, and the queries that it is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from tournament.lists.catalog import LISTS, rules_list, seating
from tournament.models import Event
from tournament.queries.bracket import bracket
from tournament.queries.draws import team_slips
from tournament.queries.ledger import cash
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.bracket import draw_bracket
from tournament.reports.pdf.cash import draw_cash
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.poster import draw_poster
from tournament.reports.pdf.receipts import draw_receipts
from tournament.reports.pdf.score_sheet import draw_score_sheet
from tournament.reports.pdf.slips import TableCard, draw_table_cards, draw_team_slips


class Wanted(NamedTuple):
    """Of what a paper is: the event, one round of it, and the codes of cards, which are shown this once."""

    event: Event
    round: int = 0
    cards: Sequence[TableCard] = ()


# Draws what was read.
Draw = Callable[[Papers], None]


def _read(draw: Callable[..., None], *facts: Any) -> Draw:
    return lambda papers: draw(papers, *facts)


def _list(name: str) -> Callable[[Wanted], Draw]:
    return lambda of: _read(draw_lists, LISTS[name](of.event))


def _draw_sheets(papers: Papers, sheets: Iterable[GameSheet], zone: str) -> None:
    for sheet in sheets:
        draw_score_sheet(papers, sheet, zone)


# The papers of a whole event.
PAPERS: dict[str, Callable[[Wanted], Draw]] = {name: _list(name) for name in LISTS} | {
    "bracket": lambda of: _read(draw_bracket, of.event, bracket(of.event)),
    "cash": lambda of: _read(draw_cash, of.event, cash(of.event)),
    "receipts": lambda of: _read(draw_receipts, of.event, cash(of.event).lines),
    "rules": lambda of: _read(draw_lists, rules_list(of.event)),
    "slips": lambda of: _read(draw_team_slips, of.event, team_slips(of.event)),
    "poster": lambda of: _read(draw_poster, whole_book(of.event)),
    "book": lambda of: _read(draw_event_book, whole_book(of.event), event_sheets(of.event)),
}
# Those of one round, and what is printed with codes of its own.
OTHERS: dict[str, Callable[[Wanted], Draw]] = {
    "seating": lambda of: _read(draw_lists, *seating(of.event.rounds.get(number=of.round))),
    "sheets": lambda of: _read(_draw_sheets, event_sheets(of.event, rounds=[of.round]), of.event.time_zone),
    "cards": lambda of: _read(draw_table_cards, of.event, of.cards),
}


def printed(of: Wanted, keys: Iterable[str], title: str, site: str = "") -> bytes:
    """The papers with these names in one file; what has no paper of its own is left out. All is read, then drawn."""
    every = PAPERS | OTHERS
    drawings = [every[key](of) for key in keys if key in every]
    papers = Papers(title, of.event.paper, site=site)
    for draw in drawings:
        draw(papers)
    return papers.finish()
