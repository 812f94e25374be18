"""Names that are none: without a letter or digit, or what the program itself writes where a name is hidden."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import begin, make_event, make_teams, page_of, signed_in, words_of
from tests.sure import fresh
from tests.tournament.registrations.conftest import open_event
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.models import Event, Person, Player, Team
from tournament.services.people import delete_person, find_people
from tournament.words.texts import Refused, clean_name

NO_LETTER = ("...", "–", "♠♥♦♣", "/", "_ _")
OWN = ("a player", "A  Player", "a team", "Player 1", "player 12", "TEAM 3", "Теam 3", "Team 9999")
NAMES = ("A", "7", "½", "Player One", "Team Spirit", "Team 3A", "Team #3", "The Players", "Ёлки", "Team 12345", "♠ K")


def refusal(name: str) -> str:
    with pytest.raises(Refused) as refused:
        clean_name(name)
    return str(refused.value)


@pytest.mark.parametrize("name", NO_LETTER)
def test_a_name_needs_a_letter_or_a_digit(name: str) -> None:
    assert refusal(name) == f"“{name}” has no letter and no digit. Please write a name."
    assert clean_name(name, free=True) == name


@pytest.mark.parametrize("name", OWN)
def test_the_programs_own_words_are_no_name(name: str) -> None:
    written = " ".join(name.split())
    assert refusal(name) == f"“{written}” is shown in place of a hidden or deleted name. Please write another name."
    assert clean_name(name, free=True) == written


@pytest.mark.parametrize("name", NAMES)
def test_these_are_names(name: str) -> None:
    assert clean_name(name) == name


# Wherever names are typed, each form with the field that is refused.

TYPED = {"name": "Reds", "player1": "Otis Reed", "player2": "Ann Hall", "contact": "555-0100", "show": "full"}
TYPED |= {"more": ""}
FORMS: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    "entry": ("/e/names/enter/", TYPED, ("name", "player1", "player2")),
    "alone": ("/e/names/enter/", {"alone": "yes", "alone-contact": "5", "alone-show": "full"}, ("alone-player1",)),
    "team": ("/desk/names/teams/", {"name": "Reds", "player1": "Al", "player2": "Bo"}, ("name", "player1", "player3")),
    "change": ("/desk/names/teams/1/", {"number": "1", "name": "Aces", "player1": "Al"}, ("name", "player1")),
    "substitute": ("/desk/names/teams/1/substitutes/", {"position": "0", "from_round": "1"}, ("into",)),
    "merge": ("/desk/names/teams/1/merger/", {"other": "2"}, ("new_name",)),
}
CASES = [(form, field) for form, (_, _, fields) in FORMS.items() for field in fields]


@pytest.fixture
def event(dana: User) -> Event:
    event = open_event(dana, name="Names")
    make_teams(event, 4)
    return event


def typed_into(desk: Client, form: str, field: str, name: str) -> Any:
    path, typed, _ = FORMS[form]
    return desk.post(path, typed | {field: name})


@pytest.mark.parametrize(("form", "field"), CASES)
@pytest.mark.parametrize(
    ("name", "words"),
    [("...", "has no letter and no digit"), ("Player 1", "is shown in place of a hidden"), ("🂡", "has no letter")],
)
def test_every_form_refuses_them_and_keeps_what_was_typed(
    event: Event, dana: User, form: str, field: str, name: str, words: str
) -> None:
    before = [*event.teams.values_list("name", flat=True)], event.registrations.count(), event.journal.count()
    answer = typed_into(signed_in(dana), form, field, name)
    page = page_of(answer)
    assert (answer.status_code, f"“{name}” {words}" in page, f'value="{name}"' in page) == (422, True, True)
    assert ([*event.teams.values_list("name", flat=True)], event.registrations.count()) == before[:2]
    assert event.journal.count() == before[2]


def test_a_private_link_and_a_list_refuse_them(event: Event, dana: User) -> None:
    phone, desk = Client(), signed_in(dana)
    link = phone.post("/e/names/enter/", TYPED)["Location"]
    answer = phone.post(link, TYPED | {"player2": "a player"})
    assert (answer.status_code, "is shown in place of a hidden" in page_of(answer)) == (422, True)
    text = "Greens\tPlayer 1\tBo Dee\n...\tCy Ash\tDi Elm\nBlues\tEd Fir\tFlo Gum\n"
    answer = desk.post("/desk/names/roster/", {"text": text, "accept": "yes"})
    assert (answer.status_code, "“Player 1” is shown in place" in page_of(answer)) == (422, True)
    assert event.teams.filter(name="Blues").count() == 0


def test_what_names_nobody_is_freer(event: Event, dana: User) -> None:
    desk = signed_in(dana)
    typed = {"name": "Reds", "player1": "Al", "player2": "Bo", "city": "–", "club": "Team 3"}
    assert desk.post("/desk/names/teams/", typed).status_code == 302
    team = event.teams.get(name="Reds")
    assert (team.city, team.club) == ("–", "Team 3")
    assert Client().post("/e/names/enter/", TYPED | {"name": "Golds", "contact": "@"}).status_code == 302


# What the program wrote itself, and what was typed before it was refused, stays as it is.


def deleted(dana: User, event: Event) -> None:
    """The second player of team 1, whose name the team tells, is deleted."""
    Player.objects.filter(team__event=event, team__number=1, position=1).update(name="Bea Aces", key="bea aces")
    find_people(Actor(dana), event)
    delete_person(Actor(dana), Person.objects.get(name="Bea Aces"))


def test_a_team_with_a_deleted_player_is_changed_as_before(event: Event, dana: User) -> None:
    deleted(dana, event)
    desk, team = signed_in(dana), event.teams.get(number=1)
    rows = [team.full_name, *team.full_names]
    assert rows == ["Team 1", "Ann 1", "a player"]
    typed = {"number": "1", "name": rows[0], "player1": rows[1], "player2": rows[2], "club": "West"}
    assert desk.post("/desk/names/teams/1/", typed).status_code == 302
    team = event.teams.get(number=1)
    assert [team.club, team.full_name, *team.full_names] == ["West", *rows]
    # Another one than stood there is typed, and refused.
    answer = desk.post("/desk/names/teams/1/", typed | {"player1": "Player 1"})
    assert (answer.status_code, "is shown in place of a hidden" in page_of(answer)) == (422, True)
    again = import_event(Actor(dana), export_event(fresh(event)))
    team = again.teams.get(number=1)
    assert [team.full_name, *team.full_names] == rows


def test_a_name_of_before_the_rule_stays_until_it_is_changed(event: Event, dana: User) -> None:
    Team.objects.filter(event=event, number=2).update(name="...", key="...")
    Player.objects.filter(team__event=event, team__number=2, position=0).update(name="Player 7", key="player 7")
    desk = signed_in(dana)
    typed = {"number": "2", "name": "...", "player1": "Player 7", "player2": "Bea 2", "club": "West"}
    assert desk.post("/desk/names/teams/2/", typed).status_code == 302
    again = import_event(Actor(dana), export_event(fresh(event)))
    for one in (event, again):
        team = one.teams.get(number=2)
        assert [team.club, team.name, *team.full_names] == ["West", "...", "Player 7", "Bea 2"]
    assert desk.post("/desk/names/teams/2/", typed | {"name": "–"}).status_code == 422


# A letter of another alphabet is noted wherever officials type a name, as it is in a list.

NOTE = "“Аces” has the Cyrillic capital letter a."


def test_a_look_alike_letter_is_noted(dana: User) -> None:
    event, desk = make_event("Names", dana, rounds_planned=2), signed_in(dana)
    make_teams(event, 4)
    alike = NOTE[1:5]
    typed = {"name": alike, "player1": "Al", "player2": "Bo"}
    assert NOTE not in words_of(desk.post("/desk/names/teams/", typed | {"name": "Eights"}, follow=True))
    Team.objects.filter(event=event, number=1).update(name="First", key="first")
    assert f"Entered: {alike}. {NOTE}" in words_of(desk.post("/desk/names/teams/", typed, follow=True))
    number = event.teams.get(name=alike).number
    changed = {"number": str(number), "name": alike, "player1": "Al", "player2": "Вo"}
    page = words_of(desk.post(f"/desk/names/teams/{number}/", changed, follow=True))
    assert ("“Вo” has the Cyrillic capital letter ve." in page, NOTE in page) == (True, False)
    merged = desk.post("/desk/names/teams/2/merger/", {"other": "3", "new_name": alike + " B"}, follow=True)
    assert NOTE.replace(alike, alike + " B") in words_of(merged)
    begin(event)
    seat = {"position": "0", "from_round": "1", "into": alike}
    assert NOTE in words_of(desk.post("/desk/names/teams/1/substitutes/", seat, follow=True))
