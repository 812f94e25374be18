"""Template filters and tags of the desk: clocks, what the journal keeps, what waits."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.template import Context

from tournament.models import Event
from tournament.queries.backups import BackupAge, backup_age, second_ages
from tournament.queries.desk import TableCard
from tournament.queries.door import Debt
from tournament.queries.laptops import OtherLaptop, desk_state, other_laptop, since_words
from tournament.queries.pending import pending_count
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.todo import card_query
from tournament.queries.todo_next import NextAct, next_act
from tournament.queries.typed_sheets import PaperFacts
from tournament.words.phrases import ACTS, clock_words, in_words, money

register = template.Library()
register.filter("clock", clock_words)
register.filter("facts", in_words)


@register.filter
def act(action: str) -> str:
    """An act of the journal as the log names it: `{{ one.action|act }}`."""
    return ACTS.get(action, action)


# The desk's pages: key, address, words, and what must be allowed.
TABS = (
    ("round", "desk", "Game", ""),
    ("teams", "desk-teams", "", "change-teams"),
    ("draw", "desk-draw", "Draw", "draw"),
    ("standings", "desk-standings", "Standings", ""),
    ("playoffs", "desk-playoffs", "Playoffs", ""),
    ("pot", "desk-pot", "Boston pot", ""),
    ("money", "desk-money", "Money", "pay"),
    ("rulings", "desk-rulings", "Rulings", ""),
    ("tablets", "desk-tablets", "Tablets", "pair-tablets"),
    ("papers", "desk-papers", "Print & files", "print"),
    ("log", "desk-log", "Log", "see-log"),
    ("setup", "desk-setup", "Setup", "set-up"),
)


@register.simple_tag
def tabs_here(may_do: frozenset[str], event: Event, tab: str) -> list[tuple[str, str, str]]:
    """The desk's pages for the current user: `{% tabs_here may_do event tab as tabs %}`."""
    hidden = "" if event.pot_cents or tab == "pot" else "pot"
    teams = f"{ruleset_of(event).unit}s".capitalize()
    return [(key, to, words or teams) for key, to, words, act in TABS if (not act or act in may_do) and key != hidden]


@register.simple_tag(takes_context=True)
def next_act_here(context: Context, event: Event) -> NextAct:
    """The next act of the event: `{% next_act_here event as act %}`. A page that has the draw's plan passes it."""
    return next_act(event, context.get("plan"))


@register.simple_tag
def ruling_of(card: TableCard, rules: Ruleset) -> str:
    """What the ruling page of a table opens with: `{% ruling_of card rules as query %}`."""
    return card_query(card, rules)


@register.simple_tag
def backup_here() -> BackupAge | None:
    """How old the newest backup is: `{% backup_here as backup %}`."""
    return backup_age()


@register.simple_tag
def other_laptop_here() -> OtherLaptop | None:
    """Another laptop that has replaced this one: `{% other_laptop_here as other %}`."""
    return other_laptop()


@register.simple_tag
def since_copy_here(event: Event) -> list[str]:
    """What may be missing since the copy that the event continues from: `{% since_copy_here event as since %}`."""
    return since_words(event)


@register.simple_tag
def desk_state_here(event: Event) -> str:
    """The content of the header of every page of the desk, as its poll names it."""
    return desk_state(event)


@register.simple_tag
def second_backups_here() -> list[BackupAge]:
    """The same for each folder on a second disk: `{% second_backups_here as seconds %}`."""
    return second_ages()


@register.filter
def debts(owed: Sequence[Debt], event: Event) -> str:
    """What is owed at the door: `{{ row.debts|debts:event }}` is “Fee $20 · Pot $5 · Dues, Ann Hill $30”."""
    return " · ".join(f"{debt.words} {money(debt.cents, event.currency)}" for debt in owed)


@register.filter
def paper_said(paper: PaperFacts, event: Event) -> str:
    """Who typed a sheet from paper and who verified it: `{{ sheet.paper|paper_said:event }}`."""
    return paper.said(event.time_zone)


@register.simple_tag
def pending_here(event: Event) -> int:
    """How many items from tablets wait for a decision: `{% pending_here event as waiting %}`."""
    return pending_count(event)
