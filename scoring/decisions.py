"""What can stand on any sheet beside the hands, how it is checked and scored, and the deals of a schedule.

Who decided, and when, may be written with a ruling, an award and an adjustment; it changes no points.
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
    """A hand that does not count. `rule` says why; the game says whether the same player deals again."""

    rule: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A director's ruling. `side` broke the rule; `bidder` and `bid` say what was being played, where it matters.

    `line` is where the hand that it is about stands on the sheet, counted from 1 over all entries.
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
    """The game given to a side under a rule. `to` is None where no side wins; `named` is the field that said it."""

    rule: str
    to: int | None
    reason: str = ""
    director: str = ""
    time: str = ""
    named: str = field(default="to", compare=False)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points (and sets) given or taken by the director, one number per side, with a written reason.

    `side` broke the rule in the hand at `line`, counted as in a ruling: only then is it a renege like any other. An
    adjustment that names neither is none.
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
    """The lines of an entry and the carry after it; `result` says what became of the bids, where there were any."""

    lines: tuple[Line, ...]
    carry: Carry
    result: HandResult | None = None


class EntryKind(NamedTuple):
    """How a kind of entry is handled. Both functions take the rules, the carry and the entry.

    `problems` names the faults of the entry; `score` may be asked only where there are none.
    """

    problems: Callable[[Any, Carry, Any], Sequence[Problem]]
    score: Callable[[Any, Carry, Any], Scored]


# A game of a fixed number of deals, and the hand that decides a tied one.


class Schedule(NamedTuple):
    """A fixed number of deals, and the clause that sets it. With `one_more`, a hand more decides a tied game."""

    deals: int
    rule: str
    one_more: bool


def close_schedule(schedule: Schedule, carry: Carry) -> Carry:
    """End a game whose deals are all scored: the highest total wins, a tie is a draw or is decided by one more hand."""
    if carry.verdict is not None or carry.deciding or carry.hands < schedule.deals:
        return carry
    winner = leader(carry.scores)
    if winner is None and schedule.one_more:
        return carry._replace(deciding=True)
    text = "The totals were tied after the last hand: a draw."
    if winner is not None:
        text = f"{side_name(winner)} had the highest total after the last hand: {number(carry.scores[winner])}."
    return carry._replace(verdict=Verdict(winner, "schedule", schedule.rule, text))


# How a game ended that one more hand decided.
DECIDED = "deciding-hand"


def is_worthless(rules: Any, carry: Carry, schedule: Schedule | None = None) -> bool:
    """Return whether the next hand decides a tied game and scores nothing; after time the sheet may have it count."""
    after_last = schedule is not None and carry.hands >= schedule.deals
    return carry.deciding and (after_last or rules.deciding_hand == "nothing")


def end_counted(before: Carry, after: Carry) -> Carry:
    """Let a hand that was to decide a game, and counts, end it for the side that leads; tied, another hand follows."""
    winner = leader(after.scores)
    if not before.deciding or after.verdict is not None or winner is None:
        return after
    text = f"Tied when time ran out: {side_name(winner)} won the deciding hand."
    return after._replace(verdict=Verdict(winner, DECIDED, "time", text))


def decide(before: Carry, after: Carry, lines: tuple[Line, ...], schedule: Schedule | None = None) -> Scored:
    """Let a hand decide a game that was tied when time ran out, or after the last deal; it is not added to the totals.

    Only the sides that share the lead can win. Tied again, the game stays open for another hand.
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
    """A line of a deciding hand says what it was worth, and that counts nothing."""
    text = f"deciding hand, worth {signed(line.points)} but not scored: {line.text}"
    return line._replace(points=0, text=text, short="") if line.points else line


# Awards: the game is given to a side.

# What a game comes to that never was: both sides were late.
NO_GAME = "no-game"
# How a game is lost by ruling: by itself, and with the name of the side.
LOST_BY = {
    "late": ("Late", "{} came late"),
    "forfeit": ("Forfeit", "Forfeit by {}"),
    "renege": ("Renege", "Renege by {}"),
}
HOW_AWARDED = {"late": "late", "forfeit": "forfeit"}


