"""What is decided beside the hands and is scored alike in every game: awards, adjustments, the clock, a stop."""

from __future__ import annotations

from scoring.entries import Adjustment, Award
from scoring.ledger import BySide, Carry, Line, earn
from scoring.points import NO_GAME
from scoring.problem import Problem
from scoring.verdict import Verdict
from scoring.words import side_name

# How a game is lost by ruling: by itself, and with the name of the side.
LOST_BY = {"late": ("Late", "{} late"), "forfeit": ("Forfeit", "Forfeit by {}"), "renege": ("Renege", "Renege by {}")}

Scored = tuple[tuple[Line, ...], Carry]


def score_award(carry: Carry, award: Award, bonus: int, how: str, bonus_rule: str = "") -> Scored:
    """Give the game to a side, with `bonus` points cited under `bonus_rule` or the award's rule."""
    if award.to is None:
        text = "Late: nobody won." if how == "late" else "Nobody won this game."
        return (), carry._replace(verdict=Verdict(None, NO_GAME, award.rule, text))
    given = f"{_why_given(how, carry, award.to)} to {side_name(award.to)}"
    lines = (Line(bonus_rule or award.rule, award.to, bonus, given, "award"),) if bonus else ()
    return lines, earn(carry, lines)._replace(verdict=Verdict(award.to, how, award.rule, f"{given}."))


def _why_given(how: str, carry: Carry, to: int) -> str:
    """Why a side gets the game. With two sides, the other is the one that lost it."""
    if how not in LOST_BY:
        return "The director awarded the game"
    loser = side_name(1 - to) if len(carry.scores) == 2 else ""
    return f"{lost_by(how, loser)}: game"


def lost_by(how: str, loser: str) -> str:
    """Say how a side lost the game by ruling: “Forfeit by Aces”; without its name, the way alone."""
    words, with_name = LOST_BY.get(how, ("Ruling", "Ruling against {}"))
    return with_name.format(loser) if loser else words


def score_adjustment(carry: Carry, adjustment: Adjustment) -> Scored:
    """Add the director's points and sets, one number per side."""
    rule = adjustment.rule or "adjustment"
    text = adjustment.reason or "adjusted by the director"
    lines = tuple(
        Line(rule, side, points, text, "adjustment") for side, points in enumerate(adjustment.points) if points
    )
    charged = adjustment.sets or (0,) * len(carry.sets)
    sets = BySide(old + more for old, more in zip(carry.sets, charged, strict=True))
    running = BySide(max(0, old + more) for old, more in zip(carry.sets_running, charged, strict=True))
    return lines, earn(carry, lines)._replace(sets=sets, sets_running=running)


def stop_by_clock(carry: Carry, rule: str = "time") -> Carry:
    """End the game for its leader; where several are tied, one more hand decides."""
    winner = _ahead(carry)
    if winner is None:
        return carry._replace(deciding=True)
    return carry._replace(verdict=Verdict(winner, "time", rule, f"Time was up with {side_name(winner)} ahead."))


def stop_by_agreement(carry: Carry, rule: str) -> Carry:
    """End the game by agreement of all players: for the leader, or for nobody where the score is tied."""
    winner = _ahead(carry)
    text = "All players agreed to stop with the score tied: nobody won."
    if winner is not None:
        text = f"All players agreed to stop with {side_name(winner)} ahead."
    return carry._replace(verdict=Verdict(winner, "agreed-stop", rule, text))


def leader(scores: BySide[int]) -> int | None:
    """Name the only side with the highest score; None where several share it."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def _ahead(carry: Carry) -> int | None:
    """The only side that leads: by games where a rubber is played, then by points."""
    best = max(zip(carry.games, carry.scores, strict=True))
    leaders = [side for side, state in enumerate(zip(carry.games, carry.scores, strict=True)) if state == best]
    return leaders[0] if len(leaders) == 1 else None


def award_problems(carry: Carry, award: Award) -> tuple[Problem, ...]:
    """Refuse an award to a side that is not at the table, and one without a rule."""
    problems = []
    if award.to is not None and award.to not in range(len(carry.scores)):
        problems.append(Problem(award.named, award.rule, f"There is no side {award.to} at this table."))
    if not award.rule:
        problems.append(Problem("rule", "", "Under which rule is the game awarded?"))
    return tuple(problems)


def adjustment_problems(carry: Carry, adjustment: Adjustment) -> tuple[Problem, ...]:
    """Refuse an adjustment without a reason or without one number per side."""
    problems = []
    sides = len(carry.scores)
    if len(adjustment.points) != sides:
        problems.append(Problem("points", adjustment.rule, f"Points are needed for each of the {sides} sides."))
    if adjustment.sets and len(adjustment.sets) != sides:
        problems.append(Problem("sets", adjustment.rule, f"Sets are needed for each of the {sides} sides."))
    if any(old + more < 0 for old, more in zip(carry.sets, adjustment.sets, strict=False)):
        problems.append(Problem("sets", adjustment.rule, "More sets would be taken away than the side has."))
    if not adjustment.reason.strip():
        problems.append(Problem("reason", adjustment.rule, "An adjustment needs a written reason."))
    return tuple(problems)


def over_problem(carry: Carry) -> tuple[Problem, ...]:
    """Say that nothing can be added to a game that has ended."""
    if carry.verdict is None:
        return ()
    return (Problem("entry", carry.verdict.rule, "The game is over: nothing can be added."),)


def time_problem(carry: Carry) -> tuple[Problem, ...]:
    """Say that time cannot run out twice."""
    if not carry.deciding:
        return ()
    return (Problem("entry", "time", "Time is already up: the next hand decides the game."),)


def cited(rule: str) -> str:
    """Name a rule in a sentence: “rule 13” for a number, the word itself otherwise."""
    return f"rule {rule}" if rule[:1].isdigit() else rule
