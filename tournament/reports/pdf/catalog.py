"""Every paper that there is, by its name in addresses and print jobs, and the queries that it is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tournament.lists.catalog import LISTS, seating
from tournament.lists.rules import rules_list
from tournament.models import Event
from tournament.queries.book import event_sheets
from tournament.queries.bracket import bracket
from tournament.queries.cash import cash
from tournament.queries.eventbook import whole_book
from tournament.queries.slips import team_slips
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.bracket import draw_bracket
from tournament.reports.pdf.cash import draw_cash
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.poster import draw_poster
from tournament.reports.pdf.receipts import draw_receipts
from tournament.reports.pdf.score_sheet import draw_score_sheet
from tournament.reports.pdf.slips import NO_PINS, TableCard, draw_table_cards, draw_team_slips


class Wanted(NamedTuple):
    """Of what a paper is: the event, one round of it, and codes and PINs that are shown this once."""

    event: Event
    round: int = 0
    cards: Sequence[TableCard] = ()
    pins: Mapping[int, str] = NO_PINS


def _list(name: str) -> Callable[[Papers, Wanted], None]:
    return lambda papers, of: draw_lists(papers, LISTS[name](of.event))


def _sheets(papers: Papers, of: Wanted) -> None:
    for sheet in event_sheets(of.event, rounds=[of.round]):
        draw_score_sheet(papers, sheet, of.event.time_zone)


# The papers of a whole event.
PAPERS: dict[str, Callable[[Papers, Wanted], None]] = {name: _list(name) for name in LISTS} | {
    "bracket": lambda papers, of: draw_bracket(papers, of.event, bracket(of.event)),
    "cash": lambda papers, of: draw_cash(papers, of.event, cash(of.event)),
    "receipts": lambda papers, of: draw_receipts(papers, of.event, cash(of.event).lines),
    "rules": lambda papers, of: draw_lists(papers, rules_list(of.event)),
    "slips": lambda papers, of: draw_team_slips(papers, of.event, team_slips(of.event), of.pins),
    "poster": lambda papers, of: draw_poster(papers, whole_book(of.event)),
    "book": lambda papers, of: draw_event_book(papers, whole_book(of.event), event_sheets(of.event)),
}
# Those of one round, and what is printed with codes of its own.
OTHERS: dict[str, Callable[[Papers, Wanted], None]] = {
    "seating": lambda papers, of: draw_lists(papers, *seating(of.event.rounds.get(number=of.round))),
    "sheets": _sheets,
    "cards": lambda papers, of: draw_table_cards(papers, of.event, of.cards),
}


def printed(of: Wanted, keys: Iterable[str], title: str, site: str = "") -> bytes:
    """The papers with these names in one file; what has no paper of its own is left out."""
    papers, every = Papers(title, of.event.paper, site=site), PAPERS | OTHERS
    for key in keys:
        if key in every:
            every[key](papers, of)
    return papers.finish()
