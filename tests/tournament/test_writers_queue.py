"""Writers of an SQLite hall stand in line."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import User

from tournament.access import Actor
from tournament.database import Queue
from tournament.models import Event
from tournament.services.events import change_event


def test_whoever_came_first_has_the_first_turn() -> None:
    queue, order, threads = Queue(), [], []

    def write(number: int) -> None:
        with queue.turn():
            order.append(number)

    with queue.turn():
        for number in range(20):
            thread = threading.Thread(target=write, args=(number,))
            thread.start()
            threads.append(thread)
            # The next one comes when this one stands in line.
            while len(queue._waiting) <= number:
                pass
    for thread in threads:
        thread.join(timeout=10)
    assert order == list(range(20))


def test_a_write_that_fails_lets_the_next_one_through() -> None:
    queue = Queue()
    with pytest.raises(ZeroDivisionError), queue.turn():
        raise ZeroDivisionError
    with queue.turn():
        pass


def test_what_an_act_hands_back_has_the_version_that_is_stored(event: Event, dana: User) -> None:
    before = event.version
    changed = change_event(Actor(dana), event, {"place": "Union Hall"})
    assert (changed.version, event.version, Event.objects.get().version) == (before + 1,) * 3
