"""Okinawa as the registry shows it."""

from __future__ import annotations

from scoring.game import CardGame, Seating
from scoring.okinawa.checks import next_hand, problems
from scoring.okinawa.headings import HEADINGS
from scoring.okinawa.rules import HANDS, SHEETS, Rules
from scoring.okinawa.score import hand_result, score_entry
from scoring.okinawa.sheet import SEATS, SIDES, Entry
from scoring.okinawa.tariff import tariff
from scoring.okinawa.voids import void_choices
from scoring.plain_rulings import PLAIN_RULINGS
from scoring.tricks import read_trick_hand, seen_a_hand

GAME: CardGame[Rules, Entry] = CardGame(
    key="okinawa",
    title="Okinawa",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=SEATS, sides=SIDES),
    read_hand=read_trick_hand,
    problems=problems,
    score_entry=score_entry,
    result=hand_result,
    next_hand=next_hand,
    rulings=lambda rules: PLAIN_RULINGS,
    carried_on=seen_a_hand,
    hands_planned=lambda rules: HANDS,
    void_choices=void_choices,
    tariff=tariff,
    ranks=lambda rules: "A K Q J 10 down to 2",  # 001 L7
    headings=HEADINGS,
)
