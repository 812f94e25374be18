"""Two tablets and the network's doubles at the same moment, in threads, on a database that has them (PostgreSQL)."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections

from tests.tournament.submissions.conftest import THREE, TWO_SET, Tablet
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Submission
from tournament.services import submissions
from tournament.services.devices import take_over

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def real_database(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("the test database in memory has one connection; run with TEST_DATABASE_URL on PostgreSQL")


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Do all of it at the same moment, each in a thread of its own; gives what each came to."""
    barrier, found = threading.Barrier(len(acts)), [None] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        try:
            barrier.wait()
            found[place] = act()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_the_same_item_eight_times_at_once_is_one_line(tablet: Tablet, game: Game) -> None:
    hand = tablet.hand(1)
    found = at_once(*[lambda: tablet.results(hand)] * 8)
    assert found == [[("applied", "")]] * 8
    assert (Entry.objects.count(), Submission.objects.count()) == (1, 1)


def test_two_different_hands_for_one_line_at_once(tablet: Tablet, game: Game) -> None:
    one, two = tablet.hand(1, after=None), tablet.hand(1, TWO_SET, after=None)
    found = at_once(lambda: tablet.results(one), lambda: tablet.results(two))
    assert sorted(status for [(status, _)] in found) == ["applied", "parked"]
    assert Entry.objects.count() == 1


def test_without_the_lock_the_same_race_loses_its_order(
    tablet: Tablet, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: the lock is what keeps the journal's order, so without it answers differ."""
    from contextlib import contextmanager

    from django.db import transaction

    @contextmanager
    def unlocked(event: Any) -> Any:
        with transaction.atomic():
            yield Event.objects.get(pk=getattr(event, "pk", event))

    for module in ("entries", "seating", "signatures", "calls"):
        monkeypatch.setattr(f"tournament.services.{module}.writing", unlocked)
    monkeypatch.setattr(submissions, "writing", unlocked)
    odd = 0
    for _ in range(20):
        hand = {**tablet.hand(1, after=None), "uid": str(uuid.uuid4())}
        others = [{**hand, "uid": str(uuid.uuid4())} for _ in range(5)]
        found = at_once(*[lambda one=one: tablet.results(one) for one in others])
        codes = [code for [(_, code)] in found]
        odd += any(code == "changed" for code in codes)
        Entry.objects.all()._raw_delete("default")
    assert odd > 0


def test_two_tablets_in_two_hundred_interleavings_lose_and_double_nothing(
    tablet: Tablet, second: Tablet, game: Game, dana: User
) -> None:
    for seed in range(200):
        chance = Random(seed)
        Submission.objects.all().delete()
        Entry.objects.all()._raw_delete("default")
        tablet.last = second.last = None
        sent = 0

        def write(one: Tablet, chance: Random = chance) -> list[dict[str, Any]]:
            items = [one.hand(1, THREE), one.hand(2, TWO_SET)]
            if chance.random() < 0.5:
                items.append(one.item("undo", position=2, of=items[1]["uid"]))
            return items

        batches = [(tablet, write(tablet)), (second, write(second))]
        sent = sum(len(items) for _, items in batches)
        acts = [lambda one=one, items=items: one.results(*items) for one, items in batches]
        taker = chance.choice([tablet, second])
        acts.append(lambda one=taker: take_over(Actor(None, one.device), one.device) and None)
        at_once(*acts)
        applied = set(Submission.objects.filter(status="applied").values_list("uid", flat=True))
        assert Submission.objects.count() == sent
        assert set(Entry.objects.values_list("client_key", flat=True)) == applied
        assert Submission.objects.exclude(status__in=["applied", "parked"]).count() == 0
