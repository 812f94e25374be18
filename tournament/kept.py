"""What was made once and is kept for everybody who asks for the same, as long as there is room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from django.db import connection

Made = TypeVar("Made")


def keeps() -> bool:
    """Whether what is made now is kept: not within a transaction, which may be taken back."""
    return not connection.in_atomic_block


class _Place(Generic[Made]):
    """What is kept under one key, and the lock of whoever makes it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.made: tuple[Made] | None = None
        self.weight = 0


class Kept(Generic[Made]):
    """Things by key, the `most` that were asked for last. One thread makes a thing, and the others wait for it.

    A key names everything that decides what is made. Read the version in it before what is made from it: then that is
    at least as new, and right in every process. Nothing is kept of what a transaction sees, which may be taken back.
    With `weigh` all of them together are no heavier than `room`.
    """

    def __init__(self, most: int, room: int = 0, weigh: Callable[[Made], int] = lambda made: 0) -> None:
        self._most, self._room, self._weigh, self._weight = most, room, weigh, 0
        self._places: OrderedDict[Hashable, _Place[Made]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        if not keeps():
            return make()
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            self._make_room()
        if place.made is None:
            with place.lock:
                if place.made is None:
                    place.made = (make(),)
                    self._note_weight(key, place, place.made[0])
        return place.made[0]

    def _note_weight(self, key: Hashable, place: _Place[Made], made: Made) -> None:
        with self._lock:
            # While it was made, it may have had to go.
            if self._places.get(key) is place:
                place.weight = self._weigh(made)
                self._weight += place.weight
                self._make_room()

    def _make_room(self) -> None:
        while len(self._places) > self._most or self._weight > self._room:
            self._weight -= self._places.popitem(last=False)[1].weight
