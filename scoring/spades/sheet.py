"""What stands on a Spades score sheet: one line per hand, with what was bid and how many tricks were won."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.game import Decision
from scoring.ledger import BySide, Carry, Line, Problem, Verdict, counted, number, side_name
from scoring.spades.rules import CITES, Rules
from scoring.tricks import TrickHand, close_schedule, leader, read_trick_hand

OPEN, BLIND, COME_OUT, NIL, BLIND_NIL = "open", "blind", "come-out", "nil", "blind-nil"
SEATS = 4
SIDES = 2
CARDS = 13
NIL_WORDS = {"nil": NIL, "0": NIL, "blind-nil": BLIND_NIL, "blind-0": BLIND_NIL}
COME_OUT_WORDS = re.compile(r"(blind-(\d{1,2}-)?)?(come-)?out(-(in)?to)?(-10)?|10-(come-)?out")
UNBID_WORDS = ("", "none", "unbid")
# What a table writes that has nothing to bid: only a hand played without bids has such bids.
NOTHING_BID = {"pass", "0", "-", "no-bid"}

Entry = TrickHand | Decision


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
        """Return whether the bid needs a side that is behind: also when it came out of a blind bid."""
        return self.kind in (BLIND, COME_OUT, BLIND_NIL)

    @property
    def words(self) -> str:
        """Say the bid as the table says it."""
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
    """Read a hand of the game document; bids that are missing, empty or “none” were not made."""
    bids = facts.get("bids")
    said = [bids] if bids is None or isinstance(bids, str) else bids
    if isinstance(said, (list, tuple)) and all(_is_unbid(bid) for bid in said):
        facts = {**facts, "bids": []}
    return read_trick_hand(facts)


def _is_unbid(bid: Any) -> bool:
    return bid is None or (isinstance(bid, str) and bid.strip().lower() in UNBID_WORDS)


# How a game of Spades ends: a Boston, sets in a row, points, the last hand, in this order.


def boston_verdict(rules: Rules, side: int, bid: Bid | None) -> Verdict | None:
    """Return whether all 13 tricks of `side` win the game. `bid` is its own number, None for none."""
    if bid is None or rules.boston_wins == "no":
        return None
    if rules.boston_wins != "any-bid" and bid.number != 10:
        return None
    if rules.boston_wins == "open-ten" and bid.kind == BLIND:
        return None
    said = {BLIND: f"a blind bid of {bid.number}", COME_OUT: f"a {bid.number} that came out of a blind bid"}
    on = said.get(bid.kind, f"a bid of {bid.number}")
    return Verdict(side, "boston", CITES[rules.book]["boston"], f"{side_name(side)} took all 13 tricks on {on}.")


def judge(rules: Rules, before: Carry, after: Carry, was_set: tuple[bool, ...]) -> Verdict | None:
    """Return whether sets in a row or points ended the game. `was_set`: in this entry, per side."""
    return _back_to_back(rules, after, was_set) or _negative(rules, after) or _points(rules, before, after)


def close_hands(rules: Rules, carry: Carry) -> Carry:
    """End a game of a fixed number of hands after the last; a tie is a draw, or one hand decides."""
    if rules.hand_limit is None:
        return carry
    one_more = rules.level_at_end == "one-more"
    return close_schedule(carry, deals=rules.hand_limit, rule=CITES[rules.book]["end"], one_more=one_more)


def _back_to_back(rules: Rules, after: Carry, was_set: tuple[bool, ...]) -> Verdict | None:
    """Both sides at once: the higher score wins, and tied they play on."""
    if rules.back_to_back is None:
        return None
    rule, limit = CITES[rules.book]["back_to_back"], rules.back_to_back
    shot = [side for side in range(2) if was_set[side] and after.sets_running[side] >= limit]
    row = f"{'two' if limit == 2 else limit} sets in a row"
    if len(shot) == 1:
        return Verdict(
            1 - shot[0], "back-to-back", rule, f"{row.capitalize()} for {side_name(shot[0])} (shot back to back)."
        )
    winner = leader(after.scores)
    if not shot or winner is None:
        return None
    return Verdict(
        winner, "back-to-back", rule, f"Both sides had {row}: {side_name(winner)} won with the higher score."
    )


def _negative(rules: Rules, after: Carry) -> Verdict | None:
    """Of two sides at the losing score the lower loses; both as low, the game goes on."""
    loser = leader(BySide(-score for score in after.scores))
    if rules.lose_at is None or loser is None or after.scores[loser] > rules.lose_at:
        return None
    text = f"{side_name(loser)} fell to {number(after.scores[loser])}."
    return Verdict(1 - loser, "negative", CITES[rules.book]["game"], text)


def _points(rules: Rules, before: Carry, after: Carry) -> Verdict | None:
    """The side at the winning score wins; of two sides there the higher; tied they play on."""
    winner = leader(after.scores)
    if rules.game_at is None or winner is None:
        return None
    rule = CITES[rules.book]["game"]
    if after.scores[winner] >= rules.game_at:
        text = f"{side_name(winner)} reached {after.scores[winner]}."
        if min(after.scores) >= rules.game_at:
            text = f"Both reached {rules.game_at}: {side_name(winner)} won with the higher score."
        return Verdict(winner, "points", rule, text)
    was_level = leader(before.scores) is None and before.scores[0] >= rules.game_at
    if was_level and rules.level_at_game == "until-broken":
        return Verdict(winner, "points", rule, f"Both had reached {rules.game_at}; {side_name(winner)} broke the tie.")
    return None


# What a hand is worth to one side: a line per clause, in the order in which a director would explain them.


class Result(NamedTuple):
    """What a side got out of a hand. `bags` are new bags, `was_set` says that its bid of a number failed."""

    lines: tuple[Line, ...] = ()
    was_set: bool = False
    bags: int = 0
    lost_nil: bool = False


def unbid_result(rules: Rules, side: int, tricks: int) -> Result:
    """Score a side in a first hand that is played without bids."""
    line = Line(
        CITES[rules.book]["first"],
        side,
        rules.per_trick * tricks,
        f"first hand, not bid: {counted(tricks, 'trick')}",
        "tricks",
    )
    return Result((line,) if tricks else ())


def result(rules: Rules, side: int, bids: tuple[Bid, ...], tricks: tuple[int, ...]) -> Result:
    """Score the bids of a side: one and all its tricks, or one per partner with each one's own.

    Where nobody bid nil, the tricks of two partners may be given as one number.
    """
    nils = [(bid, own) for bid, own in zip(bids, tricks, strict=False) if bid.is_nil]
    failed = sum(own for _, own in nils)
    spoken = [bid for bid in bids if not bid.is_nil]
    won = sum(tricks) - (0 if spoken and rules.failed_nil == "help-partner" else failed)
    partner = sum(bid.number for bid in spoken)
    beside = [_nil_line(rules, side, bid, own, partner) for bid, own in nils]
    if not spoken:
        return Result(tuple(beside), bags=failed, lost_nil=failed > 0)
    promised = spoken[0]._replace(number=partner)
    contract, made = _contract(rules, side, promised, won, without=sum(tricks) - won)
    over = won - promised.number if made else 0
    spoiled = sum(tricks) - won
    return Result((contract, *beside), was_set=not made, bags=over + spoiled, lost_nil=failed > 0)


def bag_lines(rules: Rules, side: int, before: int, bags: int) -> tuple[Line, ...]:
    """Charge a side that had `before` bags and took `bags` more for each full count of bags."""
    if rules.bag_limit is None:
        return ()
    full = (before + bags) // rules.bag_limit - before // rules.bag_limit
    text = f"{full * rules.bag_limit} bags: {full * rules.bag_penalty} points lost"
    return (Line(CITES[rules.book]["bags"], side, -full * rules.bag_penalty, text, "bags"),) if full else ()


def boston_line(rules: Rules, side: int) -> Line:
    """Note all 13 tricks of a side."""
    return Line(CITES[rules.book]["boston"], side, 0, "all 13 tricks: a Boston", "boston")


def _contract(rules: Rules, side: int, bid: Bid, tricks: int, *, without: int) -> tuple[Line, bool]:
    """The line of a bid of a number, and whether it was made. `without` are the tricks of a nil, which do not help."""
    said = f"{_said(bid)}, {counted(tricks, 'trick')}" + (f" without the nil’s {without}" if without else "")
    if tricks == CARDS and rules.boston_points is not None:
        return Line(CITES[rules.book]["boston"], side, rules.boston_points, "all 13 tricks: a Boston", "bid"), True
    rule, over = _rule(rules, bid), tricks - bid.number
    if over < 0:
        return Line(rule, side, -_price(rules, bid), f"{said}: set", "bid"), False
    if _is_too_many(rules, bid, over):
        return Line(rule, side, -_price(rules, bid), f"{said}, set: {over} over is too many", "bid"), False
    points = _worth(rules, bid) + rules.over_points * over
    return Line(rule, side, points, f"{said}: made{_extras(rules, bid, over)}", "bid"), True


def _said(bid: Bid) -> str:
    """A number as it was bid: “4 bid”, “7 bid blind”, “came out to 10”."""
    return {BLIND: f"{bid.number} bid blind", COME_OUT: f"came out to {bid.number}"}.get(bid.kind, f"{bid.number} bid")


def _nil_line(rules: Rules, side: int, bid: Bid, tricks: int, partner: int) -> Line:
    """A nil stands beside the partner's bid (of a number, 0 for none): the same amount won or lost."""
    blind = bid.kind == BLIND_NIL
    points = (rules.blind_nil_points if blind else rules.nil_points) or 0
    rule = CITES[rules.book]["blind_nil" if blind else "nil"]
    if tricks == 0:
        return Line(rule, side, points, f"{bid.words} made", "nil")
    are_bags = rules.failed_nil == "bags" or not partner
    as_bags = rules.failed_nil_trick_points * tricks if are_bags else 0
    text = f"{bid.words} failed: {counted(tricks, 'trick')}{_what_they_do(rules, tricks, partner)}"
    return Line(rule, side, as_bags - points, text, "nil")


