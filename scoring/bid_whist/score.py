"""What an entry does to a game of Bid Whist: its lines, sets, Bostons, the end. `clauses` says what a bid is worth."""

from __future__ import annotations

from typing import assert_never

from scoring.bid_whist.citations import CITES
from scoring.bid_whist.clauses import contract_lines, renege_books, set_lines, take_points_lines
from scoring.bid_whist.rules import Rules
from scoring.bid_whist.rulings import complete, effect_of, how_awarded
from scoring.bid_whist.sheet import Entry, Hand, parse_bid
from scoring.bid_whist.verdict import Ending, Outcome, boston_of, judge
from scoring.decisions import leader, lost_by, score_adjustment, score_award, stop_by_agreement, stop_by_clock
from scoring.entries import Adjustment, AgreedStop, Award, Ruling, Time, Void
from scoring.ledger import BySide, Carry, HandResult, Line, Word, earn, said
from scoring.schedule import decided, not_scored
from scoring.verdict import Verdict
from scoring.words import number, side_name

Scored = tuple[tuple[Line, ...], Carry]


def score_entry(rules: Rules, carry: Carry, entry: Entry) -> Scored:
    """Return the lines of one entry and the carry after it; the entry must have no problems."""
    match entry:
        case Hand():
            lines = contract_lines(rules, entry.bidder, entry.contract, entry.books)
            return _score_bid(rules, carry, lines, _hand_outcome(entry))
        case Ruling():
            return _score_ruling(rules, carry, complete(rules, entry))
        case Adjustment():
            return _score_adjustment(rules, carry, entry)
        case Award():
            return _score_award(rules, carry, entry)
        case Time():
            return (), stop_by_clock(carry)
        case AgreedStop():
            return (), stop_by_agreement(carry, CITES[rules.book]["stop"])
        case Void():
            return (), carry
        case _:
            assert_never(entry)


def hand_result(rules: Rules, carry: Carry, entry: Entry) -> HandResult:
    """Say whether the bidding side made its bid, or which side a ruling set; the other side bid nothing."""
    words: BySide[Word] = BySide.each(2, "")
    outcome = _outcome(rules, entry)
    if outcome is None:
        return HandResult(words)
    if outcome.loser is not None:
        return HandResult(words.put(outcome.loser, "set"))
    return HandResult(words.put(outcome.bidder, "made"))


def _outcome(rules: Rules, entry: Entry) -> Outcome | None:
    """What an entry did with a bid; None where it is about none."""
    if isinstance(entry, Hand):
        return _hand_outcome(entry)
    return _ruled_outcome(rules, complete(rules, entry)) if isinstance(entry, Ruling) else None


def _hand_outcome(hand: Hand) -> Outcome:
    contract = hand.contract
    loser = None if hand.books >= contract.needs else hand.bidder
    return Outcome(hand.bidder, contract, loser, hand.books, played=True)


def _ruled_outcome(rules: Rules, ruling: Ruling) -> Outcome | None:
    """What a ruling did with the bid, where its price is taken from the bid."""
    effect = effect_of(rules, ruling)
    if effect not in ("set", "take-points", "three-books"):
        return None
    bidder, bid, side = said(ruling.bidder), said(parse_bid(ruling.bid)), said(ruling.side)
    if effect == "set":
        return Outcome(bidder, bid, side, None)
    if effect == "take-points":
        return Outcome(bidder, bid, None, None)
    books = renege_books(bidder, said(ruling.books), side)
    return Outcome(bidder, bid, None if books >= bid.needs else bidder, books)


def _score_ruling(rules: Rules, carry: Carry, ruling: Ruling) -> Scored:
    effect = effect_of(rules, ruling)
    if effect == "game":
        return _score_given_game(rules, carry, ruling)
    if effect == "nobody":
        return _score_award(rules, carry, Award(ruling.rule, None, ruling.reason))
    outcome = _ruled_outcome(rules, ruling)
    if outcome is None:
        return (), carry
    bidder, bid, side = outcome.bidder, outcome.bid, said(ruling.side)
    if outcome.books is not None:
        text = f"renege: {ruling.books} books of {side_name(bidder)} count as {outcome.books}"
        moved = Line(ruling.rule, side, 0, text, "ruling")
        lines = (moved, *contract_lines(rules, bidder, bid, outcome.books))
    elif outcome.loser is not None:
        lines = set_lines(rules, ruling.rule, side, bid)
    else:
        lines = take_points_lines(rules, ruling.rule, bidder, bid)
    return _score_bid(rules, carry, lines, outcome)


def _score_given_game(rules: Rules, carry: Carry, ruling: Ruling) -> Scored:
    """A renege loses this game (of a rubber, perhaps); lateness and leaving lose all of it."""
    side = said(ruling.side)
    winner = 1 - side
    if how_awarded(ruling.rule) != "renege":
        return _score_award(rules, carry, Award(ruling.rule, winner, ruling.reason))
    text = f"{lost_by('renege', side_name(side))}: game to {side_name(winner)}."
    verdict = Verdict(winner, "renege", ruling.rule, text)
    after = carry._replace(hands=carry.hands + 1, deals=carry.deals + 1)
    return _end(rules, (), after, Ending(verdict, CITES[rules.book]["renege_bonus"]))


