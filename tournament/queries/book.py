"""The whole event as plain data: what the workbook, the printed book and the lists are made from."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from tournament.models import Event, Game, Official
from tournament.queries.authors import shown_author
from tournament.queries.cash import Cash
from tournament.queries.officials import officials_named
from tournament.queries.registration import RegisteredTeam, registration
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.standings import Standings, standings


@dataclass(frozen=True, slots=True)
class EventBook:
    """Everything that is printed of an event, except its sheets: those are read with `event_sheets`."""

    event: Event
    rules: Ruleset
    officials: tuple[tuple[str, str], ...]
    teams: tuple[RegisteredTeam, ...]
    standings: Standings


def event_book(event: Event, books: Cash | None = None) -> EventBook:
    """The event with its teams and standings, in a constant number of queries."""
    roles = dict(Official.ROLES)
    officials = tuple((name, roles[role]) for name, role in officials_named(event, shown_author))
    return EventBook(event, ruleset_of(event), officials, registration(event, books).teams, standings(event))


def event_sheets(event: Event, *, rounds: Sequence[int] | None = None, states: tuple[str, ...] = ()) -> list[GameSheet]:
    """The sheets of an event's games in the order of a cut stack: by round, then table.

    All are read at once: a reader that is still open while a paper is drawn would let nobody write meanwhile.
    """
    games = sheet_games().filter(round__event=event).order_by("round__number", "table", "leg")
    if rounds is not None:
        games = games.filter(round__number__in=rounds)
    if states:
        games = games.filter(state__in=states)
    return [game_sheet(game) for game in games]


def final_games(event: Event) -> Hashable:
    """Which games are final, each with its version: what is counted from their sheets alone is kept under it."""
    games = Game.objects.filter(round__event=event, state="final").order_by("pk")
    return event.epoch, tuple(games.values_list("pk", "version"))
