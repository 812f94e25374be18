"""What a hand of Bid Whist is worth, clause by clause, how a game ends, and how each entry is scored."""

from __future__ import annotations

from typing import NamedTuple, cast

from scoring.bid_whist.checks import checked_adjustment, checked_award, hand_problems, next_hand
from scoring.bid_whist.rules import CITES, HEADINGS, SHEETS, Rules
from scoring.bid_whist.rulings import (
    find_rule,
    how_awarded,
    of_hand,
    ruled_problems,
    ruling_problems,
    rulings,
    void_choices,
    void_problems,
)
from scoring.bid_whist.sheet import BOOK, BOOKS, HIGHEST, NO, Bid, Hand, parse_bid, read_hand, spoken
from scoring.decisions import (
    DECISIONS,
    Adjustment,
    AgreedStop,
    Award,
    EntryKind,
    Ruling,
    Scored,
    Void,
    add_adjustment,
    complete,
    decide,
    end_counted,
    give_game,
    is_worthless,
    lost_by,
    stop_by_agreement,
    stop_by_clock,
)
from scoring.ends import (
    NEGATIVE,
    SET_LIMIT,
    TWO_SETS,
    End,
    Ending,
    Finish,
    Met,
    finish_by_sets,
    first_end,
    leader,
    won_by_hand,
)
from scoring.game import BOSTONS, SETS, Call, CardGame, Key, Seating, Tariff, Worth
from scoring.laid import Laid
from scoring.ledger import (
    BySide,
    Carry,
    HandResult,
    Kind,
    Line,
    Verdict,
    Word,
    cached_on_rules,
    counted,
    earn,
    number,
    required,
    side_name,
    start,
)

# How a game ends: a bid of 7, odd, sets, the back door, points, in this order, with the bonus that is due.


class Outcome(NamedTuple):
    """What became of a bid. `loser` is the side that was set, or None if the bid was made.

    `books` are those that the bidding side is credited with; None if a ruling decided the bid without counting books.
    `played` says that the hand was played out: only then are 13 books a Boston.
    """

    bidder: int
    bid: Bid
    loser: int | None
    books: int | None
    played: bool = False


def outcome_of(bidder: int, bid: Bid, books: int, *, played: bool = False) -> Outcome:
    """Return what becomes of a bid with this many books."""
    return Outcome(bidder, bid, None if books >= bid.needs else bidder, books, played)


