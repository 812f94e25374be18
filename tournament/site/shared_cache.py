"""The cache that several processes share: Django's own in Redis or Valkey. The site also works without it.

Its content may be lost at any moment. While it cannot be reached it is empty: counts of wrong codes start again, and
cached values are computed again. Nobody sees an error, and nothing that is stored depends on it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import TimeoutError as Silent
from redis.retry import Retry

# The longest time in seconds for which anything is counted.
LONGEST_COUNT = 600
log = logging.getLogger(__name__)


class _Counting(RedisCacheClient):
    def incr(self, key: Any, delta: int) -> int:
        """Count. A key that expires between Django's two calls would be counted forever: set its lifetime again."""
        value: int = super().incr(key, delta)
        self.get_client(key, write=True).expire(key, LONGEST_COUNT, nx=True)
        return value


def _without(name: str, answer: Any) -> Callable[..., Any]:
    """What the client does, and its answers while there is no cache."""
    asked = getattr(_Counting, name)

    @wraps(asked)
    def ask(self: RedisCacheClient, *given: Any) -> Any:
        try:
            return asked(self, *given)
        except (Unreachable, Silent) as fault:
            log.warning("The shared cache cannot be reached: %s", fault)
            return given[1] if name == "get" else answer

    return ask


class _Client(_Counting):
    # A caller that adds a missing key, or counts it, is the first.
    add, incr = _without("add", True), _without("incr", 1)
    get, get_many, has_key = _without("get", None), _without("get_many", {}), _without("has_key", False)
    set, set_many, touch = _without("set", None), _without("set_many", None), _without("touch", False)
    delete, delete_many = _without("delete", False), _without("delete_many", None)


class SharedCache(RedisCache):
    """A connection that a restart of the cache has cut is reopened once, at once."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        params["OPTIONS"] = {"retry": Retry(NoBackoff(), 1), **params.get("OPTIONS", {})}
        super().__init__(server, params)
        self._class = _Client
