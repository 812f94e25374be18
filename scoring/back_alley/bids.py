"""What may be bid on a deal, and why something may not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from scoring.back_alley.citations import BLIND, CITES, PARTNER_RAISE, RAINBOW4
from scoring.back_alley.citations import FIRST_SIX as FIRST_SIX_RULE
from scoring.back_alley.deals import is_blind
from scoring.back_alley.rainbows import rainbow_of
from scoring.back_alley.rules import Rules
from scoring.back_alley.sheet import BOARDS, FALSE_RAINBOW, FIRST_SIX, NUMBER, RAINBOW, Bid, parse_bid
from scoring.problem import Problem
from scoring.words import listed

FIRST_SIX_NEEDS = 7


@lru_cache(maxsize=1024)
def legal_bids(rules: Rules, cards: int) -> tuple[Bid, ...]:
    """List what any player may say on a deal of so many cards, in the order of the tablet."""
    plain = tuple(Bid(number) for number in range(_highest_number(rules, cards) + 1))
    if is_blind(rules, cards):
        return plain
    whole = tuple(Bid(0, word) for word in board_words(rules, cards))
    six = (Bid(0, FIRST_SIX),) if rules.first_six and cards >= FIRST_SIX_NEEDS else ()
    return plain + whole + six + _rainbows(rules, cards, plain, whole)


def board_words(rules: Rules, cards: int) -> tuple[str, ...]:
    """List the bids for all the tricks that a deal of so many cards knows, lowest first."""
    if rules.boards == "none" or cards > rules.board_most_cards:
        return ()
    if rules.boards == "single":
        return (rules.board_word,)
    if rules.boards == "one-card":
        return BOARDS[:3]
    return BOARDS[:2] if rules.partner_double_board else BOARDS


def read_bids(rules: Rules, cards: int, texts: tuple[str, ...]) -> tuple[Bid | None, ...]:
    """Read the bids of a whole table; None stands for each that may not be bid."""
    usual = _usual_words(rules, cards)
    return tuple(usual.get(text) or read_bid(rules, cards, text) for text in texts)


def read_bid(rules: Rules, cards: int, text: str) -> Bid | None:
    """Read a bid as this sheet understands it on this deal; None if it may not be bid.

    “0” is a pass; the number of all the tricks is a board where the sheet calls it that; “board” is a bort where
    that is the word; “blind-3” is a 3 on a deal that is bid blind.
    """
    bid = parse_bid(text)
    if bid is None:
        return None
    if bid.call == "board" and rules.board_word == "bort":
        bid = bid._replace(call="bort")
    if bid.blind and is_blind(rules, cards):
        bid = bid._replace(blind=False)
    if bid.call == NUMBER and bid.number == cards and rules.all_cards_bid == "board":
        bid = bid._replace(number=0, call=rules.board_word)
    return bid if bid in legal_bids(rules, cards) else None


def bid_problem(rules: Rules, cards: int, text: str) -> Problem:
    """Say why a text may not be bid on a deal of so many cards."""
    cites, bid = CITES[rules.book], parse_bid(text)
    dealt = "1 card" if cards == 1 else f"{cards} cards"
    if bid is None:
        return Problem(
            "bids",
            cites["contract"],
            f"“{text}” is not a bid here. With {dealt} the bids are {_offered(rules, cards)}.",
        )
    if bid.blind:
        return Problem("bids", BLIND, f"Nobody bids blind on a deal of {dealt}.")
    if is_blind(rules, cards):
        return Problem("bids", BLIND, f"“{text}” cannot be bid blind: only “pass” and numbers can.")
    if bid.rainbow:
        return _rainbow_problem(rules, cards, bid, dealt)
    if bid.call == FIRST_SIX:
        return Problem("bids", FIRST_SIX_RULE, _first_six_text(rules, dealt))
    if bid.level:
        rule = PARTNER_RAISE if rules.partner_double_board and bid.level > 2 else cites["board"]
        where = f"with {dealt}" if _is_ever_bid(rules, bid) else "on this sheet"
        return Problem("bids", rule, f"“{text}” cannot be bid {where}. The bids are {_offered(rules, cards)}.")
    return Problem("bids", cites["contract"], f"With {dealt} the bids are {_offered(rules, cards)}.")


def _is_ever_bid(rules: Rules, bid: Bid) -> bool:
    return any(bid in legal_bids(rules, cards) for cards in range(1, rules.full_deal + 1))


@lru_cache(maxsize=1024)
def _usual_words(rules: Rules, cards: int) -> Mapping[str, Bid]:
    """Folding a game reads a hundred bids: nearly all are said in the words in which they are offered."""
    return {str(bid): bid for bid in legal_bids(rules, cards)}


def _highest_number(rules: Rules, cards: int) -> int:
    """All the tricks are a board, not a number, except where the sheet has only the number (or no board here)."""
    if rules.boards == "one-card" and cards == 1:
        return 1
    if rules.all_cards_bid == "number":
        return cards
    return cards - 1


def _rainbows(rules: Rules, cards: int, plain: tuple[Bid, ...], whole: tuple[Bid, ...]) -> tuple[Bid, ...]:
    rainbow = rainbow_of(rules, cards)
    if rainbow is None:
        return ()
    if rainbow.tricks:
        return tuple(Bid(more, NUMBER, RAINBOW) for more in range(cards - rainbow.tricks))
    words = (RAINBOW, FALSE_RAINBOW) if rules.false_rainbow else (RAINBOW,)
    return tuple(bid._replace(rainbow=word) for word in words for bid in (*plain, *whole))


def _rainbow_problem(rules: Rules, cards: int, bid: Bid, dealt: str) -> Problem:
    rainbow = rainbow_of(rules, cards)
    if rainbow is None:
        rule = CITES[rules.book]["rainbow"]
        if rule == RAINBOW4 and cards in (8, 12):
            rule = f"ba.var.rainbow{cards}"
        return Problem("bids", rule, f"No rainbow can be announced on this sheet with {dealt}.")
    if bid.rainbow == FALSE_RAINBOW and not rules.false_rainbow:
        return Problem("bids", rainbow.rule, "This sheet has no penalty for a false rainbow.")
    return Problem("bids", rainbow.rule, f"“{bid}” cannot be bid. With {dealt} the bids are {_offered(rules, cards)}.")


def _first_six_text(rules: Rules, dealt: str) -> str:
    if not rules.first_six:
        return "The first six tricks cannot be bid on this sheet."
    return f"The first six tricks are bid with {FIRST_SIX_NEEDS} cards or more, not with {dealt}."


def _offered(rules: Rules, cards: int) -> str:
    numbers = [bid.number for bid in legal_bids(rules, cards) if bid.call == NUMBER and not bid.rainbow and bid.number]
    others = [str(bid) for bid in legal_bids(rules, cards) if bid.call != NUMBER or bid.rainbow]
    spoken = [f"1 to {numbers[-1]}"] if len(numbers) > 2 else [str(number) for number in numbers]
    return listed(["pass", *spoken, *others])
