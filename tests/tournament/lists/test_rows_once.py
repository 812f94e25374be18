"""A row of a public list that is the same as before is not written again."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, make_teams
from tournament.models import Team
from tournament.services.transactions import writing
from tournament.tables import _written


@pytest.mark.parametrize("page", ["", "teams/"])
def test_a_change_of_one_team_writes_one_row(dana: User, page: str) -> None:
    event, counts = make_event("Rows", dana), []
    make_teams(event, 6)
    _written.clear()
    for city in ("Columbus", "Dayton"):
        with writing(event):
            Team.objects.filter(event=event, number=1).update(city=city)
        assert Client().get(f"/e/{event.slug}/{page}").content.count(b'id="team-') == 6
        counts.append(len(_written))
    assert counts == [6, 7]
