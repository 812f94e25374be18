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
LATE = ("13", "late")
LEAVING = ("46", "forfeit")
DISORDER = ("47",)


class Likely(NamedTuple):
    """The rulings that a call points to, and all the others in the sheet's order."""

    first: tuple[RulingRule, ...]
    rest: tuple[RulingRule, ...]


def ruling_table(rules: Ruleset) -> tuple[RulingRule, ...]:
    """What can be ruled on, in the order and words of the sheet."""
    return rules.game.rulings(rules.rules)


def likely_rulings(rules: Ruleset, kind: str) -> Likely:
    """The table of rulings with those that fit a kind of call put first."""
    table = ruling_table(rules)
    names = CALLED_FOR.get(kind, ())
    return Likely(
        tuple(one for one in table if one.rule in names), tuple(one for one in table if one.rule not in names)
    )


def rule_for_call(rules: Ruleset, kind: str) -> str:
    """The only rule that a call can be about; nothing where there are several."""
    first = likely_rulings(rules, kind).first
    return first[0].rule if len(first) == 1 else ""


def known_rule(rules: Ruleset, names: tuple[str, ...]) -> str:
    """The first of some names under which the sheet knows a rule; nothing where it knows none."""
    table = {one.rule for one in ruling_table(rules)}
    return next((name for name in names if name in table), "")


def is_leaving(rule: str) -> bool:
    """Whether a ruling under this rule sends a team away for the rest of the event."""
    return rule in LEAVING or rule in DISORDER
