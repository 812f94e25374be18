"""Back Alley as the registry shows it."""

from __future__ import annotations

from dataclasses import replace

from scoring.back_alley.checks import next_hand, problems
from scoring.back_alley.deals import plan
from scoring.back_alley.headings import HEADINGS
from scoring.back_alley.rules import Rules
from scoring.back_alley.score import hand_result, score_entry
from scoring.back_alley.sheet import Entry, read_hand
from scoring.back_alley.sheets import SHEETS
from scoring.back_alley.tariff import tariff
from scoring.back_alley.voids import void_choices
from scoring.back_alley.written import as_written
from scoring.game import CardGame, Price
from scoring.plain_rulings import PLAIN_RULINGS


def _for_sides(rules: Rules, sides: int) -> Rules:
    """Partnerships or single players: the sheet says how many sides it knows; any other number it refuses."""
    return replace(rules, sides=sides) if rules.fewest_sides <= sides <= rules.most_sides else rules


def _prices(rules: Rules) -> tuple[Price, ...]:
    """What a contract and the boards pay; some of it is an option on some sheets, and is said there."""
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

GAME: CardGame[Rules, Entry] = CardGame(
    key="back_alley",
    title="Back Alley",
    word="tricks",
    sheets=SHEETS,
    seating=Rules.seating,
    for_sides=_for_sides,
    read_hand=read_hand,
    problems=problems,
    score_entry=score_entry,
    result=hand_result,
    next_hand=next_hand,
    rulings=lambda rules: PLAIN_RULINGS,
    hands_planned=lambda rules: len(plan(rules)),
    prices=_prices,
    as_written=as_written,
    void_choices=void_choices,
    tariff=tariff,
    ranks=lambda rules: RANKS[rules.book],
    headings=HEADINGS,
)
