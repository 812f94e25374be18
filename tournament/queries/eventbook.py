"""Everything that the event book prints besides the sheets, as plain data read in one go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournament.models import Event
from tournament.queries.book import EventBook, event_book
from tournament.queries.bracket import BracketFacts, bracket
from tournament.queries.cash import Cash, cash
from tournament.queries.finale import Finale, finale
from tournament.queries.pictures import Pictures, pictures
from tournament.queries.pot import PotFacts, pot
from tournament.queries.rulings import RulingLine, rulings_of
from tournament.queries.schedule import RoundCard, round_card
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.visibility import EVERYTHING


@dataclass(frozen=True, slots=True)
class StruckLine:
    """A line of a sheet that was struck: what it said, what stands there now, who struck it, when and why."""

    game: int
    round: str
    table: int
    position: int
    before: str
    after: str
    reason: str
    by: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class WholeBook:
    """An event with everything that is printed of it; its sheets are read with `event_sheets`."""

    book: EventBook
    rounds: tuple[RoundCard, ...]
    pot: PotFacts
    cash: Cash
    bracket: BracketFacts | None
    rulings: tuple[RulingLine, ...]
    struck: tuple[StruckLine, ...]
    pictures: Pictures
    finale: Finale


def whole_book(event: Event) -> WholeBook:
    """Read the book: a handful of queries, and four for every round."""
    books = cash(event)
    book = event_book(event, books)
    return WholeBook(
        book=book,
        rounds=tuple(round_card(round_, EVERYTHING) for round_ in event.rounds.order_by("number")),
        pot=pot(event, books=book.standings.books),
        cash=books,
        bracket=bracket(event, book.standings),
        rulings=rulings_of(event),
        struck=struck_lines(event),
        pictures=pictures(event, book.standings),
        finale=finale(event, book.standings),
    )


def struck_lines(event: Event) -> tuple[StruckLine, ...]:
    """Every correction of an event, by round and table: only sheets on which something was struck are read."""
    games = sheet_games().filter(round__event=event, entries__revision__gte=1).distinct()
    ordered = games.order_by("round__number", "table", "leg")
    return tuple(line for game in ordered for line in _of_sheet(game_sheet(game)))


def _of_sheet(sheet: GameSheet) -> Iterable[StruckLine]:
    for row in sheet.rows:
        for at, old in enumerate(row.struck):
            after = row.struck[at + 1].written.text if at + 1 < len(row.struck) else row.written.text
            why = (old.struck_reason, old.struck_by, old.struck_at)
            yield StruckLine(sheet.pk, sheet.round, sheet.table, row.position, old.written.text, after, *why)
    for old in sheet.removed:
        why = (old.struck_reason, old.struck_by, old.struck_at)
        yield StruckLine(
            sheet.pk, sheet.round, sheet.table, old.position, old.written.text, "removed from the sheet", *why
        )
