"""What is decided beside the hands and is scored alike in every game: awards, adjustments, the clock, a stop."""

from __future__ import annotations

from scoring.entries import Adjustment, Award
from scoring.ledger import BySide, Carry, Line, earn
from scoring.points import NO_GAME
from scoring.problem import Problem
from scoring.verdict import Verdict

Scored = tuple[tuple[Line, ...], Carry]


def score_award(carry: Carry, award: Award, bonus: int, how: str, bonus_rule: str = "") -> Scored:
    """This function will give the game to a side, with `bonus` points cited under `bonus_rule` or the award's rule."""
    if award.to is None:
        return (), carry._replace(verdict=Verdict(None, NO_GAME, award.rule, "Nobody wins this game."))
    text = f"the game is given to this side, plus {bonus}"
    lines = (Line(bonus_rule or award.rule, award.to, bonus, text),) if bonus else ()
    given = f"Given by the director under {cited(award.rule)}."
    if not award.rule[:1].isdigit():
        given = "Given by the director." if award.rule == "director" else f"Given by the director: {award.rule}."
    return lines, earn(carry, lines)._replace(verdict=Verdict(award.to, how, award.rule, given))


def score_adjustment(carry: Carry, adjustment: Adjustment) -> Scored:
    """This function will add the director's points and sets, one number per side."""
    rule = adjustment.rule or "adjustment"
    text = adjustment.reason or "adjusted by the director"
    lines = tuple(Line(rule, side, points, text) for side, points in enumerate(adjustment.points) if points)
    charged = adjustment.sets or (0,) * len(carry.sets)
    sets = BySide(old + more for old, more in zip(carry.sets, charged, strict=True))
    running = BySide(max(0, old + more) for old, more in zip(carry.sets_running, charged, strict=True))
    return lines, earn(carry, lines)._replace(sets=sets, sets_running=running)


def stop_by_clock(carry: Carry, rule: str = "time") -> Carry:
    """This function will end the game for its leader; with several leaders, one more hand decides."""
    winner = _ahead(carry)
    if winner is None:
        return carry._replace(deciding=True)
    return carry._replace(verdict=Verdict(winner, "time", rule, "Time is up: the leader wins."))


def stop_by_agreement(carry: Carry, rule: str) -> Carry:
    """This function will end the game by agreement of all players: for the leader, or for nobody when level."""
    winner = _ahead(carry)
    text = (
        "All players agreed to stop: the leader wins." if winner is not None else "All players agreed to stop, level."
    )
    return carry._replace(verdict=Verdict(winner, "agreed-stop", rule, text))


def leader(scores: BySide[int]) -> int | None:
    """This function will name the only side with the highest score; None where several share it."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def _ahead(carry: Carry) -> int | None:
    """The only side that leads: by games where a rubber is played, then by points."""
    best = max(zip(carry.games, carry.scores, strict=True))
    leaders = [side for side, state in enumerate(zip(carry.games, carry.scores, strict=True)) if state == best]
    return leaders[0] if len(leaders) == 1 else None


def award_problems(carry: Carry, award: Award) -> tuple[Problem, ...]:
    """This function will refuse an award to a side that is not at the table, and one without a rule."""
    problems = []
    if award.to is not None and award.to not in range(len(carry.scores)):
        problems.append(Problem(award.named, award.rule, f"There is no side {award.to} at this table."))
    if not award.rule:
        problems.append(Problem("rule", "", "Under which rule is the game given?"))
    return tuple(problems)


def adjustment_problems(carry: Carry, adjustment: Adjustment) -> tuple[Problem, ...]:
    """This function will refuse an adjustment without a reason or without one number per side."""
    problems = []
    sides = len(carry.scores)
    if len(adjustment.points) != sides:
        problems.append(Problem("points", adjustment.rule, f"Points are needed for each of the {sides} sides."))
    if adjustment.sets and len(adjustment.sets) != sides:
        problems.append(Problem("sets", adjustment.rule, f"Sets are needed for each of the {sides} sides."))
    if any(old + more < 0 for old, more in zip(carry.sets, adjustment.sets, strict=False)):
        problems.append(Problem("sets", adjustment.rule, "No more sets can be taken away than a side has."))
    if not adjustment.reason.strip():
        problems.append(Problem("reason", adjustment.rule, "An adjustment needs a written reason."))
    return tuple(problems)


def over_problem(carry: Carry) -> tuple[Problem, ...]:
    """This function will say that nothing can be added to a game that has ended."""
    if carry.verdict is None:
        return ()
    return (Problem("entry", carry.verdict.rule, f"The game is over: {carry.verdict.text}"),)


def time_problem(carry: Carry) -> tuple[Problem, ...]:
    """This function will say that time cannot run out twice."""
    if not carry.deciding:
        return ()
    return (Problem("entry", "time", "Time is up already: the next hand decides."),)


def cited(rule: str) -> str:
    """This function will name a rule in a sentence: “rule 13” for a number, the word itself otherwise."""
    return f"rule {rule}" if rule[:1].isdigit() else rule
