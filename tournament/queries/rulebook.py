"""The rule sheet of an event for its players: every option in words, every ruling with what it may cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from tournament.models import Event
from tournament.queries.rules import ruleset_of

GROUPS = {
    "bidding": "Bidding",
    "scoring": "What a hand is worth",
    "end": "How a game ends",
    "cards": "Cards and seats",
    "event": "Standings, byes and the pot",
}


@dataclass(frozen=True, slots=True)
class OptionWords:
    """An option as players read it; `changed` says that the club chose otherwise than the printed sheet."""

    title: str
    words: str
    printed: str
    changed: bool


@dataclass(frozen=True, slots=True)
class RulingWords:
    """What can happen at a table, and what the director may choose then."""

    rule: str
    when: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The sheet in words, option by option, in groups."""

    game: str
    title: str
    pinned: bool
    groups: tuple[tuple[str, tuple[OptionWords, ...]], ...]
    rulings: tuple[RulingWords, ...]
    changed: int


def rulebook(event: Event) -> Rulebook:
    """Everything that an event is played by."""
    rules = ruleset_of(event)
    order = list(GROUPS)
    options = sorted(rules.options, key=lambda one: order.index(one.group) if one.group in order else len(order))
    groups = tuple(
        (
            GROUPS.get(group, group.capitalize()),
            tuple(OptionWords(one.title, one.words, one.printed, one.value != one.default) for one in items),
        )
        for group, items in groupby(options, key=lambda one: one.group)
    )
    rulings = tuple(
        RulingWords(one.rule, one.when, tuple(choice.words for choice in one.choices))
        for one in rules.game.rulings(rules.rules)
    )
    return Rulebook(
        rules.game.title, rules.sheet.title, event.frozen_at is not None, groups, rulings, len(rules.chosen)
    )
