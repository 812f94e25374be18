"""What a Spades score sheet holds: one line per hand, with the bids and the tricks taken; how a game ends."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.decisions import Schedule
from scoring.ends import (
    IN_A_ROW,
    NEGATIVE,
    SET_LIMIT,
    TWO_SETS,
    End,
    Finish,
    Met,
    finish_by_sets,
    first_end,
    leader,
    won_by_hand,
)
from scoring.ledger import Carry, Line, Problem, Verdict, Word, counted, number, required, side_name, start
from scoring.spades.rules import CARDS, CITES, PER_TRICK, Rules
from scoring.tricks import TrickHand, read_trick_hand

OPEN, BLIND, COME_OUT, NIL, BLIND_NIL = "open", "blind", "come-out", "nil", "blind-nil"
SEATS = 4
SIDES = 2
NIL_WORDS = {"nil": NIL, "0": NIL, "blind-nil": BLIND_NIL, "blind-0": BLIND_NIL}
COME_OUT_WORDS = re.compile(r"(blind-(\d{1,2}-)?)?(come-)?out(-(in)?to)?(-10)?|10-(come-)?out")
UNBID_WORDS = ("", "none", "unbid")
# The bid of a player whose partner bid blind for both.
WITH_PARTNER = "with-partner"
# What a table may write if nothing is bid. Only a hand that is played without bids can have these.
NOTHING_BID = {"pass", "0", "-", "no-bid"}


class Bid(NamedTuple):
    """A number of tricks, and how it was said: open, blind, come-out, nil or blind-nil."""

    number: int
    kind: str = OPEN

    @property
    def is_nil(self) -> bool:
        """Return whether the bidder promises to win no trick."""
        return self.kind in (NIL, BLIND_NIL)

    @property
    def is_blind(self) -> bool:
        """Return whether only a side that is behind may bid this: a blind bid, or a 10 that came out of one."""
        return self.kind in (BLIND, COME_OUT, BLIND_NIL)

    @property
    def words(self) -> str:
        """Return the bid in the words of the table."""
        if self.is_nil:
            return self.kind.replace("-", " ")
        return {BLIND: f"blind {self.number}", COME_OUT: f"come-out {self.number}"}.get(self.kind, str(self.number))


def parse_bid(text: str) -> Bid | None:
    """Read “5”, “nil” (also “0”), “blind-nil”, “blind-7” and “come-out-10”; else None."""
    if text in NIL_WORDS:
        return Bid(0, NIL_WORDS[text])
    if COME_OUT_WORDS.fullmatch(text):
        return Bid(10, COME_OUT)
    number = text.removeprefix("blind-")
    if len(number) > 2 or not number.isascii() or not number.isdigit() or number.startswith("0"):
        return None
    return Bid(int(number), OPEN if number == text else BLIND)


def read_hand(facts: Mapping[str, Any]) -> tuple[TrickHand | None, tuple[Problem, ...]]:
    """Read a hand of the game document. Bids that are missing, empty or “none” were not made."""
    bids = facts.get("bids")
    written = [bids] if bids is None or isinstance(bids, str) else bids
    if isinstance(written, (list, tuple)) and all(_is_unbid(bid) for bid in written):
        facts = {**facts, "bids": []}
    elif isinstance(written, (list, tuple)) and len(written) == SEATS:
        facts = {**facts, "bids": [WITH_PARTNER if _is_unbid(bid) else bid for bid in written]}
    return read_trick_hand(facts)


def _is_unbid(bid: Any) -> bool:
    return bid is None or (isinstance(bid, str) and bid.strip().lower() in UNBID_WORDS)


# How a game of Spades ends.


class Dealt(NamedTuple):
    """What decides an end: the side with all 13 tricks, what it bid, and the tricks of a hand without bids."""

    all_tricks: int | None = None
    bid: Bid | None = None
    unbid: tuple[int, ...] = ()


def _boston(rules: Rules, before: Carry, after: Carry, dealt: Dealt | None) -> Met:
    """All 13 tricks win the game, on the bids that the sheet names."""
    bid = dealt.bid if dealt else None
    if dealt is None or dealt.all_tricks is None or bid is None:
        return None
    if rules.boston_wins != "any-bid" and bid.number != 10:
        return None
    if rules.boston_wins == "open-ten" and bid.kind == BLIND:
        return None
    blind = {BLIND: f"a blind bid of {bid.number}", COME_OUT: f"a {bid.number} that came out of a blind bid"}
    on = blind.get(bid.kind, f"a bid of {bid.number}")
    return dealt.all_tricks, f"{side_name(dealt.all_tricks)} took all 13 tricks on {on}."


def _too_few(rules: Rules, before: Carry, after: Carry, dealt: Dealt | None) -> list[int]:
    """A side that takes too few tricks in a first hand without bids loses the game."""
    least = required(rules.first_hand_least)
    return [side for side, tricks in enumerate(dealt.unbid if dealt else ()) if tricks < least]


def _why_too_few(rules: Rules, after: Carry, side: int) -> str:
    return f"{side_name(side)} took fewer than {rules.first_hand_least} tricks in the first hand"


def _points(rules: Rules, before: Carry, after: Carry, dealt: Dealt | None) -> Met:
    """A side at the winning score wins; if both are there, the higher score; if they are tied, they play on."""
    winner = leader(after.scores)
    if winner is None:
        return None
    target = required(rules.game_at)
    if after.scores[winner] >= target:
        if min(after.scores) >= target:
            return winner, f"Both reached {target}: {side_name(winner)} won with the higher score."
        return winner, f"{side_name(winner)} reached {after.scores[winner]}."
    was_level = leader(before.scores) is None and before.scores[0] >= target
    if was_level and rules.level_at_game == "until-broken":
        return winner, f"Both had reached {rules.game_at}; {side_name(winner)} broke the tie."
    return None


# In this order: the first that is met ends the game. After the last hand of a fixed number, the higher total wins.
ENDS = (
    End("boston", "boston", lambda rules: rules.boston_wins != "no", _boston, by_hand=True),
    IN_A_ROW,
    TWO_SETS,
    SET_LIMIT,
    NEGATIVE,
    End("points", "game", lambda rules: rules.game_at is not None, _points),
)
# A first hand without bids ends the game in no other way, however many points it scores.
FIRST_ENDS = (
    End(
        "first-hand",
        "first_least",
        lambda rules: rules.first_hand_least is not None,
        out=_too_few,
        why=_why_too_few,
    ),
)


def judge(rules: Rules, before: Carry, after: Carry, dealt: Dealt | None) -> Verdict | None:
    """Return how the game ended; None while it goes on. `dealt` is None after an adjustment."""
    ends = FIRST_ENDS if dealt and dealt.unbid else ENDS
    ending = first_end(ends, CITES[rules.book], rules, before, after, dealt)
    return ending and ending.verdict


def finish(rules: Rules) -> Finish:
    """List the numbers that end a game of the sheet."""
    return finish_by_sets(rules)._replace(
        lose_at=rules.lose_at,
        win_at=rules.game_at,
        win_by="broken-tie" if rules.level_at_game == "until-broken" else "higher",
        unbid=rules.first_hand_unbid,
        unbid_least=rules.first_hand_least,
    )


def wins_with(rules: Rules, bid: Bid, tricks: int) -> bool:
    """Return whether a side wins the game with this bid and these tricks, whatever the score."""
    dealt = Dealt(0 if tricks == CARDS else None, bid)
    return won_by_hand(ENDS, CITES[rules.book], rules, start(SIDES), dealt) is not None


def schedule(rules: Rules) -> Schedule | None:
    """Return the schedule of a sheet with a fixed number of hands: a tie is a draw, or one more hand decides."""
    if rules.hand_limit is None:
        return None
    return Schedule(rules.hand_limit, CITES[rules.book]["end"], one_more=rules.level_at_end == "one-more")


# What a hand is worth to one side: a line per clause, in the order in which a director would explain them.


class Result(NamedTuple):
    """What a hand gives a side: its lines, what became of its bid, and new bags."""

    lines: tuple[Line, ...] = ()
    word: Word = ""
    bags: int = 0


def unbid_result(rules: Rules, side: int, tricks: int) -> Result:
    """Score a side in a first hand that is played without bids."""
    line = Line(
        CITES[rules.book]["first"],
        side,
        PER_TRICK * tricks,
        f"first hand, not bid: {counted(tricks, 'trick')}",
        "tricks",
    )
    return Result((line,) if tricks else ())


def spoken_of(bids: tuple[Bid | None, ...], tricks: tuple[int, ...]) -> tuple[tuple[Bid, ...], tuple[int, ...]]:
    """Return the bids of a side with their tricks. If one partner bid blind for both, they are one bid."""
    spoken = tuple(bid for bid in bids if bid is not None)
    return spoken, tricks if len(spoken) == len(bids) else (sum(tricks),)


def result(rules: Rules, side: int, bids: tuple[Bid, ...], tricks: tuple[int, ...]) -> Result:
    """Score the bids of a side: one bid with all its tricks, or a bid of each partner with that partner’s own tricks.

    If nobody bid nil, the tricks of the partners may be given as one number.
    """
    nils = [(bid, own) for bid, own in zip(bids, tricks, strict=False) if bid.is_nil]
    failed = sum(own for _, own in nils)
    spoken = [bid for bid in bids if not bid.is_nil]
    won = sum(tricks) - (0 if spoken and rules.failed_nil == "help-partner" else failed)
    partner = sum(bid.number for bid in spoken)
    extra = tuple(_nil_line(rules, side, bid, own, partner) for bid, own in nils)
    word: Word = "lost" if failed else "made"
    if not spoken:
        return Result(extra, word, failed)
    promised, spoiled = spoken[0]._replace(number=partner), sum(tricks) - won
    contract, made = _contract(rules, side, promised, won, without=spoiled)
    return Result((contract, *extra), word if made else "set", spoiled + (won - partner if made else 0))


def bag_lines(rules: Rules, side: int, before: int, bags: int) -> tuple[Line, ...]:
    """Charge a side for bags. It had `before` bags and took `bags` more; each full count is charged once."""
    if rules.bag_limit is None:
        return ()
    full = (before + bags) // rules.bag_limit - before // rules.bag_limit
    text = f"{full * rules.bag_limit} bags: {full * rules.bag_penalty} points lost"
    return (Line(CITES[rules.book]["bags"], side, -full * rules.bag_penalty, text, "bags"),) if full else ()


def _contract(rules: Rules, side: int, bid: Bid, tricks: int, *, without: int) -> tuple[Line, bool]:
    """Score a bid of a number: its line, and whether it was made. `without` are tricks of a nil that do not help."""
    summary = f"{_said(bid)}, {counted(tricks, 'trick')}" + (f" without the nil’s {without}" if without else "")
    if tricks == CARDS and (paid := _boston_price(rules, bid)):
        clause, points = paid
        return Line(CITES[rules.book][clause], side, points, "all 13 tricks: a Boston", "bid"), True
    rule, over = _rule(rules, bid), tricks - bid.number
    if over < 0:
        clause, price = _set_price(rules, bid)
        return Line(CITES[rules.book][clause] if clause else rule, side, -price, f"{summary}: set", "bid"), False
    if _is_too_many(rules, bid, over):
        price = _set_price(rules, bid)[1]
        return Line(rule, side, -price, f"{summary}, set: {over} over is too many", "bid"), False
    if rules.twice_the_bid == "set" and tricks >= 2 * bid.number:
        price = _set_price(rules, bid)[1]
        return Line(CITES[rules.book]["twice"], side, -price, f"{summary}, set: twice the bid", "bid"), False
    # A blind bid that is made counts double.
    made = rules.ten_points if bid.number == 10 else None
    points = _amount(bid, made, double=bid.kind == BLIND) + rules.over_points * over
    return Line(rule, side, points, f"{summary}: made{_extras(rules, bid, over)}", "bid"), True


def _said(bid: Bid) -> str:
    """Return a bid of a number in words: “4 bid”, “7 bid blind”, “came out to 10”."""
    return {BLIND: f"{bid.number} bid blind", COME_OUT: f"came out to {bid.number}"}.get(bid.kind, f"{bid.number} bid")


def _nil_line(rules: Rules, side: int, bid: Bid, tricks: int, partner: int) -> Line:
    """Score a nil beside the partner’s bid (`partner` is its number, 0 for none): it wins or loses the same amount."""
    blind = bid.kind == BLIND_NIL
    points = (rules.blind_nil_points if blind else rules.nil_points) or 0
    rule = CITES[rules.book]["blind_nil" if blind else "nil"]
    if tricks == 0:
        return Line(rule, side, points, f"{bid.words} made", "nil")
    are_bags = rules.failed_nil == "bags" or not partner
    as_bags = rules.failed_nil_trick_points * tricks if are_bags else 0
    text = f"{bid.words} failed: {counted(tricks, 'trick')}{_what_they_do(rules, tricks, partner)}"
    if as_bags:
        kind = "trick" if rules.bag_limit is None else "bag"
        text += f": {number(-points)}, and {as_bags} for its {kind if tricks == 1 else f'{kind}s'}"
    return Line(rule, side, as_bags - points, text, "nil")


def _what_they_do(rules: Rules, tricks: int, partner: int) -> str:
    """Say what the tricks of a failed nil do on this sheet: help the partner, or become bags."""
    is_one = tricks == 1
    if partner and rules.failed_nil == "help-partner":
        return f", which {'helps' if is_one else 'help'} the partner’s {partner}"
    does = []
    if rules.bag_limit is not None:
        does.append("is 1 bag" if is_one else f"are {tricks} bags")
    if partner:
        does.append(f"{'does' if is_one else 'do'} not help the partner’s {partner}")
    return f", which {' and '.join(does)}" if does else ""


def _rule(rules: Rules, bid: Bid) -> str:
    cites = CITES[rules.book]
    if bid.kind == COME_OUT:
        return cites["come_out"]
    if bid.kind == BLIND:
        return cites["blind"]
    return cites["ten" if _is_ten(rules, bid) else "contract"]


def _is_ten(rules: Rules, bid: Bid) -> bool:
    """Return whether the bid is a 10 with a price of its own."""
    return bid.number == 10 and (rules.ten_points is not None or rules.ten_set is not None)


def _is_too_many(rules: Rules, bid: Bid, over: int) -> bool:
    """Return whether overtricks make the bid a set. The limit is for open bids below 10 only."""
    if rules.over_limit is None or bid.kind == BLIND or bid.number >= 10:
        return False
    return over >= rules.over_limit


def _boston_price(rules: Rules, bid: Bid) -> tuple[str, int] | None:
    """Return the clause and the points of all 13 tricks, if they replace the bid. A blind 13 may be paid more."""
    is_bid = bid.number == CARDS
    if is_bid and bid.kind == BLIND and rules.blind_boston_points is not None:
        return "blind_boston", rules.blind_boston_points
    if rules.boston_points is None or (rules.boston_on == "bid-13" and not is_bid):
        return None
    return "boston", rules.boston_points


def _set_price(rules: Rules, bid: Bid) -> tuple[str, int]:
    """Return the clause and the cost of a set bid; the clause is "" unless 13 has a price of its own."""
    is_blind, is_boston = bid.kind == BLIND, bid.number == CARDS
    if is_blind and is_boston and rules.blind_boston_set is not None:
        return "blind_boston", rules.blind_boston_set
    own = {10: rules.ten_set, CARDS: rules.boston_bid_set}.get(bid.number)
    price = _amount(bid, own, double=is_blind and rules.blind_set == "double")
    return "boston_bid" if is_boston and own is not None else "", price


def _amount(bid: Bid, own: int | None, *, double: bool) -> int:
    """Return what a bid wins or loses: a price of its `own`, or the usual one."""
    points = PER_TRICK * bid.number if own is None else own
    return 2 * points if double else points


def _extras(rules: Rules, bid: Bid, over: int) -> str:
    double = ", double" if bid.kind == BLIND else ""
    if not over:
        return double
    more = counted(over, "bag") if rules.bag_limit is not None else f"{over} over"
    return f"{double}{';' if double else ','} {more}"