def _score_award(rules: Rules, carry: Carry, award: Award) -> Scored:
    how = how_awarded(award.rule)
    bonus_rule = CITES[rules.book]["renege_bonus"] if how == "renege" else ""
    return score_award(carry, award, rules.bonus_points, how, bonus_rule)


def _score_adjustment(rules: Rules, carry: Carry, adjustment: Adjustment) -> Scored:
    lines, after = score_adjustment(carry, adjustment)
    if won := _rubber_won(rules, carry, ""):  # as only an opening can tell
        return lines, after._replace(verdict=won)
    ending = judge(rules, carry, after, None)
    if ending is not None:
        return _end(rules, lines, after, ending)
    # Time ran out on a tied score: an adjustment that leaves a leader decides at once.
    return lines, stop_by_clock(after) if carry.deciding else after


def _score_bid(rules: Rules, before: Carry, lines: tuple[Line, ...], outcome: Outcome) -> Scored:
    """A bid that was made or set: its points and its set, whether that ended the game, and whose Boston it was."""
    after = _count_hand(before, outcome)
    if before.deciding:
        return _decide(rules, after, lines, outcome)
    after = earn(after, lines)
    ending = judge(rules, before, after, outcome)
    boston, after = _count_boston(rules, after, outcome, ended=ending is not None)
    lines = lines + boston
    return (lines, after) if ending is None else _end(rules, lines, after, ending)


def _decide(rules: Rules, after: Carry, lines: tuple[Line, ...], outcome: Outcome) -> Scored:
    """The hand after time ran out on a tied score: the side that would score more in it wins, and nobody scores."""
    worth = earn(after._replace(scores=BySide.each(2, 0)), lines).scores
    winner = leader(worth)
    if winner is None:
        return not_scored(lines), after
    boston, after = _count_boston(rules, after, outcome, ended=True)
    return not_scored(lines) + boston, after._replace(verdict=decided(winner, "time", "time"))


def _end(rules: Rules, lines: tuple[Line, ...], after: Carry, ending: Ending) -> Scored:
    """The game is over: its bonus, and in a rubber the next game unless this one decided it."""
    winner = said(ending.verdict.winner)
    if ending.bonus_rule and rules.bonus_points:
        bonus = Line(ending.bonus_rule, winner, rules.bonus_points, ending.verdict.text.rstrip("."), "bonus")
        lines, after = (*lines, bonus), earn(after, (bonus,))
    if rules.rubber_games == 1:
        return lines, after._replace(verdict=ending.verdict)
    rule = CITES[rules.book]["rubber"]
    after = after._replace(games=after.games.put(winner, after.games[winner] + 1))
    score = f"{number(after.scores[winner])} to {number(after.scores[1 - winner])}"
    text = f"game {sum(after.games)} of the rubber, {score}: {ending.verdict.text.rstrip('.')}"
    lines = (*lines, Line(rule, winner, 0, text, "rubber"))
    if won := _rubber_won(rules, after, f" {ending.verdict.text}"):
        return lines, after._replace(verdict=won, deciding=False)
    return _begin_next_of_rubber(rule, lines, after)


def _rubber_won(rules: Rules, carry: Carry, how: str) -> Verdict | None:
    """The side that has won the games of the rubber; nobody where some are to be played."""
    winner = leader(carry.games)
    if winner is None or carry.games[winner] < rules.rubber_games:
        return None
    text = f"{side_name(winner)} won the rubber, {carry.games[winner]} to {carry.games[1 - winner]} in games.{how}"
    return Verdict(winner, "rubber", CITES[rules.book]["rubber"], text)


def _begin_next_of_rubber(rule: str, lines: tuple[Line, ...], after: Carry) -> Scored:
    """Both sides begin the next game at 0, without sets; its first hand is a first hand; the deal goes on."""
    cleared = tuple(
        Line(rule, side, -score, "the next game of the rubber begins at 0", "rubber")
        for side, score in enumerate(after.scores)
        if score
    )
    none = BySide.each(2, 0)
    after = earn(after, cleared)._replace(hands=0, sets=none, sets_running=none, deciding=False)
    return lines + cleared, after


def _count_boston(rules: Rules, after: Carry, outcome: Outcome, ended: bool) -> Scored:
    side = boston_of(rules, outcome, ended)
    if side is None:
        return (), after
    line = Line(CITES[rules.book]["boston"], side, 0, "all 13 books: a Boston", "boston")
    return (line,), after._replace(bostons=after.bostons.put(side, after.bostons[side] + 1))


def _count_hand(carry: Carry, outcome: Outcome) -> Carry:
    """A set is charged to the side that was set; a bid that was not set breaks the row of sets of its side."""
    sets, running, side = carry.sets, carry.sets_running, outcome.loser
    if side != outcome.bidder:
        running = running.put(outcome.bidder, 0)
    if side is not None:
        sets, running = sets.put(side, sets[side] + 1), running.put(side, running[side] + 1)
    return carry._replace(hands=carry.hands + 1, deals=carry.deals + 1, sets=sets, sets_running=running)
