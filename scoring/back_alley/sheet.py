"""What a Back Alley sheet holds: bids in the players’ words, the deals, rainbows, and boards at one table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from scoring.back_alley.rules import (
    BLIND,
    CITES,
    FIRST_SIX_RULE,
    PARTNER_RAISE,
    PLAIN_RAINBOW,
    RAINBOW4,
    Rules,
    TeamRules,
)
from scoring.decisions import Schedule
from scoring.ledger import Carry, Problem, cached_on_rules, listed
from scoring.tricks import TrickHand, read_trick_hand

NUMBER, FIRST_SIX = "number", "first-six"
BOARDS = ("board", "double-board", "triple-board", "quadruple-board")
RAINBOW, FALSE_RAINBOW = "rainbow", "false-rainbow"
PASSES = ("pass", "0")
CALLS = (*BOARDS, "bort", "all", FIRST_SIX)
_SPOKEN = re.compile(
    r"(?:(?P<rainbow>(?:false-)?rainbow)(?:(?:-\+-|-\+|\+)(?P<more>.+))?|(?P<blind>blind-)?(?P<plain>.+))"
)


class Bid(NamedTuple):
    """One player’s bid. `call` is “number” (with its `number`, 0 for a pass) or the name of another bid.

    With a `rainbow`, the rest is what was bid beside it: “rainbow+1” has the number 1.
    """

    number: int = 0
    call: str = NUMBER
    rainbow: str = ""
    blind: bool = False

    def __str__(self) -> str:
        """Write the call as a sheet and a file do: 4, pass, board, rainbow+3."""
        spoken = self.call if self.call != NUMBER else str(self.number) if self.number else "pass"
        if self.rainbow:
            return self.rainbow if spoken == "pass" else f"{self.rainbow}+{spoken}"
        return f"blind-{spoken}" if self.blind else spoken

    @property
    def level(self) -> int:
        """Count boards: 1 for a board (or bort, or all), 2 for a double board; otherwise 0."""
        if self.call in BOARDS:
            return BOARDS.index(self.call) + 1
        return int(self.call in ("bort", "all"))


def parse_bid(text: str) -> Bid | None:
    """Read a bid in the words of the game document; anything else gives None."""
    spoken = _SPOKEN.fullmatch(text)
    if spoken is None:
        return None
    if spoken["rainbow"]:
        rest = _parse_rest(spoken["more"] or "pass")
        return None if rest is None or rest.call == FIRST_SIX else rest._replace(rainbow=spoken["rainbow"])
    rest = _parse_rest(spoken["plain"])
    return None if rest is None else rest._replace(blind=bool(spoken["blind"]))


def _parse_rest(spoken: str) -> Bid | None:
    if spoken in PASSES:
        return Bid()
    if re.fullmatch(r"[1-9][0-9]?", spoken):
        return Bid(int(spoken))
    return Bid(0, spoken) if spoken in CALLS else None


def read_hand(facts: Mapping[str, Any]) -> tuple[TrickHand | None, tuple[Problem, ...]]:
    """Read a hand. “false_rainbow” may be a field of the hand instead of part of a bid."""
    claimed = facts.get("false_rainbow")
    if not isinstance(claimed, bool):
        return read_trick_hand(facts)
    hand, problems = read_trick_hand({key: value for key, value in facts.items() if key != "false_rainbow"})
    if hand is None or not claimed:
        return hand, problems
    announced = [bid for bid in hand.bids if bid.startswith(RAINBOW)]
    if len(announced) != 1:
        text = "Write “false-rainbow” as the bid of the player who announced it: one rainbow is needed to tell whose."
        return None, (Problem("false_rainbow", "", text),)
    return replace(hand, bids=tuple(f"false-{bid}" if bid in announced else bid for bid in hand.bids)), ()


# How many cards each deal has, and which deal of the game a hand belongs to.

# At large tables, and with the small pack: as many as the pack allows, with a card left to turn up.
MOST_CARDS = {5: 10, 6: 8}
MOST_CARDS_REDUCED = {3: 10, 4: 10, 5: 8, 6: 6}


@cached_on_rules
def plan(rules: Rules) -> tuple[int, ...]:
    """List the cards of every deal of the game, in order."""
    most = most_cards(rules)
    down, up = tuple(range(most, 0, -1)), tuple(range(1, most + 1))
    if rules.course == "up-down":
        cards = up + down
    elif rules.course == "down-one":
        cards = (*down, 1)
    else:
        cards = down + (up[2 - _one_card_deals(rules) :] if rules.way_back else ())
    if rules.fixed_deal is not None:
        return (rules.fixed_deal,) * (rules.deals or len(cards))
    return cards[: rules.deals]


def most_cards(rules: Rules) -> int:
    """Return the cards of the largest deal."""
    seats = rules.seating().seats
    usual = MOST_CARDS_REDUCED[seats] if rules.reduced else MOST_CARDS.get(seats, rules.full_deal)
    return rules.most_cards or usual


def next_cards(rules: Rules, carry: Carry) -> int:
    """Return the cards of the next deal. A hand after the last deal has as many as that one."""
    cards = plan(rules)
    return cards[min(carry.hands, len(cards) - 1)]


def deal_number(rules: Rules, carry: Carry, cards: int | None) -> int:
    """Return which deal, counted from 0, a hand with this many cards is.

    A game that is continued from paper may start later in the schedule: at the first deal with as many cards as its
    first hand. Any other hand takes the place of the deal that was due.
    """
    if cards in plan(rules) and carry.hands == 0 and any(carry.scores):
        return plan(rules).index(cards)
    return carry.hands


def may_be_dealt(rules: Rules, carry: Carry, cards: int) -> bool:
    """Return whether a hand may have this many cards: those of the next deal, or others that the pack allows.

    Tables lose count and play on. Only if every deal has the same number of cards is another number a mistake.
    """
    if cards == next_cards(rules, carry):
        return True
    pack, seats = 42 if rules.reduced else rules.pack, rules.seating().seats
    return rules.fixed_deal is None and 1 <= cards <= max(most_cards(rules), min(rules.full_deal, pack // seats))


def is_blind(rules: Rules, cards: int) -> bool:
    """Return whether a deal is bid blind: halfway between one card and the largest deal."""
    return rules.blind and cards == (most_cards(rules) + 1) // 2


def schedule(rules: Rules) -> Schedule:
    """Return how many deals the game has, by which clause, and what breaks a tie after them."""
    return Schedule(len(plan(rules)), schedule_rule(rules), one_more=rules.level_end == "one-more-hand")


def schedule_rule(rules: Rules) -> str:
    """Return the clause that sets the deals of this sheet."""
    if rules.fixed_deal is not None:
        return "ba.var.fixed_deal"
    if rules.reduced:
        return "ba.var.reduced"
    return "ba.var.25deals" if _one_card_deals(rules) == 1 else CITES[rules.book]["schedule"]


def _one_card_deals(rules: Rules) -> int:
    """Return the number of one-card deals in the middle. A game of 25 deals with up to 13 cards has only one."""
    return 1 if rules.deals == 2 * most_cards(rules) - 1 else rules.one_card_deals


# Rainbows: the same number of cards in each suit, announced when it is time to bid, with 4, 8 or 12 cards.


class Rainbow(NamedTuple):
    """What a rainbow wins on one deal: `points`, which are lost if the player takes fewer than `tricks` tricks.

    With `tricks`, the rainbow is a bid of that many. Without, it is announced beside a bid and pays by itself.
    """

    points: int
    tricks: int
    rule: str


def rainbow_of(rules: Rules, cards: int) -> Rainbow | None:
    """Return the rainbow that may be announced with this many cards; None if there is none."""
    if rules.rainbow_plain and cards == 4:
        return Rainbow(40, 0, PLAIN_RAINBOW)
    played = {4: rules.rainbow4, 8: rules.rainbow8, 12: rules.rainbow12}
    if played.get(cards):
        return Rainbow(10 * cards, cards // 4, f"ba.var.rainbow{cards}")
    for dealt, points in rules.bonuses:
        if dealt == cards:
            return Rainbow(points, 0, CITES[rules.book]["rainbow"])
    return None


def promised_tricks(rules: Rules, cards: int, bid: Bid) -> int:
    """Count the tricks that a bid promises. An announced rainbow may promise some by itself."""
    rainbow = rainbow_of(rules, cards) if bid.rainbow else None
    return bid.number + (rainbow.tricks if rainbow else 0)


def is_thrown_in(rules: Rules, cards: int, bids: tuple[Bid, ...], hand: TrickHand) -> bool:
    """Return whether a hand was thrown in because nobody bid.

    A rainbow beside a pass that pays by itself is not a bid. But if the tricks of the hand are written, it was played.
    """
    if any(bid.call != NUMBER or promised_tricks(rules, cards, bid) for bid in bids):
        return False
    return not any(bid.rainbow for bid in bids) or sum(hand.tricks) != cards


# What may be bid on a deal, and why a bid is refused.

FIRST_SIX_NEEDS = 7


@cached_on_rules
def legal_bids(rules: Rules, cards: int) -> tuple[Bid, ...]:
    """List what any player may bid with this many cards, in the order of the tablet."""
    plain = tuple(Bid(number) for number in range(_highest_number(rules, cards) + 1))
    if is_blind(rules, cards):
        return plain
    whole = tuple(Bid(0, word) for word in board_words(rules, cards))
    six = (Bid(0, FIRST_SIX),) if rules.first_six and cards >= FIRST_SIX_NEEDS else ()
    return plain + whole + six + _rainbows(rules, cards, plain, whole)


def board_words(rules: Rules, cards: int) -> tuple[str, ...]:
    """List the bids for all the tricks on a deal of this many cards, lowest first."""
    if rules.boards == "none" or cards > rules.board_most_cards:
        return ()
    if rules.boards == "single":
        return (rules.board_word,)
    if rules.boards == "one-card":
        return BOARDS[:3]
    return BOARDS[:2] if rules.partner_double_board else BOARDS


def read_bids(rules: Rules, cards: int, texts: tuple[str, ...]) -> tuple[Bid | None, ...]:
    """Read the bids of a whole table; each one that may not be bid becomes None."""
    usual = _usual_words(rules, cards)
    return tuple(usual.get(text) or read_bid(rules, cards, text) for text in texts)


def read_bid(rules: Rules, cards: int, text: str) -> Bid | None:
    """Read a bid as this sheet understands it on this deal; None if it may not be bid.

    “0” is a pass. The number of all the tricks is a board if the sheet says so. “board” is a bort if that is the
    sheet’s word. “blind-3” is a 3 on a deal that is bid blind.
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
    """Say why a text may not be bid with this many cards."""
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
        late = f"The first six tricks are bid with {FIRST_SIX_NEEDS} cards or more, not with {dealt}."
        text = late if rules.first_six else "The first six tricks cannot be bid on this sheet."
        return Problem("bids", FIRST_SIX_RULE, text)
    if bid.level:
        rule = PARTNER_RAISE if rules.partner_double_board and bid.level > 2 else cites["board"]
        is_ever_bid = any(bid in legal_bids(rules, other) for other in range(1, rules.full_deal + 1))
        where = f"with {dealt}" if is_ever_bid else "on this sheet"
        return Problem("bids", rule, f"“{text}” cannot be bid {where}. The bids are {_offered(rules, cards)}.")
    return Problem("bids", cites["contract"], f"With {dealt} the bids are {_offered(rules, cards)}.")


