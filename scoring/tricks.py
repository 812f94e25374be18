"""What the games of bids and tricks share: a hand, its points, the schedule of deals, plain rulings and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from scoring.fields import Fields
from scoring.game import (
    Adjustment,
    AgreedStop,
    Award,
    Choice,
    Decision,
    Field,
    Of,
    Ruling,
    RulingChoice,
    RulingRule,
    Time,
    Void,
    numbers,
)
from scoring.ledger import (
    BySide,
    Carry,
    Line,
    Problem,
    Verdict,
    bid_words,
    counted,
    earn,
    number,
    said,
    side_name,
    signed,
)
from scoring.options import EventRules

# The hand of the bid-and-make games: everybody says a bid, tricks are counted, each bid is made or set.


# A hand that all passed is thrown in: nobody writes tricks for it.
PASSES = {"pass", "0"}
FIELDS = frozenset({"entry", "note", "cards", "bids", "tricks", "first_six", "dealer", "auction", "trump"})


@dataclass(frozen=True, slots=True)
class TrickHand:
    """A hand that was played. `bids` are as the players say them; `bids` and `tricks` stand by seat or by side.

    `cards` is None where the game knows how many were dealt. `first_six` says whether a first-six bid was won.
    """

    bids: tuple[str, ...]
    tricks: tuple[int, ...]
    cards: int | None = None
    first_six: bool | None = None
    dealer: int | None = None
    auction: tuple[str, ...] = ()
    trump: str = ""


def read_trick_hand(facts: Mapping[str, Any]) -> tuple[TrickHand | None, tuple[Problem, ...]]:
    """Read a hand of the game document; every fault of form becomes a problem at its field."""
    said = facts.get("bids")
    if isinstance(said, (list, tuple)):
        facts = {**facts, "bids": [str(bid) if type(bid) is int else bid for bid in said]}
    fields = Fields(facts)
    fields.only(FIELDS)
    bids = tuple(_word(bid) for bid in fields.texts("bids"))
    for needed in ("bids", "tricks"):
        if facts.get(needed) is None and not (needed == "tricks" and bids and set(bids) <= PASSES):
            fields.refuse(needed, f"The {needed} of the hand are missing.")
    hand = TrickHand(
        bids,
        fields.numbers("tricks"),
        fields.number("cards"),
        fields.flag("first_six"),
        fields.number("dealer"),
        tuple(_word(call) for call in fields.texts("auction")),
        _word(fields.text("trump")),
    )
    return (None, tuple(fields.problems)) if fields.problems else (hand, ())


def trick_fields(cards: int, bids: tuple[tuple[str, ...], ...], *, bids_of: Of, tricks_of: Of) -> tuple[Field, ...]:
    """Ask for the bids, one tuple for each side or seat (none where nobody bids), and for the tricks."""
    dealt = Field("cards", "hand", "given", "How many cards were dealt?", "Cards", "Cards", (numbers(cards, cards),))
    offered = tuple(choices_of(said) for said in bids)
    said = Field("bids", bids_of, "row", "What did {who} bid?", "bid", "Bid", offered, name="bid")
    took = "How many tricks did {who} take?"
    taken = Field("tricks", tricks_of, "count", took, "took", "Took", (numbers(0, cards),), name="tricks")
    return (dealt, said, taken) if bids else (dealt, taken)


def choices_of(bids: tuple[str, ...]) -> tuple[Choice, ...]:
    """Offer bids in the words of the table."""
    return tuple(Choice(bid, bid_words(bid), bid_words(bid)) for bid in bids)


def by_side(values: tuple[int, ...], sides: int) -> BySide[int]:
    """Add up values by side: seat i is of side i mod sides. One value per side stays as it is."""
    return BySide(sum(values[side::sides]) for side in range(sides))


def shape_problems(
    hand: TrickHand, *, seats: int, sides: int, cards: int, rule: str, bids_by_side: bool, tricks_by_seat: bool
) -> tuple[Problem, ...]:
    """Check that a hand has one bid and one number of tricks for everybody, adding up to the deal.

    `cards` were dealt to each player, so that many tricks were played. Tricks may stand by side unless
    `tricks_by_seat` says that somebody's own tricks decide.
    """
    problems = []
    bidders = sides if bids_by_side else seats
    if len(hand.bids) != bidders:
        who = "side" if bids_by_side else "seat"
        problems.append(Problem("bids", rule, f"{bidders} bids are needed, one per {who}; there are {len(hand.bids)}."))
    takers = {seats} if tricks_by_seat else {seats, sides}
    if len(hand.tricks) not in takers:
        count = " or ".join(str(number) for number in sorted(takers))
        problems.append(Problem("tricks", rule, f"{count} numbers of tricks are needed; there are {len(hand.tricks)}."))
    if hand.cards is not None and hand.cards != cards:
        problems.append(Problem("cards", rule, f"This deal has {cards} cards each, not {hand.cards}."))
    if any(tricks < 0 for tricks in hand.tricks):
        problems.append(Problem("tricks", rule, "Tricks are counted from 0."))
    elif sum(hand.tricks) != cards:
        problems.append(
            Problem("tricks", rule, f"{counted(cards, 'trick')} were played, but {sum(hand.tricks)} are written down.")
        )
    return tuple(problems)


def contract(bid: int, tricks: int, *, per_trick: int, per_over: int = 1) -> int:
    """Pay a bid: `per_trick` for each trick bid and `per_over` for each more; set, it loses all."""
    if tricks >= bid:
        return per_trick * bid + per_over * (tricks - bid)
    return -per_trick * bid


def thrown_in_note(cards: int, *, next_deals: bool) -> str:
    """Say what happens to a hand that everybody passed."""
    who = "the next player deals" if next_deals else "the same player deals again:"
    return f"all passed: thrown in, {who} {counted(cards, 'card')}"


def charge_sets(carry: Carry, set_sides: tuple[bool, ...]) -> Carry:
    """Count a set for each side that was set, and end the row of sets of each that was not."""
    sets = BySide(old + hit for old, hit in zip(carry.sets, set_sides, strict=True))
    running = BySide(old + 1 if hit else 0 for old, hit in zip(carry.sets_running, set_sides, strict=True))
    return carry._replace(sets=sets, sets_running=running)


def seen_a_hand(rules: object, carry: Carry) -> Carry:
    """Count at least one hand on a paper sheet with anything on it, so that the next is no first hand."""
    hands = max(carry.hands, int(any((*carry.scores, *carry.sets, *carry.bags, *carry.bostons))))
    return carry._replace(hands=hands, deals=max(carry.deals, hands))


def _word(said: str) -> str:
    """“Blind Nil”, “blind_nil” and “blind-nil” are one bid."""
    return said.strip().lower().replace(" ", "-").replace("_", "-")


# Game points: what a finished (or running) game brings each side for the standings.

NO_GAME = "no-game"


def game_points(rules: EventRules, carry: Carry) -> BySide[int]:
    """Return each side's points: its final score, the losers' as the `loser_points` option says.

    Nobody gets anything for a game that never was (both sides late). A running game shows its scores.
    """
    verdict = carry.verdict
    if verdict is None:
        return carry.scores
    if verdict.how == NO_GAME:
        return BySide.each(len(carry.scores), 0)
    if verdict.winner is None or rules.loser_points == "signed":
        return carry.scores
    keep_losers = rules.loser_points == "zero-at-least"
    return BySide(
        score if side == verdict.winner else max(0, score) if keep_losers else 0
        for side, score in enumerate(carry.scores)
    )


# What is decided beside the hands and is scored alike in every game: awards, adjustments, the clock, a stop.

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


# What is decided in the games whose books print no prices: misdeal, late, forfeit, the director's own decision.

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


# Games of a fixed number of deals: the last deal ends them, and a tied game may need one hand more.

# How a game ended that one more hand decided.
DECIDED = "deciding-hand"


def close_schedule(carry: Carry, *, deals: int, rule: str, one_more: bool) -> Carry:
    """End a game whose `deals` deals are all scored: the highest total wins, a tie is a draw.

    With `one_more` a tied game is not drawn: the next hand decides it. Before the last deal nothing changes.
    """
    if carry.verdict is not None or carry.deciding or carry.hands < deals:
        return carry
    winner = leader(carry.scores)
    if winner is None and one_more:
        return carry._replace(deciding=True)
    text = "The totals were tied after the last hand: a draw."
    if winner is not None:
        text = f"{side_name(winner)} had the highest total after the last hand: {number(carry.scores[winner])}."
    return carry._replace(verdict=Verdict(winner, "schedule", rule, text))


def decide(carry: Carry, points: BySide[int], *, tied: str, rule: str) -> Carry:
    """Let a hand worth `points` per side decide a tied game; it is not added to the totals.

    Only the sides that share the lead can win. Tied again, the game stays open for another hand. `tied` says when the
    game was: "time" or "schedule".
    """
    best = max(carry.scores)
    tied_best = [side for side, score in enumerate(carry.scores) if score == best]
    most = max(points[side] for side in tied_best)
    winners = [side for side in tied_best if points[side] == most]
    if len(winners) > 1:
        return carry
    return carry._replace(verdict=decided(winners[0], tied, rule))


def decided(winner: int, tied: str, rule: str) -> Verdict:
    """Return the end of a game that was tied when time ran out ("time"), or after its last hand."""
    when = "when time ran out" if tied == "time" else "after the last hand"
    return Verdict(winner, DECIDED, rule, f"Tied {when}: {side_name(winner)} won the deciding hand.")


def adjust_schedule(before: Carry, adjustment: Adjustment, *, deals: int) -> Scored:
    """Score an adjustment, which may break a tie that a hand more was to decide.

    When time ran out, the leader wins at once; after the last of the `deals`, the game is over as always.
    """
    lines, after = score_adjustment(before, adjustment)
    in_time = before.deciding and before.hands < deals
    return lines, stop_by_clock(after) if in_time else after._replace(deciding=False)


def not_scored(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines of a deciding hand: they say what it was worth, and that counts nothing."""
    return tuple(
        line._replace(
            points=0, text=f"deciding hand, worth {signed(line.points)} but not scored: {line.text}", short=""
        )
        if line.points
        else line
        for line in lines
    )
