"""How games end, as numbers, for the score workbook: a row for each sheet, and for some options."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.bid_whist.score import RUBBER
from scoring.document import all_sheets
from scoring.ends import Finish

LEAD = (7, 11, 2)
BIDDER = Finish(win_by="bidder", lead=LEAD)
NEVER = Finish()
HIGHER = Finish(win_by="higher")
FINISHES = {
    # Rules 7 and 9: two sets lose, five points for the back door in the first hand, for odd and for two sets.
    "bid_whist/no-kitty-2021": BIDDER._replace(
        sets=2, sets_bonus=5, back_door="first-hand", back_door_bonus=5, lose_at=-5, win_at=5
    ),
    "bid_whist/standard": BIDDER._replace(lose_at=-7, win_at=7),
    "bid_whist/52-card": BIDDER._replace(win_at=21),
    "bid_whist/boston-parr": BIDDER._replace(win_at=11),
    "bid_whist/cincinnati": BIDDER._replace(lose_at=-7, win_at=7),
    "bid_whist/rhode-island": BIDDER._replace(win_at=21),
    "bid_whist/hawaii": BIDDER._replace(win_at=21, win_by="lead"),
    "bid_whist/marathon": BIDDER,
    "spades/standard": HIGHER._replace(win_at=500),
    "spades/jokers": HIGHER._replace(win_at=500),
    "spades/new-york": Finish(sets_in_a_row=2, win_at=500, win_by="broken-tie", unbid=True),
    "spades/four-hand-tournament-2026": HIGHER,
    "spades/four-hand-tournament": HIGHER,
    "spades/two-sets-2026": HIGHER._replace(sets=2, win_at=350),
    "spades/two-sets": HIGHER._replace(sets=2, win_at=350),
    "spades/overtime": HIGHER._replace(sets=3, sets_in_a_row=2, win_at=500),
    "back_alley/partnership": NEVER,
    "back_alley/all": NEVER,
    "back_alley/high-two": NEVER,
    "back_alley/individual": NEVER,
    "back_alley/oh-hell-18": NEVER,
    "back_alley/korean-war-26": NEVER,
    "back_alley/wild-cards": NEVER,
    "okinawa/standard": NEVER,
}
SHEETS = {sheet.key: (game, sheet.rules) for game, sheet in all_sheets()}
# A sheet with changed options, and how games then end.
CHANGED = [
    ("bid_whist/standard", {"rubber_games": 3}, Finish(untold=(RUBBER,))),
    (
        "bid_whist/no-kitty-2021",
        {"backdoor_scope": "any-hand"},
        FINISHES["bid_whist/no-kitty-2021"]._replace(back_door="any-hand"),
    ),
    (
        "bid_whist/no-kitty-2021",
        {"set_limit": 3, "sets_consecutive": True},
        FINISHES["bid_whist/no-kitty-2021"]._replace(sets=None, sets_in_a_row=3),
    ),
    ("okinawa/standard", {"set_limit": 2}, Finish(sets=2)),
    ("back_alley/partnership", {"set_limit": 2}, Finish(sets=2)),
    ("back_alley/individual", {"set_limit": 2}, NEVER),
]


def test_every_sheet_says_how_its_games_end() -> None:
    assert {key: game.finish(rules) for key, (game, rules) in SHEETS.items()} == FINISHES


@pytest.mark.parametrize(("key", "options", "finish"), CHANGED)
def test_options_change_how_games_end(key: str, options: dict[str, object], finish: Finish) -> None:
    game, rules = SHEETS[key]
    assert game.finish(replace(rules, **options)) == finish
