"""The game as the registry shows it: everything that the site knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.decisions import (
    DECISIONS,
    Adjustment,
    EntryKind,
    Scored,
    add_adjustment,
    adjustment_problems,
    end_counted,
)
from scoring.ends import leader
from scoring.fields import Fields
from scoring.game import CardGame, Field, NextHand, Seating, numbers
from scoring.ledger import BySide, Carry, HandResult, Line, Problem, Verdict, Word, counted, earn, side_name
from tests.games.melds.rules import SHEETS, Rules

SEATS, SIDES, TRICKS = 4, 2, 12


@dataclass(frozen=True, slots=True)
class Hand:
    melds: tuple[int, ...]
    tricks: tuple[int, ...]
    dealer: int | None = None


def next_hand(rules: Rules, carry: Carry) -> NextHand:
    meld = "How many points did {who} meld?"
    # Any number can be typed; these are the answers that a player of the demo chooses from.
    tens = tuple(choice for choice in numbers(0, 100) if int(choice.value) % 10 == 0)
    fields = (
        # A layout of its own, drawn by its own pad.
        Field("melds", "side", "points", meld, "melded", "Meld", (tens,), name="meld"),
        Field("tricks", "side", "count", "How many tricks did {who} take?", "took", "Took", (numbers(0, TRICKS),)),
    )
    return NextHand(carry.hands + 1, carry.deals % SEATS, TRICKS, fields)


def read_hand(facts: Mapping[str, Any]) -> tuple[Hand | None, tuple[Problem, ...]]:
    fields = Fields(facts)
    fields.only(frozenset({"entry", "note", "melds", "tricks", "dealer"}))
    hand = Hand(fields.numbers("melds"), fields.numbers("tricks"), fields.number("dealer"))
    return (None, tuple(fields.problems)) if fields.problems else (hand, ())


def problems(rules: Rules, carry: Carry, hand: Hand) -> tuple[Problem, ...]:
    if len(hand.melds) != SIDES or any(meld < 0 or meld % 10 for meld in hand.melds):
        return (Problem("melds", "me.meld", "A meld is counted in tens."),)
    if len(hand.tricks) != SIDES or min(hand.tricks) < 0 or sum(hand.tricks) != TRICKS:
        return (Problem("tricks", "me.tricks", f"{counted(TRICKS, 'trick')} were played."),)
    return ()


def score(rules: Rules, carry: Carry, hand: Hand) -> Scored:
    lines = [
        Line("me.tricks", side, 10 * tricks, counted(tricks, "trick"), "tricks")
        for side, tricks in enumerate(hand.tricks)
    ]
    lines += [
        Line("me.meld", side, meld, f"melded {meld}", "bid")
        for side, meld in enumerate(hand.melds)
        if meld and hand.tricks[side]
    ]
    after = earn(carry._replace(hands=carry.hands + 1, deals=carry.deals + 1), lines)
    after = end_counted(carry, _ended(rules, after))
    words = BySide(_word(meld, tricks) for meld, tricks in zip(hand.melds, hand.tricks, strict=True))
    return Scored(tuple(lines), after, HandResult(words))


def adjust(rules: Rules, carry: Carry, adjustment: Adjustment) -> Scored:
    """Points of the director, and totals from paper, end a game as a hand does."""
    scored = add_adjustment(carry, adjustment)
    return scored._replace(carry=end_counted(carry, _ended(rules, scored.carry)))


def _ended(rules: Rules, after: Carry) -> Carry:
    winner = leader(after.scores)
    if winner is None or after.scores[winner] < rules.game_to:
        return after
    text = f"{side_name(winner)} has {after.scores[winner]} points."
    return after._replace(verdict=Verdict(winner, "points", "me.win", text))


def _word(meld: int, tricks: int) -> Word:
    if not meld:
        return ""
    return "made" if tricks else "lost"


GAME: CardGame[Rules] = CardGame(
    key="melds",
    title="Melds",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(SEATS, SIDES),
    read_hand=read_hand,
    entries={
        **DECISIONS,
        Hand: EntryKind(problems, score),
        Adjustment: EntryKind(adjustment_problems, adjust),
    },
    next_hand=next_hand,
    headings={"me.meld": "melds", "me.tricks": "tricks", "me.win": "points to win"},
)
