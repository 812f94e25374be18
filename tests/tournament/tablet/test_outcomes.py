"""What the next hands come to is kept for all tables that stand alike: what is left out of the key changes nothing."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from scoring.document import all_sheets
from tournament.demo.player import after, choose_hand
from tournament.queries.outcomes import _asked_of, _outcomes
from tournament.queries.rules import ruleset

SHEETS = [
    sheet.key
    for _, sheet in all_sheets()
    if {field.of for field in ruleset(sheet.key).first_hand.fields if field.needed} == {"bidder"}
]
CHOICES: list[dict[str, Any]] = [
    {},
    {"set_limit": 3, "sets_consecutive": True},
    {"set_limit": 3, "sets_consecutive": False},
    {"rubber_games": 2},
]
HANDS, GAMES = 12, 3


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("choices", CHOICES, ids=json.dumps)
def test_tables_that_stand_alike_have_the_same_next_hands(sheet: str, choices: dict[str, Any]) -> None:
    rules, chance = ruleset(sheet, json.dumps(choices)), Random(sheet)
    counted = _outcomes.__wrapped__
    left_out = 0
    for _ in range(GAMES):
        carry = rules.game.begin(rules.rules)
        for _ in range(HANDS):
            kept = _asked_of(rules, carry)
            left_out += kept != carry
            assert counted(rules, kept) == counted(rules, carry)
            carry = after(rules, carry, choose_hand(rules, carry, chance))
            if carry.verdict is not None:
                break
    assert left_out