def award_problems(rules: Any, carry: Carry, award: Award) -> tuple[Problem, ...]:
    """Refuse an award to a side that is not at the table, and one without a rule."""
    problems = []
    if award.to is not None and award.to not in range(len(carry.scores)):
        problems.append(Problem(award.named, award.rule, f"There is no side {award.to} at this table."))
    if not award.rule:
        problems.append(Problem("rule", "", "Under which rule is the game awarded?"))
    return tuple(problems)


def score_award(rules: Any, carry: Carry, award: Award) -> Scored:
    """Give the game to a side, without points of its own."""
    return give_game(carry, award, HOW_AWARDED.get(award.rule, "award"))


def give_game(carry: Carry, award: Award, how: str, bonus: int = 0, bonus_rule: str = "") -> Scored:
    """Give the game to a side, with `bonus` points cited under `bonus_rule` or the award's rule."""
    if award.to is None:
        text = "Late: nobody won." if how == "late" else "Nobody won this game."
        return Scored((), carry._replace(verdict=Verdict(None, NO_GAME, award.rule, text)))
    winner = side_name(award.to)
    given = f"The director awarded the game to {winner}"
    if how in LOST_BY:
        # With two sides, the other is the one that lost it.
        loser = side_name(1 - award.to) if len(carry.scores) == 2 else ""
        why = lost_by(how, loser)
        given = f"Game to {winner}: {why}" if how == "late" and loser else f"{why}: game to {winner}"
    lines = (Line(bonus_rule or award.rule, award.to, bonus, given, "award"),) if bonus else ()
    return Scored(lines, earn(carry, lines)._replace(verdict=Verdict(award.to, how, award.rule, f"{given}.")))


def lost_by(how: str, loser: str) -> str:
    """Say how a side lost the game by ruling: “Forfeit by Aces”; without its name, the way alone."""
    words, with_name = LOST_BY.get(how, ("Ruling", "Ruling against {}"))
    return with_name.format(loser) if loser else words


# Adjustments: points and sets by the director.

WHICH_HAND = "Which hand is it about? Name its line on the sheet."


def adjustment_problems(rules: Any, carry: Carry, adjustment: Adjustment) -> tuple[Problem, ...]:
    """Refuse an adjustment without a reason or without one number per side."""
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
    """Add the director's points and sets, one number per side, and ask nothing about the end of the game."""
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
    """Score an adjustment, which may break a tie that one more hand was to decide.

    When time ran out, the leader wins at once; after the last of the deals, the game is over as always.
    """
    scored = add_adjustment(carry, adjustment)
    if carry.deciding and carry.hands < schedule.deals:
        return scored._replace(carry=stop_by_clock(scored.carry))
    return scored._replace(carry=scored.carry._replace(deciding=False))


# The clock, and a stop.


def time_problems(rules: Any, carry: Carry, time: Time) -> tuple[Problem, ...]:
    """Say that time cannot run out twice."""
    if not carry.deciding:
        return ()
    return (Problem("entry", "time", "Time is already up: the next hand decides the game."),)


def stop_by_clock(carry: Carry) -> Carry:
    """End the game for its leader; where several are tied, one more hand decides."""
    winner = _ahead(carry)
    if winner is None:
        return carry._replace(deciding=True)
    return carry._replace(verdict=Verdict(winner, "time", "time", f"Time was up with {side_name(winner)} ahead."))


def stop_by_agreement(carry: Carry, rule: str) -> Scored:
    """End the game by agreement of all players: for the leader, or for nobody where the score is tied."""
    winner = _ahead(carry)
    text = "All players agreed to stop with the score tied: nobody won."
    if winner is not None:
        text = f"All players agreed to stop with {side_name(winner)} ahead."
    return Scored((), carry._replace(verdict=Verdict(winner, "agreed-stop", rule, text)))


