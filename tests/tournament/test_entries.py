"""Writing on the sheet."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import MADE_FIVE, play, revise_entry
from tests.sure import refusal_of
from tournament.access import Actor
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Entry, Event, Game
from tournament.queries.sheet import sheet_now
from tournament.services.entries import open_from_paper, record_entry, retype, sheet_draft
from tournament.services.events import change_event
from tournament.site.database import Queue

pytestmark = pytest.mark.both_databases

THREE = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9}
TOO_MANY_BOOKS = {**THREE, "books": 14}


def test_record_entry_of_a_key_is_done_once_and_of_a_position_that_is_taken_never(game: Game, dana: User) -> None:
    key = uuid.uuid4()
    first = record_entry(Actor(dana), game, THREE, client_key=key)
    assert record_entry(Actor(dana), game, THREE, client_key=key) == first
    others: list[dict[str, Any]] = [{"facts": MADE_FIVE, "client_key": key}, {"facts": THREE, "position": 1}]
    for other in others:
        with pytest.raises(Conflict):
            record_entry(Actor(dana), game, **other)
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    ("opening", "fields"),
    [
        ({"scores": [3]}, ["scores"]),
        ({"scores": [3, 0, 1]}, ["scores"]),
        ({"scores": [3, 0], "sets": [-1, 0]}, ["sets"]),
        ({"scores": [3, 0], "bags": [0]}, ["bags"]),
        ({"scores": [3, 0], "hands": -1}, ["hands"]),
        ({"scores": [3, 0], "winner": 1}, ["winner"]),
        ({"scores": [5, 0]}, ["opening"]),
        ({"scores": [3, 0], "sets": [2, 0]}, ["opening"]),
        ({"scores": ["3", 0]}, ["scores"]),
        ({"scores": [10**9, 0]}, ["scores"]),
    ],
)
def test_open_from_paper_refuses_totals_that_cannot_be(
    game: Game, dana: User, opening: dict[str, Any], fields: list[str]
) -> None:
    refusal = refusal_of(lambda: open_from_paper(Actor(dana), game, opening))
    assert ([fault.field for fault in refusal.faults], Entry.objects.count()) == (fields, 0)


def test_a_sheet_typed_again_must_differ_and_follow_the_rules(game: Game, dana: User) -> None:
    play(dana, game, THREE)
    refusals = {
        "same": refusal_of(lambda: retype(Actor(dana), sheet_draft(game), None, [THREE], "miscounted")),
        "refused": refusal_of(
            lambda: retype(Actor(dana), sheet_draft(game), None, [THREE, TOO_MANY_BOOKS], "miscounted")
        ),
        "no reason": refusal_of(lambda: retype(Actor(dana), sheet_draft(game), None, [], " ")),
    }
    assert {name: [(fault.field, fault.text) for fault in refusal.faults] for name, refusal in refusals.items()} == {
        "same": [("", "Nothing is different from the sheet as it is.")],
        "refused": [("2", "Line 2: There are 13 books; 14 is not possible.")],
        "no reason": [("reason", "A correction needs a reason.")],
    }


def test_revise_entry_recomputes_everything_after_it(game: Game, dana: User) -> None:
    play(dana, game, THREE, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    revise_entry(Actor(dana), game, position=1, revision=0, facts={**THREE, "books": 8}, reason="miscounted")
    assert [row.scores for row in sheet_now(game).rows] == [(-3, 0), (-3, 2)]


def test_revise_entry_that_ends_the_game_early_names_the_line_that_cannot_stand(game: Game, dana: User) -> None:
    play(dana, game, THREE, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    with pytest.raises(ValidationFailed) as refusal:
        revise_entry(Actor(dana), game, position=1, revision=0, facts=MADE_FIVE, reason="miscounted")
    assert "line 2" in refusal.value.faults[0].text


# Writers of an SQLite hall wait in line.
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
            # The next one comes when this one is in line.
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
