"""The cache that several processes share: Django's own in Redis or Valkey, without which the site goes on.

What it holds may be lost at any moment. While it cannot be reached it holds nothing: counts of wrong codes begin
again, and what was remembered is made again. Nobody sees an error, and nothing that is stored depends on it.
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

# Seconds for which anything is counted at most.
LONGEST_COUNT = 600
log = logging.getLogger(__name__)


class _Counting(RedisCacheClient):
    def incr(self, key: Any, delta: int) -> int:
        """Count. A key whose time ended between Django's two questions would be counted for ever: it ends, too."""
        value: int = super().incr(key, delta)
        self.get_client(key, write=True).expire(key, LONGEST_COUNT, nx=True)
        return value


def _without(name: str, answer: Any) -> Callable[..., Any]:
    """What the client does, and what it answers while there is no cache."""
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
    # Whoever adds a key that is not there, or counts it, is the first.
    add, incr = _without("add", True), _without("incr", 1)
    get, get_many, has_key = _without("get", None), _without("get_many", {}), _without("has_key", False)
    set, set_many, touch = _without("set", None), _without("set_many", None), _without("touch", False)
    delete, delete_many = _without("delete", False), _without("delete_many", None)


class SharedCache(RedisCache):
    """A connection that the cache's restart has cut is opened once more, and that at once."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        params["OPTIONS"] = {"retry": Retry(NoBackoff(), 1), **params.get("OPTIONS", {})}
        super().__init__(server, params)
        self._class = _Client
