"""The desk and the waiting list: let in past the limit, a partner for a single, a list beyond the limit."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.factories import confirmed_in, page_of, signed_in, words_of
from tests.sure import fresh, refusal_of
from tests.tournament.archive.filed import filed
from tests.tournament.registrations.conftest import alone, entered, log_of, open_event, states, team
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.errors import ValidationFailed
from tournament.models import Event, Registration
from tournament.queries.roster import RosterRow
from tournament.services.draws import draw_rounds
from tournament.services.teams import add_team, remove_team
from tournament.services.waiting import enter_up_to_limit, give_partner, let_in

LIST = "\n".join(f"{name} - {name} One / {name} Two" for name in ("Owls", "Larks", "Crows"))


def test_the_desk_lets_in_past_the_limit_once_that_was_read(dana: User) -> None:
    event = open_event(dana, entry_limit=2)
    entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds")))
    desk, there = signed_in(dana), f"/desk/{event.slug}/entries/4/place/"
    assert "Let in" in words_of(desk.get(f"/desk/{event.slug}/entries/"))
    question = desk.post(there)
    assert "More than the limit: The limit is 2, and Golds would be No. 3." in words_of(question)
    assert states(event)[3] == "4 Golds waiting"
    assert desk.post(there, {"confirmed": confirmed_in(page_of(question))}).status_code == 302
    # Teams that waited before still do: there is no room for anybody else.
    assert states(event) == ["1 Reds in 1", "2 Blues in 2", "3 Greens waiting", "4 Golds in 3"]
    assert desk.post(there).status_code == 409
    assert desk.post(f"/desk/{event.slug}/entries/77/place/").status_code == 404


def test_without_a_limit_nothing_is_asked(dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    entered(event, team("Reds"), team("Blues"))
    Event.objects.filter(pk=event.pk).update(entry_limit=None)
    assert signed_in(dana).post(f"/desk/{event.slug}/entries/2/place/").status_code == 302
    assert states(event) == ["1 Reds in 1", "2 Blues in 2"]


def test_where_games_are_drawn_they_are_shown_anew_with_whoever_is_let_in(dana: User) -> None:
    event = open_event(dana, entry_limit=3, rounds_planned=1, seed=5)
    entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds")))
    draw_rounds(Actor(dana), fresh(event), seed=5)
    desk, there = signed_in(dana), f"/desk/{event.slug}/entries/4/place/"
    question = desk.post(there)
    assert "The limit is 3, and Golds would be No. 4." in words_of(question)
    assert "Let in and re-seat" in words_of(question)
    assert desk.post(there, {"confirmed": confirmed_in(page_of(question))}).status_code == 302
    assert event.rounds.get().games.filter(sides__team__name="Golds").exists()


def test_whose_name_a_team_has_is_let_in_by_a_number(dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    entered(event, team("Reds"), team("Blues"))
    add_team(Actor(dana), event, RosterRow(name="Blues", players=("Some Body", "Any Body")))
    assert str(let_in(Actor(dana), event, 2)) == "3 Blues 2"


def test_the_desk_s_own_walk_in_past_the_limit_is_asked_about(dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    entered(event, team("Reds"))
    desk, there, typed = signed_in(dana), f"/desk/{event.slug}/teams/", {"name": "Owls", "player1": "A B"}
    question = desk.post(there, typed)
    assert "The limit is 1, and Owls would be No. 2." in words_of(question)
    assert desk.post(there, typed | {"confirmed": confirmed_in(page_of(question))}).status_code == 302
    assert event.teams.count() == 2


def test_who_came_alone_gets_a_partner_at_the_door(dana: User) -> None:
    event = open_event(dana, entry_limit=2)
    entered(event, alone("Otis Reed"), alone("Ann Hall"))
    desk, there = signed_in(dana), f"/desk/{event.slug}/entries/1/partner/"
    assert desk.post(there, {"partner": "Cal Coe"}).status_code == 302
    assert states(event) == ["1 Reed / Coe in 1", "2 Ann Hall single", "3 Cal Coe joined"]
    assert event.teams.get().full_names == ("Otis Reed", "Cal Coe")
    assert log_of(event)[-3:] == [
        "Cal Coe put on the list of entries by the desk",
        "Otis Reed and Cal Coe enter together",
        "1 Reed / Coe entered",
    ]
    assert desk.post(there, {"partner": "Dee Dow"}).status_code == 409
    import_event(Actor(dana), filed(fresh(event)))


@pytest.mark.parametrize(
    ("partner", "fault"),
    [
        ("", "A name is needed."),
        ("Ann Hall", "Ann Hall is on the list of entries. Is this somebody else? Then add an initial to the name."),
    ],
)
def test_who_cannot_be_a_partner(dana: User, partner: str, fault: str) -> None:
    event = open_event(dana)
    entered(event, alone("Otis Reed"), alone("Ann Hall"))
    refusal = refusal_of(lambda: give_partner(Actor(dana), event, 1, partner), ValidationFailed)
    assert (refusal.texts, states(event)) == ((fault,), ["1 Otis Reed single", "2 Ann Hall single"])


def test_a_list_beyond_the_limit_is_asked_about(dana: User) -> None:
    event = open_event(dana, entry_limit=3)
    entered(event, team("Reds"), team("Blues"))
    desk, there = signed_in(dana), f"/desk/{event.slug}/roster/"
    looked = words_of(desk.post(there, {"text": LIST, "check": "yes"}))
    assert "2 over the limit of 3. Enter them all anyway, or put the last 2 on the waiting list." in looked
    # An official who has not read it, or read another number, reads it first.
    for unread in ({}, {"over": "1"}):
        assert desk.post(there, {"text": LIST, "accept": "up-to-limit", **unread}).status_code == 422
    assert event.teams.count() == 2
    answer = desk.post(there, {"text": LIST, "accept": "up-to-limit", "over": "2"}, follow=True)
    assert [str(message) for message in answer.context["messages"]] == ["1 team is entered, 2 on the waiting list."]
    assert states(event)[2:] == ["3 Larks waiting", "4 Crows waiting"]
    assert [str(row) for row in Registration.objects.get(position=3).players.all()] == ["Larks One", "Larks Two"]
    remove_team(Actor(dana), event, 1)
    assert states(event)[2] == "3 Larks in 1"


def test_a_list_beyond_the_limit_is_let_in_where_the_desk_wants_it(dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    desk, there = signed_in(dana), f"/desk/{event.slug}/roster/"
    assert desk.post(there, {"text": LIST, "accept": "yes", "over": "2"}).status_code == 302
    assert (event.teams.count(), states(event)) == (3, [])
    # In the place of the old teams there is room again, and within it nothing is asked.
    assert desk.post(there, {"text": LIST.splitlines()[1], "accept": "yes", "replace": "on"}).status_code == 302
    assert [*event.teams.values_list("name", flat=True)] == ["Larks"]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (RosterRow(row=2, name="Waits", players=("Ed Eel", "Flo Fox")), "Waits is on the waiting list already."),
        (
            RosterRow(row=2, name="Nameless"),
            "Nameless: name the players. Without their names nobody is on the waiting list.",
        ),
    ],
)
def test_who_cannot_be_put_on_the_waiting_list(dana: User, row: RosterRow, fault: str) -> None:
    event = open_event(dana, entry_limit=1)
    entered(event, team("Reds"), team("Waits"))
    refusal = refusal_of(lambda: enter_up_to_limit(Actor(dana), event, [row]), ValidationFailed)
    assert (refusal.texts, event.registrations.count()) == ((fault,), 2)


def test_what_the_list_says_of_a_team_is_still_read_while_it_waits(dana: User) -> None:
    event = open_event(dana, sheet="back_alley/individual", entry_limit=1)
    rows = [RosterRow(row=1, name="Al Bo"), RosterRow(row=2, name="Cy Di", city="Dayton", paid=True)]
    assert [str(one) for one in enter_up_to_limit(Actor(dana), event, rows)] == ["1 Al Bo"]
    waits = Registration.objects.get()
    [row] = waits.players.all()
    said = "Dayton, paid, as the list says"
    assert (waits.name, row.name, waits.state, row.note) == ("Cy Di", "Cy Di", "waiting", said)
