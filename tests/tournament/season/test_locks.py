"""Acts on people and acts on a season at the same moment: events, then people, then seasons are locked."""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.tournament.racing import Act, together
from tests.tournament.season.clubs import make_season, members, person, played
from tournament.access import Actor
from tournament.models import Person, Season
from tournament.queries.dues import members_of
from tournament.services.dues import take_dues
from tournament.services.members import add_who_played
from tournament.services.people import merge_persons
from tournament.words.texts import name_key, near_key

# The place at which each holds what the other one asks for next.
SEASONS, LEDGER, MEMBERS = 'FROM "tournament_season"', 'INSERT INTO "tournament_ledger"', 'INSERT INTO "tournament_mem'


@pytest.fixture
def season(transactional_db: None, dana: User) -> Season:
    """A season whose only event is over, with nobody on its list."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: no act holds what another one waits for")
    season = make_season()
    played(dana, season)
    return season


def merged_meanwhile(dana: User, act: Act, place: str) -> list[object]:
    """The outcome of an act while somebody new is merged into Ann Hill, who plays."""
    new = Person.objects.create(name="Ann Hil", key=name_key("Ann Hil"), near=near_key("Ann Hil"))
    merge = partial(merge_persons, Actor(dana), new, person("Ann Hill"))
    came = together(merge, act, places=((SEASONS,), (place,)))
    return [outcome for outcome in came if isinstance(outcome, Exception)]


def test_dues_are_taken_while_the_member_is_merged(dana: User, season: Season) -> None:
    members(season)
    ann = person("Ann Hill").pk
    assert merged_meanwhile(dana, partial(take_dues, Actor(dana), season, ann, None), LEDGER) == []
    assert {member.person.name: member.owes for member in members_of(season)}["Ann Hill"] == 0


def test_members_are_added_while_one_is_merged(dana: User, season: Season) -> None:
    assert merged_meanwhile(dana, partial(add_who_played, Actor(dana), season), MEMBERS) == []
    assert len(members_of(season)) == 8
