"""The table of rulings of an event's rule sheet, and what a table's call points to in it."""

from __future__ import annotations

from typing import NamedTuple

from scoring.game import RulingRule
from tournament.queries.rules import Ruleset

OTHER = "other"
# What each kind of call is usually about; the first that the sheet knows leads there in one tap.
CALLED_FOR = {
    "renege": ("41", "bw.renege"),
    "exposed": ("32", "18", "22"),
    "count": ("17", "23", "34", "35", "36", "misdeal"),
    "score": (OTHER,),
}
# What is ruled on most at a hall's tables; whatever is not named follows in the sheet's order.
BY_USE = (
    "41", "bw.renege", "32", "13", "late", "22", "17", "misdeal", "34", "35", "29", "18", "23", "16", "27", "31", "36",
    "25", "26", "46", "forfeit", "47",
)  # fmt: skip
LATE = ("13", "late")
LEAVING = ("46", "forfeit")
DISORDER = ("47",)


class Likely(NamedTuple):
    """The rulings that a call points to, and all the others; both in the order of use."""

    first: tuple[RulingRule, ...]
    rest: tuple[RulingRule, ...]


def ruling_table(rules: Ruleset) -> tuple[RulingRule, ...]:
    """What can be ruled on, in the order and words of the sheet."""
    return rules.game.rulings(rules.rules)


def likely_rulings(rules: Ruleset, kind: str) -> Likely:
    """The table of rulings in the order of use, with those that fit a kind of call put first."""
    return likely_of(ruling_table(rules), kind)


def likely_of(rulings: tuple[RulingRule, ...], kind: str) -> Likely:
    """Some rulings in the order of use, with those that fit a kind of call put first."""
    table = sorted(rulings, key=_place_in_use)
    names = CALLED_FOR.get(kind, ())
    return Likely(
        tuple(one for one in table if one.rule in names), tuple(one for one in table if one.rule not in names)
    )


def in_place_of_a_hand(table: tuple[RulingRule, ...]) -> tuple[RulingRule, ...]:
    """What can be ruled in the place of a hand; where play goes on, the hand stays."""
    rules = (one._replace(choices=tuple(choice for choice in one.choices if choice.effect != "none")) for one in table)
    return tuple(one for one in rules if one.choices)


def rule_for_call(rules: Ruleset, kind: str) -> str:
    """The only rule that a call can be about; nothing where there are several."""
    first = likely_rulings(rules, kind).first
    return first[0].rule if len(first) == 1 else ""


def known_rule(rules: Ruleset, names: tuple[str, ...]) -> str:
    """The first of some names under which the sheet knows a rule; nothing where it knows none."""
    table = {one.rule for one in ruling_table(rules)}
    return next((name for name in names if name in table), "")


def _place_in_use(rule: RulingRule) -> int:
    if rule.rule == OTHER:
        return len(BY_USE) + 1
    return BY_USE.index(rule.rule) if rule.rule in BY_USE else len(BY_USE)


def is_leaving(rule: str) -> bool:
    """Whether a ruling under this rule sends a team away for the rest of the event."""
    return rule in LEAVING or rule in DISORDER
