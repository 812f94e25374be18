"""What a ruling would do to the sheet, before it is applied: its points with their rules, the score, the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoring.document import read_entry
from scoring.ledger import Carry
from scoring.problem import Problem
from scoring.words import named
from tournament.queries.rules import Ruleset
from tournament.queries.wording import how_words

# Nobody is at the table to sign such a game: the director signs for both sides.
SIGNED_BY_DIRECTOR = frozenset({"late", "forfeit", "no-game"})


@dataclass(frozen=True, slots=True)
class Gain:
    """Points of one side under one rule, with the reason."""

    side: str
    points: int
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class RulingEffect:
    """What an entry does. Lists have one value per side. `charged` names the sides that are charged a set."""

    gains: tuple[Gain, ...]
    sides: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    sets: tuple[int, ...]
    charged: tuple[str, ...]
    over: bool
    winner: str
    how: str
    how_words: str
    rule: str
    text: str

    @property
    def nothing(self) -> bool:
        """Whether neither score, sets nor the end of the game change."""
        return not (self.gains or self.charged or self.over)

    @property
    def signed_by_director(self) -> bool:
        return self.over and self.how in SIGNED_BY_DIRECTOR

    @property
    def scores(self) -> tuple[tuple[str, int, int], ...]:
        """Each side with its score before and after."""
        return tuple(zip(self.sides, self.before, self.after, strict=True))


def effect_of(
    rules: Ruleset, carry: Carry, facts: dict[str, Any], names: tuple[str, ...]
) -> RulingEffect | tuple[Problem, ...]:
    """The effect of an entry on a sheet that stands at `carry`, or why the rules refuse it."""
    entry, problems = read_entry(rules.game, facts)
    problems = problems or rules.game.problems(rules.rules, carry, entry)
    if problems:
        return problems
    lines, after = rules.game.score_entry(rules.rules, carry, entry)
    verdict = after.verdict
    return RulingEffect(
        gains=tuple(Gain(names[line.side], line.points, line.rule, named(line.text, names)) for line in lines),
        sides=names,
        before=tuple(carry.scores),
        after=tuple(after.scores),
        sets=tuple(after.sets),
        charged=tuple(name for name, new, old in zip(names, after.sets, carry.sets, strict=True) if new > old),
        over=verdict is not None,
        winner=names[verdict.winner] if verdict and verdict.winner is not None else "",
        how=verdict.how if verdict else "",
        how_words=how_words(verdict.how) if verdict else "",
        rule=verdict.rule if verdict else "",
        text=named(verdict.text, names) if verdict else "",
    )
