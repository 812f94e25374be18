"""Rows over pages: as few pages as they need, and about as much on each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple


class Piece(NamedTuple):
    """What stays together on a page: its height, and that of the heads repeated above it where a page begins with it.

    `above` is the room over it that a page which begins with it leaves out.
    """

    height: float
    head: float = 0.0
    above: float = 0.0


def spread(pieces: Sequence[Piece], room: Callable[[int], float]) -> list[int]:
    """With which piece each page begins. `room` is the height of a page by its number, from 0.

    A page takes its share of what is left, and the piece that goes over its share where there is room; never more pages
    than are needed. What is higher than a page has one of its own.
    """
    starts = _filled(pieces, room, lambda _start, page: room(page))
    count, heights = len(starts), [0.0, *accumulate(piece.height + piece.above for piece in pieces)]
    even = _filled(pieces, room, lambda start, page: (heights[-1] - heights[start]) / max(count - page, 1))
    return even if len(even) <= count else starts


def _filled(pieces: Sequence[Piece], room: Callable[[int], float], wanted: Callable[[int, int], float]) -> list[int]:
    """Pages that are filled up to what is wanted of them, one after the other."""
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
