"""The forms of the hands to come, which a tablet is sent before it needs them: once for many hands."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from scoring.game import NextHand
from scoring.ledger import Carry
from tournament.queries.deals import LINES
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.tablet import TabletPage

# They stand for the numbers of a hand and its line until these are known. Nothing and nobody is called so.
NUMBER, POSITION = 7_302_518_846_193, 7_302_518_846_194


class Stretch(NamedTuple):
    """The hands that are sent together: `carry` and `position` are those before the first, as the sheet stands now."""

    carry: Carry
    position: int
    hands: int


def stretch_of(sheet: GameSheet) -> Stretch:
    """All hands of a schedule; of a game without one those of this sheet of paper and of the next."""
    rules, carry = sheet.rules, sheet.scored.carry
    planned = rules.game.hands_planned(rules.rules)
    first = carry.hands // LINES * LINES if planned is None else 0
    past = carry.hands - first
    begin = carry._replace(hands=first, deals=carry.deals - past)
    return Stretch(begin, sheet.next_position - past, 2 * LINES if planned is None else planned)


def coming_forms(sheet: GameSheet, write: Callable[[GameSheet], str]) -> Iterator[str]:
    """The form of each hand of its stretch, written of the sheet as it is then.

    Those that differ in no more than the numbers of hand and line are written once.
    """
    written: dict[NextHand, str] = {}
    for coming in coming_sheets(sheet):
        assert coming.next is not None
        due = coming.next._replace(number=NUMBER)
        if due not in written:
            written[due] = write(replace(coming, next=due, next_position=POSITION))
        form = written[due].replace(str(NUMBER), str(coming.next.number))
        yield form.replace(str(POSITION), str(coming.next_position))


def coming_sheets(sheet: GameSheet) -> tuple[GameSheet, ...]:
    """The sheet as the entry form needs it for each hand of its stretch."""
    if sheet.next is None:
        return ()
    carry, position, many = stretch_of(sheet)
    rules = sheet.rules
    return tuple(
        replace(
            sheet,
            next=rules.game.next_hand(rules.rules, carry._replace(hands=carry.hands + k, deals=carry.deals + k)),
            next_position=position + k,
        )
        for k in range(many)
    )


def coming_key(page: TabletPage) -> str:
    """Changes with what is sent ahead, and with nothing else: not with every hand, nor when somebody sits down."""
    sheet = page.sheet
    if sheet is None or sheet.next is None:
        return ""
    carry, position, many = stretch_of(sheet)
    # What may be bid can depend on the score.
    first = sheet.rules.game.next_hand(sheet.rules.rules, carry)
    seats = sorted((seat.seat, seat.name, seat.team) for seat in sheet.seats)
    dealer = None if sheet.unbegun else sheet.seats[0].seat
    about = (sheet.pk, sheet.sheet_key, sheet.rules.rules, seats, dealer, page.writes, first, position, many)
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]
