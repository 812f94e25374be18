"""Teams at the desk: one by one, fees and pot, leaving and coming back, numbers."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import make_event, make_round, make_teams, page_of, signed_in
from tournament.access import Actor
from tournament.models import Event, Journal, Team
from tournament.queries.roster import RosterRow
from tournament.refusals import Changed, Invalid
from tournament.services.draws import draw_rounds
from tournament.services.ledger import set_paid, set_pot
from tournament.services.teams import (
    add_team,
    change_team,
    draw_numbers,
    remove_team,
    return_team,
    withdraw_team,
)

OWLS = {"number": "", "name": "Night Owls", "player1": "Cy Dee", "player2": "Di Ell", "city": "Toledo", "paid": "on"}


def test_team_typed_at_the_desk_gets_the_next_number(event: Event, dana: User) -> None:
    make_teams(event, 2)
    answer = signed_in(dana).post(f"/desk/{event.slug}/teams/", OWLS)
    assert answer.status_code == 302
    team = Team.objects.get(name="Night Owls")
    assert (team.number, team.city, team.paid, team.in_pot, team.joined_in) == (3, "Toledo", True, False, 1)
    assert list(team.players.values_list("position", "name")) == [(0, "Cy Dee"), (1, "Di Ell")]
    assert Journal.objects.get().text == "3 Night Owls entered"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name": ""}, "Please fill this in."),
        ({"name": " ACES "}, "“ACES” is already entered."),
        ({"number": "1"}, "Number 1 is taken by Aces."),
        ({"number": "10000"}, "At most 9999."),
        ({"player2": "Cy  Dee"}, "Cy Dee is named twice in this line."),
        ({"city": "x" * 41}, "At most 40 characters: this has 41."),
    ],
)
def test_team_refused_is_shown_at_its_field_with_what_was_typed(
    event: Event, dana: User, changed: dict[str, str], sentence: str
) -> None:
    make_teams(event, 2)
    answer = signed_in(dana).post(f"/desk/{event.slug}/teams/", OWLS | changed)
    assert answer.status_code == 422
    assert sentence in page_of(answer)
    assert 'value="Cy Dee"' in page_of(answer)
    assert Team.objects.count() == 2


def test_change_team_keeps_its_own_name_and_number(event: Event, dana: User) -> None:
    aces, _ = make_teams(event, 2)
    answer = signed_in(dana).post(
        f"/desk/{event.slug}/teams/1/",
        {"number": "7", "name": "Aces", "player1": "Ann 1", "player2": "New", "player3": "Sub", "initial-paid": "True"},
    )
    assert answer.status_code == 302
    aces.refresh_from_db()
    assert (aces.number, aces.paid, list(aces.players.values_list("name", flat=True))) == (
        7,
        False,
        ["Ann 1", "New", "Sub"],
    )
    with pytest.raises(Invalid):
        change_team(Actor(dana), event, 7, RosterRow(0, 2, "Aces"))


def test_team_saved_from_an_old_page_keeps_the_money_that_was_taken_since(dana: User) -> None:
    event = make_event("Priced Open", dana, fee_cents=2000, pot_cents=1000)
    Team.objects.create(event=event, number=1, name="Aces", key="aces")
    client, address = signed_in(dana), f"/desk/{event.slug}/teams/1/"
    old = as_sent(page_of(client.get(address)))
    set_pot(Actor(dana), event, 1, True)
    set_paid(Actor(dana), event, 1, True)
    assert client.post(address, old | {"name": "Aces High"}).status_code == 302
    team = Team.objects.get()
    assert (team.name, team.paid, team.in_pot) == ("Aces High", True, True)
    assert list(event.ledger.values_list("kind", "cents")) == [("fee", 2000), ("pot", 1000)]
    new = as_sent(page_of(client.get(address)))
    assert client.post(address, {name: value for name, value in new.items() if name != "paid"}).status_code == 302
    assert list(event.ledger.values_list("kind", "cents"))[2:] == [("fee", -2000), ("pot", -1000)]
    assert Team.objects.values_list("paid", "in_pot").get() == (False, True)


def test_team_refused_keeps_what_its_page_said_of_the_money(event: Event, dana: User) -> None:
    make_teams(event, 2)
    client, address = signed_in(dana), f"/desk/{event.slug}/teams/1/"
    old = as_sent(page_of(client.get(address)))
    answer = client.post(address, {name: value for name, value in old.items() if name != "paid"} | {"name": "Books"})
    assert answer.status_code == 422
    again = as_sent(page_of(answer))
    assert (again["initial-paid"], "paid" in again) == ("True", False)


@pytest.mark.parametrize(("fee", "words"), [(2000, "Owes"), (0, "Not paid")])
def test_nobody_owes_where_nothing_is_to_pay(dana: User, fee: int, words: str) -> None:
    event = make_event("Open", dana, fee_cents=fee, pot_cents=0)
    Team.objects.create(event=event, number=1, name="Aces", key="aces")
    assert f'aria-label="{words}: Aces (paid)"' in page_of(signed_in(dana).get(f"/desk/{event.slug}/teams/"))


def as_sent(page: str) -> dict[str, str]:
    """What the form of a team's page sends when nothing is touched."""
    form = page.partition('class="card pad">')[2].partition("</form>")[0]
    sent = {}
    for tag in re.findall(r"<input[^>]*>", form):
        said = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        box = said.get("type") == "checkbox"
        if not box or " checked" in tag:
            sent[said["name"]] = said.get("value", "on" if box else "")
    return sent


