"""An order that every database gives: without a value, with the same value, by names with accents and capitals."""

from __future__ import annotations

import datetime
from secrets import token_urlsafe

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.factories import make_event, make_user
from tests.sure import fresh
from tests.tournament.registrations.conftest import alone, entered, open_event, own, team
from tournament.access import NOBODY, Actor
from tournament.models import Event, Person, Player
from tournament.queries.accounts import accounts
from tournament.queries.history import actions_of
from tournament.queries.people import everybody, offered_for, people_in, person_facts, persons_by_team
from tournament.queries.registrations import entries_of, names_team
from tournament.queries.roster import RosterRow
from tournament.queries.rules import officials_of
from tournament.services.registrations import enter, enter_again, first_link, join, new_link, withdraw
from tournament.services.substitutions import substitute
from tournament.services.teams import add_team, change_team, enter_roster
from tournament.words.texts import name_key, near_key


@pytest.fixture
def english(db: None) -> None:
    """PostgreSQL of a site that was installed in English: it sorts names as a phone book, with other rules."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for table, column, length in (
                ("tournament_person", "key", 160),
                ("tournament_person", "near", 160),
                ("tournament_journal", "action", 20),
                ("auth_user", "username", 150),
            ):
                cursor.execute(f'ALTER TABLE {table} ALTER COLUMN "{column}" TYPE varchar({length}) COLLATE "en-x-icu"')


def known(name: str) -> Person:
    return Person.objects.create(name=name, key=name_key(name), near=near_key(name))


def people_listed(event: Event) -> list[str]:
    return [row.player.full_name for row in people_in(event, None)]


# The page of an event's people: by team and seat, then the players who wait.


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_with_an_entry_stays_in_his_seat(dana: User, seat: int) -> None:
    """The desk typed both and made one of them a private link: no entry sorts first here and last there."""
    event = make_event(director=dana)
    enter_roster(Actor(dana), event, [RosterRow(name="Aces", players=("Zoe Fox", "Al Poe"))])
    new_link(Actor(dana), event, Player.objects.get(team__event=event, position=seat).pk)
    assert people_listed(event) == ["Zoe Fox", "Al Poe"]


def test_a_partner_who_entered_first_stays_in_his_seat(dana: User) -> None:
    event = open_event(dana)
    entered(event, alone("Cy Young"), alone("Di Hall"), team("Reds"))
    pair = join(Actor(dana), event, 1, 2)
    assert pair.team is not None
    seats = RosterRow(name=pair.team.full_name, players=("Di Hall", "Cy Young"))
    change_team(Actor(dana), event, pair.team.number, seats)
    assert people_listed(event) == ["Reds One", "Reds Two", "Di Hall", "Cy Young"]


def test_a_pair_that_waits_stands_together(dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    entered(event, team("Reds"), alone("Cy Young"), team("Blues"), alone("Di Hall"))
    join(Actor(dana), event, 2, 4)
    waiting = ["Cy Young", "Di Hall", "Blues One", "Blues Two"]
    assert people_listed(event) == ["Reds One", "Reds Two", *waiting]


# Seats.


def test_who_sat_second_before_sits_first_where_the_place_in_line_says_so(dana: User) -> None:
    event = open_event(dana)
    entered(event, alone("Cy Young"), alone("Di Hall"))
    pair = join(Actor(dana), event, 1, 2)
    assert pair.team is not None
    # Cy goes and comes again behind Di, who had the second seat.
    first = own(pair)
    withdraw(NOBODY, first)
    enter_again(NOBODY, fresh(first))
    second = join(Actor(dana), event, 3, 2)
    assert second.team is not None
    assert (second.name, second.team.full_names) == ("Hall / Young", ("Di Hall", "Cy Young"))


def test_a_partner_whom_the_desk_took_out_sits_first_in_a_pair_of_his_own(dana: User) -> None:
    event = open_event(dana)
    entered(event, alone("Bo Low"), alone("Cy Young"), alone("Di Hall"))
    pair = join(Actor(dana), event, 1, 3)
    assert pair.team is not None
    change_team(Actor(dana), event, pair.team.number, RosterRow(name="Lows", players=("Bo Low", "Ed Orr")))
    again = join(Actor(dana), event, 2, 3)
    assert again.team is not None
    assert (again.name, again.team.full_names) == ("Young / Hall", ("Cy Young", "Di Hall"))


def test_whoever_entered_a_team_names_it_wherever_he_sits(dana: User) -> None:
    event = open_event(dana)
    player, _ = enter(NOBODY, event, token_urlsafe(24), name="Reds", players=["Al Red", "Bo Red"])
    partner, _ = first_link(NOBODY, player, event.teams.get().players.get(position=1).pk)
    change_team(Actor(dana), event, 1, RosterRow(name="Reds", players=("Bo Red", "Al Red")))
    assert [names_team(Player.objects.get(pk=row.pk)) for row in (player, partner)] == [True, False]


def test_the_desk_reads_an_entry_in_the_order_of_its_seats(dana: User) -> None:
    event = open_event(dana)
    entered(event, team("Reds"))
    change_team(Actor(dana), event, 1, RosterRow(name="Reds", players=("Reds Two", "Reds One")))
    [entry] = entries_of(event)["in"]
    assert [player.full_name for player in entry.players.all()] == ["Reds Two", "Reds One"]


def test_substitutes_of_a_team_come_in_the_order_in_which_they_came(dana: User) -> None:
    event = make_event(director=dana)
    enter_roster(Actor(dana), event, [RosterRow(name="Aces", players=("Otis Reed", "Ann Hill"))])
    for seat, name in ((1, "Zoe Fox"), (0, "Al Poe")):
        substitute(Actor(dana), event, 1, position=seat, into=name, from_round=1)
    [row] = persons_by_team(event).values()
    names = dict(Person.objects.values_list("pk", "name"))
    assert [names[pk] for pk in row] == ["Otis Reed", "Ann Hill", "Zoe Fox", "Al Poe"]


# The newest first, also of one day.


def test_events_of_one_day_stand_the_newest_first_on_a_person_s_page(dana: User) -> None:
    for name, day in (("Morning", 2), ("Friday", 1), ("Noon", 2), ("Night", 2)):
        event = make_event(name, director=dana, stage="over")
        Event.objects.filter(pk=event.pk).update(date=datetime.date(2026, 3, day))
        add_team(Actor(dana), event, RosterRow(name="Aces", players=("Otis Reed", "Ann Hill")))
    facts = person_facts(Person.objects.get(name="Otis Reed"), "Otis Reed")
    assert [team.event.name for team in facts.events] == ["Night", "Noon", "Morning", "Friday"]


# By name, as in a phone book.

NAMES = ("Zed Orr", "Émile Roy", "eve Low", "Ann Hill", "De Luca", "Dean Fox", "Østen Ray", "O'Neil Pat", "Åke Lind")
IN_ORDER = ["Åke Lind", "Ann Hill", "De Luca", "Dean Fox", "Émile Roy", "eve Low", "O'Neil Pat", "Østen Ray", "Zed Orr"]


@pytest.mark.usefixtures("english")
def test_people_are_listed_as_in_a_phone_book() -> None:
    for name in NAMES:
        known(name)
    assert [person.name for person, _ in everybody()] == IN_ORDER


@pytest.mark.usefixtures("english")
def test_people_of_one_name_are_offered_by_name_and_number() -> None:
    names = ("Núñez José", "José Núñez", "jose nunez", "Nunez, Jose", "Jose-Nunez", "José Núñez")
    people = [known(name) for name in names]
    offered = offered_for(Player(name="Jose Nunez"))
    assert [person.pk for person in offered] == [people[place].pk for place in (1, 2, 5, 4, 0, 3)]


@pytest.mark.usefixtures("english")
def test_accounts_and_officials_are_listed_by_name(dana: User, event: Event) -> None:
    for name in ("Zed", "ann", "Cy"):
        user = make_user(name)
        event.officials.create(user=user, role="verifier")
    assert [user.username for user in accounts()] == ["ann", "Cy", "dana", "Zed"]
    assert [office.user.username for office in officials_of(event)] == ["dana", "ann", "Cy", "Zed"]


@pytest.mark.usefixtures("english")
def test_acts_are_offered_in_one_order(dana: User, event: Event) -> None:
    for action in ("check-in", "checkpoint", "close", "correct-final", "correct"):
        event.journal.create(action=action, noun="game", code="", key="1")
    assert actions_of(event, with_money=True) == ("check-in", "checkpoint", "close", "correct", "correct-final")
