"""How often something may be tried from one address.

Several processes count in the cache that they share, by Redis' own clock; one process alone counts in its memory, by a
clock that nobody can set back.
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
        """When a key ends that lasts so many seconds; None where it never does."""
        seconds = self.default_timeout if timeout == DEFAULT_TIMEOUT else timeout
        return None if seconds is None else monotonic() + seconds

    def _has_expired(self, key: str) -> bool:
        end = self._expire_info.get(key, -1)  # type: ignore[attr-defined]  # not in its published types
        return end is not None and end <= monotonic()


class Try:
    """One try that was counted, with how many there are now; what turns out to be right is taken off again."""

    def __init__(self, key: str) -> None:
        self._key = key
        self.number = _count(key)

    def was_right(self) -> None:
        """Count this try no longer."""
        with suppress(ValueError):
            cache.decr(self._key)

    def forget_all(self) -> None:
        """Begin the count again: who tried is who they say they are."""
        cache.delete(self._key)

    def start_minute(self) -> None:
        """Let the minute of this count begin now."""
        cache.touch(self._key, SECONDS)


def _counted(address: str) -> str:
    """Of IPv6 the network: whoever has one address has 2**64 of them. A mapped one is of IPv4."""
    with suppress(ValueError):
        asking = IPv6Address(address)
        return str(asking.ipv4_mapped or IPv6Network((int(asking), 64), strict=False).network_address)
    return address


@contextmanager
def limited(act: str, address: str, most: int, sentence: str) -> Iterator[Try]:
    """Count a try before it is judged, in one step, so that no number of them at once is more than `most`.

    Raises TooMany with the sentence where there were so many already. The minute begins with the first try.
    """
    tried = Try(f"{act}:{_counted(address)}")
    try:
        if tried.number > most:
            raise TooMany(sentence, SECONDS)
        yield tried
    except TooMany:
        # Here or further in, nobody judged it.
        tried.was_right()
        raise


def _count(key: str) -> int:
    while True:
        cache.add(key, 0, SECONDS)
        # Its time may end between the two.
        with suppress(ValueError):
            return cache.incr(key)
