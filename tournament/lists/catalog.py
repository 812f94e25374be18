"""Every list, by its name in addresses; and the log and the rule sheet as lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter

from django.utils.html import format_html

from tournament.lists.column import TIME, Column, Listing
from tournament.lists.money import money_list, receipts_list
from tournament.lists.schedule import (
    bracket_list,
    documents_list,
    games_list,
    recap_list,
    results_of_all,
    rounds_list,
    seating_by_name,
    seating_list,
)
from tournament.lists.sheets import corrections_list, hands_list, rulings_list
from tournament.lists.standings import cross_table, places_list, pot_list, standings_list, ties_list
from tournament.lists.teams import desk_teams_list, entries_list
from tournament.models import Event, Journal, Round
from tournament.queries.bracket import bracket
from tournament.queries.decisions import with_holds
from tournament.queries.ledger import cash
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import corrected_sheets
from tournament.queries.playoffs import finale
from tournament.queries.pot import pot
from tournament.queries.roster import player_names
from tournament.queries.rules import EVERYTHING, ruleset_of, stage_rounds
from tournament.queries.rulings import rulings_of
from tournament.queries.schedule import round_cards
from tournament.queries.standings import standings
from tournament.words.phrases import ACTS, in_words


def _bostons(event: Event) -> bool:
    return bool(ruleset_of(event).rules.counts_bostons)


LISTS: dict[str, Callable[[Event], Listing]] = {
    "standings": lambda event: standings_list(event, standings(event)),
    "ties": lambda event: ties_list(event, standings(event)),
    "cross-table": lambda event: cross_table(event, standings(event)),
    "teams": lambda event: desk_teams_list(event, cash(event)),
    "entries": entries_list,
    "games": lambda event: games_list(event, event_sheets(event), bostons=_bostons(event)),
    "games-by-table": lambda event: documents_list(event, event_sheets(event)),
    "hands": lambda event: hands_list(event, event_sheets(event)),
    "final-places": lambda event: places_list(event, finale(event, standings(event))),
    "rounds": lambda event: rounds_list(event, with_holds(event, round_cards(event.rounds.all(), EVERYTHING))),
    "bracket": lambda event: bracket_list(event, bracket(event)),
    "pot": lambda event: pot_list(event, pot(event)),
    "rulings": lambda event: rulings_list(event, rulings_of(event)),
    "corrections": lambda event: corrections_list(event, corrected_sheets(event)),
    "money": lambda event: money_list(event, cash(event)),
    "receipts": lambda event: receipts_list(event, cash(event)),
}

# These lists, and the papers with these names, contain only money.
MONEY = frozenset({"money", "receipts", "cash"})


def seating(round_: Round) -> tuple[Listing, Listing]:
    """Who sits where in a round: by table, and by name."""
    event, card = round_.event, with_holds(round_.event, round_cards([round_]))[0]
    players = {number: ", ".join(names) for number, names in player_names(event).items()}
    tables = seating_list(event, card, players, ruleset_of(event).table_sizes[-1])
    return tables, seating_by_name(event, card)


def games_on_paper(event: Event) -> Listing:
    """The games of all rounds as they are printed, with byes."""
    return results_of_all(event, with_holds(event, round_cards(event.rounds.all(), EVERYTHING)))


def recap(round_: Round) -> Listing:
    """What a secretary fills in for all tables of a round."""
    event = round_.event
    return recap_list(event, round_cards([round_], EVERYTHING)[0], ruleset_of(event).table_sizes[-1])


# The log as a list, from `queries/history.py`.

# A file has room for the full values before and after.
LONGEST = 30_000


def log_list(event: Event, acts: Sequence[Journal]) -> Listing:
    """One row per act, newest first; files have the full values before and after."""
    under = "Who did what, when and from where, the newest first"
    return Listing("log", "Log", event, columns(), acts, under, empty="Nothing yet.")


def columns() -> tuple[Column, ...]:
    def below(text: str) -> str:
        return format_html('<div class="why">{}</div>', text) if text else ""

    def action(act: Journal) -> str:
        return ACTS.get(act.action, act.action)

    return (
        Column("at", "When", attrgetter("at"), TIME),
        Column("by", "Who", attrgetter("who"), html=lambda act: act.who or "—"),
        Column("address", "From", attrgetter("address"), within="by", html=lambda act: below(act.address)),
        Column("action", "Action", action, within="text", html=lambda act: below(action(act))),
        Column("text", "What", attrgetter("text")),
        Column("before", "Before", lambda act: in_words(act.was, LONGEST), html=lambda act: in_words(act.was)),
        Column("after", "After", lambda act: in_words(act.became, LONGEST), html=lambda act: in_words(act.became)),
    )


# The rule sheet of an event as a list: every option in words, and which ones the club chose.


def rules_list(event: Event) -> Listing:
    """One row per option."""
    rules = ruleset_of(event)
    stages = [
        replace(option, title=f"{round_}: {option.title}")
        for round_ in stage_rounds(event)
        for option in ruleset_of(event, round_).of_its_own
    ]
    return Listing(
        name="rules",
        title="Rules",
        event=event,
        columns=(
            Column("rule", "Rule", lambda option: option.title.rstrip(":")),
            Column("words", "How it is played", lambda option: option.words),
            Column("chosen", "Chosen", lambda option: "by the club" if option.value != option.default else ""),
        ),
        rows=(*rules.said, *stages),
        under=rules.sheet.title,
    )
