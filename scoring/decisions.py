"""The entries that any sheet can have beside its hands, how they are checked and scored, and games of a fixed length.

A ruling, an award or an adjustment may say who decided it and when. That changes no points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from scoring.ends import leader
from scoring.ledger import (
    BySide,
    Carry,
    HandResult,
    Line,
    Problem,
    Verdict,
    earn,
    hyphenated,
    number,
    required,
    side_name,
    signed,
)


@dataclass(frozen=True, slots=True)
class Void:
    """A hand that does not count. `rule` says why; the game decides whether the same player deals again."""

    rule: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A director's ruling. `side` broke the rule; `bidder` and `bid` say what was being played, if it matters.

    `line` is the place on the sheet of the hand that it is about, counted from 1 over all entries.
    """

    rule: str
    choice: str
    side: int | None = None
    bidder: int | None = None
    bid: str = ""
    books: int | None = None
    line: int | None = None
    reason: str = ""
    director: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """The game given to a side under a rule. `to` is None if no side wins; `named` is the field that said so."""

    rule: str
    to: int | None
    reason: str = ""
    director: str = ""
    time: str = ""
    named: str = field(default="to", compare=False)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points (and sets) given or taken by the director, one number per side, with a written reason.

    `side` broke the rule in the hand at `line`, counted as in a ruling. Only an adjustment that names both can count as
    a renege.
    """

    points: tuple[int, ...]
    sets: tuple[int, ...] = ()
    rule: str = ""
    reason: str = ""
    director: str = ""
    time: str = ""
    side: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Time:
    """The clock ended the game: the leader wins; tied, one more hand decides and scores nothing."""


@dataclass(frozen=True, slots=True)
class AgreedStop:
    """All players agreed to stop: the leader wins; tied, nobody does."""


Decision = Void | Ruling | Award | Adjustment | Time | AgreedStop


class Scored(NamedTuple):
    """The lines of an entry and the carry after it; `result` says what became of the bids, if there were any."""

    lines: tuple[Line, ...]
    carry: Carry
    result: HandResult | None = None


class EntryKind(NamedTuple):
    """How a kind of entry is handled. Both functions take the rules, the carry and the entry.

    `problems` names the faults of the entry; `score` may be called only if there are none.
    """

    problems: Callable[[Any, Carry, Any], Sequence[Problem]]
    score: Callable[[Any, Carry, Any], Scored]


# A game with a fixed number of deals, and the hand that decides it if it is tied.


class Schedule(NamedTuple):
    """A fixed number of deals, and the clause that sets it. With `one_more`, one more hand decides a tied game."""

    deals: int
    rule: str
    one_more: bool


def close_schedule(schedule: Schedule, carry: Carry) -> Carry:
    """End a game whose deals are all scored. The highest total wins; a tie is a draw, or one more hand decides it."""
    if carry.verdict is not None or carry.deciding or carry.hands < schedule.deals:
        return carry
    winner = leader(carry.scores)
    if winner is None and schedule.one_more:
        return carry._replace(deciding=True)
    text = "The totals were tied after the last hand: a draw."
    if winner is not None:
        text = f"{side_name(winner)} had the highest total after the last hand: {number(carry.scores[winner])}."
    return carry._replace(verdict=Verdict(winner, "schedule", schedule.rule, text))


# How a game ended if a deciding hand was played.
DECIDED = "deciding-hand"


def is_worthless(rules: Any, carry: Carry, schedule: Schedule | None = None) -> bool:
    """Return whether the next hand decides a tied game and scores nothing. After time, a sheet may let it count."""
    after_last = schedule is not None and carry.hands >= schedule.deals
    return carry.deciding and (after_last or rules.deciding_hand == "nothing")


def end_counted(before: Carry, after: Carry) -> Carry:
    """End a game after a deciding hand that counts: the leader wins. If they are still tied, another hand follows."""
    winner = leader(after.scores)
    if not before.deciding or after.verdict is not None or winner is None:
        return after
    text = f"Tied when time ran out: {side_name(winner)} won the deciding hand."
    return after._replace(verdict=Verdict(winner, DECIDED, "time", text))


def decide(before: Carry, after: Carry, lines: tuple[Line, ...], schedule: Schedule | None = None) -> Scored:
    """Let a hand decide a game that was tied when time ran out or after the last deal. Its points are not scored.

    Only the sides that share the lead can win. If the hand is worth the same to them, another hand follows.
    """
    worth = [sum(line.points for line in lines if line.side == side) for side in range(len(after.scores))]
    tied = [side for side, score in enumerate(after.scores) if score == max(after.scores)]
    winners = [side for side in tied if worth[side] == max(worth[side] for side in tied)]
    if len(winners) == 1:
        last = schedule is not None and before.hands >= schedule.deals
        when = "after the last hand" if last else "when time ran out"
        rule = schedule.rule if schedule is not None and last else "time"
        text = f"Tied {when}: {side_name(winners[0])} won the deciding hand."
        after = after._replace(verdict=Verdict(winners[0], DECIDED, rule, text))
    return Scored(tuple(map(_not_scored, lines)), after)


def _not_scored(line: Line) -> Line:
    """Return the line of a deciding hand: it says what it was worth, and scores nothing."""
    text = f"deciding hand, worth {signed(line.points)} but not scored: {line.text}"
    return line._replace(points=0, text=text, short="") if line.points else line


# Awards: a side is awarded the game.

# How a game ended that was never played, because both sides were late.
NO_GAME = "no-game"
# How a game is lost by a ruling: without and with the name of the side.
LOST_BY = {
    "late": ("Late", "{} came late"),
    "forfeit": ("Forfeit", "Forfeit by {}"),
    "renege": ("Renege", "Renege by {}"),
}
HOW_AWARDED = {"late": "late", "forfeit": "forfeit"}


def award_problems(rules: Any, carry: Carry, award: Award) -> tuple[Problem, ...]:
    """Refuse an award to a side that is not at the table, or without a rule."""
    problems = []
    if award.to is not None and award.to not in range(len(carry.scores)):
        problems.append(Problem(award.named, award.rule, f"There is no side {award.to} at this table."))
    if not award.rule:
        problems.append(Problem("rule", "", "Under which rule is the game awarded?"))
    return tuple(problems)


def score_award(rules: Any, carry: Carry, award: Award) -> Scored:
    """Award the game to a side, without any points."""
    return give_game(carry, award, HOW_AWARDED.get(award.rule, "award"))


def give_game(carry: Carry, award: Award, how: str, bonus: int = 0, bonus_rule: str = "") -> Scored:
    """Award the game to a side, with `bonus` points that cite `bonus_rule` or the award’s rule."""
    if award.to is None:
        text = "Late: nobody won." if how == "late" else "Nobody won this game."
        return Scored((), carry._replace(verdict=Verdict(None, NO_GAME, award.rule, text)))
    winner = side_name(award.to)
    given = f"The director awarded the game to {winner}"
    if how in LOST_BY:
        # With two sides, the loser is the other one.
        loser = side_name(1 - award.to) if len(carry.scores) == 2 else ""
        why = lost_by(how, loser)
        given = f"Game to {winner}: {why}" if how == "late" and loser else f"{why}: game to {winner}"
    lines = (Line(bonus_rule or award.rule, award.to, bonus, given, "award"),) if bonus else ()
    return Scored(lines, earn(carry, lines)._replace(verdict=Verdict(award.to, how, award.rule, f"{given}.")))


def lost_by(how: str, loser: str) -> str:
    """Say how a side lost the game by a ruling: “Forfeit by Aces”, or “Forfeit” without its name."""
    words, with_name = LOST_BY.get(how, ("Ruling", "Ruling against {}"))
    return with_name.format(loser) if loser else words


# Adjustments: points and sets that the director gives or takes.

WHICH_HAND = "Which hand is it about? Name its line on the sheet."


def adjustment_problems(rules: Any, carry: Carry, adjustment: Adjustment) -> tuple[Problem, ...]:
    """Refuse an adjustment without a reason, or without one number per side."""
    problems = []
    sides = len(carry.scores)
    if len(adjustment.points) != sides:
        problems.append(Problem("points", adjustment.rule, f"Points are needed for each of the {sides} sides."))
    if adjustment.sets and len(adjustment.sets) != sides:
        problems.append(Problem("sets", adjustment.rule, f"Sets are needed for each of the {sides} sides."))
    if any(old + more < 0 for old, more in zip(carry.sets, adjustment.sets, strict=False)):
        problems.append(Problem("sets", adjustment.rule, "More sets would be taken away than the side has."))
    if (adjustment.side is None) != (adjustment.line is None):
        asked = ("side", "Which side broke the rule in that hand?") if adjustment.side is None else ("line", WHICH_HAND)
        problems.append(Problem(asked[0], adjustment.rule, asked[1]))
    if adjustment.side is not None and adjustment.side not in range(sides):
        problems.append(Problem("side", adjustment.rule, f"Which side is it about? Side 0 to side {sides - 1}."))
    if not adjustment.reason.strip():
        problems.append(Problem("reason", adjustment.rule, "An adjustment needs a written reason."))
    return tuple(problems)


def add_adjustment(carry: Carry, adjustment: Adjustment) -> Scored:
    """Add the director’s points and sets, one number per side, without checking whether the game is over."""
    rule = adjustment.rule or "adjustment"
    text = adjustment.reason or "adjusted by the director"
    lines = tuple(
        Line(rule, side, points, text, "adjustment") for side, points in enumerate(adjustment.points) if points
    )
    charged = adjustment.sets or (0,) * len(carry.sets)
    sets = BySide(old + more for old, more in zip(carry.sets, charged, strict=True))
    running = BySide(max(0, old + more) for old, more in zip(carry.sets_running, charged, strict=True))
    return Scored(lines, earn(carry, lines)._replace(sets=sets, sets_running=running))


def adjust_schedule(schedule: Schedule, carry: Carry, adjustment: Adjustment) -> Scored:
    """Score an adjustment. It may break a tie for which a deciding hand was due.

    If time had run out, the leader then wins at once; after the last deal, the game ends as it always does.
    """
    scored = add_adjustment(carry, adjustment)
    if carry.deciding and carry.hands < schedule.deals:
        return scored._replace(carry=stop_by_clock(scored.carry))
    return scored._replace(carry=scored.carry._replace(deciding=False))


# The clock, and an agreed stop.


def time_problems(rules: Any, carry: Carry, time: Time) -> tuple[Problem, ...]:
    """Refuse a second end of time."""
    if not carry.deciding:
        return ()
    return (Problem("entry", "time", "Time is already up: the next hand decides the game."),)


def stop_by_clock(carry: Carry) -> Carry:
    """End the game: the leader wins. If several are tied for the lead, one more hand decides."""
    winner = _ahead(carry)
    if winner is None:
        return carry._replace(deciding=True)
    return carry._replace(verdict=Verdict(winner, "time", "time", f"Time was up with {side_name(winner)} ahead."))


def stop_by_agreement(carry: Carry, rule: str) -> Scored:
    """End the game by agreement of all players: the leader wins, or nobody if the score is tied."""
    winner = _ahead(carry)
    text = "All players agreed to stop with the score tied: nobody won."
    if winner is not None:
        text = f"All players agreed to stop with {side_name(winner)} ahead."
    return Scored((), carry._replace(verdict=Verdict(winner, "agreed-stop", rule, text)))


def _ahead(carry: Carry) -> int | None:
    """Return the side that leads alone: by games if a rubber is played, then by points."""
    states = list(zip(carry.games, carry.scores, strict=True))
    return states.index(max(states)) if states.count(max(states)) == 1 else None


# Rulings: what happened at the table, the choices that the rule grants, and what each choice does.


class RulingChoice(NamedTuple):
    """One choice that a rule grants, and to whom. `needs` lists what the ruling must say: side, bidder, books, ….

    `effects` are what it does to the sheet, in order; there are none if play goes on. They are void, next-deals, set,
    take-points, three-books, three-lost, books-off, books-lost, game, nobody and adjustment. With `of_hand`, the choice
    does this to the hand that the ruling is about. `other_names` are other words for the choice on the rule sheet.
    `sentence` states the whole ruling if `when` and `words` do not do it well; in it, side 0 broke the rule and side 1
    is the other side.
    """

    key: str
    words: str
    who: str
    effects: tuple[str, ...]
    needs: tuple[str, ...] = ("side",)
    sentence: str = ""
    other_names: tuple[str, ...] = ()
    of_hand: bool = False


class RulingRule(NamedTuple):
    """What happened at the table, in the words of the sheet, and the choices that the sheet grants.

    If only one side can break the rule, `about` says which: the one that won the bid (“bidders”) or the other one
    (“others”). `earlier` are choices that the rule no longer grants; stored rulings still use them. `instead` are
    choices for a hand that cannot pay the sheet’s price. `by_another` says that the wrong player dealt.
    """

    rule: str
    when: str
    choices: tuple[RulingChoice, ...]
    about: str = ""
    by_another: bool = False
    earlier: tuple[RulingChoice, ...] = ()
    instead: tuple[RulingChoice, ...] = ()

    def choice(self, words: str) -> RulingChoice | None:
        """Find a choice by its key or another name. If the rule grants only one, it need not be named."""
        asked, every = hyphenated(words), (*self.earlier, *self.choices, *self.instead)
        if not asked and len(self.choices) == 1:
            return every[0]
        return next((choice for choice in every if asked in (choice.key, *choice.other_names)), None)

    @property
    def offered(self) -> str:
        """List the choices for a sentence, each with its key and its words."""
        return ", ".join(f"{choice.key} ({choice.words})" for choice in self.choices)


class VoidChoice(NamedTuple):
    """A reason for which the table itself may call a hand void: the rule that it cites, and what happened.

    `refused` says why the table cannot use it now, if it cannot. With `again`, the player whose turn it was dealt the
    hand. With `throws_in`, it is for a hand that all passed; with `may_play`, such a hand may be played anyway.
    """

    rule: str
    words: str
    refused: str = ""
    again: bool = True
    throws_in: bool = False
    may_play: bool = False


RENEGE = "renege"
DIRECTOR = "the director"
FORFEIT = RulingChoice("forfeit", "They lose this game", DIRECTOR, ("game",), other_names=("game",))
WARNING = RulingChoice("warning", "Warning, no points", DIRECTOR, ())
WAIT = RulingChoice("wait", "Wait for them", DIRECTOR, ())
BOTH_LATE = RulingChoice("both-late", "Both late: nobody wins", DIRECTOR, ("nobody",), ())

ADJUST_POINTS = RulingChoice("adjustment", "Adjust points", DIRECTOR, ("adjustment",), ("reason",))

# The rulings of games whose sources print no penalties.
SAME_DEALER = RulingChoice("void", "Void: the same player deals again", DIRECTOR, ("void",), ())
PLAIN_RULINGS = (
    RulingRule("misdeal", "A misdeal", (SAME_DEALER,)),
    RulingRule("late", "Not in their seats in time", (FORFEIT._replace(key="award"), WAIT, BOTH_LATE)),
    RulingRule("forfeit", "A side leaves or is sent away", (FORFEIT,)),
    RulingRule(
        "other",
        "Anything else (no penalty in the rules)",
        (WARNING, ADJUST_POINTS),
    ),
)


def find_ruling(rulings: Sequence[RulingRule], rule: str) -> RulingRule:
    """Find a rule in a table whose last row is for everything else."""
    return next((row for row in rulings if row.rule == rule), rulings[-1]._replace(rule=rule))


def find_plain(rules: Any, rule: str) -> RulingRule:
    """Find a rule of a game that has no rulings of its own."""
    return find_ruling(PLAIN_RULINGS, rule)


def complete(rule: RulingRule, ruling: Ruling) -> Ruling:
    """Add what follows from the rule itself: its name on this sheet, and who must have bid or broken it."""
    side, bidder = ruling.side, ruling.bidder
    if rule.about == "bidders":
        side, bidder = (bidder if side is None else side), (side if bidder is None else bidder)
    elif rule.about == "others":
        side, bidder = (_other(bidder) if side is None else side), (_other(side) if bidder is None else bidder)
    return replace(ruling, rule=rule.rule, side=side, bidder=bidder)


def _other(side: int | None) -> int | None:
    return None if side is None else 1 - side


def ruling_kind(find_rule: Callable[[Any, str], RulingRule]) -> EntryKind:
    """Return how a ruling that is not about a hand is checked and scored; `find_rule` finds its rule."""

    def problems(rules: Any, carry: Carry, ruling: Ruling) -> tuple[Problem, ...]:
        if not ruling.rule.strip():
            return (Problem("rule", "", "Under which rule is this decided?"),)
        rule = find_rule(rules, ruling.rule)
        choice = rule.choice(ruling.choice)
        if choice is None:
            return (Problem("choice", ruling.rule, f"The choices are: {rule.offered}."),)
        if "adjustment" in choice.effects:
            return (Problem("choice", ruling.rule, "Write an adjustment with its points and reason."),)
        sides = len(carry.scores)
        if ("side" in choice.needs or ruling.side is not None) and ruling.side not in range(sides):
            return (Problem("side", ruling.rule, f"Which side is it about? Side 0 to side {sides - 1}."),)
        return ()

    def score(rules: Any, carry: Carry, ruling: Ruling) -> Scored:
        effects = required(find_rule(rules, ruling.rule).choice(ruling.choice)).effects
        if "nobody" in effects:
            return score_award(rules, carry, Award(ruling.rule, None, ruling.reason))
        if "game" in effects:
            carry = lose_game(carry, required(ruling.side), how_lost(ruling.rule), ruling.rule)
        return Scored((), pass_deal(carry, "next-deals" in effects))

    return EntryKind(problems, score)


def pass_deal(carry: Carry, next_deals: bool = True) -> Carry:
    """Pass the deal to the next player, or leave it with the same one."""
    return carry._replace(deals=carry.deals + next_deals)


def how_lost(rule: str) -> str:
    """Return how a game ended that a side lost by a ruling under this rule."""
    return RENEGE if rule == RENEGE else HOW_AWARDED.get(rule, "award")


def lose_game(carry: Carry, loser: int, how: str, rule: str) -> Carry:
    """End the game because a side lost it. The other side wins; of several others the leader, or nobody if tied."""
    others = [side for side in range(len(carry.scores)) if side != loser]
    first = leader(BySide(carry.scores[side] for side in others))
    winner = None if first is None else others[first]
    text = f"{lost_by(how, side_name(loser))}: the others are tied, and nobody won."
    if winner is not None:
        best = ", the best of the others" if len(others) > 1 else ""
        text = f"{lost_by(how, side_name(loser))}: game to {side_name(winner)}{best}."
    return carry._replace(verdict=Verdict(winner, how, rule, text))


def cited(rule: str) -> str:
    """Name a rule in a sentence: “rule 13” for a number, the word itself otherwise."""
    return f"rule {rule}" if rule[:1].isdigit() else rule


# How each decision is checked and scored. A game adds its hands, and replaces what it handles in its own way.
DECISIONS: Mapping[type, EntryKind] = {
    Void: EntryKind(lambda rules, carry, void: (), lambda rules, carry, void: Scored((), carry)),
    Ruling: ruling_kind(find_plain),
    Award: EntryKind(award_problems, score_award),
    Adjustment: EntryKind(adjustment_problems, lambda rules, carry, adjustment: add_adjustment(carry, adjustment)),
    Time: EntryKind(time_problems, lambda rules, carry, time: Scored((), stop_by_clock(carry))),
    AgreedStop: EntryKind(
        lambda rules, carry, stop: (), lambda rules, carry, stop: stop_by_agreement(carry, "agreed-stop")
    ),
}
