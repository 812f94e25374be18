"""Boards at one table: which board is the double one, and what is wrong with the boards of a hand as a whole."""

from __future__ import annotations

from scoring.back_alley.citations import CITES, PARTNER_RAISE
from scoring.back_alley.rules import Rules
from scoring.back_alley.sheet import BOARDS, Bid
from scoring.problem import Problem

FULL = "A deal has at most four boards: the fourth is the quadruple board."
ORDER = "A double board needs a board before it, a triple board a double board, and each is bid once."
RAISE = "Only the partner of a player who bid board can raise it, once, to a double board."
NO_ONE = "Board needs a bid of 1 before it, by another player."


def board_levels(rules: Rules, bids: tuple[Bid, ...], dealer: int | None) -> tuple[int, ...]:
    """Return each seat's board as a level: 0 none, 1 board, 2 double board and so on.

    Where the table wrote “board” for all of them, the order of speaking makes the second a double board: from the
    dealer's left, or as they are written where the sheet does not name the dealer.
    """
    levels = tuple(bid.level for bid in bids)
    boards = [seat for seat, level in enumerate(levels) if level]
    if rules.partner_double_board:
        return _raised(levels, rules.seating().sides)
    if not _escalates(rules) or len(boards) < 2 or {levels[seat] for seat in boards} != {1}:
        return levels
    spoken = _speaking_order(boards, len(bids), len(bids) - 1 if dealer is None else dealer)
    return tuple(spoken.index(seat) + 1 if seat in boards else 0 for seat in range(len(bids)))


def board_problems(rules: Rules, bids: tuple[Bid, ...], dealer: int | None) -> tuple[Problem, ...]:
    """Check the boards of a hand against each other."""
    rule = CITES[rules.book]["board"]
    if rules.partner_double_board:
        return _raise_problems(rules, board_levels(rules, bids, dealer))
    if not _escalates(rules):
        return ()
    levels = board_levels(rules, bids, dealer)
    boards = sorted(level for level in levels if level)
    if len(boards) > len(BOARDS):
        return (Problem("bids", rule, FULL),)
    if boards != list(range(1, len(boards) + 1)):
        return (Problem("bids", rule, ORDER),)
    if rules.boards == "one-card" and boards and not any(bid.number for bid in bids):
        return (Problem("bids", rule, NO_ONE),)
    if dealer is not None and not _spoken_upwards(bids, levels, dealer, after_one=rules.boards == "one-card"):
        return (Problem("bids", rule, f"With this dealer the players bid in another order. {ORDER}"),)
    return ()


def _escalates(rules: Rules) -> bool:
    return rules.boards in ("escalating", "one-card") and not rules.partner_double_board


def _raised(levels: tuple[int, ...], sides: int) -> tuple[int, ...]:
    """A second board of one side can only be the raise to a double board."""
    raised = list(levels)
    for side in range(sides):
        boards = [seat for seat in range(side, len(levels), sides) if levels[seat]]
        if [levels[seat] for seat in boards] == [1, 1]:
            raised[boards[1]] = 2
    return tuple(raised)


def _speaking_order(seats: list[int], table: int, dealer: int) -> list[int]:
    """The player to the dealer's left speaks first, the dealer last."""
    return sorted(seats, key=lambda seat: (seat - dealer - 1) % table)


def _spoken_upwards(bids: tuple[Bid, ...], levels: tuple[int, ...], dealer: int, *, after_one: bool) -> bool:
    order = _speaking_order(list(range(len(bids))), len(bids), dealer)
    boards = [levels[seat] for seat in order if levels[seat]]
    if after_one and boards:
        first_board = next(turn for turn, seat in enumerate(order) if levels[seat])
        if not any(bids[seat].number for seat in order[:first_board]):
            return False
    return boards == sorted(boards)


def _raise_problems(rules: Rules, levels: tuple[int, ...]) -> tuple[Problem, ...]:
    sides = rules.seating().sides
    for side in range(sides):
        boards = sorted(level for level in levels[side::sides] if level)
        if boards not in ([], [1], [1, 2]):
            return (Problem("bids", PARTNER_RAISE, RAISE),)
    return ()
