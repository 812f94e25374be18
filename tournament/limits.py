"""How often something may be tried from one address: counted in the cache that every process of the site shares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, IPv6Network

from django.core.cache import cache
from django.http import HttpRequest

from tournament.refusals import TooMany

MANY = "Too many {} from here. Please wait a minute, then try again."
SECONDS = 60


class Try:
    """One try that was counted; what turns out to be right is taken off again."""

    def __init__(self, key: str) -> None:
        self._key = key

    def was_right(self) -> None:
        """Count this try no longer."""
        with suppress(ValueError):
            cache.decr(self._key)


def counted_address(request: HttpRequest) -> str:
    """Give the address under which an asker's tries are counted."""
    return _counted(request.META.get("REMOTE_ADDR", ""))


def _counted(address: str) -> str:
    """Of IPv6 the network: whoever has one address has 2**64 of them. A mapped one is of IPv4."""
    with suppress(ValueError):
        asking = IPv6Address(address)
        return str(asking.ipv4_mapped or IPv6Network((int(asking), 64), strict=False).network_address)
    return address


@contextmanager
def limited(act: str, address: str, most: int, what: str) -> Iterator[Try]:
    """Count a try before it is judged, in one step, so that no number of them at once is more than `most`.

    Raises TooMany, which says of what, where there were so many already. The minute begins with the first try.
    """
    key = f"{act}:{_counted(address)}"
    tried = Try(key)
    try:
        if _count(key) > most:
            raise TooMany(MANY.format(what), SECONDS)
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
