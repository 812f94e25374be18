"""The rule sheet of an event for its players: every option in words, every ruling with what it may cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from scoring.game import RulingRule
from scoring.tricks import DIRECTOR
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
    """What can happen at a table, and what may be chosen then: by the director, where nobody else is named."""

    rule: str
    when: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The sheet in words, option by option, in groups. `voids` are hands dealt again beside misdeals."""

    game: str
    title: str
    pinned: bool
    groups: tuple[tuple[str, tuple[OptionWords, ...]], ...]
    rulings: tuple[RulingWords, ...]
    directions: tuple[str, ...]
    voids: tuple[str, ...]
    changed: int


def rulebook(event: Event) -> Rulebook:
    rules = ruleset_of(event)
    said: dict[str, list[OptionWords]] = {group: [] for group in GROUPS}
    said["scoring"] += [OptionWords(one.title, one.words, one.words, False) for one in rules.game.prices(rules.rules)]
    for one in rules.said:
        words = OptionWords(one.title, one.words, one.printed, one.value != one.default)
        said.setdefault(one.group, []).append(words)
    groups = tuple((GROUPS.get(group, group.capitalize()), tuple(words)) for group, words in said.items() if words)
    rulings = tuple(RulingWords(one.rule, one.when, _choices(one)) for one in rules.game.rulings(rules.rules))
    return Rulebook(
        game=rules.game.title,
        title=rules.sheet.title,
        pinned=event.frozen_at is not None,
        groups=groups,
        rulings=rulings,
        directions=tuple(one.words for one in rules.first_hand.choices("direction")),
        voids=tuple(one.words for one in rules.game.void_choices(rules.rules)),
        changed=len(rules.chosen),
    )


def _choices(rule: RulingRule) -> tuple[str, ...]:
    """What may be chosen, with whoever else than the director chooses."""
    return tuple(
        ("" if who == DIRECTOR else f"{who.capitalize()} chooses: ") + " · ".join(choice.words for choice in choices)
        for who, choices in groupby(rule.choices, key=lambda choice: choice.who)
    )
