"""Points of a Bid Whist entry: one function per clause, in the order in which a director would explain them."""

from __future__ import annotations

from typing import assert_never

from scoring.bid_whist.citations import CITES
from scoring.bid_whist.clauses import contract_lines, renege_books, set_lines, take_points_lines
from scoring.bid_whist.rules import Rules
from scoring.bid_whist.rulings import complete, effect_of, how_awarded
from scoring.bid_whist.sheet import Entry, Hand, parse_bid
from scoring.bid_whist.verdict import Ending, Outcome, boston_of, judge
from scoring.decisions import leader, score_adjustment, score_award, stop_by_agreement, stop_by_clock
from scoring.entries import Adjustment, AgreedStop, Award, Ruling, Time, Void
from scoring.ledger import BySide, Carry, Line, earn, said
from scoring.verdict import Verdict

Scored = tuple[tuple[Line, ...], Carry]


def score_entry(rules: Rules, carry: Carry, entry: Entry) -> Scored:
    """This function will give the lines of one entry and the carry after it; the entry must have no problems."""
    match entry:
        case Hand():
            made = entry.books >= entry.contract.needs
            outcome = Outcome(entry.bidder, entry.contract, None if made else entry.bidder, entry.books, played=True)
            return _score_bid(rules, carry, contract_lines(rules, entry.bidder, entry.contract, entry.books), outcome)
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


def _score_ruling(rules: Rules, carry: Carry, ruling: Ruling) -> Scored:
    effect = effect_of(rules, ruling)
    if effect == "game":
        return _score_given_game(rules, carry, ruling)
    if effect == "nobody":
        return _score_award(rules, carry, Award(ruling.rule, None, ruling.reason))
    if effect not in ("set", "take-points", "three-books"):
        return (), carry
    bidder, bid, side = said(ruling.bidder), said(parse_bid(ruling.bid)), said(ruling.side)
    if effect == "set":
        return _score_bid(rules, carry, set_lines(rules, ruling.rule, side, bid), Outcome(bidder, bid, side, None))
    if effect == "take-points":
        lines = take_points_lines(rules, ruling.rule, bidder, bid)
        return _score_bid(rules, carry, lines, Outcome(bidder, bid, None, None))
    had = said(ruling.books)
    books = renege_books(bidder, had, side)
    moved = Line(ruling.rule, side, 0, f"renege: the bidders’ {had} books count as {books}")
    outcome = Outcome(bidder, bid, None if books >= bid.needs else bidder, books)
    return _score_bid(rules, carry, (moved, *contract_lines(rules, bidder, bid, books)), outcome)


def _score_given_game(rules: Rules, carry: Carry, ruling: Ruling) -> Scored:
    """A renege loses this game (of a rubber, perhaps); lateness and leaving lose all of it."""
    winner = 1 - said(ruling.side)
    if how_awarded(ruling.rule) != "renege":
        return _score_award(rules, carry, Award(ruling.rule, winner, ruling.reason))
    verdict = Verdict(winner, "renege", ruling.rule, "Renege: the game goes to the other side.")
    return _end(rules, (), _pass_deal(carry), Ending(verdict, CITES[rules.book]["renege_bonus"]))


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
    # Time ran out on a level score: an adjustment that leaves a leader decides at once.
    return lines, stop_by_clock(after) if carry.deciding else after


def _score_bid(rules: Rules, before: Carry, lines: tuple[Line, ...], outcome: Outcome) -> Scored:
    """A bid that was made or set: its points and its set, whether that ended the game, and whose Boston it was."""
    after = _count_set(_pass_deal(before), outcome)
    if before.deciding:
        return _decide(rules, after, lines, outcome)
    after = earn(after, lines)
    ending = judge(rules, before, after, outcome)
    boston, after = _count_boston(rules, after, outcome, ended=ending is not None)
    lines = lines + boston
    return (lines, after) if ending is None else _end(rules, lines, after, ending)


def _decide(rules: Rules, after: Carry, lines: tuple[Line, ...], outcome: Outcome) -> Scored:
    """The hand after time ran out level: whoever would score more in it wins, and nobody scores."""
    worth = earn(after._replace(scores=BySide.each(2, 0)), lines).scores
    winner = leader(worth)
    if winner is None:
        return (), after
    text = "Level when time ran out: this hand decided and scored nothing."
    boston, after = _count_boston(rules, after, outcome, ended=True)
    return boston, after._replace(verdict=Verdict(winner, "time", "time", text))


def _end(rules: Rules, lines: tuple[Line, ...], after: Carry, ending: Ending) -> Scored:
    """The game is over: its bonus, and in a rubber the next game unless this one decided it."""
    winner = said(ending.verdict.winner)
    if ending.bonus_rule and rules.bonus_points:
        bonus = Line(ending.bonus_rule, winner, rules.bonus_points, f"bonus: {ending.verdict.text.rstrip('.')}")
        lines, after = (*lines, bonus), earn(after, (bonus,))
    if rules.rubber_games == 1:
        return lines, after._replace(verdict=ending.verdict)
    after = after._replace(games=after.games.put(winner, after.games[winner] + 1))
    if won := _rubber_won(rules, after, f"{ending.verdict.text} "):
        return lines, after._replace(verdict=won, deciding=False)
    return _begin_next_of_rubber(CITES[rules.book]["rubber"], lines, after)


def _rubber_won(rules: Rules, carry: Carry, how: str) -> Verdict | None:
    """The side that has won the games of the rubber; nobody where some are to be played."""
    winner = leader(carry.games)
    if winner is None or carry.games[winner] < rules.rubber_games:
        return None
    text = f"{how}{carry.games[winner]} to {carry.games[1 - winner]} in games: the rubber."
    return Verdict(winner, "rubber", CITES[rules.book]["rubber"], text)


def _begin_next_of_rubber(rule: str, lines: tuple[Line, ...], after: Carry) -> Scored:
    """Both sides begin the next game at nought, without sets; its first hand is a first hand; the deal goes on."""
    cleared = tuple(
        Line(rule, side, -score, "the next game of the rubber begins at nought")
        for side, score in enumerate(after.scores)
        if score
    )
    nought = BySide.each(2, 0)
    after = earn(after, cleared)._replace(hands=0, sets=nought, sets_running=nought, deciding=False)
    return lines + cleared, after


def _count_boston(rules: Rules, after: Carry, outcome: Outcome, ended: bool) -> Scored:
    side = boston_of(rules, outcome, ended)
    if side is None:
        return (), after
    line = Line(CITES[rules.book]["boston"], side, 0, "all 13 books: a Boston")
    return (line,), after._replace(bostons=after.bostons.put(side, after.bostons[side] + 1))


def _count_set(carry: Carry, outcome: Outcome) -> Carry:
    """A set is charged to the side that was set; a bid that was not set breaks the row of sets of its side."""
    sets, running, side = carry.sets, carry.sets_running, outcome.loser
    if side != outcome.bidder:
        running = running.put(outcome.bidder, 0)
    if side is not None:
        sets, running = sets.put(side, sets[side] + 1), running.put(side, running[side] + 1)
    return carry._replace(sets=sets, sets_running=running)


def _pass_deal(carry: Carry) -> Carry:
    return carry._replace(hands=carry.hands + 1, deals=carry.deals + 1)
