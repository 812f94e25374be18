"""How often something may be tried from one address.

Several processes count in their shared cache, by Redis' own clock; a single process counts in its memory, by a clock
that nobody can set back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, IPv6Network
from time import monotonic

from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache

from tournament.errors import TooMany

MANY = "Too many {} from here. Please wait a minute, then try again."
SECONDS = 60


class ProcessCache(LocMemCache):
    """Django's cache in the memory of a process, whose times end by a monotonic clock."""

    def get_backend_timeout(self, timeout: float | None = DEFAULT_TIMEOUT) -> float | None:
        """When a key with this lifetime in seconds ends; None if it never does."""
        seconds = self.default_timeout if timeout == DEFAULT_TIMEOUT else timeout
        return None if seconds is None else monotonic() + seconds

    def _has_expired(self, key: str) -> bool:
        end = self._expire_info.get(key, -1)  # type: ignore[attr-defined]  # not in its published types
        return end is not None and end <= monotonic()


class Try:
    """One counted try, with how many there are now; a right one is not counted."""

    def __init__(self, key: str) -> None:
        self._key = key
        self.number = _count(key)

    def was_right(self) -> None:
        """Do not count this try."""
        with suppress(ValueError):
            cache.decr(self._key)

    def forget_all(self) -> None:
        """Reset the count: the person has proved to be who they claim."""
        cache.delete(self._key)

    def start_minute(self) -> None:
        """Start the minute of this count now."""
        cache.touch(self._key, SECONDS)


def _counted(address: str) -> str:
    """For IPv6 the network: one customer has 2**64 addresses. A mapped address counts as IPv4."""
    with suppress(ValueError):
        asking = IPv6Address(address)
        return str(asking.ipv4_mapped or IPv6Network((int(asking), 64), strict=False).network_address)
    return address


@contextmanager
def limited(act: str, address: str, most: int, sentence: str) -> Iterator[Try]:
    """Count a try before it is judged, in one step, so that no number of them at once exceeds `most`.

    Raises TooMany with the sentence if the limit is reached. The minute begins with the first try.
    """
    tried = Try(f"{act}:{_counted(address)}")
    try:
        if tried.number > most:
            raise TooMany(sentence, SECONDS)
        yield tried
    except TooMany:
        # Nobody judged it, here or further in.
        tried.was_right()
        raise


def _count(key: str) -> int:
    while True:
        cache.add(key, 0, SECONDS)
        # It may expire between the two calls.
        with suppress(ValueError):
            return cache.incr(key)
