"""What is decided in the games whose books print no prices: misdeal, late, forfeit, the director's own decision."""

from __future__ import annotations

from typing import assert_never

from scoring.decisions import (
    Scored,
    adjustment_problems,
    award_problems,
    leader,
    lost_by,
    score_adjustment,
    score_award,
    stop_by_agreement,
    stop_by_clock,
    time_problem,
)
from scoring.entries import Adjustment, AgreedStop, Award, Decision, Ruling, Time, Void
from scoring.game import RulingChoice, RulingRule
from scoring.ledger import BySide, Carry, said
from scoring.problem import Problem
from scoring.verdict import Verdict
from scoring.words import side_name

DIRECTOR = "the director"

PLAIN_RULINGS = (
    RulingRule(
        "misdeal", "A misdeal", (RulingChoice("void", "Void: the same player deals again", DIRECTOR, "void", ()),)
    ),
    RulingRule(
        "late",
        "Not in their seats in time",
        (
            RulingChoice("award", "They lose this game", DIRECTOR, "game", ("side",), ("game",)),
            RulingChoice("wait", "Wait for them", DIRECTOR, "none"),
            RulingChoice("both-late", "Both late: nobody wins", DIRECTOR, "nobody", ()),
        ),
    ),
    RulingRule(
        "forfeit",
        "A side leaves or is sent away",
        (RulingChoice("forfeit", "They lose this game", DIRECTOR, "game", ("side",), ("game",)),),
    ),
    RulingRule(
        "other",
        "Anything else (no penalty in the rules)",
        (
            RulingChoice("warning", "Warning, no points", DIRECTOR, "none"),
            RulingChoice("adjustment", "Adjust points", DIRECTOR, "adjustment", ("reason",)),
        ),
    ),
)
HOW_AWARDED = {"late": "late", "forfeit": "forfeit"}


def decision_problems(carry: Carry, entry: Decision) -> tuple[Problem, ...]:
    """Name the faults of whatever stands on a sheet beside its hands; a void hand has none."""
    match entry:
        case Ruling():
            return _ruling_problems(carry, entry)
        case Award():
            return award_problems(carry, entry)
        case Adjustment():
            return adjustment_problems(carry, entry)
        case Time():
            return time_problem(carry)
        case Void() | AgreedStop():
            return ()
        case _:
            assert_never(entry)


def score_decision(carry: Carry, entry: Decision) -> Scored:
    """Score whatever stands on a sheet beside its hands; a void hand changes nothing."""
    match entry:
        case Ruling():
            return _score_ruling(carry, entry)
        case Award():
            return score_award(carry, entry, 0, HOW_AWARDED.get(entry.rule, "award"))
        case Adjustment():
            return score_adjustment(carry, entry)
        case Time():
            return (), stop_by_clock(carry)
        case AgreedStop():
            return (), stop_by_agreement(carry, "agreed-stop")
        case Void():
            return (), carry
        case _:
            assert_never(entry)


def _ruling_problems(carry: Carry, ruling: Ruling) -> tuple[Problem, ...]:
    if not ruling.rule.strip():
        return (Problem("rule", "", "Under which rule is this decided?"),)
    choice = _find_choice(ruling)
    if choice is None:
        offered = ", ".join(f"{choice.key} ({choice.words})" for choice in _find_rule(ruling.rule).choices)
        return (Problem("choice", ruling.rule, f"The choices are: {offered}."),)
    if choice.effect == "adjustment":
        return (Problem("choice", ruling.rule, "Write an adjustment with its points and reason."),)
    sides = len(carry.scores)
    if ("side" in choice.needs or ruling.side is not None) and ruling.side not in range(sides):
        return (Problem("side", ruling.rule, f"Which side is it about? Side 0 to side {sides - 1}."),)
    return ()


def _score_ruling(carry: Carry, ruling: Ruling) -> Scored:
    """A ruling ends the game or changes no points."""
    choice = _find_choice(ruling)
    if choice is not None and choice.effect == "game":
        return (), _lose(carry, said(ruling.side), ruling.rule)
    if choice is not None and choice.effect == "nobody":
        return score_decision(carry, Award(ruling.rule, None, ruling.reason))
    return (), carry


def _lose(carry: Carry, loser: int, rule: str) -> Carry:
    """The other side wins; of several others, the one that leads, and nobody where they are tied."""
    how = HOW_AWARDED.get(rule, "award")
    others = [side for side in range(len(carry.scores)) if side != loser]
    first = leader(BySide(carry.scores[side] for side in others))
    winner = others[0] if len(others) == 1 else None if first is None else others[first]
    text = f"{lost_by(how, side_name(loser))}: the others are tied, and nobody won."
    if winner is not None:
        best = ", the best of the others" if len(others) > 1 else ""
        text = f"{lost_by(how, side_name(loser))}: game to {side_name(winner)}{best}."
    return carry._replace(verdict=Verdict(winner, how, rule, text))


def _find_rule(rule: str) -> RulingRule:
    table = {entry.rule: entry for entry in PLAIN_RULINGS}
    return table.get(rule, table["other"])


def _find_choice(ruling: Ruling) -> RulingChoice | None:
    """With one choice only, it need not be named."""
    choices = _find_rule(ruling.rule).choices
    asked = ruling.choice.strip().lower().replace(" ", "-").replace("_", "-")
    if not asked and len(choices) == 1:
        return choices[0]
    return next((choice for choice in choices if asked == choice.key or asked in choice.also), None)
