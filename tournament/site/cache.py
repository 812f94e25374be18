"""Values that are computed once for everybody who asks for the same, as long as there is room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import partial
from typing import Any, Generic, TypeVar

from django.db import connection

Value = TypeVar("Value")
# Bytes of pages, pictures, and files together.
ROOM = 128 * 2**20


class _Slot(Generic[Value]):
    """The value under one key, once it is there, and the lock of the thread that computes it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.value: tuple[Value] | None = None
        self.weight = 0


class VersionedCache(Generic[Value]):
    """Values by key, the `most` recently requested ones. One thread computes a value, and the others wait for it.

    A key names everything that decides the value. Read its version before the data: then the value is at least as new,
    and right in every process. Nothing is cached inside a transaction, because it may be rolled back. With `weigh` all
    values together are no heavier than `room`.
    """

    def __init__(self, most: int, room: int = 0, weigh: Callable[[Value], int] = lambda value: 0) -> None:
        self._most, self._room, self._weigh, self._weight = most, room, weigh, 0
        self._slots: OrderedDict[Hashable, _Slot[Value]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        if connection.in_atomic_block:
            return make()
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            self._make_room()
        if slot.value is None:
            with slot.lock:
                if slot.value is None:
                    slot.value = (make(),)
                    self._note_weight(key, slot, slot.value[0])
        return slot.value[0]

    def there(self, key: Hashable) -> Value | None:
        """The value under a key, if it is there; its age in the cache is unchanged."""
        slot = self._slots.get(key)
        return None if slot is None or slot.value is None or connection.in_atomic_block else slot.value[0]

    def get_all(
        self, keys: Collection[Hashable], make: Callable[[Collection[Hashable]], Mapping[Hashable, Value]]
    ) -> list[Value]:
        """The values under these keys, in order. Missing ones are computed together.

        A key here is a row with its own version, which rises as the row is written, before anybody reads it: so a
        transaction finds the values of rows that it has not written.
        """
        with self._lock:
            slots = {key: self._slots[key] for key in keys if key in self._slots}
        values = {key: slot.value[0] for key, slot in slots.items() if slot.value is not None}
        if missing := [key for key in keys if key not in values]:
            new = make(missing)
            for key in missing:
                values[key] = self.get(key, partial(new.__getitem__, key))
        return [values[key] for key in keys]

    def clear(self) -> None:
        with self._lock:
            self._slots.clear()
            self._weight = 0

    def _note_weight(self, key: Hashable, slot: _Slot[Value], value: Value) -> None:
        with self._lock:
            # Its slot may have been evicted while the value was computed.
            if self._slots.get(key) is slot:
                slot.weight = self._weigh(value)
                self._weight += slot.weight
                self._make_room()

    def _make_room(self) -> None:
        while len(self._slots) > self._most or self._weight > self._room:
            self._weight -= self._slots.popitem(last=False)[1].weight


# Answers for many: public pages, the picture to share, and files of an event.
answers: VersionedCache[Any] = VersionedCache(1024, ROOM, lambda answer: len(getattr(answer, "content", answer)))