def test_paid_and_pot_are_switched_with_one_press(event: Event, dana: User) -> None:
    Event.objects.filter(pk=event.pk).update(fee_cents=2000, pot_cents=1000)
    make_teams(event, 2)
    client = signed_in(dana)
    assert client.post(f"/desk/{event.slug}/teams/1/paid/", {"on": "no"}).status_code == 302
    answer = client.post(f"/desk/{event.slug}/teams/2/pot/", {"on": "no"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert (Team.objects.get(number=1).paid, Team.objects.get(number=2).in_pot) == (False, False)
    page = page_of(answer)
    assert ["$30</b> taken" in page, "$30</b> owed by 1" in page, "$10</b> in the pot, 1 team" in page] == [True] * 3
    assert [line.text for line in Journal.objects.all()] == [
        "Out of the Boston pot: 2 Books",
        "1 Aces marked as not paid",
    ]
    set_paid(Actor(dana), event, 1, False)
    assert Journal.objects.count() == 2


@pytest.mark.django_db
def test_team_list_needs_as_many_queries_for_two_teams_as_for_thirty(dana: User) -> None:
    counts = []
    for count in (2, 30):
        event = make_event(f"Event {count}", director=dana)
        make_teams(event, count)
        client = signed_in(dana)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(f"/desk/{event.slug}/teams/").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_walk_in_joins_with_the_next_round(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    assert add_team(Actor(dana), event, RosterRow(0, None, "Late Birds", ("Al", "Bo"))).joined_in == 2


def test_withdraw_team_and_let_it_come_back(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    client = signed_in(dana)
    assert client.post(f"/desk/{event.slug}/teams/2/withdrawal/", {"after_round": "99"}).status_code == 422
    assert client.post(f"/desk/{event.slug}/teams/2/withdrawal/", {"after_round": "1"}).status_code == 302
    books = Team.objects.get(number=2)
    assert (books.status, books.left_after) == ("left", 1)
    with pytest.raises(Changed):
        withdraw_team(Actor(dana), event, 2, 1)
    assert return_team(Actor(dana), event, 2).status == "playing"
    assert withdraw_team(Actor(dana), event, 2, 1, disqualified=True).status == "disqualified"


def test_remove_team_takes_the_draw_back_and_only_before_the_start(event: Event, dana: User) -> None:
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    assert remove_team(Actor(dana), event, 4) == "4 Eagles"
    assert (event.rounds.count(), event.teams.count()) == (0, 3)
    aces, books, _ = event.teams.all()
    make_round(event, [(aces, books)])
    with pytest.raises(Changed):
        remove_team(Actor(dana), event, 3)


def test_draw_numbers_by_lot_is_repeatable(event: Event, dana: User) -> None:
    make_teams(event, 8)
    draw_numbers(Actor(dana), event)
    first = dict(Team.objects.values_list("name", "number"))
    assert sorted(first.values()) == list(range(1, 9))
    draw_numbers(Actor(dana), event)
    assert dict(Team.objects.values_list("name", "number")) == first
    draw_rounds(Actor(dana), event)
    with pytest.raises(Changed):
        draw_numbers(Actor(dana), event)


def test_names_that_could_break_the_page_are_escaped(event: Event, dana: User) -> None:
    add_team(Actor(dana), event, RosterRow(0, 1, "<b>Bold</b> & 'Co'", ("<i>Al</i>", "Bo")))
    raw = signed_in(dana).get(f"/desk/{event.slug}/teams/").content.decode()
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; &#x27;Co&#x27;" in raw
    assert "<i>Al</i>" not in raw
