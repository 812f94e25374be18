"""Every list that there is, by its name in addresses, and the queries that it is made from."""

from __future__ import annotations

from collections.abc import Callable

from tournament.lists.column import Listing
from tournament.lists.corrections import corrections_list
from tournament.lists.hands import hands_list
from tournament.lists.money import money_list, receipts_list
from tournament.lists.pot import pot_list
from tournament.lists.rulings import rulings_list
from tournament.lists.schedule import (
    bracket_list,
    games_list,
    rounds_list,
    seating_by_name,
    seating_list,
)
from tournament.lists.standings import cross_table, places_list, standings_list
from tournament.lists.teams import teams_list
from tournament.models import Event, Round
from tournament.queries.book import event_sheets
from tournament.queries.bracket import bracket
from tournament.queries.cash import cash
from tournament.queries.eventbook import struck_lines
from tournament.queries.finale import finale
from tournament.queries.pot import pot
from tournament.queries.registration import registration
from tournament.queries.rules import ruleset_of
from tournament.queries.rulings import rulings_of
from tournament.queries.schedule import round_card
from tournament.queries.standings import standings
from tournament.queries.visibility import EVERYTHING


def _bostons(event: Event) -> bool:
    return bool(ruleset_of(event).rules.counts_bostons)


LISTS: dict[str, Callable[[Event], Listing]] = {
    "standings": lambda event: standings_list(event, standings(event)),
    "cross-table": lambda event: cross_table(event, standings(event)),
    "teams": lambda event: teams_list(event, registration(event).teams),
    "games": lambda event: games_list(event, event_sheets(event), bostons=_bostons(event)),
    "hands": lambda event: hands_list(event, event_sheets(event)),
    "final-places": lambda event: places_list(event, finale(event, standings(event))),
    "rounds": lambda event: rounds_list(event, [round_card(one, EVERYTHING) for one in event.rounds.all()]),
    "bracket": lambda event: bracket_list(event, bracket(event)),
    "pot": lambda event: pot_list(event, pot(event)),
    "rulings": lambda event: rulings_list(event, rulings_of(event)),
    "corrections": lambda event: corrections_list(event, struck_lines(event)),
    "money": lambda event: money_list(event, cash(event)),
    "receipts": lambda event: receipts_list(event, cash(event)),
}


def seating(round_: Round) -> tuple[Listing, Listing]:
    """Who sits where in a round: by table, and by name."""
    event, card = round_.event, round_card(round_, EVERYTHING)
    players = {team.number: ", ".join(team.players) for team in registration(event).teams}
    tables = seating_list(event, card, players, ruleset_of(event).table_sizes[-1])
    return tables, seating_by_name(event, card)
