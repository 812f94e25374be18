"""The games and rule sheets there are."""

from __future__ import annotations

from typing import Any

from scoring import back_alley, bid_whist, okinawa, spades
from scoring.game import CardGame, Sheet

GAMES: tuple[CardGame[Any, Any], ...] = (bid_whist.GAME, spades.GAME, back_alley.GAME, okinawa.GAME)


def find_game(key: str) -> CardGame[Any, Any]:
    """Find a game by the key of the game or of one of its sheets; KeyError if there is none."""
    name = key.partition("/")[0]
    for game in GAMES:
        if game.key == name:
            return game
    raise KeyError(key)


def find_sheet(key: str) -> Sheet[Any]:
    """Find a rule sheet by its key, “spades/standard”; KeyError if there is none."""
    for sheet in find_game(key).sheets:
        if sheet.key == key:
            return sheet
    raise KeyError(key)


def all_sheets() -> tuple[tuple[CardGame[Any, Any], Sheet[Any]], ...]:
    """List every sheet with its game, in the order in which they are offered."""
    return tuple((game, sheet) for game in GAMES for sheet in game.sheets)


def heading_of(rule: str) -> str:
    """What players call a clause that no sheet numbers; nothing for every other rule."""
    return next((game.headings[rule] for game in GAMES if rule in game.headings), "")
