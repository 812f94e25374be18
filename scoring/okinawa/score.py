"""The points of an Okinawa entry, and the game after it."""

from __future__ import annotations

from scoring.decisions import (
    Adjustment,
    EntryKind,
    Schedule,
    Scored,
    Void,
    adjust_schedule,
    adjustment_problems,
    pass_deal,
)
from scoring.ends import finish_by_sets
from scoring.game import Call, CardGame, Key, Seating, Tariff, Worth
from scoring.ledger import BySide, Carry, Line, Word, bid_words, cached_on_rules, counted, required
from scoring.okinawa.checks import (
    hand_problems,
    is_thrown_in,
    judge_bids,
    next_hand,
    passes_deal_on,
    void_choices,
    void_problems,
)
from scoring.okinawa.rules import FIRST_CARDS, HANDS, HEADINGS, SHEETS, Rules, cards_of
from scoring.okinawa.sheet import OKINAWA, PASS, SEATS, SIDES, Bid, parse_bid, team_bids
from scoring.tricks import (
    TrickHand,
    by_side,
    contract_line,
    judged,
    read_trick_hand,
    score_hand,
    seen_a_hand,
    thrown_in,
)
from scoring.wrongs import TRICK_DECISIONS, find_rule, ruled_kind, rulings

# What a hand is worth to one team: the lines of a contract, or of Okinawa.


def team_lines(rules: Rules, side: int, bid: Bid, tricks: int, cards: int) -> tuple[Line, ...]:
    """Score what the partners bid together. Without a bid and a trick there is no line."""
    if bid.is_okinawa:
        return _okinawa_lines(rules, side, tricks, cards)
    line = contract_line(
        "ok.contract", side, bid.number, tricks, per_trick=rules.trick_points, per_over=rules.over_points
    )
    return (line,) if line.points else ()


def _okinawa_lines(rules: Rules, side: int, tricks: int, cards: int) -> tuple[Line, ...]:
    worth = rules.trick_points * cards
    if tricks == cards:
        bonus = f": {worth}, and {rules.okinawa_bonus} for the Okinawa" if rules.okinawa_bonus else ""
        return (Line("ok.okinawa", side, worth + rules.okinawa_bonus, f"Okinawa: all {cards} tricks{bonus}", "bid"),)
    failed = Line("ok.okinawa", side, -worth, f"Okinawa failed: {tricks} of {counted(cards, 'trick')}", "bid")
    if rules.okinawa_fails == "tricks" or not rules.okinawa_bonus:
        return (failed,)
    return failed, Line(
        "ok.var.okinawa_fail50", side, -rules.okinawa_bonus, "Okinawa failed: the bonus is lost too", "bid"
    )


def schedule(rules: Rules) -> Schedule:
    """Return the schedule: after thirteen hands the higher total wins."""
    return Schedule(HANDS, "ok.schedule", one_more=rules.level_at_end == "one-more")


def _score_hand(rules: Rules, carry: Carry, hand: TrickHand) -> Scored:
    bids = tuple(required(parse_bid(bid)) for bid in hand.bids)
    cards, teams, tricks = cards_of(carry.hands, hand.cards), team_bids(bids), by_side(hand.tricks, SIDES)
    if is_thrown_in(rules, hand, bids):
        return thrown_in(carry, cards, "all-pass", next_deals=rules.nobody_bids != "same-dealer")
    lines = tuple(line for side in range(SIDES) for line in team_lines(rules, side, teams[side], tricks[side], cards))
    words = BySide(word_of(bid, took, cards) for bid, took in zip(teams, tricks, strict=True))
    return judged(rules, carry, score_hand(rules, carry, lines, words, schedule(rules)))


def word_of(bid: Bid, tricks: int, cards: int) -> Word:
    """Say what became of a team’s bid; nothing if both partners passed."""
    promised = cards if bid.is_okinawa else bid.number
    if not promised:
        return ""
    return "set" if tricks < promised else "made"


# What each bid of an Okinawa sheet is worth on each deal, with each number of tricks.


@cached_on_rules
def tariff(rules: Rules) -> Tariff:
    """Price the numbers that partners bid together, and Okinawa, deal by deal."""
    calls: dict[tuple[int, str], Call] = {}
    rows: dict[Key, tuple[Worth, ...]] = {}
    for cards in range(FIRST_CARDS, HANDS + 1):
        # A team may also bid one number together: then the partner’s bid is empty.
        numbers = {"": 0, bid_words(PASS): 0} | {str(number): number for number in range(2 * cards + 1)}
        calls |= {(cards, words): Call(number) for words, number in numbers.items()}
        calls[cards, bid_words(OKINAWA)] = Call(rank=1)
        rows |= {Key(cards, 0, number): _row(rules, Bid(number), cards) for number in range(2 * cards + 1)}
        rows[Key(cards, 1, 0)] = _row(rules, Bid(0, is_okinawa=True), cards)
    return Tariff(calls, rows, adds=True, needs_bid=rules.nobody_bids in ("next-dealer", "same-dealer"))


def _row(rules: Rules, bid: Bid, cards: int) -> tuple[Worth, ...]:
    return tuple(
        Worth(
            sum(line.points for line in team_lines(rules, 0, bid, took, cards)),
            was_set=word_of(bid, took, cards) == "set",
            was_bid=bool(word_of(bid, took, cards)),
        )
        for took in range(cards + 1)
    )


# Okinawa as the site shows it.

HAND = EntryKind(hand_problems, _score_hand)

GAME: CardGame[Rules] = CardGame(
    key="okinawa",
    title="Okinawa",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=SEATS, sides=SIDES),
    read_hand=read_trick_hand,
    entries={
        **TRICK_DECISIONS,
        TrickHand: HAND,
        Void: EntryKind(
            void_problems,
            lambda rules, carry, void: Scored((), pass_deal(carry, passes_deal_on(rules, void))),
        ),
        Adjustment: EntryKind(
            adjustment_problems, lambda rules, carry, entry: adjust_schedule(schedule(rules), carry, entry)
        ),
    },
    # No player’s own tricks decide anything: partners bid and take tricks together.
    ruled=ruled_kind(HAND, lambda rules, carry, hand: ()),
    judge_bids=judge_bids,
    rulings=rulings,
    find_rule=find_rule,
    next_hand=next_hand,
    schedule=schedule,
    carried_on=seen_a_hand,
    void_choices=void_choices,
    tariff=tariff,
    finish=finish_by_sets,
    ranks=lambda rules: "A K Q J 10 down to 2",  # 001 L7
    headings=HEADINGS,
)