@cached_on_rules
def _usual_words(rules: Rules, cards: int) -> Mapping[str, Bid]:
    """Map the offered words to their bids. A game has a hundred bids, and nearly all are in these words."""
    return {str(bid): bid for bid in legal_bids(rules, cards)}


def _highest_number(rules: Rules, cards: int) -> int:
    """Return the highest number to bid. All the tricks are a board, unless the sheet lets them be bid as a number."""
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


def _offered(rules: Rules, cards: int) -> str:
    numbers = [bid.number for bid in legal_bids(rules, cards) if bid.call == NUMBER and not bid.rainbow and bid.number]
    others = [str(bid) for bid in legal_bids(rules, cards) if bid.call != NUMBER or bid.rainbow]
    spoken = [f"1 to {numbers[-1]}"] if len(numbers) > 2 else [str(number) for number in numbers]
    return listed(["pass", *spoken, *others])


# Boards at one table: which one is the double board, and what is wrong with the boards of a hand together.

FULL = "A deal has at most four boards: the fourth is the quadruple board."
ORDER = "A double board needs a board before it, a triple board a double board, and each is bid once."
RAISE = "Only the partner of a player who bid board can raise it, once, to a double board."
NO_ONE = "A board needs a bid of 1 before it, by another player."


def board_levels(rules: Rules, bids: tuple[Bid, ...], dealer: int | None) -> tuple[int, ...]:
    """Return each seat’s board as a level: 0 for none, 1 for a board, 2 for a double board and so on.

    If the table wrote “board” for all of them, the second to speak has the double board. The order is from the dealer’s
    left, or as they are written if the dealer is not named.
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
    """Check the boards of a hand together."""
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
    """Return the levels with each side’s second board as a double board: it can only be the raise."""
    raised = list(levels)
    for side in range(sides):
        boards = [seat for seat in range(side, len(levels), sides) if levels[seat]]
        if [levels[seat] for seat in boards] == [1, 1]:
            raised[boards[1]] = 2
    return tuple(raised)


def _speaking_order(seats: list[int], table: int, dealer: int) -> list[int]:
    """Return seats in the order of bidding: the player to the dealer’s left first, the dealer last."""
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


# What a game on paper says about its sheet: a rainbow was part of the game, and six bids are six players.


def as_written(rules: Rules, options: Mapping[str, Any], entries: tuple[object, ...]) -> Rules:
    """Return the rules with the variations that the hands of a document show, unless its options mention them.

    These are the bids of a variation, and six players if every hand has six bids. Only the partnership games have them.
    An entry that could not be read is None.
    """
    if not isinstance(rules, TeamRules):
        return rules
    hands = [entry for entry in entries if isinstance(entry, TrickHand)]
    bids = [bid for hand in hands for bid in map(parse_bid, hand.bids) if bid]
    played: dict[str, Any] = {}
    six = replace(rules, players=6)
    if {len(hand.bids) for hand in hands} == {6} and not _settled(options, "players") and not six.conflicts():
        played["players"] = 6
    if any(bid.rainbow for bid in bids) and not _settled(options, "rainbow"):
        played |= {"rainbow4": True, "rainbow8": True, "rainbow12": True}
    if any(bid.call == FIRST_SIX for bid in bids) and not _settled(options, "first_six"):
        played["first_six"] = True
    return replace(rules, **played)


def _settled(options: Mapping[str, Any], word: str) -> bool:
    return any(str(key).startswith(word) for key in options)
