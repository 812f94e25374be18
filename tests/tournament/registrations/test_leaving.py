"""A team wants to leave after the draw, or has a seat there and does not play: the desk decides before game 1."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import begin, confirmed_in, draw_by_hand, page_of, signed_in, words_of
from tests.sure import fresh, refusal_of
from tests.tournament.registrations.conftest import alone, entered, open_event, own, states, team
from tournament.access import NOBODY, Actor
from tournament.errors import Conflict
from tournament.models import Bye, Event, Game, Registration, Side
from tournament.queries.registrations import entry_of
from tournament.queries.todo_next import checklist, next_act
from tournament.services import leaving, registrations, teams
from tournament.services.draws import draw_rounds
from tournament.services.leaving import keep, let_go, seat_instead
from tournament.services.playoffs import start_playoff_round
from tournament.services.registrations import enter
from tournament.services.rounds import start_round
from tournament.services.verifying import findings

WANTS = "Blues want to leave. Let them go, or keep them, before game 1 starts."


def four(dana: User, **fields: Any) -> tuple[Event, list[Registration]]:
    """Reds, Blues, Greens and Golds entered themselves, and one game is drawn."""
    settings: dict[str, Any] = {"rounds_planned": 1, "seed": 5}
    event = open_event(dana, **settings | fields)
    entries = entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds")))
    draw_rounds(Actor(dana), fresh(event), seed=5)
    return fresh(event), entries


def seats(event: Event) -> tuple[list[list[int]], list[int]]:
    """Who sits at the tables of game 1, and who has a bye."""
    games = Game.objects.filter(round__event=event, round__number=1).order_by("table")
    tables = [[*game.sides.order_by("index").values_list("team__number", flat=True)] for game in games]
    return tables, [*Bye.objects.filter(round__event=event, round__number=1).values_list("team__number", flat=True)]


def of_teams(event: Event) -> list[tuple[str, str]]:
    return [*event.teams.values_list("name", "status")]


def acts(event: Event) -> list[str]:
    return [act.text for act in event.journal.order_by("pk")]


def to_do(dana: User, event: Event) -> str:
    return words_of(signed_in(dana).get(f"/desk/{event.slug}/tablets/parked/"))


def public_pages(event: Event) -> list[str]:
    """What anybody reads: schedule, standings, teams, projector, who has entered."""
    client = Client()
    paths = ("schedule/", "", "teams/", "board/?section=seating", "enter/", "teams/2/")
    return [words_of(client.get(f"/e/{event.slug}/{path}")) for path in paths]


def link_of(event: Event, name: str) -> tuple[Registration, str]:
    """An entry with the address of its private link."""
    token = secrets.token_urlsafe(24)
    player, _ = enter(NOBODY, event, token, **team(name))
    return entry_of(player), f"/e/{event.slug}/entry/{token}/"


# By the private link.


def test_whoever_withdraws_after_the_draw_plays_until_the_desk_decides(dana: User) -> None:
    event, (_, blues, *_) = four(dana)
    before, drawn = public_pages(event), seats(event)
    registrations.withdraw(NOBODY, own(blues))
    registrations.withdraw(NOBODY, own(blues))
    assert states(event)[1] == "2 Blues leaving 2"
    assert of_teams(event) == [(name, "playing") for name in ("Reds", "Blues", "Greens", "Golds")]
    assert (public_pages(event), seats(event)) == (before, drawn)
    assert acts(event)[-1] == "Blues: wants to leave after the draw, by its link"
    assert acts(event).count(acts(event)[-1]) == 1
    # The desk is told, and game 1 waits for it.
    assert [item.text for item in checklist(event).missing] == [WANTS]
    assert (next_act(event).words, next_act(event).address) == ("Decide who leaves", f"/desk/{event.slug}/entries/")
    line = "Entries Blues want to leave: Let them go and draw again Let them go They stay"
    assert line in to_do(dana, event)
    refusal = refusal_of(lambda: start_round(Actor(dana), event, 1), Conflict)
    assert (refusal.status, refusal.texts) == (409, (WANTS,))
    assert [line for line in findings() if "no longer refuses" not in line] == []


def test_the_link_takes_it_back_while_the_desk_has_not_decided(dana: User, client: Client) -> None:
    event = open_event(dana, rounds_planned=1, seed=5)
    _, link = link_of(event, "Blues")
    entered(event, *map(team, ("Reds", "Greens", "Golds")))
    assert "The next one on the waiting list moves up." in words_of(client.get(link))
    draw_rounds(Actor(dana), fresh(event), seed=5)
    assert "The games are already drawn, so it’s up to the desk." in words_of(client.get(link))
    assert client.post(link, {"what": "withdraw"}).status_code == 302
    page = words_of(client.get(link))
    assert (
        "You asked to leave. The games are already drawn, so it’s up to the desk. Until then you’re still in: Blues"
        in page
    )
    assert ("We’re staying" in page, "Ask to leave" in page) == (True, False)
    for _ in range(2):
        assert client.post(link, {"what": "stay"}).status_code == 302
    assert states(event)[0] == "1 Blues in 1"
    assert acts(event)[-1] == "Blues: stays after all, by its link"
    client.post(link, {"what": "withdraw"})
    let_go(Actor(dana), event, 1, redraw=True)
    answer = client.post(link, {"what": "stay"})
    assert (answer.status_code, "The desk has already decided" in words_of(answer)) == (409, True)
    assert states(event)[0] == "1 Blues withdrawn 1"


def test_a_partner_who_joined_asks_by_his_own_link(dana: User) -> None:
    event = open_event(dana, rounds_planned=1, seed=5)
    otis, ann = entered(event, alone("Otis Reed"), alone("Ann Hall"))
    registrations.join(Actor(dana), event, 1, 2)
    entered(event, team("Reds"))
    draw_rounds(Actor(dana), fresh(event), seed=5)
    registrations.withdraw(NOBODY, own(ann))
    assert states(event) == ["1 Reed / Hall in 1", "2 Ann Hall leaving", "3 Reds in 2"]
    assert "Reed / Hall want to leave" in to_do(dana, event)
    registrations.withdraw(NOBODY, own(otis))
    assert to_do(dana, event).count("want to leave") == 1
    keep(Actor(dana), event, 1)
    assert states(event)[:2] == ["1 Reed / Hall in 1", "2 Ann Hall joined"]
    registrations.withdraw(NOBODY, own(ann))
    let_go(Actor(dana), event, 1, redraw=False)
    assert states(event)[:2] == ["1 Reed / Hall withdrawn 1", "2 Ann Hall withdrawn"]
    teams.return_team(Actor(dana), event, 1)
    assert states(event)[:2] == ["1 Reed / Hall in 1", "2 Ann Hall joined"]


def test_once_game_1_has_begun_nobody_leaves_by_a_link(dana: User) -> None:
    event, (_, blues, *_) = four(dana)
    begin(event)
    text = "Game 1 has started: tell the desk you’re leaving."
    assert refusal_of(lambda: registrations.withdraw(NOBODY, own(blues)), Conflict).texts == (text,)


def test_a_bracket_that_is_made_waits_for_the_desk_too(dana: User) -> None:
    event = open_event(dana, seed=5, cut=4)
    _, blues, *_ = entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds")))
    Event.objects.filter(pk=event.pk).update(stage="playoffs")
    registrations.withdraw(NOBODY, own(blues))
    assert states(event)[1] == "2 Blues leaving 2"
    refusal = refusal_of(lambda: start_playoff_round(Actor(dana), fresh(event)), Conflict)
    assert (refusal.texts, event.rounds.exists()) == ((WANTS,), False)
    keep(Actor(dana), event, 2)
    start_playoff_round(Actor(dana), fresh(event))


# The desk decides.


def test_let_go_and_drawn_again_nobody_forfeits(dana: User) -> None:
    event, (_, blues, *_) = four(dana)
    registrations.withdraw(NOBODY, own(blues))
    let_go(Actor(dana), event, 2, redraw=True)
    tables, byes = seats(event)
    seated = sorted(byes + [number for table in tables for number in table])
    assert (seated, len(tables), len(byes)) == ([1, 3, 4], 1, 1)
    assert states(event)[1] == "2 Blues withdrawn 2"
    assert "Blues: the desk let them go" in acts(event)
    start_round(Actor(dana), event, 1, confirmed="")
    assert [*Game.objects.values_list("state", flat=True)] == ["playing"]


def test_let_go_alone_the_game_is_given_away_once_that_was_read(dana: User) -> None:
    event, (_, blues, *_) = four(dana)
    registrations.withdraw(NOBODY, own(blues))
    drawn = seats(event)
    let_go(Actor(dana), event, 2, redraw=False)
    assert (seats(event), checklist(event).missing) == (drawn, ())
    text = "Withdrawn, with a seat in game 1: Blues. Draw again, or their games are awarded at the start."
    assert [item.text for item in checklist(event).items if item.key == "seats"] == [text]
    assert "Withdrawn, with a seat in game 1: Blues. At the start their game is awarded. Draw again" in to_do(
        dana, event
    )
    desk, start = signed_in(dana), f"/desk/{event.slug}/rounds/1/start/"
    question = desk.post(start)
    page = words_of(question)
    [other] = (
        Side.objects.exclude(team__number=2)
        .filter(game__in=Game.objects.filter(sides__team__number=2))
        .select_related("team", "game")
    )
    assert f"Game 1, table {other.game.table}, without Blues: the game goes to {other.team.name}." in page
    assert (question.status_code, fresh(event).stage) == (200, "setup")
    assert desk.post(start, {"confirmed": confirmed_in(page_of(question))}).status_code == 302
    games = Game.objects.order_by("table").values_list("state", "sides__team__number")
    assert {state for state, number in games if number == 2} == {"final"}
    assert {state for state, number in games if number not in (2, other.team.number)} == {"playing"}


def test_they_stay_and_all_is_as_it_was(dana: User) -> None:
    event, (_, blues, *_) = four(dana)
    drawn, listed = seats(event), of_teams(event)
    registrations.withdraw(NOBODY, own(blues))
    keep(Actor(dana), event, 2)
    keep(Actor(dana), event, 2)
    assert (seats(event), of_teams(event), states(event)[1]) == (drawn, listed, "2 Blues in 2")
    assert acts(event)[-1] == "Blues: stays, as the desk says"
    start_round(Actor(dana), event, 1, confirmed="")


@pytest.mark.parametrize("act", [lambda *args: let_go(*args, redraw=True), keep])
def test_what_was_decided_already_is_said(dana: User, act: Callable[..., object]) -> None:
    event, (_, blues, *_) = four(dana)
    registrations.withdraw(NOBODY, own(blues))
    let_go(Actor(dana), event, 2, redraw=True)
    text = "Already withdrawn: Blues. “Back in play” on the team’s page undoes that."
    assert refusal_of(lambda: act(Actor(dana), event, 2), Conflict).texts == (text,)
    assert refusal_of(lambda: let_go(Actor(dana), event, 3, redraw=False), Conflict).texts == (
        leaving.DECIDED.format("Greens"),
    )


def test_the_buttons_of_the_desk(dana: User) -> None:
    event, (_, blues, *_) = four(dana)
    registrations.withdraw(NOBODY, own(blues))
    desk, there = signed_in(dana), f"/desk/{event.slug}/entries/leaving/2/"
    assert "Want to leave 1" in words_of(desk.get(f"/desk/{event.slug}/entries/"))
    assert desk.post(there, {"what": "dance"}).status_code == 404
    assert desk.post(f"/desk/{event.slug}/entries/leaving/77/", {"what": "go"}).status_code == 404
    question = desk.post(there, {"what": "again"})
    assert ("Let them go and draw again" in words_of(question), states(event)[1]) == (True, "2 Blues leaving 2")
    assert desk.post(there, {"what": "stay"}).status_code == 302
    assert states(event)[1] == "2 Blues in 2"
    assert desk.post(there, {"what": "go"}).status_code == 409
    registrations.withdraw(NOBODY, own(blues))
    answer = {"what": "again", "confirmed": confirmed_in(page_of(question))}
    assert desk.post(there, answer).status_code == 302
    assert (states(event)[1], seats(event)[1] != []) == ("2 Blues withdrawn 2", True)


def test_a_draw_by_hand_stays_and_the_question_says_so(dana: User) -> None:
    event, (_, blues, *_) = four(dana, movement="round-robin")
    Event.objects.filter(pk=event.pk).update(movement="by-hand")
    draw_by_hand(Actor(dana), fresh(event), 1, [(1, 2), (3, 4)])
    registrations.withdraw(NOBODY, own(blues))
    question = words_of(signed_in(dana).post(f"/desk/{event.slug}/entries/leaving/2/", {"what": "again"}))
    assert "The games are drawn by hand: seat their tables again on the Draw page." in question
    assert "Let them go and draw again" not in question


def test_what_else_the_desk_does_to_a_team_that_wants_to_leave_settles_it(dana: User) -> None:
    event, (reds, blues, greens, golds) = four(dana)
    for entry in (reds, blues, greens, golds):
        registrations.withdraw(NOBODY, own(entry))
    teams.withdraw_team(Actor(dana), event, 1, 0)
    teams.merge_teams(Actor(dana), event, 3, 2)
    assert [row.split()[2] for row in states(event)] == ["withdrawn", "joined", "leaving", "leaving"]
    teams.remove_team(Actor(dana), event, 4)
    assert states(event)[3] == "4 Golds withdrawn"


# A seat of somebody who does not play.


def test_a_team_without_a_place_takes_that_of_one_which_left(dana: User) -> None:
    event, (_, blues, *_) = four(dana, entry_limit=4, rounds_planned=3, movement="round-robin")
    entered(event, team("Late"))
    registrations.withdraw(NOBODY, own(blues))
    drawn = seats(event)
    let_go(Actor(dana), event, 2, redraw=False)
    registrations.decide(Actor(dana), event, [5], accepted=True)
    assert states(event)[-1] == "5 Late in 5"
    assert [item.text for item in checklist(event).missing] == ["Not in game 1: Late. Draw again."]
    assert "At the start their game is awarded. Draw again Seat Late there" in to_do(dana, event)
    desk, there = signed_in(dana), f"/desk/{event.slug}/draw/seats/2/"
    assert desk.post(there, {"number": "3"}).status_code == 409
    assert desk.post(there, {"number": "5"}).status_code == 302
    tables = [[5 if number == 2 else number for number in table] for table in drawn[0]]
    assert seats(event) == (tables, [])
    assert not Side.objects.filter(team__number=2).exists()
    assert Side.objects.filter(team__number=5).count() == 3
    assert acts(event)[-1] == "5 Late seated in the place of 2 Blues"
    assert desk.post(there, {"number": "5"}).status_code == 409
    start_round(Actor(dana), event, 1, confirmed="")


def test_whom_the_desk_withdrew_from_a_draw_the_start_asks_about_too(dana: User) -> None:
    event, _ = four(dana)
    for number in (1, 2):
        teams.withdraw_team(Actor(dana), event, number, 0)
    words = words_of(signed_in(dana).post(f"/desk/{event.slug}/rounds/1/start/"))
    assert words.count("the game goes to") == len({frozenset(table) for table in seats(event)[0] if {1, 2} & {*table}})
    assert "Start without them" in words


def test_at_a_table_of_single_players_the_others_play_on(dana: User) -> None:
    event = open_event(dana, sheet="back_alley/individual", rounds_planned=1, seed=5)
    entered(event, *map(alone, ("Al Bo", "Cy Di", "Ed Flo", "Gus Hal")))
    draw_rounds(Actor(dana), fresh(event), seed=5)
    registrations.withdraw(NOBODY, own(Registration.objects.get(position=2)))
    assert "Cy Di wants to leave" in to_do(dana, event)
    let_go(Actor(dana), event, 2, redraw=False)
    words = words_of(signed_in(dana).post(f"/desk/{event.slug}/rounds/1/start/"))
    assert "Game 1, table 1, without Cy Di: the others play on." in words


def test_a_seat_is_taken_only_as_long_as_it_is_free(dana: User) -> None:
    event, _ = four(dana)
    text = "The seats of game 1 have changed. Look at the draw again."
    assert refusal_of(lambda: seat_instead(Actor(dana), event, 1, 2), Conflict).texts == (text,)
    assert refusal_of(lambda: seat_instead(Actor(dana), event, 1, 77), Conflict).status == 409
