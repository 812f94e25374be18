"""The rule sheets of Back Alley: named choices of its rules. A published sheet never changes."""

from __future__ import annotations

from dataclasses import replace

from scoring.back_alley.rules import (
    BortRules,
    HighDiamondRules,
    HighSpadeRules,
    PartnershipRules,
    Rules,
    ScheduleRules,
    TeamRules,
)
from scoring.game import Sheet

# Where a sheet comes from, as a club would name it.
PAGE = "Back Alley rules, as collected"

PARTNERSHIP = PartnershipRules(book="partnership", most_sides=5)
ALL = TeamRules(
    book="all",
    most_sides=5,
    pack=52,
    boards="single",
    board_word="all",
    board_per_card=0,
    board_flat=25,
    board_most_cards=5,
)
HIGH_TWO = HighSpadeRules(
    book="high-two",
    pack=52,
    team_bid=False,
    per_trick=10,
    boards="one-card",
    board_most_cards=1,
    course="up-down",
    tight_redeal=True,
)
INDIVIDUAL = HighDiamondRules(
    book="individual",
    sides=4,
    most_sides=4,
    individual=True,
    pack=52,
    per_trick=3,
    one_card_board=13,
    boards="single",
    board_word="board",
    board_per_card=6,
    all_cards_bid="board",
    course="down-one",
    thrown_in_dealer="same",
)
OH_HELL_18 = replace(
    INDIVIDUAL,
    book="oh-hell",
    board_extra=10,
    bonuses=((4, 5), (8, 10)),
    course="down-up",
    full_deal=9,
)
KOREAN_WAR_26 = BortRules(
    book="korean",
    sides=4,
    most_sides=4,
    individual=True,
    pack=52,
    pays_undertricks=True,
    boards="single",
    board_word="bort",
    bonuses=((4, 40),),
    false_rainbow=True,
    thrown_in_dealer="same",
)
WILD_CARDS = ScheduleRules(
    book="wild",
    sides=4,
    most_sides=4,
    individual=True,
    pack=56,
    per_trick=3,
    boards="none",
    all_cards_bid="number",
    course="down-one",
    thrown_in_dealer="same",
)

SHEETS: tuple[Sheet[Rules], ...] = (
    Sheet("back_alley/partnership", "Partnership Back Alley (Blooper)", f"{PAGE}, lines 12–65", PARTNERSHIP),
    Sheet("back_alley/all", "Back Alley “All”, without jokers", f"{PAGE}, line 75", ALL),
    Sheet("back_alley/high-two", "Back Alley with the high two of spades", f"{PAGE}, lines 66–71", HIGH_TWO),
    Sheet("back_alley/individual", "Individual Back Alley", f"{PAGE}, lines 80–98", INDIVIDUAL),
    Sheet("back_alley/oh-hell-18", "Individual Back Alley, 18 deals (“Oh Hell”)", f"{PAGE}, line 103", OH_HELL_18),
    Sheet(
        "back_alley/korean-war-26", "Individual Back Alley, 26 deals (Korean War)", f"{PAGE}, line 107", KOREAN_WAR_26
    ),
    Sheet("back_alley/wild-cards", "Back Alley with four wild cards", f"{PAGE}, line 116", WILD_CARDS),
)
