"""The auction of Bid Whist: which bid beats which, what may be bid next, and what is wrong with a written auction."""

from __future__ import annotations

from scoring.bid_whist.citations import CITES
from scoring.bid_whist.rules import Rules
from scoring.bid_whist.sheet import NO, SEATS, SPECIAL, Bid, Hand, parse_bid
from scoring.problem import Problem

NO_BID = "pass"


def rank(rules: Rules, bid: Bid) -> tuple[int, int]:
    """Return a bid's place on the ladder; of two bids the one with the higher place wins."""
    if not rules.kind_is_bid:
        return bid.level, 0
    if bid.kind == NO:
        return bid.level, 2 if rules.no_over_same else 0
    return bid.level, int(bid.kind == SPECIAL and rules.special_over_straight != "equal")


def ladder(rules: Rules) -> tuple[Bid, ...]:
    """List every contract of the sheet from the lowest to the highest."""
    bids = [Bid(level, kind) for level in range(rules.lowest_bid, 8) for kind in rules.kinds]
    return tuple(sorted(bids, key=lambda bid: rank(rules, bid)))


def bid_problems(rules: Rules, bid: Bid) -> tuple[Problem, ...]:
    """Refuse a bid that is not on the ladder at all."""
    rule = CITES[rules.book]["bid"]
    if not rules.lowest_bid <= bid.level <= 7:
        return (Problem("bid", rule, f"A bid is from {rules.lowest_bid} to 7; {bid.level} is not."),)
    if bid.kind not in rules.kinds:
        return (Problem("bid", rule, f"{bid.words} cannot be bid in this game."),)
    return ()


def auction_problems(rules: Rules, hand: Hand) -> tuple[Problem, ...]:
    """Check a written auction: its calls in order, starting to the dealer's left.

    The passes may be left out. Each bid must beat the one before (the dealer, who calls last, may match where the
    sheet says so), a dealer whom all others passed to must bid, and the highest bid is the one that was played.
    """
    if not hand.auction:
        return ()
    cites = CITES[rules.book]
    calls = [None if call == NO_BID else parse_bid(call) for call in hand.auction]
    for call, said in zip(calls, hand.auction, strict=True):
        if call is None and said != NO_BID:
            return (Problem("auction", cites["ladder"], f"“{said}” is not a bid and not “pass”."),)
        if call is not None and (wrong := bid_problems(rules, call)):
            return (wrong[0]._replace(field="auction"),)
    if rules.auction_rounds == "one" and len(calls) > SEATS:
        return (Problem("auction", cites["ladder"], "The bidding goes round once: four calls at most."),)
    return (
        _dealer_problems(rules, calls, hand) or _ladder_problems(rules, calls) or _winner_problems(rules, calls, hand)
    )


def _dealer_problems(rules: Rules, calls: list[Bid | None], hand: Hand) -> tuple[Problem, ...]:
    """Three passes put the dealer on the spot, also where they were left out of the auction."""
    rule, forced = CITES[rules.book]["dealer"], rules.dealer_bids_at_least
    bids = [call for call in calls if call is not None]
    if not bids:
        text = "Nobody bid, so there is no hand to score."
        return (Problem("auction", rule, text if forced is None else f"The dealer must bid at least {forced}."),)
    if len(calls) < SEATS:
        is_forced = len(bids) == 1 and hand.seat is not None and hand.seat == hand.dealer
    else:
        is_forced = not any(calls[: SEATS - 1])
    if is_forced and forced is not None and bids[0].level < forced:
        return (Problem("auction", rule, f"When all others pass, the dealer must bid at least {forced}."),)
    return ()


def _ladder_problems(rules: Rules, calls: list[Bid | None]) -> tuple[Problem, ...]:
    highest: Bid | None = None
    for turn, call in enumerate(calls):
        if call is None:
            continue
        if highest is not None and not _beats(rules, call, highest, _may_be_dealer(calls, turn)):
            text = f"{call.words} does not go over {highest.words}."
            return (Problem("auction", CITES[rules.book]["ladder"], text),)
        highest = call
    return ()


def _may_be_dealer(calls: list[Bid | None], turn: int) -> bool:
    """The dealer calls fourth; where the passes were left out, the last bid may be the dealer's."""
    return turn % SEATS == SEATS - 1 or (turn == len(calls) - 1 and None not in calls)


def _beats(rules: Rules, call: Bid, highest: Bid, is_dealer: bool) -> bool:
    if is_dealer and rules.dealer_may_match:
        return rank(rules, call) >= rank(rules, highest)
    return rank(rules, call) > rank(rules, highest)


def _winner_problems(rules: Rules, calls: list[Bid | None], hand: Hand) -> tuple[Problem, ...]:
    rule = CITES[rules.book]["ladder"]
    highest = [call for call in calls if call is not None][-1]
    same = highest == hand.bid if rules.kind_is_bid else highest.level == hand.bid.level
    if not same:
        return (Problem("bid", rule, f"The auction ended at {highest.words}, not at {hand.bid.words}."),)
    turns = _turns_that_won(rules, calls)
    if turns is None:
        return ()
    if not turns:
        return (
            Problem("auction", rule, "A player who has passed cannot bid again, and three passes end the auction."),
        )
    if hand.dealer is None:
        return ()
    seats = [(hand.dealer + 1 + turn) % SEATS for turn in turns]
    if hand.bidder not in [seat % 2 for seat in seats]:
        return (Problem("bidder", rule, f"In this auction the other side bid {highest.words}."),)
    if hand.seat is not None and hand.seat not in seats:
        known = " or ".join(str(seat) for seat in sorted(seats))
        return (Problem("seat", rule, f"{highest.words} was bid from seat {known}."),)
    return ()


def _turns_that_won(rules: Rules, calls: list[Bid | None]) -> tuple[int, ...] | None:
    """The places, counted from the dealer's left, that can have made the last bid; None where nothing tells.

    In one round the passes that were left out may have stood anywhere. In several rounds those who have passed may be
    skipped, or their passes written again each round.
    """
    if rules.auction_rounds == "one":
        last = max(turn for turn, call in enumerate(calls) if call is not None)
        return tuple(range(last, SEATS - (len(calls) - 1 - last)))
    if None not in calls:
        return None
    return tuple({turn for turn in (_skipping(calls), _round_by_round(calls)) if turn is not None})


def _skipping(calls: list[Bid | None]) -> int | None:
    """Who bid last when only those are asked who have not passed; None: that cannot be how it was written."""
    passed: set[int] = set()
    turn, last = SEATS - 1, None
    for call in calls:
        if last is not None and len(passed) == SEATS - 1:
            if call is not None:
                return None
            continue
        asked = next((place for place in _after(turn) if place not in passed), None)
        if asked is None:
            return None
        turn = asked
        if call is None:
            passed.add(turn)
        else:
            last = turn
    return last


def _round_by_round(calls: list[Bid | None]) -> int | None:
    """Who bid last when all four are written in each round; None: somebody bid who had passed, or when it was over."""
    passed: set[int] = set()
    last = None
    for count, call in enumerate(calls):
        turn = count % SEATS
        if call is None:
            passed.add(turn)
        elif turn in passed or (last is not None and len(passed) == SEATS - 1):
            return None
        else:
            last = turn
    return last


def _after(turn: int) -> list[int]:
    return [(turn + step) % SEATS for step in range(1, SEATS + 1)]
