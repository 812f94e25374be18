"""What is still open when an event is about to be finished: nothing of it keeps anybody from finishing."""

from __future__ import annotations

from dataclasses import dataclass

from django.template.defaultfilters import pluralize
from django.urls import reverse

from tournament.models import Call, Event
from tournament.phrases import money
from tournament.queries.parked import parked_count
from tournament.queries.payouts import payouts
from tournament.queries.rules import ruleset_of
from tournament.queries.verification import waiting_sheets


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """One thing that is open, and where it is done."""

    text: str
    words: str
    to: str


def open_ends(event: Event) -> tuple[OpenEnd, ...]:
    """Sheets, conflicts, calls, and money that nobody has settled yet."""
    ends = []
    if sheets := len(waiting_sheets(event)):
        text = f"{sheets} sheet{pluralize(sheets)} from paper not verified."
        ends.append(OpenEnd(text, "Compare", _at(event, "desk-verify")))
    if cases := parked_count(event):
        text = f"{cases} conflict{pluralize(cases)} between tablets."
        ends.append(OpenEnd(text, "Decide", _at(event, "desk-parked")))
    if calls := Call.objects.filter(game__round__event=event, answered_at=None).count():
        ends.append(OpenEnd(f"{calls} call{pluralize(calls)} not answered.", "To do", _at(event, "desk-parked")))
    return (*ends, *_of_the_books(event))


def _of_the_books(event: Event) -> list[OpenEnd]:
    facts, to = payouts(event), _at(event, "desk-money")
    owing = [one.name for one in facts.books.accounts if one.owes]
    ends = []
    if owing:
        who = owing[0] if len(owing) == 1 else f"{len(owing)} {ruleset_of(event).unit}s"
        ends.append(OpenEnd(f"Still owed: {money(facts.books.owed, event.currency)} by {who}.", "Money", to))
    if facts.books.over:
        ends.append(OpenEnd(f"Paid too much: {money(facts.books.over, event.currency)}.", "Give it back", to))
    if facts.pot.exists and not facts.pot.settled:
        ends.append(OpenEnd("The Boston pot is not settled.", "Boston pot", _at(event, "desk-pot")))
    if facts.left:
        ends.append(OpenEnd(f"Not paid out yet: {money(facts.left, event.currency)}.", "Pay out", to))
    if back := -sum(min(0, one.left) for one in facts.payees):
        ends.append(OpenEnd(f"Must be returned: {money(back, event.currency)}.", "Money", to))
    return ends


def _at(event: Event, page: str) -> str:
    return reverse(page, args=[event.slug])
