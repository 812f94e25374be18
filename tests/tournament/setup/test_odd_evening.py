"""An odd field played through the site: one team drops out after game 2, another one comes late in game 3."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, make_teams
from tests.pages import signed_in
from tournament.models import Event, Game, Team
from tournament.queries.draws import draw_overview
from tournament.queries.sheet import sheet_now
from tournament.queries.standings import standings

WON = {"seat": "0", "bid": "4", "books": "11"}
DESK = "/desk/odd-open/"


def play_round(client: Client, number: int) -> None:
    """Start a round and play it."""
    assert client.post(f"{DESK}rounds/{number}/start/").status_code == 302
    finish_round(client, number)


def confirmed(client: Client, address: str, typed: dict[str, str]) -> None:
    """Post a change of teams, look at what it does to the draw, and confirm exactly that."""
    page = client.post(address, typed).content.decode()
    key = re.search(r'name="announced" value="(\w+)"', page)
    assert key is not None
    assert client.post(address, typed | {"announced": key[1]}).status_code == 302


@pytest.mark.long
@pytest.mark.parametrize("movement", ["moving", "round-robin", "swiss"])
def test_odd_field_with_a_drop_out_and_a_late_team(movement: str, dana: User) -> None:
    event = make_event("Odd Open", dana, movement=movement, rounds_planned=5)
    make_teams(event, 7)
    client = signed_in(dana)
    one_by_one = movement == "swiss"
    assert client.post(f"{DESK}draw/", {"seats": "lot", "seed": "11"}).status_code == 302
    play_round(client, 1)
    if one_by_one:
        client.post(f"{DESK}draw/", {"seats": "lot", "seed": "12"})
    play_round(client, 2)
    gone = {"after_round": "2"}
    late = {"name": "Late Birds", "player1": "Al", "player2": "Bo"}
    if one_by_one:
        assert client.post(f"{DESK}teams/4/withdrawal/", gone).status_code == 302
        client.post(f"{DESK}draw/", {"seats": "lot", "seed": "13"})
    else:
        confirmed(client, f"{DESK}teams/4/withdrawal/", gone)
    assert client.post(f"{DESK}rounds/3/start/").status_code == 302
    if one_by_one:
        assert client.post(f"{DESK}teams/", late).status_code == 302
    else:
        confirmed(client, f"{DESK}teams/", late)
    finish_round(client, 3)
    for number in (4, 5):
        if one_by_one:
            client.post(f"{DESK}draw/", {"seats": "lot", "seed": str(number)})
        play_round(client, number)
    check_books(event)


def finish_round(client: Client, number: int) -> None:
    """Write one hand at each table, let an official sign for both sides, close the round: all by requests."""
    for game in Game.objects.filter(round__number=number, state="playing"):
        assert client.post(f"{DESK}games/{game.pk}/entries/", WON).status_code == 302
        code = sheet_now(game).code
        for side in ("0", "1"):
            signed = {"side": side, "code": code, "reason": "signed on paper"}
            assert client.post(f"{DESK}games/{game.pk}/signatures/", signed).status_code == 302
    assert client.post(f"{DESK}rounds/{number}/closure/").status_code == 302


def check_books(event: Event) -> None:
    """Nobody met twice, nobody who was there all evening sat out twice, and every game that could be played was."""
    event.refresh_from_db()
    drawn = draw_overview(event).rounds
    late = Team.objects.get(name="Late Birds").number
    pairs = [frozenset(team for team, _ in table.teams) for one in drawn for table in one.tables]
    byes = [team for one in drawn for team, _ in one.byes]
    assert len(pairs) == len(set(pairs))
    assert len(byes) == len(set(byes))
    assert all(4 not in {team for table in one.tables for team, _ in table.teams} for one in drawn[2:])
    assert [late in {team for table in one.tables for team, _ in table.teams} for one in drawn[:3]] == [False] * 3
    assert [[team for team, _ in one.byes] for one in drawn[2:]].count([]) >= 1
    lines = standings(event).by_number
    assert (lines[4].played, lines[late].played) == (2, 2)
    assert sum(line.won for line in lines.values()) == len(pairs) + len(byes)
