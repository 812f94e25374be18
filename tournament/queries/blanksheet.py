"""An empty score sheet, to be copied and filled in by hand."""

from __future__ import annotations

from tournament.models import Event
from tournament.queries.deals import coming_deals
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import begin
from tournament.queries.sheet import seats_of
from tournament.queries.sheetcode import EVENT, sheet_address_code
from tournament.queries.sheetfacts import GameSheet, SideFacts


def blank_sheet(event: Event) -> GameSheet:
    """A sheet of the event's rules with nobody on it yet, to be copied and filled in by hand."""
    rules = ruleset_of(event)
    sides = tuple(SideFacts(index, 0, 0, "", (), None) for index in range(rules.seating.sides))
    scored = begin(rules)
    return GameSheet(
        scored=scored,
        pk=0,
        event=event.name,
        slug=event.slug,
        date=event.date,
        place=event.place,
        round_number=0,
        round="",
        stage="",
        table=0,
        leg=1,
        match="",
        state="planned",
        version=0,
        sides=sides,
        seats=seats_of(sides, rules, 0),
        rows=(),
        removed=(),
        code="",
        paper=None,
        signatures=(),
        call=None,
        next=scored.next_hand,
        next_position=1,
        coming=coming_deals(rules, 0, 0),
        begun=False,
        short=sheet_address_code(EVENT, event.pk),
    )