def _boston_bid(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    if outcome is None or outcome.bid.level < HIGHEST:
        return None
    if outcome.loser is None:
        return outcome.bidder, f"{side_name(outcome.bidder)} made a bid of 7."
    return 1 - outcome.loser, f"{side_name(outcome.loser)} set on a bid of 7."


def _odd(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    if outcome is None or outcome.loser is None:
        return None
    winner = 1 - outcome.loser
    if outcome.bid.level == 1:
        return winner, f"Odd: {side_name(outcome.loser)} set on a bid of 1."
    if rules.odd_scope == "any-bid" and outcome.books is not None and outcome.books <= BOOK:
        return winner, f"Odd: {side_name(outcome.loser)} set, and {side_name(winner)} took seven books or more."
    return None


def _has_a_back_door(rules: Rules) -> bool:
    return rules.lose_at is not None and rules.backdoor_scope != "none"


def _backdoor(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    """The bidding side falls to the losing score and is behind the other side: on the first hand, or on any."""
    first = before.hands == 0
    if outcome is None or (rules.backdoor_scope == "first-hand" and not first):
        return None
    loser = outcome.bidder
    if after.scores[loser] > required(rules.lose_at) or after.scores[loser] >= after.scores[1 - loser]:
        return None
    text = f"Backdoor: {side_name(loser)} went out the back door" + (" on the first hand." if first else ".")
    return 1 - loser, text


def _points(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    """A side at the winning score wins; if both are there, the bidding side, or the higher after an adjustment."""
    assert rules.win_at is not None
    reached = [side for side, score in enumerate(after.scores) if score >= rules.win_at]
    if len(reached) == 1:
        return reached[0], f"{side_name(reached[0])} reached {after.scores[reached[0]]}."
    winner = leader(after.scores) if outcome is None else outcome.bidder
    if not reached or winner is None:
        return None
    why = "the higher score won" if outcome is None else "the bidding side won"
    return winner, f"Both reached {rules.win_at}: {why}."


# Hawaii: 7 to nothing, 11 ahead, or 2 ahead at the winning score.
LEADS = (7, 11, 2)


def _lead(rules: Rules, before: Carry, after: Carry, outcome: Outcome | None) -> Met:
    """Hawaii: a side wins at 7-0, eleven ahead, or at the winning score with a lead of at least two."""
    assert rules.win_at is not None
    winner = leader(after.scores)
    if winner is None:
        return None
    high, low = after.scores[winner], after.scores[1 - winner]
    shut_out, ahead, at_target = LEADS
    if (high >= shut_out and low == 0) or high - low >= ahead or (high >= rules.win_at and high - low >= at_target):
        return winner, f"{side_name(winner)} led {number(high)} to {number(low)}."
    return None


# In this order: the first that is met ends the game, and no other bonus is paid.
ENDS = (
    End("boston", "boston_bid", lambda rules: rules.boston_bid_is_game, _boston_bid, by_hand=True),
    End("odd", "odd", lambda rules: rules.odd_loses, _odd, bonus="odd", by_hand=True),
    TWO_SETS,
    SET_LIMIT,
    End("backdoor", "backdoor", _has_a_back_door, _backdoor, bonus="backdoor"),
    NEGATIVE,
    End("points", "win", lambda rules: rules.win_at is not None and rules.win_rule != "lead", _points),
    End("points", "win", lambda rules: rules.win_at is not None and rules.win_rule == "lead", _lead),
)


# What a bid is worth: the lines of a hand, made or set, one small function per clause.


BOSTON_BID_POINTS = 28  # seven, four times (seed 004, L88)


def contract_lines(rules: Rules, outcome: Outcome) -> tuple[Line, ...]:
    """Score a bid by the books taken (rules 4 and 5, and the same clauses of the other rule books)."""
    bidder, bid, books, made = outcome.bidder, outcome.bid, outcome.books, outcome.loser is None
    assert books is not None
    boston = _boston_bid_points(rules, bid) if made else None
    if boston is not None:
        return (
            Line(
                CITES[rules.book]["boston_bid"],
                bidder,
                boston,
                f"{spoken(rules, bid)} bid and made: a Boston",
                "bid",
            ),
        )
    line = _made_line(rules, bidder, bid, books) if made else _set_line(rules, bidder, bid, books)
    return _doubled(rules, bid, (line, *_defender_lines(rules, bidder, books)))


def set_lines(rules: Rules, rule: str, side: int, bid: Bid) -> tuple[Line, ...]:
    """Charge a set by ruling to the side that broke the rule, no matter which side bid (rules 31, 32, 34)."""
    whose = f"{side_name(side)} " if rules.set_pays_others else ""
    text = f"{whose}set by ruling on a bid of {spoken(rules, bid)}"
    return _doubled(rules, bid, (_price_of_set(rules, rule, side, bid, text, "ruling"),))


def renege_books(bidder: int, books: int, reneger: int) -> int:
    """Move three books to or from the bidders’ `books` for a renege (seed 004, L56).

    A reneging side with fewer than three books loses all 13.
    """
    if reneger == bidder:
        return books - 3 if books >= 3 else 0
    return books + 3 if BOOKS - books >= 3 else BOOKS


def _boston_bid_points(rules: Rules, bid: Bid) -> int | None:
    if bid.level < HIGHEST:
        return None
    points = rules.boston_bid_points
    if bid.kind == NO and rules.boston_bid_no_points is not None:
        points = rules.boston_bid_no_points
    return BOSTON_BID_POINTS if points is None and rules.boston_bid_is_game else points


def _made_line(rules: Rules, bidder: int, bid: Bid, books: int) -> Line:
    rule = CITES[rules.book]["hand"]
    if rules.made_pays == "one-point":
        return Line(
            rule, bidder, 1, f"{spoken(rules, bid)} bid, {books} books: made, one point", "bid", "made, one point"
        )
    if rules.made_pays == "every-book":
        return Line(rule, bidder, books, f"{spoken(rules, bid)} bid and made: a point for each of {books} books", "bid")
    if rules.score_basis == "bid":
        return Line(
            rule,
            bidder,
            bid.level,
            f"{spoken(rules, bid)} bid, {books} books: made, the bid counts",
            "bid",
            "made, the bid counts",
        )
    over = f"{books - BOOK} over six"
    return Line(rule, bidder, books - BOOK, f"{spoken(rules, bid)} bid, {books} books: {over}", "bid", over)


def _set_line(rules: Rules, bidder: int, bid: Bid, books: int) -> Line:
    rule, result = CITES[rules.book]["hand"], f"{books} of {bid.needs} books: set"
    if rules.set_pays_others:
        return _price_of_set(rules, rule, bidder, bid, f"{side_name(bidder)} bid {spoken(rules, bid)}, {result}", "bid")
    return _price_of_set(rules, rule, bidder, bid, f"{spoken(rules, bid)} bid, {result}", "bid")._replace(short="set")


def _price_of_set(rules: Rules, rule: str, side: int, bid: Bid, text: str, kind: Kind) -> Line:
    if not rules.set_pays_others:
        return Line(rule, side, -bid.level, text, kind)
    gained = {"opponents-gain": bid.level, "opponents-two": 2}.get(rules.set_pays)
    return Line(rule, 1 - side, int(rules.set_pays) if gained is None else gained, text, kind)


def _defender_lines(rules: Rules, bidder: int, books: int) -> tuple[Line, ...]:
    theirs = BOOKS - books
    points = {"books-above-six": max(0, theirs - BOOK), "every-book": theirs}.get(rules.defenders_score, 0)
    if not points:
        return ()
    text = f"{counted(theirs, 'book')} against the bid"
    return (Line(CITES[rules.book]["defenders"], 1 - bidder, points, text, "defenders"),)


def _doubled(rules: Rules, bid: Bid, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    if bid.kind != NO or not rules.no_doubled:
        return lines
    rule = CITES[rules.book]["no"]
    return lines + tuple(
        Line(rule, line.side, line.points, f"{rules.called[NO].name} bid, doubled", "doubled") for line in lines
    )


# How each entry is scored.


def _score_hand(rules: Rules, carry: Carry, hand: Hand) -> Scored:
    outcome = outcome_of(hand.bidder, hand.contract, hand.books, played=True)
    return _score_bid(rules, carry, contract_lines(rules, outcome), outcome)


def _score_ruled(rules: Rules, carry: Carry, laid: Laid) -> Scored:
    """Score a hand by the ruling about it. If the ruling costs the game, the hand itself is scored first."""
    ruling, hand = of_hand(laid), laid.entry
    rule = required(find_rule(rules, ruling.rule))
    if "game" not in required(rule.choice(ruling.choice)).effects:
        return _score_ruling(rules, carry, ruling)
    outcome = outcome_of(hand.bidder, hand.contract, hand.books)
    lines, counted = contract_lines(rules, outcome), _count_hand(carry, outcome)
    played = decide(carry, counted, lines) if is_worthless(rules, carry) else Scored(lines, earn(counted, lines))
    scored = _lose_by_renege(rules, played.lines, played.carry._replace(verdict=None), complete(rule, ruling))
    return scored._replace(result=HandResult(_words(outcome)))


def _score_ruling(rules: Rules, carry: Carry, ruling: Ruling) -> Scored:
    rule = required(find_rule(rules, ruling.rule))
    effects = required(rule.choice(ruling.choice)).effects
    ruling = complete(rule, ruling)
    if "game" in effects:
        return _score_given_game(rules, carry, ruling)
    if "nobody" in effects:
        return _score_award(rules, carry, Award(ruling.rule, None, ruling.reason))
    if not {"set", "take-points", "three-books"} & set(effects):
        return Scored((), carry)
    bidder, bid, side = required(ruling.bidder), required(parse_bid(ruling.bid)), required(ruling.side)
    if "set" in effects:
        lines = set_lines(rules, ruling.rule, side, bid)
        return _score_bid(rules, carry, lines, Outcome(bidder, bid, side, None))
    if "take-points" in effects:
        points = Line(ruling.rule, bidder, bid.level, f"the points of the bid of {spoken(rules, bid)}", "ruling")
        return _score_bid(rules, carry, _doubled(rules, bid, (points,)), Outcome(bidder, bid, None, None))
    outcome = outcome_of(bidder, bid, renege_books(bidder, required(ruling.books), side))
    counts = "counts" if ruling.books == 1 else "count"
    text = f"renege: {counted(required(ruling.books), 'book')} of {side_name(bidder)} {counts} as {outcome.books}"
    lines = (Line(ruling.rule, side, 0, text, "ruling"), *contract_lines(rules, outcome))
    return _score_bid(rules, carry, lines, outcome)


def _score_given_game(rules: Rules, carry: Carry, ruling: Ruling) -> Scored:
    """End the game by a ruling. In a rubber a renege loses one game; lateness and leaving lose the whole rubber."""
    side = required(ruling.side)
    winner = 1 - side
    if how_awarded(ruling.rule) != "renege":
        return _score_award(rules, carry, Award(ruling.rule, winner, ruling.reason))
    return _lose_by_renege(rules, (), carry._replace(hands=carry.hands + 1, deals=carry.deals + 1), ruling)


def _lose_by_renege(rules: Rules, lines: tuple[Line, ...], after: Carry, ruling: Ruling) -> Scored:
    loser = required(ruling.side)
    text = f"{lost_by('renege', side_name(loser))}: game to {side_name(1 - loser)}."
    verdict = Verdict(1 - loser, "renege", ruling.rule, text)
    return _end(rules, lines, after, Ending(verdict, CITES[rules.book]["renege_bonus"]))


def _score_award(rules: Rules, carry: Carry, award: Award) -> Scored:
    how = how_awarded(award.rule)
    bonus_rule = CITES[rules.book]["renege_bonus"] if how == "renege" else ""
    return give_game(carry, award, how, rules.bonus_points, bonus_rule)


def _score_adjustment(rules: Rules, carry: Carry, adjustment: Adjustment) -> Scored:
    scored = add_adjustment(carry, adjustment)
    lines, after = scored.lines, scored.carry
    if won := _rubber_won(rules, carry, ""):  # only an opening can begin with a rubber that is won
        return Scored(lines, after._replace(verdict=won))
    if ending := first_end(ENDS, CITES[rules.book], rules, carry, after, None):
        return _end(rules, lines, after, ending)
    # Time ran out on a tied score: an adjustment that leaves a leader decides at once.
    return Scored(lines, stop_by_clock(after) if carry.deciding else after)


def _score_bid(rules: Rules, before: Carry, lines: tuple[Line, ...], outcome: Outcome) -> Scored:
    """Score a bid: its points, the set, whether it ended the game, and whether it was a Boston."""
    words, counted = _words(outcome), _count_hand(before, outcome)
    if is_worthless(rules, before):
        lines, after, _ = decide(before, counted, lines)
        boston, after = _count_boston(rules, after, outcome, ended=after.verdict is not None)
        return Scored(lines + boston, after, HandResult(words))
    after = earn(counted, lines)
    ending = first_end(ENDS, CITES[rules.book], rules, before, after, outcome)
    after = end_counted(before, after) if ending is None else after
    has_ended = ending is not None or after.verdict is not None
    boston, after = _count_boston(rules, after, outcome, ended=has_ended)
    scored = Scored(lines + boston, after) if ending is None else _end(rules, lines + boston, after, ending)
    return scored._replace(result=HandResult(words))


def _words(outcome: Outcome) -> BySide[Word]:
    side, word = (outcome.bidder, "made") if outcome.loser is None else (outcome.loser, "set")
    return cast("BySide[Word]", BySide((word, "") if side == 0 else ("", word)))


def _end(rules: Rules, lines: tuple[Line, ...], after: Carry, ending: Ending) -> Scored:
    """End the game: pay its bonus and, in a rubber that is not decided yet, begin the next game."""
    winner = ending.verdict.winner
    assert winner is not None
    if ending.bonus_rule and rules.bonus_points:
        bonus = Line(ending.bonus_rule, winner, rules.bonus_points, ending.verdict.text.rstrip("."), "bonus")
        lines, after = (*lines, bonus), earn(after, (bonus,))
    if rules.rubber_games == 1:
        return Scored(lines, after._replace(verdict=ending.verdict))
    rule = CITES[rules.book]["rubber"]
    after = after._replace(games=after.games.put(winner, after.games[winner] + 1))
    score = f"{number(after.scores[winner])} to {number(after.scores[1 - winner])}"
    text = f"game {sum(after.games)} of the rubber, {score}: {ending.verdict.text.rstrip('.')}"
    lines = (*lines, Line(rule, winner, 0, text, "rubber"))
    if won := _rubber_won(rules, after, f" {ending.verdict.text}"):
        return Scored(lines, after._replace(verdict=won, deciding=False))
    return _begin_next_of_rubber(rule, lines, after)


def _rubber_won(rules: Rules, carry: Carry, how: str) -> Verdict | None:
    """Return the verdict of a rubber that is won; None if more games are to be played."""
    winner = leader(carry.games)
    if winner is None or carry.games[winner] < rules.rubber_games:
        return None
    text = f"{side_name(winner)} won the rubber, {carry.games[winner]} to {carry.games[1 - winner]} in games.{how}"
    return Verdict(winner, "rubber", CITES[rules.book]["rubber"], text)


def _begin_next_of_rubber(rule: str, lines: tuple[Line, ...], after: Carry) -> Scored:
    """Begin the next game of a rubber: both sides at 0, without sets, before a first hand. The deal continues."""
    cleared = tuple(
        Line(rule, side, -score, "the next game of the rubber begins at 0", "rubber")
        for side, score in enumerate(after.scores)
        if score
    )
    none = BySide.each(2, 0)
    after = earn(after, cleared)._replace(hands=0, sets=none, sets_running=none, deciding=False)
    return Scored(lines + cleared, after)


def _count_boston(rules: Rules, after: Carry, outcome: Outcome, ended: bool) -> tuple[tuple[Line, ...], Carry]:
    """Note a Boston for the side that took all 13 books, if the hand was played out and counts (rule 44)."""
    if not outcome.played or outcome.books not in (0, BOOKS) or not (ended or rules.boston == "any-13"):
        return (), after
    side = outcome.bidder if outcome.books else 1 - outcome.bidder
    line = Line(CITES[rules.book]["boston"], side, 0, "all 13 books: a Boston", "boston")
    return (line,), after._replace(bostons=after.bostons.put(side, after.bostons[side] + 1))


def _count_hand(carry: Carry, outcome: Outcome) -> Carry:
    """Charge a set to the side that was set. A bid that was not set ends its side’s run of sets."""
    sets, running, side = carry.sets, carry.sets_running, outcome.loser
    if side != outcome.bidder:
        running = running.put(outcome.bidder, 0)
    if side is not None:
        sets, running = sets.put(side, sets[side] + 1), running.put(side, running[side] + 1)
    return carry._replace(hands=carry.hands + 1, deals=carry.deals + 1, sets=sets, sets_running=running)


# What each bid of a Bid Whist sheet is worth with each number of books.


@cached_on_rules
def tariff(rules: Rules) -> Tariff:
    """Price the bids that the sheet offers, under their spoken words and under their keys. Only one side bids."""
    bids = [required(parse_bid(choice.value)) for choice in next_hand(rules, start(2)).choices("bid")]
    return Tariff(
        {
            (0, words): Call(rank=rank)
            for rank, bid in enumerate(bids, start=1)
            for words in (spoken(rules, bid), str(bid))
        },
        {
            Key(0, rank, 0): tuple(_worth(rules, bid, books) for books in range(BOOKS + 1))
            for rank, bid in enumerate(bids, start=1)
        },
        all_tricks=BOOKS,
        any_hand=rules.boston == "any-13",
    )


def _worth(rules: Rules, bid: Bid, books: int) -> Worth:
    outcome = outcome_of(0, bid, books)
    lines = contract_lines(rules, outcome)
    own, other = (sum(line.points for line in lines if line.side == side) for side in range(2))
    won = None if rules.rubber_games > 1 else won_by_hand(ENDS, CITES[rules.book], rules, start(2), outcome)
    return Worth(
        own,
        other,
        was_set=outcome.loser is not None,
        was_bid=True,
        wins=0 if won is None else 1 if won.winner == 0 else -1,
        bonus=rules.bonus_points if won and won.has_bonus else 0,
    )


# How games end, as numbers.

RUBBER = "This board adds up the whole rubber: it does not say when one of its games is over, and adds no bonus for it."


def finish(rules: Rules) -> Finish:
    """List the numbers that end a game of the sheet. For a rubber there are none."""
    if rules.rubber_games > 1:
        return Finish(untold=(RUBBER,))
    return finish_by_sets(rules, rules.bonus_points)._replace(
        back_door=rules.backdoor_scope if _has_a_back_door(rules) else "",
        back_door_bonus=rules.bonus_points,
        lose_at=rules.lose_at,
        win_at=rules.win_at,
        win_by="lead" if rules.win_rule == "lead" else "bidder",
        lead=LEADS,
    )


# Bid Whist as the site shows it.


def _carried_on(rules: Rules, carry: Carry) -> Carry:
    """Count a hand for a paper sheet that has points or sets, because the next hand is not the first one (rule 9)."""
    hands = max(sum(carry.sets), int(any(carry.scores)))
    return carry._replace(hands=hands, deals=max(carry.deals, hands))


# High to low, for each kind of bid, from the page on Bid Whist (004 L47-L52, L102-L104).
RANKS = {
    "base": "Uptown: A K Q J 10 down to 2. Downtown: A 2 3 up to 10 J Q K",
    "52": "Uptown: A K Q J 10 down to 2. Downtown, aces good: A 2 3 up to K. Aces bad: 2 3 up to K A",
}
JOKERS = ("", ". Trumps begin with the joker", ". Trumps begin with the big joker and the little joker")


def _ranks(rules: Rules) -> str:
    """Name the ranks for each kind of bid. The other rule books leave them to the table."""
    if rules.book not in RANKS:
        return ""
    deuce = ", then the two of spades" if rules.jokers and rules.deuce_of_spades else ""
    return RANKS[rules.book] + JOKERS[rules.jokers] + deuce


GAME: CardGame[Rules] = CardGame(
    key="bid_whist",
    title="Bid Whist",
    word="books",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=4, sides=2),
    read_hand=read_hand,
    entries={
        **DECISIONS,
        Hand: EntryKind(hand_problems, _score_hand),
        Void: EntryKind(void_problems, DECISIONS[Void].score),
        Ruling: EntryKind(ruling_problems, _score_ruling),
        Award: EntryKind(checked_award, _score_award),
        Adjustment: EntryKind(checked_adjustment, _score_adjustment),
        AgreedStop: EntryKind(
            DECISIONS[AgreedStop].problems,
            lambda rules, carry, stop: stop_by_agreement(carry, CITES[rules.book]["stop"]),
        ),
    },
    ruled=EntryKind(ruled_problems, _score_ruled),
    next_hand=next_hand,
    rulings=rulings,
    find_rule=find_rule,
    need_line=True,
    carried_on=_carried_on,
    void_choices=void_choices,
    counters=lambda rules: (SETS, BOSTONS),
    tariff=tariff,
    finish=finish,
    ranks=_ranks,
    headings=HEADINGS,
)
