"""The one door to the draw: every method by its key, one round or a whole schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pairing.by_hand import Checked, Warned, check_by_hand
from tournament.pairing.groups import group_tables
from tournament.pairing.movement import moving_teams
from tournament.pairing.plan import NOTHING_PLAYED, Draw, Entrant, History, Played
from tournament.pairing.random_draw import random_draw
from tournament.pairing.round_robin import all_play_all
from tournament.pairing.swiss import swiss
from tournament.pairing.winners_up import winners_up

__all__ = [
    "FIXED",
    "METHODS",
    "NOTHING_PLAYED",
    "Checked",
    "Draw",
    "DrawOptions",
    "Entrant",
    "History",
    "Played",
    "Warned",
    "check_by_hand",
    "draw_all",
    "draw_round",
]

MOVING, ROUND_ROBIN, SWISS, RANDOM = "moving", "round-robin", "swiss", "random"
WINNERS_UP, GROUPS, BY_HAND = "winners-up", "groups", "by-hand"
METHODS = (MOVING, ROUND_ROBIN, SWISS, RANDOM, WINNERS_UP, GROUPS, BY_HAND)
# These need no results: the whole evening can be drawn and printed before it starts.
FIXED = (MOVING, ROUND_ROBIN, RANDOM, GROUPS)


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """What a club may ask of a draw. `apart` names city and club as wanted.

    `table_size` and `smallest_table` are for tables of single players; `tables` and `byes` are a draw made by hand.
    """

    apart: tuple[str, ...] = ()
    table_size: int = 4
    smallest_table: int | None = None
    tables: tuple[tuple[int, ...], ...] = ()
    byes: tuple[int, ...] = ()


PLAIN = DrawOptions()


def draw_round(
    method: str,
    entrants: Sequence[Entrant],
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
    options: DrawOptions = PLAIN,
) -> Draw:
    """Draw the round after `history`; the same seed gives the same draw.

    Raises ValueError for an unknown method, an entrant given twice, and a draw by hand that cannot be played.
    """
    match method:
        case "swiss":
            return swiss(entrants, history, seed, options.apart)
        case "winners-up":
            return winners_up(entrants, history, seed, options.apart)
        case "by-hand":
            sizes = tuple({len(table) for table in options.tables}) or (2,)
            checked = check_by_hand(options.tables, options.byes, entrants, history, sizes)
            if not checked.can_be_played:
                raise ValueError(checked.warnings[0].text)
            return checked.draw
        case _:
            return draw_all(method, entrants, 1, history, seed, options)[0]


def draw_all(
    method: str,
    entrants: Sequence[Entrant],
    rounds: int,
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
    options: DrawOptions = PLAIN,
) -> tuple[Draw, ...]:
    """Draw the next `rounds` rounds of a method that needs no results (see FIXED).

    With a history it re-seats the remaining rounds only. Raises ValueError for any other method.
    """
    match method:
        case "moving":
            return moving_teams(entrants, rounds, history, seed, options.apart)
        case "round-robin":
            return all_play_all(entrants, rounds, history, seed, options.apart)
        case "groups":
            return group_tables(entrants, rounds, options.table_size, options.smallest_table, history, seed)
        case "random":
            draws = []
            for _ in range(rounds):
                draws.append(random_draw(entrants, history, seed, options.apart))
                history = history.after(draws[-1])
            return tuple(draws)
        case _:
            raise ValueError(f"“{method}” cannot be drawn ahead")