def _what_they_do(rules: Rules, tricks: int, partner: int) -> str:
    """What the tricks of a failed nil do, by the options of the sheet."""
    one = tricks == 1
    if partner and rules.failed_nil == "help-partner":
        return f", which {'helps' if one else 'help'} the partner’s {partner}"
    does = []
    if rules.bag_limit is not None:
        does.append("is 1 bag" if one else f"are {tricks} bags")
    if partner:
        does.append(f"{'does' if one else 'do'} not help the partner’s {partner}")
    return f", which {' and '.join(does)}" if does else ""


def _rule(rules: Rules, bid: Bid) -> str:
    cites = CITES[rules.book]
    if bid.kind == COME_OUT:
        return cites["come_out"]
    if bid.kind == BLIND:
        return cites["blind"]
    return cites["ten" if _is_ten(rules, bid) else "contract"]


def _is_ten(rules: Rules, bid: Bid) -> bool:
    """A ten has a price of its own on some sheets."""
    return bid.number == 10 and (rules.ten_points is not None or rules.ten_set is not None)


def _is_too_many(rules: Rules, bid: Bid, over: int) -> bool:
    """The limit is for open bids below ten; a blind bid and a ten may take every trick."""
    if rules.over_limit is None or bid.kind == BLIND or bid.number >= 10:
        return False
    return over >= rules.over_limit


def _worth(rules: Rules, bid: Bid) -> int:
    """A blind bid made counts double."""
    is_priced = bid.number == 10 and rules.ten_points is not None
    points = (rules.ten_points or 0) if is_priced else rules.per_trick * bid.number
    return 2 * points if bid.kind == BLIND else points


def _price(rules: Rules, bid: Bid) -> int:
    is_priced = bid.number == 10 and rules.ten_set is not None
    points = (rules.ten_set or 0) if is_priced else rules.per_trick * bid.number
    return 2 * points if bid.kind == BLIND and rules.blind_set == "double" else points


def _extras(rules: Rules, bid: Bid, over: int) -> str:
    double = ", double" if bid.kind == BLIND else ""
    if not over:
        return double
    more = counted(over, "bag") if rules.bag_limit is not None else f"{over} over"
    return f"{double}{';' if double else ','} {more}"
