"""Two tablets and the network's doubles at the same moment, in threads, on a database in a file or on PostgreSQL."""

from __future__ import annotations

import os
import uuid
from collections import Counter
from random import Random

import pytest
from django.db import connection

from tests.tournament.racing import failed, take_lock_away, together
from tests.tournament.submissions.conftest import THREE, TWO_SET, Tablet
from tests.tournament.submissions.interleaving import ODD, Scribe, begin_again, check
from tournament.access import Actor
from tournament.models import Entry, Game, Submission
from tournament.services.devices import take_over

WRITES = 'INSERT INTO "tournament_entry"'
SIGNS = 'INSERT INTO "tournament_signature"'
# Two hundred interleavings, in parts that can be run side by side.
PARTS, IN_A_PART = 8, int(os.environ.get("RANDOM_RACES", "25"))
pytestmark = [pytest.mark.usefixtures("own_file"), pytest.mark.both_databases]


@pytest.fixture
def without_lock(own_file: None, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("on SQLite every transaction locks the whole file: there is nothing that could be taken away")
    take_lock_away(monkeypatch)


def test_the_same_item_eight_times_at_once_is_one_line(tablet: Tablet, game: Game) -> None:
    hand = tablet.hand(1)
    assert together(*[lambda: tablet.results(hand)] * 8) == [[("applied", "")]] * 8
    assert (Entry.objects.count(), Submission.objects.count()) == (1, 1)


def test_two_different_hands_for_one_line_at_once(tablet: Tablet, game: Game) -> None:
    one, two = tablet.hand(1, after=None), tablet.hand(1, TWO_SET, after=None)
    results = together(lambda: tablet.results(one), lambda: tablet.results(two))
    assert sorted(status for [(status, _)] in results) == ["applied", "parked"]
    assert Entry.objects.count() == 1


@pytest.mark.usefixtures("without_lock")
def test_without_the_lock_the_same_race_loses_its_order(tablet: Tablet, game: Game) -> None:
    """The negative control: all of them read the sheet before any of them writes, and only one line can be stored."""
    hand = tablet.hand(1, after=None)
    others = [{**hand, "uid": str(uuid.uuid4())} for _ in range(5)]
    results = together(*[lambda item=item: tablet.results(item) for item in others], places=((WRITES,),) * 5)
    assert sorted(results) == [[("applied", "")], *[[("parked", "changed")]] * 4]


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_two_tablets_in_two_hundred_interleavings_lose_and_double_nothing(
    part: int, tablet: Tablet, second: Tablet, game: Game
) -> None:
    came: Counter[str] = Counter()
    for seed in range(part * IN_A_PART, (part + 1) * IN_A_PART):
        scribes = [Scribe(device, Random(f"{seed}/{number}")) for number, device in enumerate((tablet, second))]
        writer = Random(seed).choice(scribes)
        begin_again(game, writer.tablet)
        writer.write()
        writer.send()
        raised = together(*[scribe.act for scribe in scribes])
        assert not any(failed(fault) for fault in raised), (seed, raised)
        came += check(game, *scribes)
    assert {kind.partition(" ")[0] for kind in came} == {"hand", "void", "undo", "sign", "call"}
    assert came["hand applied"] >= IN_A_PART


def an_undo_meets_the_last_signature(tablet: Tablet, second: Tablet, *places: tuple[str, ...]) -> list[Scribe]:
    first, other = Scribe(tablet, Random(1)), Scribe(second, Random(2))
    first.sees = [first._add("hand", position=1, facts=ODD)]
    first._add("sign", side=0, name="Ann 1", lines=list(first.sees))
    first.send()
    other.sees = list(first.sees)
    other._add("sign", side=1, name="Ann 2", lines=list(other.sees))
    first.undo()
    together(first.send, other.send, places=places)
    return [first, other]


def test_either_the_undo_comes_first_or_the_last_signature(tablet: Tablet, second: Tablet, game: Game) -> None:
    scribes = an_undo_meets_the_last_signature(tablet, second)
    assert sum(check(game, *scribes).values()) == 4


@pytest.mark.usefixtures("without_lock")
def test_without_the_lock_both_come_first_and_the_check_sees_it(tablet: Tablet, second: Tablet, game: Game) -> None:
    """The negative control of the interleavings: a game is final with a line that was undone."""
    scribes = an_undo_meets_the_last_signature(tablet, second, (WRITES,), (SIGNS,))
    with pytest.raises(AssertionError):
        check(game, *scribes)


def test_a_tablet_that_lost_its_place_keeps_both_versions_for_the_desk(
    tablet: Tablet, second: Tablet, game: Game
) -> None:
    tablet.results(tablet.hand(1))
    take_over(Actor(None, second.device), second.device)
    late = tablet.hand(2, TWO_SET)
    together(lambda: tablet.results(late), lambda: second.results(second.hand(2, THREE, after=None)))
    assert sorted(Submission.objects.values_list("status", "code")) == [
        ("applied", ""),
        ("applied", ""),
        ("parked", "not-writer"),
    ]
    assert Entry.objects.count() == 2
