"""Back Alley as the registry shows it."""

from __future__ import annotations

from dataclasses import replace

from scoring.back_alley.checks import next_hand, problems
from scoring.back_alley.deals import plan
from scoring.back_alley.rules import Rules
from scoring.back_alley.score import score_entry
from scoring.back_alley.sheet import Entry, read_hand
from scoring.back_alley.sheets import SHEETS
from scoring.back_alley.written import as_written
from scoring.game import Game, RulingRule, Seating
from scoring.plain_rulings import PLAIN_RULINGS
from scoring.tricks import write_trick_hand


def _seating(rules: Rules) -> Seating:
    return rules.seating()


def _for_sides(rules: Rules, sides: int) -> Rules:
    """Partnerships or single players: the sheet says how many sides it knows; any other number it refuses."""
    return replace(rules, sides=sides) if rules.fewest_sides <= sides <= rules.most_sides else rules


def _hands_planned(rules: Rules) -> int:
    return len(plan(rules))


def _rulings(rules: Rules) -> tuple[RulingRule, ...]:
    return PLAIN_RULINGS


GAME: Game[Rules, Entry] = Game(
    key="back_alley",
    title="Back Alley",
    word="tricks",
    sheets=SHEETS,
    seating=_seating,
    for_sides=_for_sides,
    read_hand=read_hand,
    write_hand=write_trick_hand,
    problems=problems,
    score_entry=score_entry,
    next_hand=next_hand,
    rulings=_rulings,
    hands_planned=_hands_planned,
    as_written=as_written,
)
