"""What an event of any size can do: SQLite refuses a condition that names more than a thousand rows one by one."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.forms import ChoiceField

from tests.factories import make_event, make_round, make_teams, pairs_of
from tests.tournament.archive.filed import rows_of
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.archive.store import export_event
from tournament.forms.teams import SwapForm
from tournament.models import Bye, Event, Game, Notice, Person, Player, Round, Side, Substitution
from tournament.queries.draws import draw_overview
from tournament.queries.tablet import tablet_place
from tournament.services.draws import draw_rounds, stay_at

pytestmark = pytest.mark.django_db
MANY = 1_100


def large(dana: User) -> Event:
    """An event of `MANY` teams in the first of two rounds."""
    event = make_event(director=dana, rounds_planned=2)
    make_round(event, pairs_of(make_teams(event, MANY)))
    return event


def new_persons(names: list[str]) -> list[Person]:
    return Person.objects.bulk_create(Person(name=name, key=name.lower()) for name in names)


def test_five_hundred_pairs_of_a_thousand_persons_go_into_an_event_file(dana: User) -> None:
    event = make_event(director=dana, teams=500)
    players = list(Player.objects.filter(team__event=event).order_by("team__number", "position"))
    persons = new_persons([player.name for player in players])
    for player, person in zip(players, persons, strict=True):
        player.person = person
    Player.objects.bulk_update(players, ["person"])
    Person.objects.filter(pk=persons[-1].pk).update(show="initial")
    file = export_event(event)
    assert [row["show"] for row in rows_of(file, Player)] == ["full"] * 999 + ["initial"]


def test_a_substitute_a_bye_and_a_notice_of_every_team_go_into_an_event_file(dana: User) -> None:
    event = large(dana)
    teams = list(event.teams.all())
    persons = new_persons([f"Cal {team.number}" for team in teams])
    Substitution.objects.bulk_create(
        Substitution(team=team, position=0, out=f"Ann {team.number}", into=person.name, from_round=1, person=person)
        for team, person in zip(teams, persons, strict=True)
    )
    second = Round.objects.create(event=event, number=2)
    Bye.objects.bulk_create(Bye(round=second, team=team) for team in teams)
    games = Side.objects.filter(round__event=event).values_list("game", "team_id")
    Notice.objects.bulk_create(Notice(game_id=game, team_id=team, code="swapped") for game, team in games)
    file = export_event(event)
    numbers = list(range(1, MANY + 1))
    assert [row["into"] for row in rows_of(file, Substitution)] == [person.name for person in persons]
    assert [(row["round"], row["team"]) for row in rows_of(file, Bye)] == [(2, number) for number in numbers]
    assert sorted(row["team"] for row in rows_of(file, Notice)) == numbers


def test_many_teams_are_drawn_again_and_one_of_them_gets_a_table_of_its_own(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=MANY)
    draw_rounds(Actor(dana), event, seed=1)
    draw_rounds(Actor(dana), event, seed=2)
    last = event.teams.get(number=MANY)
    stay_at(event, last, 1)
    game = Game.objects.get(sides__team=last)
    assert (game.table, len(draw_overview(event).rounds[0].tables)) == (1, MANY // 2)


def test_two_of_many_teams_can_be_swapped(dana: User) -> None:
    event = large(dana)
    field = SwapForm(event.rounds.get()).fields["first"]
    assert isinstance(field, ChoiceField)
    choices: Any = field.choices
    assert [value for value, _ in choices] == ["", *range(1, MANY + 1)]


def test_a_table_of_many_is_told_where_both_teams_play_next(dana: User) -> None:
    event = large(dana)
    teams = list(event.teams.all())
    make_round(event, pairs_of([*teams[2:], *teams[:2]]), number=2, state="planned")
    Game.objects.filter(round__number=1, table=1).update(state="final")
    bind(dana, event, 1)
    onward = tablet_place(event.devices.get()).onward
    assert [(way.name, way.place) for way in onward] == [("Aces", "table 550"), ("Books", "table 550")]
