"""Divide rows into pages: as few pages as possible, all of them about equally full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple


class Piece(NamedTuple):
    """A part that stays on one page: its height, and the height of the headings repeated above it if it begins a page.

    `above` is the room above it, which is left out if it begins a page.
    """

    height: float
    head: float = 0.0
    above: float = 0.0


def spread(pieces: Sequence[Piece], room: Callable[[int], float]) -> list[int]:
    """The number of the piece with which each page begins. `room` returns the height of a page by its number, from 0.

    Each page gets an equal share of the rest, with the piece that exceeds the share if there is room for it, but there
    are never more pages than needed. A piece that is higher than a page gets its own.
    """
    starts = _filled(pieces, room, lambda _start, page: room(page))
    count, heights = len(starts), [0.0, *accumulate(piece.height + piece.above for piece in pieces)]
    even = _filled(pieces, room, lambda start, page: (heights[-1] - heights[start]) / max(count - page, 1))
    return even if len(even) <= count else starts


def _filled(pieces: Sequence[Piece], room: Callable[[int], float], wanted: Callable[[int, int], float]) -> list[int]:
    """Fill one page after another up to its `wanted` height."""
    starts: list[int] = []
    used = aim = most = 0.0
    for index, piece in enumerate(pieces):
        more = piece.above + piece.height
        if not starts or used >= aim - 0.01 or used + more > most + 0.01:
            most, aim = room(len(starts)), wanted(index, len(starts)) + piece.head
            starts.append(index)
            used, more = piece.head, piece.height
        used += more
    return starts
