"""The cache that the processes of a hosted site share: what one counts the others count, and it may be gone."""

from __future__ import annotations

import threading
import time

from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.test import Client, override_settings

from tests.hosted.conftest import Redis
from tournament.limits import limited
from tournament.models import Event
from tournament.refusals import TooMany
from tournament.services.devices import FAILURES_A_MINUTE

WRONG = {"code": "WRONGONE"}


def elsewhere(tries: int) -> list[bool]:
    """Tries from another process, as far as the cache can tell: another thread has a client of its own."""
    allowed: list[bool] = []

    def run() -> None:
        for _ in range(tries):
            try:
                with limited("door", "192.0.2.7", 5, "keys"):
                    allowed.append(True)
            except TooMany:
                allowed.append(False)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return allowed


def test_tries_in_one_process_count_in_another(redis: Redis) -> None:
    assert (elsewhere(3), elsewhere(3)) == ([True, True, True], [True, True, False])


def test_what_only_a_process_knows_does_not_count_in_another() -> None:
    """The control: with Django's cache in a process's own memory, each process allows all of them once more."""
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    allowed = []
    for name in ("one process", "the other"):
        with override_settings(CACHES={"default": local | {"LOCATION": name}}):
            allowed.append(elsewhere(3))
    assert allowed == [[True, True, True], [True, True, True]]


def test_a_name_that_is_locked_is_locked_in_every_process_for_a_minute(redis: Redis, dana: User) -> None:
    client = Client()
    answers = [client.post("/sign-in/", {"username": "dana", "password": f"guess {n}"}).status_code for n in range(6)]
    (key,) = caches["default"]._cache.get_client().keys("*sign-in:?*:127.0.0.1")  # type: ignore[attr-defined]
    ttl = caches["default"]._cache.get_client().ttl(key)  # type: ignore[attr-defined]
    assert (answers, 0 < ttl <= 60) == ([200] * 4 + [429] * 2, True)


def test_the_site_goes_on_while_the_cache_is_gone(redis: Redis, event: Event) -> None:
    client = Client()
    redis.kill()
    answers = [client.post("/t/", WRONG).status_code for _ in range(3)]
    assert (answers, client.get(f"/e/{event.slug}/").status_code) == ([422] * 3, 200)
    assert [cache.get("a", "none"), cache.get_many(["a"]), cache.add("a", 1), cache.touch("a")] == [
        "none",
        {},
        True,
        False,
    ]
    began = time.monotonic()
    assert [cache.get("a") for _ in range(20)] == [None] * 20
    assert time.monotonic() - began < 5
    redis.start()
    answers = [client.post("/t/", WRONG).status_code for _ in range(FAILURES_A_MINUTE + 1)]
    assert answers == [422] * FAILURES_A_MINUTE + [429]


def test_a_count_whose_time_ended_while_it_was_counted_ends_again(redis: Redis) -> None:
    cache.set("door", 3, timeout=None)
    cache.incr("door")
    ttl = caches["default"]._cache.get_client().ttl(cache.make_key("door"))  # type: ignore[attr-defined]  # Django's own
    assert (cache.get("door"), 0 < ttl <= 600) == (4, True)
