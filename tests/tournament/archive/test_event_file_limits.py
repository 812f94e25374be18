"""What an event file may hold of a bracket, and how long a name may be."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import make_event
from tests.tournament.archive.filed import resealed
from tests.tournament.archive.test_event_file import written
from tests.tournament.reports.eventful import eventful
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.models import Event
from tournament.refusals import Invalid

PLACING = {"number": 1, "kind": "drawn", "source": "seeds", "before": [1, 2], "after": []}
MORE_FACTS: list[tuple[Any, ...]] = [
    ("placings", [PLACING, PLACING], "Placings: every one has a number of its own."),
    ("placings", [PLACING | {"mood": "good"}], "Placing 1, field mood"),
    ("playoffs", {"games": [], "best_of": 2}, "a match is one game, or best of 3, 5 or 7"),
]


def test_a_bracket_that_cannot_be_read_is_refused(dana: User) -> None:
    data = written(eventful(dana))
    for where, value, sentence in MORE_FACTS:
        with pytest.raises(Invalid, match=sentence):
            import_event(Actor(dana), resealed(data | {where: value}))


def test_an_event_of_the_longest_name_is_read_back(dana: User) -> None:
    event = make_event("N" * 60, dana, slug="n", place="P" * 60)
    copied = import_event(Actor(dana), written(event))
    assert (copied.name, copied.place) == ("N" * 60, "P" * 60)


HAND = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9}
AT_TABLE = {"table": 1, "teams": [1, 2]}
ONE_GAME = {"games": [{**AT_TABLE, "round": 9, "game": {"entries": [HAND]}}]}
TOO_MANY_HANDS = {"entries": [HAND], "opening": {"scores": [1, 0], "hands": 10_000}}


def one_round(**fields: Any) -> list[dict[str, Any]]:
    return [{"round": 1, "tables": [AT_TABLE | fields]}]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rounds": one_round(table=None)}, "the number of the table is needed"),
        ({"rounds": one_round(game=TOO_MANY_HANDS)}, "at most 9,999 hands can have been played before"),
        ({"rounds": one_round(game={"entries": [HAND]}, lines={})}, "lines is needed"),
        ({"options": [1]}, "Field options: options are an object, option and choice."),
        ({"stage": "intermission"}, "Field stage: “intermission” is not known."),
        ({"stage": "playing", "playoffs": ONE_GAME}, "there are playoff games, but the qualifying games are not over"),
        ({"teams": [{"number": 0, "name": "Aces"}]}, "a number from 1 to"),
        ({"teams": [{"number": 1, "name": "Aces", "players": ["A"] * 20}]}, "players can be named"),
        ({"teams": [{"number": 1, "name": "Aces", "status": "asleep"}]}, "“asleep” is not known"),
        ({"teams": [{"number": 1, "name": "Aces", "joined_in": 1001}]}, "1001 is not a round"),
        ({"teams": [5]}, "Team in line 1 of the list: a team is an object."),
        ({"teams": [{}] * 5001}, "teams can be read; here are 5,001"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_refused(dana: User, change: dict[str, Any], sentence: str) -> None:
    teams = [{"number": number, "name": name} for number, name in ((1, "Aces"), (2, "Books"))]
    plain = {"event": "Small Open", "sheet": "bid_whist/no-kitty-2021", "teams": teams, "rounds": one_round()}
    with pytest.raises(Invalid) as refusal:
        import_event(Actor(dana), plain | change)
    assert sentence in str(refusal.value), str(refusal.value)
    assert not Event.objects.exists()
