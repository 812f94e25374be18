"""The rule sheet of an event with its chosen options, in data and in words."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from scoring.event_rules import EventRules
from scoring.game import Game as Played
from scoring.game import Seating, Sheet
from scoring.options import Option, choose, describe, every_option
from scoring.problem import Problem
from scoring.registry import all_sheets, find_game, find_sheet
from tournament.models import Event, Game
from tournament.pairing.groups import table_sizes

MOST_AT_A_TABLE = 6
# Single players meet as many others as they can: two alone sit at a table only where the sheet knows no more.
FEWEST_SINGLES = 3
# Where nobody has partners and the number of hands is fixed, everybody's total says more than who won the table.
BY_TOTAL = ("points", "games-won", "lots")

# What may still change, with a confirmation, once games are played: it prices no hand and ranks nobody.
OPEN_LATER = frozenset({"standings_visible", "grace_minutes", "round_minutes"})


class Ruleset(NamedTuple):
    """What an event is played by. `rules` are the sheet's options with the event's choices."""

    game: Played[Any, Any]
    sheet: Sheet[Any]
    rules: Any

    @property
    def seating(self) -> Seating:
        return self.game.seating(self.rules)

    @property
    def singles(self) -> bool:
        """Whether everybody plays alone: then a team is one player."""
        return self.seating.seats == self.seating.sides

    @property
    def unit(self) -> str:
        """What sits at a side of the table, in a word."""
        return "player" if self.singles else "team"

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """How many sides a table of the event may have, fewest first: more than one number where players are single."""
        return _table_sizes(self.game.key, self.rules)

    @property
    def smallest_table(self) -> int:
        """The fewest sides that a draw seats at a table."""
        return next((size for size in self.table_sizes if size >= FEWEST_SINGLES), self.table_sizes[-1])

    @property
    def has_matches(self) -> bool:
        """Whether two can meet at a table of their own: playoffs and tie-break games need that."""
        return 2 in self.table_sizes

    def without_seat(self, count: int) -> int:
        """How many of `count` teams sit out each round."""
        largest = self.seating.sides
        return count - sum(table_sizes(count, largest, min(self.smallest_table, largest)))

    def at_table(self, sides: int) -> Ruleset:
        """The rules at a table of so many sides, where the sheet is played by several numbers of them."""
        if sides == self.seating.sides or sides not in self.table_sizes:
            return self
        return self._replace(rules=self.game.for_sides(self.rules, sides))

    @property
    def suggested(self) -> dict[str, Any]:
        """Options that a new event begins with, because the sheet leaves to it what its standings are for."""
        by_total = self.singles and self.game.hands_planned(self.rules) is not None
        unchosen = self.rules.tiebreak_order == EventRules().tiebreak_order
        return {"tiebreak_order": list(BY_TOTAL)} if by_total and unchosen else {}

    @property
    def options(self) -> tuple[Option, ...]:
        """Every option that means something, with its words, in the sheet's order."""
        return describe(self.rules, self.sheet.rules)

    @property
    def titles(self) -> dict[str, str]:
        """The words before every option that the sheet has, offered or not."""
        return {option.key: option.title for option in every_option(self.rules, self.sheet.rules)}

    @property
    def chosen(self) -> tuple[Option, ...]:
        """The options that differ from the printed sheet."""
        return tuple(option for option in self.options if option.value != option.default)


def ruleset_of(event: Event) -> Ruleset:
    """The rule sheet of an event."""
    return ruleset(event.sheet, json.dumps(event.options, sort_keys=True))


def ruleset_at(game: Game) -> Ruleset:
    """The rules of a game: those of its event, as they are at a table of its size."""
    rules = ruleset_of(game.round.event)
    return rules.at_table(len(game.sides.all())) if len(rules.table_sizes) > 1 else rules


@lru_cache(maxsize=64)
def ruleset(key: str, options: str = "{}") -> Ruleset:
    """A rule sheet with options as JSON. An option that a stored event should not have is ignored here: it was
    refused when it was chosen."""
    game, sheet = find_game(key), find_sheet(key)
    rules, _ = choose(sheet.rules, json.loads(options))
    return Ruleset(game, sheet, rules)


@lru_cache(maxsize=64)
def _table_sizes(key: str, rules: Any) -> tuple[int, ...]:
    played = find_game(key)
    own = played.seating(rules)
    if own.seats != own.sides:
        return (own.sides,)
    sizes = range(2, MOST_AT_A_TABLE + 1)
    return tuple(size for size in sizes if played.seating(played.for_sides(rules, size)) == (size, size))


def pinned_options(event: Event) -> dict[str, Any]:
    """The options that a signature stands under: all but those that may still change while games are played."""
    return {key: value for key, value in event.options.items() if key not in OPEN_LATER}


def option_problems(key: str, options: dict[str, Any]) -> tuple[Problem, ...]:
    """What is wrong with a choice of options for a sheet."""
    return choose(find_sheet(key).rules, options)[1]


def sheet_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every rule sheet by game, for a list to choose from."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for game, sheet in all_sheets():
        groups.setdefault(game.title, []).append((sheet.key, sheet.title))
    return list(groups.items())
