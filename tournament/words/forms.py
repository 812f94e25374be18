"""How single values are said within a sentence of any room: a round, sums of money, teams at a table, keys in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from scoring.document import find_sheet
from scoring.ledger import listed
from scoring.options import every_option
from scoring.tricks import cited
from tournament.pairing.plan import INSTEAD
from tournament.phrases import (
    BOARD_SECTIONS,
    CALLS,
    EVENT_STAGES,
    GAME_STATES,
    MOVEMENTS,
    TEAM_STATES,
    money,
    named,
)
from tournament.times import clock_words

# How a value is said within a sentence.
Form = Callable[[Any], str]
GROUPS = "groups"
DRAWN = MOVEMENTS | {
    INSTEAD: "All-play-all, instead of moving teams",
    GROUPS: "Everybody meets different players",
}
PAPERS = {"seating": "seating", "slips": "slips", "sheets": "score sheets"}


def choice(words: Mapping[str, str], *, within: bool = True) -> Form:
    """Make the form of a code out of a table of words, as they stand within a sentence or as they are."""
    said = {code: one.lower() if within else one for code, one in words.items()}
    return said.__getitem__


def _round(value: int | str) -> str:
    return f"Game {value}" if isinstance(value, int) else value


def _within(value: int | str) -> str:
    """A round's title within a sentence."""
    said = _round(value)
    return said[:1].lower() + said[1:]


def _money(value: Sequence[Any]) -> str:
    cents, currency = value
    return money(cents, currency)


def _standing(value: dict[str, Any]) -> str:
    """How a team stands with the club, or what is in the cash box."""
    if "in_hand" in value:
        return f"{_money(value['in_hand'])} in hand"
    got = f", got {_money(value['got'])}" if value.get("got") else ""
    return f"paid {_money(value['paid'])}, owes {_money(value['owes'])}{got}"


def _drawn_rounds(value: Sequence[int]) -> str:
    first, last = value
    return f"Round {first}" if first == last else f"Rounds {first} to {last}"


def _options(value: dict[str, Any]) -> str:
    titles = _titles(value["sheet"])
    return ", ".join(titles.get(key, key) for key in value["keys"])


@cache
def _titles(sheet: str) -> dict[str, str]:
    try:
        rules = find_sheet(sheet).rules
    except KeyError:
        # A rule sheet that this version does not have: the keys stand for themselves.
        return {}
    return {option.key: option.title for option in every_option(rules, rules)}


def as_it_is(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


FORMS: dict[str, Form] = {
    "signed": str,
    "round": _round,
    "within": _within,
    "money": _money,
    "standing": _standing,
    "receipts": lambda value: f"receipt{'s' if len(value) > 1 else ''} {', '.join(map(str, value))}",
    "clock": clock_words,
    "units": lambda value: f"{value[0]} {value[1]}{'' if value[0] == 1 else 's'}",
    "against": " – ".join,
    "matches": lambda value: "; ".join(" – ".join(map(str, pair)) for pair in value),
    "pairs": lambda value: "; ".join(f"{one} – {other}" for one, other in value),
    "and": " and ".join,
    "rounds": _drawn_rounds,
    "places": lambda value: ", ".join(f"{_round(one)}, table {table}" for one, table in value),
    "waiting": lambda value: listed(f"{team} (table {table})" for team, table in value),
    "fields": lambda value: ", ".join(map(named, value)),
    "options": _options,
    "papers": lambda value: ", ".join(PAPERS[one] for one in value),
    "cited": cited,
    "about": choice(CALLS),
    "section": choice(BOARD_SECTIONS),
    "stage": choice(EVENT_STAGES, within=False),
    "status": choice(TEAM_STATES, within=False),
    "state": choice(GAME_STATES, within=False),
    "movement": choice(DRAWN, within=False),
}
