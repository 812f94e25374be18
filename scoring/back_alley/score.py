"""The points of a Back Alley entry, and the game after it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from scoring.back_alley.checks import (
    SIX,
    first_six_winner,
    hand_problems,
    judge_bids,
    next_hand,
    passes_deal_on,
    rainbow_seats,
    thrown_in_rule,
    void_choices,
    void_problems,
)
from scoring.back_alley.rules import BLIND, CITES, FIRST_SIX_RULE, HEADINGS, PARTNER_RAISE, SHEETS, Rules
from scoring.back_alley.sheet import (
    FALSE_RAINBOW,
    FIRST_SIX,
    Bid,
    as_written,
    board_levels,
    board_words,
    deal_number,
    is_blind,
    is_thrown_in,
    legal_bids,
    next_cards,
    plan,
    promised_tricks,
    rainbow_of,
    read_bid,
    read_bids,
    read_hand,
    schedule,
)
from scoring.decisions import (
    Adjustment,
    EntryKind,
    Scored,
    Void,
    adjust_schedule,
    adjustment_problems,
    pass_deal,
)
from scoring.ends import Finish, finish_by_sets
from scoring.game import Call, CardGame, Key, Price, Tariff, Worth
from scoring.ledger import BySide, Carry, Line, Word, bid_words, cached_on_rules, counted, required, seat_name
from scoring.tricks import PARTNERSHIPS, TrickHand, by_side, contract_line, judged, score_hand, thrown_in
from scoring.wrongs import TRICK_DECISIONS, find_rule, ruled_kind, rulings

# What a hand is worth: the lines of each bid, one small function per clause.


class Stake(NamedTuple):
    """What is scored as one bid: the bids of a side added together, or one player’s bid. `promised` counts tricks."""

    side: int
    who: str
    promised: int
    level: int
    first_six: bool
    tricks: int


def _word(lines: list[Line]) -> Word:
    """Return what became of a side’s bid. A bid that was lost is a set; a rainbow that was lost is not."""
    if any(line.kind == "bid" and line.points < 0 for line in lines):
        return "set"
    if any(line.kind == "rainbow" and line.points < 0 for line in lines):
        return "lost"
    return "made" if any(line.kind in ("bid", "rainbow") for line in lines) else ""


def _stakes(rules: Rules, cards: int, bids: tuple[Bid, ...], hand: TrickHand) -> list[Stake]:
    levels = board_levels(rules, bids, hand.dealer)
    promised = tuple(promised_tricks(rules, cards, bid) for bid in bids)
    six = tuple(bid.call == FIRST_SIX for bid in bids)
    sides = rules.seating().sides
    if not rules.team_bid:
        return [
            Stake(seat % sides, f"{seat_name(seat)}: ", promised[seat], levels[seat], six[seat], hand.tricks[seat])
            for seat in range(len(bids))
        ]
    sums, taken = by_side(promised, sides), by_side(hand.tricks, sides)
    return [
        Stake(side, "", sums[side], max(levels[side::sides]), any(six[side::sides]), taken[side])
        for side in range(sides)
    ]


def stake_lines(rules: Rules, cards: int, stake: Stake, first_six_side: int | None) -> tuple[Line, ...]:
    """Score one stake. Only its highest bid counts: a board or the first six replace the partner’s number."""
    if stake.level:
        return _board_lines(rules, cards, stake)
    if stake.first_six:
        return (_first_six_line(stake, first_six_side),)
    if rules.one_card_board is not None and cards == 1:
        return ()
    if is_blind(rules, cards):
        return (_blind_line(stake),)
    if rules.boards == "one-card" and cards == 1 and stake.promised:
        return (_outcome_line(CITES[rules.book]["board"], stake, 10, "1 bid with one card", stake.tricks == 1),)
    return (_contract_line(rules, stake),)


def _contract_line(rules: Rules, stake: Stake) -> Line:
    rule, short = CITES[rules.book]["contract"], stake.promised - stake.tricks
    if short > 0 and rules.pays_undertricks:
        text = f"{stake.who}{stake.promised} bid, {counted(stake.tricks, 'trick')}: {short} short"
        return Line(rule, stake.side, -rules.per_trick * short, text, "bid")
    return contract_line(rule, stake.side, stake.promised, stake.tricks, per_trick=rules.per_trick, who=stake.who)


def _board_lines(rules: Rules, cards: int, stake: Stake) -> tuple[Line, ...]:
    won = stake.tricks == cards
    cites = CITES[rules.book]
    name = _board_name(rules, stake.level)
    dealt = "1 card" if cards == 1 else f"{cards} cards"
    text = f"{name} with {dealt}"
    if cards == 1 and rules.one_card_board is not None:
        board = _outcome_line(cites["one_card"], stake, rules.one_card_board, text, won)
    else:
        rule = PARTNER_RAISE if rules.partner_double_board else cites["board"]
        board = _outcome_line(rule, stake, board_price(rules, cards, stake.level), text, won)
    if not rules.board_extra:
        return (board,)
    return board, _outcome_line(cites["extra"], stake, rules.board_extra, f"{name}: {rules.board_extra} extra", won)


def board_price(rules: Rules, cards: int, level: int) -> int:
    """Price a board. The side wins this much with all the tricks, and loses it otherwise."""
    if rules.boards == "single":
        return rules.board_flat + rules.board_per_card * cards
    if rules.boards == "one-card":
        return 10 * (level + 1)
    if rules.partner_double_board:
        return (10, 15)[level - 1] * cards
    return rules.board_per_card * level * cards


def _board_name(rules: Rules, level: int) -> str:
    if rules.boards == "single":
        return rules.board_word
    return ("board", "double board", "triple board", "quadruple board")[level - 1]


def _outcome_line(rule: str, stake: Stake, price: int, what: str, won: bool) -> Line:
    ending = "won" if won else "lost"
    return Line(rule, stake.side, price if won else -price, f"{stake.who}{what}: {ending}", "bid")


def _first_six_line(stake: Stake, winner: int | None) -> Line:
    if winner != stake.side:
        return Line(FIRST_SIX_RULE, stake.side, -100, "first six bid, one of the six lost", "bid")
    more = stake.tricks - SIX
    return Line(
        FIRST_SIX_RULE, stake.side, 100 + more, f"first six tricks won{f' and {more} more' if more else ''}", "bid"
    )


def _blind_line(stake: Stake) -> Line:
    bid, tricks = stake.promised, stake.tricks
    if not bid:
        return Line(BLIND, stake.side, tricks, f"passed blind, {counted(tricks, 'trick')}", "tricks")
    if tricks < bid:
        return Line(BLIND, stake.side, -2 * bid, f"{bid} bid blind, {counted(tricks, 'trick')}: set", "bid")
    text = f"{bid} bid blind, {counted(tricks, 'trick')}: made, {bid} and {tricks}"
    return Line(BLIND, stake.side, bid + tricks, text, "bid")


def rainbow_line(rules: Rules, cards: int, side: int, bid: Bid, tricks: int) -> Line:
    """Score a rainbow by the tricks of the player who announced it."""
    rainbow = required(rainbow_of(rules, cards))
    if bid.rainbow == FALSE_RAINBOW:
        return Line(rainbow.rule, side, -rainbow.points, "a false rainbow was announced", "rainbow")
    if not rainbow.tricks:
        return Line(rainbow.rule, side, rainbow.points, "rainbow announced", "rainbow")
    won = tricks >= rainbow.tricks
    took = counted(tricks, "trick") if tricks else "no trick"
    text = f"rainbow {'won' if won else 'lost'}: the player took {took} and needed {rainbow.tricks}"
    return Line(rainbow.rule, side, rainbow.points if won else -rainbow.points, text, "rainbow")


def _score_hand(rules: Rules, carry: Carry, hand: TrickHand) -> Scored:
    """Score a hand: for each side first its bids, then its rainbows."""
    cards, sides = next_cards(rules, carry) if hand.cards is None else hand.cards, len(carry.scores)
    bids: tuple[Bid, ...] = tuple(required(bid) for bid in read_bids(rules, cards, hand.bids))
    if is_thrown_in(rules, cards, bids, hand):
        return thrown_in(carry, cards, thrown_in_rule(rules), next_deals=rules.thrown_in_dealer == "next")
    winner = first_six_winner(rules, bids, hand)
    lines: list[Line] = []
    for stake in _stakes(rules, cards, bids, hand):
        lines += stake_lines(rules, cards, stake, winner)
    for seat, bid in enumerate(bids):
        if bid.rainbow:
            lines.append(rainbow_line(rules, cards, seat % sides, bid, hand.tricks[seat]))
    words = BySide(_word([line for line in lines if line.side == side]) for side in range(sides))
    scored_lines = tuple(sorted((line for line in lines if line.points), key=lambda line: line.side))
    carry = carry._replace(hands=deal_number(rules, carry, hand.cards))
    return judged(rules, carry, score_hand(rules, carry, scored_lines, words, schedule(rules)))


# What each bid of a Back Alley sheet is worth on each deal, with each number of tricks.
#
# The first six tricks have no price here, because a number of tricks does not tell who won them.


@cached_on_rules
def tariff(rules: Rules) -> Tariff:
    """Price numbers, boards and rainbows deal by deal. If the team bids, the numbers of partners are added."""
    seats, sides = rules.seating()
    partners = seats // sides if rules.team_bid else 1
    calls: dict[tuple[int, str], Call] = {}
    rows: dict[Key, tuple[Worth, ...]] = {}
    for cards in range(1, max(plan(rules)) + 1):
        bids = {str(bid): bid for bid in legal_bids(rules, cards) if bid.call != FIRST_SIX}
        # A number may mean another bid: “0” is a pass, and all the tricks may be a board.
        numbers = {str(number): read_bid(rules, cards, str(number)) for number in range(cards + 1)}
        bids |= {text: bid for text, bid in numbers.items() if bid is not None}
        offered = {bid_words(text): _call(rules, cards, bid) for text, bid in bids.items()}
        calls |= {(cards, words): call for words, call in offered.items()}
        most = partners * max(call.number for call in offered.values())
        rows |= {Key(cards, 0, number): _row(rules, cards, number, 0) for number in range(most + 1)}
        levels = {call.rank for call in offered.values() if call.rank}
        rows |= {Key(cards, level, 0): _row(rules, cards, 0, level) for level in levels}
    return Tariff(calls, rows, adds=partners > 1, needs_bid=True)


def _call(rules: Rules, cards: int, bid: Bid) -> Call:
    extra: tuple[Worth, ...] = ()
    if bid.rainbow:
        extra = tuple(Worth(rainbow_line(rules, cards, 0, bid, took).points) for took in range(cards + 1))
    raised = bid.level == 1 and len(board_words(rules, cards)) > 1
    return Call(promised_tricks(rules, cards, bid), bid.level, extra, extra, once=raised)


def _row(rules: Rules, cards: int, promised: int, level: int) -> tuple[Worth, ...]:
    worths = []
    for took in range(cards + 1):
        lines = stake_lines(rules, cards, Stake(0, "", promised, level, first_six=False, tricks=took), None)
        was_set = any(line.kind == "bid" and line.points < 0 for line in lines)
        was_bid = any(line.kind == "bid" for line in lines)
        worths.append(Worth(sum(line.points for line in lines), was_set=was_set, was_bid=was_bid))
    return tuple(worths)


def finish(rules: Rules) -> Finish:
    """List the numbers that end a game of the sheet. Sets lose a game only if there are two sides."""
    return finish_by_sets(rules) if rules.seating().sides == PARTNERSHIPS else Finish()


# Back Alley as the site shows it.


def _prices(rules: Rules) -> tuple[Price, ...]:
    """List what contracts and boards pay, except prices that are options of the sheet."""
    short = "trick short" if rules.pays_undertricks else "trick bid"
    prices = [
        Price("A bid that is made scores", f"{rules.per_trick} points for each trick bid and 1 for each more"),
        Price("A bid that is set loses", f"{rules.per_trick} points for each {short}"),
    ]
    if rules.boards == "single":
        each = f"{rules.board_per_card} points for each card" if rules.board_per_card else f"{rules.board_flat} points"
        extra = f", and {rules.board_extra} more" if rules.board_extra else ""
        prices.append(Price(f"A bid of “{rules.board_word}” wins or loses", f"{each}{extra}"))
    if rules.boards == "one-card":
        words = "1 is 10 points, board 20, double board 30, triple board 40, won or lost"
        prices.append(Price("On the deals of one card", words))
    if rules.one_card_board is not None:
        words = f"a board wins or loses {rules.one_card_board} points, and a pass scores nothing"
        prices.append(Price("On the deals of one card", words))
    for cards, points in rules.bonuses:
        lost = f"; a false one loses {points}" if rules.false_rainbow else ""
        prices.append(Price(f"A rainbow with {cards} cards scores", f"{points} points{lost}"))
    return tuple(prices)


# The highest trumps of each book: 000 L18, L75, L68, L82, L107 and L116.
RANKS = {
    "partnership": "A K Q and down; the highest trumps are the big blooper and the little blooper",
    "all": "A K Q and down",
    "high-two": "A K Q and down; the two of spades is the highest trump",
    "individual": "A K Q and down; the two of diamonds is the highest trump",
    "oh-hell": "A K Q and down; the two of diamonds is the highest trump",
    "korean": "A K Q and down; there is no high two",
    "wild": "A K Q and down; the four wild cards are the only trumps",
}

HAND = EntryKind(hand_problems, _score_hand)

GAME: CardGame[Rules] = CardGame(
    key="back_alley",
    title="Back Alley",
    word="tricks",
    sheets=SHEETS,
    seating=Rules.seating,
    # Partnerships or single players: each sheet has its numbers of sides, and any other number is refused.
    for_sides=lambda rules, sides: (
        replace(rules, sides=sides) if rules.fewest_sides <= sides <= rules.most_sides else rules
    ),
    read_hand=read_hand,
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
    ruled=ruled_kind(HAND, rainbow_seats),
    judge_bids=judge_bids,
    rulings=rulings,
    find_rule=find_rule,
    next_hand=next_hand,
    schedule=schedule,
    prices=_prices,
    as_written=as_written,
    void_choices=void_choices,
    tariff=tariff,
    finish=finish,
    ranks=lambda rules: RANKS[rules.book],
    headings=HEADINGS,
)
