"""Random games of all games, for tests that play every one of them. Each game says how in its own folder.

`tests/scoring/<game>/games.py` has

* `hand_of(chance, turn)`: the facts of a hand that a table might write down next;
* `kept(document)`: the result of a second scorer, which was written independently: a column for each of `scores`
  (and `sets`, `bags`, if the game has them), and `over`, `winner`, `how`;
* `DRAWN`: the sheets and options that its random games draw, with each option at least once not at its default;

and, where hands alone are not enough, `random_game(chance, sheet)`, a whole document, with rulings and the clock, and
`random_entries(chance, sheet, sides)`, the entries of a game that begins at zero.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

from scoring.document import find_game, find_sheet, print_score, read_document, score_document
from scoring.game import NextHand
from scoring.ledger import Carry
from scoring.options import choose_stored, idle_options

Played = list[tuple[str, dict[str, Any]]]
MOST_HANDS = 60
TRIES = 400


class Turn(NamedTuple):
    """A hand that is due: the sheet and options by which it is played, the number of sides, and the state before it."""

    sheet: str
    options: dict[str, Any]
    sides: int
    carry: Carry
    due: NextHand


def games_of(key: str) -> Any:
    """Return what the tests of a game say about it, by the key of the game or of one of its sheets."""
    name = f"tests.scoring.{key.partition('/')[0]}.games"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        raise AssertionError(f"Write {name.replace('.', '/')}.py, as tests/scoring/drawn.py says") from missing


def of_use(sheet: str, options: dict[str, Any], sides: int = 2) -> dict[str, Any]:
    """Keep only the options that have an effect beside the others: a document may not change the rest."""
    rules = find_game(sheet).for_sides(find_sheet(sheet).rules, sides)
    idle = idle_options(rules, choose_stored(rules, options)[0], options)
    return {key: value for key, value in options.items() if key not in idle}


def each(game: str, sheets: Iterable[str], choices: dict[str, Any]) -> Played:
    """Return the sheets as they are, and with each choice alone."""
    played: Played = [(f"{game}/{sheet}", {}) for sheet in sheets]
    for sheet, options in choices.items():
        for name, values in options.items():
            played += [(f"{game}/{sheet}", {name: value}) for value in values]
    return played


def random_game(chance: Random, sheet: str) -> dict[str, Any]:
    """Return a game of a sheet as a document: finished, or broken off."""
    games = games_of(sheet)
    if hasattr(games, "random_game"):
        document: dict[str, Any] = games.random_game(chance, sheet)
        return document
    sides = find_game(sheet).seating(find_sheet(sheet).rules).sides
    names = [f"Side {number}" for number in range(1, sides + 1)]
    return {"sheet": sheet, "sides": names, "entries": _hands(chance, sheet, sides)}


def random_entries(chance: Random, sheet: str, sides: int) -> list[dict[str, Any]]:
    """Return the entries of a game that begins at zero."""
    games = games_of(sheet)
    if hasattr(games, "random_entries"):
        entries: list[dict[str, Any]] = games.random_entries(chance, sheet, sides)
        return entries
    return _hands(chance, sheet, sides)


def _hands(chance: Random, sheet: str, sides: int) -> list[dict[str, Any]]:
    """Return hands that the rules accept, until the game is over; a hand that they refuse is drawn again."""
    game, rules = find_game(sheet), find_sheet(sheet).rules
    document: dict[str, Any] = {"sheet": sheet, "sides": [str(side) for side in range(sides)], "entries": []}
    for _ in range(TRIES):
        card = score_document(read_document(document))
        carry = card.steps[-1].carry if card.steps else card.document.carry
        if carry.verdict is not None or len(document["entries"]) == MOST_HANDS:
            break
        turn = Turn(sheet, {}, sides, carry, game.next_hand(rules, carry))
        longer = document | {"entries": [*document["entries"], games_of(sheet).hand_of(chance, turn)]}
        if not print_score(longer)["problems"]:
            document = longer
    return list(document["entries"])
