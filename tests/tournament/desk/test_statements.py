"""What the desk costs the database: as many statements for many tables as for few, and each thing read once."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import MADE_FIVE, ODD, make_event, make_round, make_teams, play
from tests.pages import signed_in
from tests.sure import sure
from tournament import sessions
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Round
from tournament.services.entries import record_entry


def evening(dana: User, pairs: int, source: str = "desk") -> Event:
    """One round that is closed, and one in play in which every other sheet comes from `source`."""
    event = make_event("Sizes", dana, slug=f"of-{pairs}-{source}", rounds_planned=3)
    teams = make_teams(event, 2 * pairs)
    half = list(zip(teams[:pairs], teams[pairs:], strict=True))
    for game in make_round(event, half).games.all():
        play(dana, game, MADE_FIVE)
    Round.objects.filter(event=event).update(state="closed")
    for game in make_round(event, [(other, one) for one, other in half], number=2).games.filter(table__gt=1):
        record_entry(Actor(dana), game, ODD, source=source if game.table % 2 else "desk")
    return event


def asked(queries: CaptureQueriesContext) -> int:
    """How many there were, without those that begin and end a transaction: not every database counts them."""
    marks = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
    return sum(not one["sql"].startswith(marks) for one in queries.captured_queries)


def at_the_desk(dana: User) -> Client:
    """Whoever sits there typed the password just now."""
    client = signed_in(dana)
    session = client.session
    sessions.begin(session)
    session.save()
    return client


def test_the_desk_takes_as_many_statements_for_many_tables_as_for_few(dana: User) -> None:
    client, counts = signed_in(dana), []
    for pairs, source in ((3, "desk"), (12, "desk"), (3, "paper"), (12, "paper")):
        event = evening(dana, pairs, source)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/desk/{event.slug}/").status_code == 200
        counts.append(len(queries))
    # Sheets from paper took ten more: they were read for the round, and again for all that waits.
    assert counts == [22, 22, 24, 24]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("state", ["running", "closed"])
@pytest.mark.parametrize("pairs", [3, 12])
def test_a_correction_takes_few_statements_until_the_new_standings_are_out(dana: User, pairs: int, state: str) -> None:
    event, client = evening(dana, pairs), at_the_desk(dana)
    Round.objects.filter(event=event, number=2).update(state=state)
    game = Game.objects.get(round__event=event, round__number=1, table=1)
    said = {"seat": "0", "bid": "4", "books": "12", "revision": "0", "reason": "twelve books"}
    to, page = f"/desk/{event.slug}/games/{game.pk}/entries/1/revisions/", f"/e/{event.slug}/"
    visitor = Client()
    assert visitor.get(page).status_code == 200
    with CaptureQueriesContext(connection) as announced:
        answer = client.post(to, said).content.decode()
    key = sure(re.search(r'name="announced" value="(\w+)"', answer))[1]
    assert Entry.objects.filter(game=game).count() == 1
    with CaptureQueriesContext(connection) as done:
        assert client.post(to, said | {"announced": key}).status_code == 302
    with CaptureQueriesContext(connection) as shown:
        assert visitor.get(page).status_code == 200
    assert Entry.objects.filter(game=game).count() == 2
    # A Boston pot takes two more when it is announced, and when it is done.
    assert asked(announced) <= 40
    assert asked(done) + asked(shown) <= 40
