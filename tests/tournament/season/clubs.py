"""A club's season: evenings that are over, whose players are persons."""

from __future__ import annotations

import datetime

from django.contrib.auth.models import User

from tests.factories import make_event
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.models import Event, Membership, Person, Season
from tournament.queries.roster import RosterRow
from tournament.services.playoffs import finish_event, make_cut
from tournament.services.teams import enter_roster

FOUR = (("Aces", "Otis Reed", "Ann Hill"), ("Books", "Cy Dill", "Flo Kay"))
MORE = (("Clubs", "Gus Poe", "Ida Low"), ("Deuces", "Hal Orr", "Jo Pike"))


def make_season(**fields: object) -> Season:
    return Season.objects.create(**{"slug": "fall", "name": "Fall 2026", "dues_cents": 2000} | fields)


def evening(
    dana: User, season: Season | None, name: str = "March", teams: tuple[tuple[str, ...], ...] = FOUR, **fields: object
) -> Event:
    """An evening of the season with these teams, and nothing played."""
    event = make_event(name, director=dana, season=season, rounds_planned=1, **fields)
    rows = [RosterRow(name=team, players=tuple(players)) for team, *players in teams]
    if rows:
        enter_roster(Actor(dana), event, rows)
    event.refresh_from_db()
    return event


def played(dana: User, season: Season | None, name: str = "March", month: int = 3, **fields: object) -> Event:
    """An evening of four teams that is over: Aces, Clubs, Books, Deuces."""
    event = evening(dana, season, name, FOUR + MORE, **fields)
    Event.objects.filter(pk=event.pk).update(date=datetime.date(2026, month, 1))
    event.refresh_from_db()
    played_round(event, [(1, 2, win(0, 6, 3)), (3, 4, win(0))])
    make_cut(Actor(dana), event, 1)
    finish_event(Actor(dana), event)
    event.refresh_from_db()
    return event


def members(season: Season, *names: str) -> None:
    """Make these persons members of a season; everybody in the club if nobody is named."""
    people = Person.objects.filter(name__in=names) if names else Person.objects.all()
    Membership.objects.bulk_create(Membership(season=season, person=one) for one in people)


def person(name: str) -> Person:
    return Person.objects.get(name=name)