def _ahead(carry: Carry) -> int | None:
    """The only side that leads: by games where a rubber is played, then by points."""
    states = list(zip(carry.games, carry.scores, strict=True))
    return states.index(max(states)) if states.count(max(states)) == 1 else None


# Rulings: what happened at the table, what may be chosen then, and what the choice does.


class RulingChoice(NamedTuple):
    """One choice that a rule grants, and to whom. `needs` lists what must be said: side, bidder, bid, books, reason.

    `effects` are what it does to the sheet, one after the other, nothing where play goes on: void, next-deals, set,
    take-points, three-books, books-off, game, nobody or adjustment; with `of_hand`, it does that to the hand that the
    ruling is about.
    `other_names` are the rule sheet's other words for it. `sentence` is the whole ruling, where there is a better one
    than `when` and `words`: with the marks of side 0 for who broke the rule and side 1 for the other side.
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
    """What happened at the table, in the order and words of the sheet, and the choices it grants.

    `about` says which side can only have broken it: the one that won the bid (“bidders”) or the other (“others”).
    `earlier` are choices that were granted once: they are read as they were meant, and offered no more. `instead` are
    granted in a hand that cannot pay the price of the sheet. `by_another` says that somebody dealt who was not due.
    """

    rule: str
    when: str
    choices: tuple[RulingChoice, ...]
    about: str = ""
    by_another: bool = False
    earlier: tuple[RulingChoice, ...] = ()
    instead: tuple[RulingChoice, ...] = ()

    def choice(self, words: str) -> RulingChoice | None:
        """Find a choice by its key or another name; where there was never more than one, it need not be named."""
        asked, every = hyphenated(words), (*self.earlier, *self.choices, *self.instead)
        if not asked and len(self.choices) == 1:
            return every[0]
        return next((choice for choice in every if asked in (choice.key, *choice.other_names)), None)

    @property
    def offered(self) -> str:
        """List the choices for a sentence: the key of each, and its words."""
        return ", ".join(f"{choice.key} ({choice.words})" for choice in self.choices)


class VoidChoice(NamedTuple):
    """A reason for which the table itself may call a hand void: the rule that it cites, and what happened.

    `refused` says why it cannot be written now; it is empty where it can. With `again` the player who is due has dealt
    it. It `throws_in` a hand that all passed; with `may_play` such a hand may be played all the same.
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

# The rulings of the games whose books print no prices: misdeal, late, forfeit, the director's own decision.
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
    """Find a rule of a table whose last row is for everything else."""
    return next((row for row in rulings if row.rule == rule), rulings[-1]._replace(rule=rule))


def find_plain(rules: Any, rule: str) -> RulingRule:
    """Find a rule where the sheet prices nothing."""
    return find_ruling(PLAIN_RULINGS, rule)


def complete(rule: RulingRule, ruling: Ruling) -> Ruling:
    """Add what a rule tells by itself: its name on this sheet, and who must have bid or erred."""
    side, bidder = ruling.side, ruling.bidder
    if rule.about == "bidders":
        side, bidder = (bidder if side is None else side), (side if bidder is None else bidder)
    elif rule.about == "others":
        side, bidder = (_other(bidder) if side is None else side), (_other(side) if bidder is None else bidder)
    return replace(ruling, rule=rule.rule, side=side, bidder=bidder)


def _other(side: int | None) -> int | None:
    return None if side is None else 1 - side


def ruling_kind(find_rule: Callable[[Any, str], RulingRule]) -> EntryKind:
    """Return how a ruling that is about no hand is checked and scored, where its rule is found so."""

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
    """Let the next player deal, or the same player again."""
    return carry._replace(deals=carry.deals + next_deals)


def how_lost(rule: str) -> str:
    """Name the way in which a game ends that is lost by a ruling under a rule."""
    return RENEGE if rule == RENEGE else HOW_AWARDED.get(rule, "award")


def lose_game(carry: Carry, loser: int, how: str, rule: str) -> Carry:
    """End the game by a side that loses it: the other wins; of several others the leader, and nobody where they tie."""
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


# Every decision with its check and its score: a game adds its hands, and what it handles in its own way.
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
