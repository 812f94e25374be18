"""Every list that there is, by its name in addresses, and the queries that it is made from."""

from __future__ import annotations

from collections.abc import Callable

from tournament.lists.column import Listing
from tournament.lists.standings import places_list, standings_list
from tournament.lists.teams import teams_list
from tournament.models import Event
from tournament.queries.finale import finale
from tournament.queries.registration import registration
from tournament.queries.rules import ruleset_of
from tournament.queries.standings import standings

LISTS: dict[str, Callable[[Event], Listing]] = {
    "standings": lambda event: standings_list(event, standings(event)),
    "final-places": lambda event: places_list(event, finale(event, standings(event))),
    "teams": lambda event: teams_list(event, registration(event).teams, ruleset_of(event).unit),
}
