"""What stands under the numbers of the rule sheet's form: what is counted, the limits, what an empty field means."""

from __future__ import annotations

import pytest

from scoring.document import all_sheets
from scoring.options import describe
from tournament.forms.fields import option_field

SHEETS = {sheet.key: sheet.rules for _, sheet in all_sheets()}


@pytest.mark.parametrize(
    ("sheet", "key", "words"),
    [
        (
            "spades/standard",
            "game_at",
            "Points, 50 to 10000 (if both sides get there, the higher score wins). If left empty: no score.",
        ),
        ("spades/standard", "over_limit", "That many or more, 1 to 13. If left empty: none; any number may be taken."),
        ("bid_whist/standard", "lose_at", "Points, −500 to −1. If left empty: no score, however low."),
        (
            "back_alley/partnership",
            "sides",
            "Sides, 2 to 5 (four players: 2 or 4; six players: 2 or 3; three or five: as many as players).",
        ),
        (
            "back_alley/partnership",
            "one_card_deals",
            "1 to 2 (13 cards to 13 cards: 26 deals with 2, 25 with 1).",
        ),
    ],
)
def test_a_number_says_what_it_counts_and_how_far(sheet: str, key: str, words: str) -> None:
    rules = SHEETS[sheet]
    [option] = [one for one in describe(rules) if one.key == key]
    assert option_field(option).help_text == words
