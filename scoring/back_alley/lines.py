"""What a hand is worth: the lines of every bid, one small function per clause."""

from __future__ import annotations

from typing import NamedTuple

from scoring.back_alley.boards import board_levels
from scoring.back_alley.citations import BLIND, CITES, PARTNER_RAISE
from scoring.back_alley.citations import FIRST_SIX as FIRST_SIX_RULE
from scoring.back_alley.deals import is_blind
from scoring.back_alley.first_six import SIX, first_six_winner
from scoring.back_alley.rainbows import promised_tricks, rainbow_of
from scoring.back_alley.rules import Rules
from scoring.back_alley.sheet import FALSE_RAINBOW, FIRST_SIX, Bid
from scoring.ledger import BySide, Line, Word, said
from scoring.tricks import TrickHand, by_side, contract
from scoring.words import counted, seat_name


class Stake(NamedTuple):
    """What is scored as one: a side's bids added up, or one player's bid. `promised` counts tricks."""

    side: int
    who: str
    promised: int
    level: int
    first_six: bool
    tricks: int


class Scoring(NamedTuple):
    """The lines of a hand, and for each side what became of what it bid."""

    lines: tuple[Line, ...]
    words: BySide[Word]


def hand_lines(rules: Rules, cards: int, bids: tuple[Bid, ...], hand: TrickHand) -> Scoring:
    """Score a hand without problems: first what was bid, then the rainbows, side by side."""
    winner = first_six_winner(rules, bids, hand)
    lines: list[Line] = []
    sides = rules.seating().sides
    for stake in _stakes(rules, cards, bids, hand):
        lines += stake_lines(rules, cards, stake, winner)
    for seat, bid in enumerate(bids):
        if bid.rainbow:
            lines.append(rainbow_line(rules, cards, seat % sides, bid, hand.tricks[seat]))
    words = BySide(_word([line for line in lines if line.side == side]) for side in range(sides))
    return Scoring(tuple(sorted((line for line in lines if line.points), key=lambda line: line.side)), words)


def _word(lines: list[Line]) -> Word:
    """A bid that was lost is a set; a rainbow that was lost is none."""
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
    """Score one stake: its highest bid counts alone, a board or the first six leave the partner's number out."""
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
    rule = CITES[rules.book]["contract"]
    bid, tricks = stake.promised, stake.tricks
    points = contract(bid, tricks, per_trick=rules.per_trick)
    if not bid:
        return Line(rule, stake.side, points, f"{stake.who}no bid, {counted(tricks, 'trick')}", "tricks")
    if tricks >= bid:
        over = f", {tricks - bid} over" if tricks > bid else ""
        return Line(rule, stake.side, points, f"{stake.who}{bid} bid, {counted(tricks, 'trick')}: made{over}", "bid")
    if rules.pays_undertricks:
        short = bid - tricks
        return Line(
            rule,
            stake.side,
            -rules.per_trick * short,
            f"{stake.who}{bid} bid, {counted(tricks, 'trick')}: {short} short",
            "bid",
        )
    return Line(rule, stake.side, points, f"{stake.who}{bid} bid, {counted(tricks, 'trick')}: set", "bid")


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
    """Price a board: won, the side earns it; with any trick lost, the side pays it."""
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
    return Line(BLIND, stake.side, bid + tricks, f"{bid} bid blind, {counted(tricks, 'trick')}: made", "bid")


def rainbow_line(rules: Rules, cards: int, side: int, bid: Bid, tricks: int) -> Line:
    """Score a rainbow by the tricks of the player who announced it."""
    rainbow = said(rainbow_of(rules, cards))
    if bid.rainbow == FALSE_RAINBOW:
        return Line(rainbow.rule, side, -rainbow.points, "a false rainbow was announced", "rainbow")
    if not rainbow.tricks:
        return Line(rainbow.rule, side, rainbow.points, "rainbow announced", "rainbow")
    won = tricks >= rainbow.tricks
    took = counted(tricks, "trick") if tricks else "no trick"
    text = f"rainbow {'won' if won else 'lost'}: the player took {took} and needed {rainbow.tricks}"
    return Line(rainbow.rule, side, rainbow.points if won else -rainbow.points, text, "rainbow")
