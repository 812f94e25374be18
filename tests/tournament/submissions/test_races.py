"""Two tablets and the network's doubles at the same moment, in threads, on a database that has them (PostgreSQL)."""

from __future__ import annotations

import uuid
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.tournament.racing import together
from tests.tournament.submissions.conftest import THREE, TWO_SET, Tablet
from tournament.access import Actor
from tournament.models import Entry, Game, Submission
from tournament.services.devices import take_over

WRITES = 'INSERT INTO "tournament_entry"'


pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def real_database(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("the test database in memory has one connection; run with TEST_DATABASE_URL on PostgreSQL")


def test_the_same_item_eight_times_at_once_is_one_line(tablet: Tablet, game: Game) -> None:
    hand = tablet.hand(1)
    found = together(*[lambda: tablet.results(hand)] * 8)
    assert found == [[("applied", "")]] * 8
    assert (Entry.objects.count(), Submission.objects.count()) == (1, 1)


def test_two_different_hands_for_one_line_at_once(tablet: Tablet, game: Game) -> None:
    one, two = tablet.hand(1, after=None), tablet.hand(1, TWO_SET, after=None)
    found = together(lambda: tablet.results(one), lambda: tablet.results(two))
    assert sorted(status for [(status, _)] in found) == ["applied", "parked"]
    assert Entry.objects.count() == 1


def test_without_the_lock_the_same_race_loses_its_order(tablet: Tablet, game: Game, settings: Any) -> None:
    """The negative control: all of them look at the sheet before any of them writes, and only one line can stand."""
    settings.UPTOWN_WITHOUT_LOCK = True
    hand = tablet.hand(1, after=None)
    others = [{**hand, "uid": str(uuid.uuid4())} for _ in range(5)]
    found = together(*[lambda one=one: tablet.results(one) for one in others], places=((WRITES,),) * 5)
    assert sorted(found) == [[("applied", "")], *[[("parked", "changed")]] * 4]


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
        together(*acts)
        applied = set(Submission.objects.filter(status="applied").values_list("uid", flat=True))
        assert Submission.objects.count() == sent
        assert set(Entry.objects.values_list("client_key", flat=True)) == applied
        assert Submission.objects.exclude(status__in=["applied", "parked"]).count() == 0
