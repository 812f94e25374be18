"""A document scored: every entry with its reasons and the state after it, and how the game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.document import Document, read_document
from scoring.ledger import BySide, Carry, Line
from scoring.options import describe
from scoring.points import game_points
from scoring.problem import CannotScore, Problem
from scoring.registry import all_sheets
from scoring.words import named


class Step(NamedTuple):
    """One entry with the lines it earned and the carry after it."""

    entry: Any
    lines: tuple[Line, ...]
    carry: Carry


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A game that was scored: its document, one step per entry, and the carry at the end."""

    document: Document
    steps: tuple[Step, ...]
    carry: Carry

    @property
    def points(self) -> BySide[int]:
        """Return the game points per side."""
        return game_points(self.document.rules, self.carry)


def score_document(document: Document) -> Scorecard:
    """Score a document; the first entry that cannot be scored raises CannotScore."""
    game, rules, carry = document.game, document.rules, document.carry
    steps = []
    for index, entry in enumerate(document.entries):
        if problems := game.problems(rules, carry, entry):
            raise CannotScore(tuple(problem._replace(entry=index) for problem in problems))
        lines, carry = game.score_entry(rules, carry, entry)
        steps.append(Step(entry, lines, carry))
    return Scorecard(document, tuple(steps), carry)


def print_score(data: Any) -> dict[str, Any]:
    """Score the data of a document and give what `manage.py score` prints for it."""
    try:
        card = score_document(read_document(data))
    except CannotScore as refusal:
        return {"problems": [print_problem(problem) for problem in refusal.problems]}
    verdict = card.carry.verdict
    return {
        "entries": [print_step(step, card.document.sides) for step in card.steps],
        "over": verdict is not None,
        "winner": verdict.winner if verdict else None,
        "how": verdict.how if verdict else None,
        "rule": verdict.rule if verdict else None,
        "text": named(verdict.text, card.document.sides) if verdict else None,
        "points": list(card.points),
        "bostons": list(card.carry.bostons),
        "problems": [],
    }


def print_step(step: Step, sides: tuple[str, ...]) -> dict[str, Any]:
    """Return one entry's lines and the running state after it."""
    return {
        "lines": [
            {"rule": line.rule, "side": line.side, "points": line.points, "text": named(line.text, sides)}
            for line in step.lines
        ],
        "scores": list(step.carry.scores),
        "sets": list(step.carry.sets),
        "bags": list(step.carry.bags),
    }


def print_problem(problem: Problem) -> dict[str, Any]:
    """Return a problem with the entry first: where, by which rule, and what is wrong."""
    return {"entry": problem.entry, "field": problem.field, "rule": problem.rule, "text": problem.text}


def print_sheets() -> list[dict[str, Any]]:
    """Describe every rule sheet with its options in words."""
    printed = []
    for game, sheet in all_sheets():
        seating = game.seating(sheet.rules)
        fields = game.next_hand(sheet.rules, game.begin(sheet.rules)).fields
        options = [
            {
                "key": item.key,
                "title": item.title,
                "type": item.type,
                "choices": dict(item.choices),
                "low": item.low,
                "high": item.high,
                "default": item.default,
                "words": item.words,
                "group": item.group,
            }
            for item in describe(sheet.rules)
        ]
        printed.append(
            {
                "key": sheet.key,
                "title": sheet.title,
                "source": sheet.source,
                "seats": seating.seats,
                "sides": seating.sides,
                "bids_by": "seat" if any(one.key == "bids" and one.of == "seat" for one in fields) else "side",
                "auction": any(one.of == "bidder" for one in fields),
                "options": options,
            }
        )
    return printed
