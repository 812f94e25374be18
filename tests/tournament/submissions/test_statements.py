"""What one message costs the database: each row is read once, under the lock, and written once."""

from __future__ import annotations

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournament.submissions.conftest import TWO_SET, Tablet


def test_a_hand_of_a_running_game_takes_thirteen_statements(tablet: Tablet) -> None:
    tablet.send(tablet.hand(1))
    with CaptureQueriesContext(connection) as queries:
        assert tablet.results(tablet.hand(2, TWO_SET)) == [("applied", "")]
    told = [
        re.match(r'(SELECT|INSERT|UPDATE)(?: INTO)? "tournament_(\w+)"', one["sql"]) for one in queries.captured_queries
    ]
    assert [one.groups() for one in told if one] == [
        ("SELECT", "device"),
        ("SELECT", "event"),
        ("SELECT", "device"),
        ("SELECT", "game"),
        ("SELECT", "submission"),
        ("SELECT", "side"),
        ("SELECT", "entry"),
        ("INSERT", "entry"),
        ("INSERT", "journal"),
        ("INSERT", "result"),
        ("UPDATE", "game"),
        ("INSERT", "submission"),
        ("UPDATE", "event"),
    ]
    # Begin and commit.
    assert len(queries) == 13 + 2
