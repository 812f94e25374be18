"""What is typed from a paper sheet at the desk: a line of the sheet, or the totals that a game is carried on from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tournament.forms.hand import Posted, read_hand, read_key, read_position
from tournament.queries.rules import Ruleset
from tournament.queries.scored import opening_faults
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Fault, Invalid

LINES = {"void", "time", "agreed_stop"}
NUMBER = re.compile(r"[-−+]?[0-9]{1,4}", re.ASCII)
TOTALS = {"scores": "The score", "sets": "The number of sets", "bags": "The number of bags"}


def read_line(sheet: GameSheet, data: Mapping[str, str]) -> Posted:
    """A line of the sheet: a hand, a void hand, the end of time, or a stop that all players agreed to."""
    kind = data.get("kind", "hand")
    if kind == "hand":
        return read_hand(sheet, data)
    if kind not in LINES:
        raise Invalid([Fault("kind", "Choose what is written: a hand, a void hand, or the end of the game.")])
    if kind == "void":
        return read_hand(sheet, {**dict(data.items()), "entry": kind})
    return Posted({"entry": kind}, read_position(data), read_key(data), ())


def read_totals(rules: Ruleset, sheet: GameSheet, data: Mapping[str, str]) -> dict[str, Any]:
    """The totals of a paper sheet, one number a side. Raises Invalid with every field that cannot be so."""
    faults: list[Fault] = []
    opening: dict[str, Any] = {}
    for name, words in TOTALS.items():
        typed = [data.get(f"{name}-{side.index}", "").strip() for side in sheet.sides]
        if any(typed):
            opening[name] = [
                _number(f"{name}-{side.index}", f"{words} of {side.name}", text, faults)
                for side, text in zip(sheet.sides, typed, strict=True)
            ]
    hands = data.get("hands", "").strip()
    if hands:
        opening["hands"] = _number("hands", "The number of hands played", hands, faults)
    if not opening and not faults:
        faults.append(Fault("scores-0", "Write the score of each side from the paper sheet."))
    if not faults:
        faults = [Fault(_field(one.field), one.text, one.rule) for one in opening_faults(rules, opening)]
    if faults:
        raise Invalid(faults)
    return opening


def _number(field: str, words: str, text: str, faults: list[Fault]) -> int:
    if not text:
        return 0
    if NUMBER.fullmatch(text) is None:
        faults.append(Fault(field, f"{words} must be a whole number, not “{text[:20]}”."))
        return 0
    number = int(text.replace("−", "-"))
    if number < 0 and not field.startswith("scores"):
        faults.append(Fault(field, f"{words} cannot be “{text}”: it starts at 0."))
    return number


def _field(name: str) -> str:
    """The field of the form that a fault of the opening belongs to."""
    return name if name == "hands" else f"{name if name in TOTALS else 'scores'}-0"
