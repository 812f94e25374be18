"""The last game of an event that is drawn by record, where teams that are through or out play each other."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import draw_by_hand, make_event, page_of, signed_in, words_of
from tests.sure import fresh, statements_of, sure
from tests.tournament.pairing.test_by_stake import FOUR_GAMES
from tests.tournament.results.evenings import played_round, win
from tests.tournament.setup.test_events import fields
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.forms.event import EventForm
from tournament.models import Event, Game, Round
from tournament.pairing.plan import BY_STAKE, OUT_PLAYS_OPEN, Stake
from tournament.queries.decisions import draw_question
from tournament.queries.draws import DrawPlan, draw_overview, draw_plan, draws_by, way_back_to_draw
from tournament.queries.events import blank_event, event_fields, pinned_fields
from tournament.services.corrections import correct_sheet
from tournament.services.draws import draw_rounds
from tournament.services.events import copy_event
from tournament.services.substitutions import swap_teams
from tournament.services.teams import withdraw_team

BY_THE_STAKES = "Teams that are through, or out, play each other in this last game."


def before_the_last_game(dana: User, games: int = 5, **settings: Any) -> Event:
    """Twelve teams after four games: two are through to the top four, three are out, seven can still make it."""
    chosen: dict[str, Any] = {"movement": "swiss", "cut": 4, "stakes_apart": True, "rounds_planned": games} | settings
    event = make_event("Evening", dana, teams=12, **chosen)
    for tables in FOUR_GAMES:
        played_round(event, [(first, second, win(0)) for first, second in tables])
    return fresh(event)


def stakes(plan: DrawPlan) -> dict[Stake, list[int]]:
    return {
        stake: [entrant.number for entrant in plan.entrants if entrant.stake is stake]
        for stake in Stake
        if any(entrant.stake is stake for entrant in plan.entrants)
    }


def pairs(event: Event) -> list[set[int]]:
    return [set(table.teams) for table in draw_overview(event).rounds[-1].tables]


ALL_OPEN = {Stake.OPEN: list(range(1, 13))}


def test_two_that_are_through_play_each_other_and_the_page_says_so(dana: User, desk: Client) -> None:
    event = before_the_last_game(dana)
    assert stakes(draw_plan(event)) == {
        Stake.THROUGH: [1, 2],
        Stake.OUT: [10, 11, 12],
        Stake.OPEN: [3, 4, 5, 6, 7, 8, 9],
    }
    draw_rounds(Actor(dana), event, seed=1)
    assert pairs(event) == [{1, 2}, {3, 7}, {4, 6}, {8, 9}, {5, 12}, {10, 11}]
    page = page_of(desk.get("/desk/evening/draw/"))
    could_not_avoid = page.partition("What the draw could not avoid")[2]
    assert (BY_THE_STAKES in page, BY_THE_STAKES in could_not_avoid) == (True, False)
    assert "is out, but plays" in could_not_avoid


def test_without_the_option_the_draw_is_as_it_was(dana: User) -> None:
    event = before_the_last_game(dana, stakes_apart=False)
    assert stakes(draw_plan(event)) == ALL_OPEN
    draw_rounds(Actor(dana), event, seed=1)
    assert pairs(event) == [{2, 4}, {1, 3}, {6, 7}, {8, 9}, {5, 12}, {10, 11}]
    assert Round.objects.get(number=5).notes == []


@pytest.mark.parametrize(
    "settings",
    [
        {"games": 6},
        {"cut": None},
        {"cut": None, "no_playoffs": True},
        {"movement": "winners-up"},
        {"movement": "random"},
        {"movement": "moving"},
        {"movement": "round-robin"},
        {"movement": "by-hand"},
        {"options": {"tiebreak_order": ["points", "games-won"]}},
    ],
)
def test_nothing_is_at_stake_for_any_other_draw(dana: User, settings: dict[str, Any]) -> None:
    """Before the last game, without a cut, by another movement, and where points come before games won."""
    assert stakes(draw_plan(before_the_last_game(dana, **settings))) == ALL_OPEN


def test_before_the_first_result_nobody_is_out(dana: User) -> None:
    event = make_event("Evening", dana, teams=12, movement="swiss", cut=4, stakes_apart=True, rounds_planned=1)
    assert stakes(draw_plan(event)) == ALL_OPEN


def test_a_team_that_leaves_after_the_last_game_is_out_now(dana: User) -> None:
    event = before_the_last_game(dana)
    withdraw_team(Actor(dana), event, 1, 5)
    assert stakes(draw_plan(fresh(event))) == {
        Stake.THROUGH: [2],
        Stake.OUT: [1, 10, 11, 12],
        Stake.OPEN: [3, 4, 5, 6, 7, 8, 9],
    }


def test_the_same_number_gives_the_same_draw(dana: User) -> None:
    event = before_the_last_game(dana)
    draw_rounds(Actor(dana), event, seed=1)
    [again] = draws_by(draw_plan(fresh(event), before=5), 1)
    assert [set(table) for table in again.tables] == pairs(event)
    assert "with number 1" in way_back_to_draw(fresh(event))
    draw_rounds(Actor(dana), event, by_number=True)
    assert "by number" in way_back_to_draw(fresh(event))


def corrected(dana: User, event: Event, number: int, table: int, books: int = 11, bidder: int = 0) -> None:
    """Correct the only hand of a game: another score, or the other side made it."""
    game = Game.objects.get(round__event=event, round__number=number, table=table)
    facts = {"entry": "hand", "bidder": bidder, "bid": "4", "books": books}
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=facts, reason="typed wrongly")


def test_a_correction_that_changes_who_is_through_asks_and_another_does_not(dana: User) -> None:
    event = before_the_last_game(dana)
    draw_rounds(Actor(dana), event, seed=1)
    assert draw_question(fresh(event)) is None
    # A point more for team 1 changes nothing.
    corrected(dana, event, number=1, table=6, books=12)
    assert draw_question(fresh(event)) is None
    # Team 3 has beaten team 2: now it is through, and team 2 can still make it.
    corrected(dana, event, number=1, table=1, bidder=1)
    assert stakes(draw_plan(fresh(event)))[Stake.THROUGH] == [1, 3]
    question = sure(draw_question(fresh(event)))
    assert question.text.startswith("Game 5 was drawn before the results changed: ")
    copy = import_event(Actor(dana), export_event(event))
    assert (copy.stakes_apart, sure(draw_question(copy)).text) == (True, question.text)


def test_what_was_said_of_two_teams_goes_when_they_are_seated_otherwise(dana: User) -> None:
    event = before_the_last_game(dana)
    draw_rounds(Actor(dana), event, seed=1)
    said = [(note.said, note.teams) for note in Round.objects.get(number=5).noted]
    names = dict(event.teams.values_list("number", "name"))
    assert said == [(BY_STAKE, ()), (OUT_PLAYS_OPEN, (names[12], names[5]))]
    swap_teams(Actor(dana), event, 5, 3, 8, "they like it so")
    assert [(note.said, note.teams) for note in Round.objects.get(number=5).noted] == said
    swap_teams(Actor(dana), event, 5, 5, 8, "they like it so")
    now = [note.said for note in Round.objects.get(number=5).noted]
    assert (BY_STAKE in now, OUT_PLAYS_OPEN in now) == (True, False)


@pytest.mark.parametrize(("visible", "is_told"), [("live", True), ("after-round", True), ("at-end", False)])
def test_hidden_standings_are_not_told_by_the_draw(dana: User, client: Client, visible: str, is_told: bool) -> None:
    event = before_the_last_game(dana, options={"standings_visible": visible})
    draw_rounds(Actor(dana), event, seed=1)
    page = words_of(client.get("/e/evening/schedule/?round=5"))
    assert (BY_THE_STAKES in page, "is out, but plays" in page) == (True, is_told)
    assert "is out, but plays" in words_of(signed_in(dana).get("/e/evening/schedule/?round=5"))


def test_a_round_by_hand_says_nothing_of_it(dana: User) -> None:
    event = before_the_last_game(dana)
    draw_by_hand(Actor(dana), event, 5, [(1, 3), (2, 4), (5, 12), (6, 7), (8, 9), (10, 11)])
    assert Round.objects.get(number=5).notes == []


def test_it_asks_the_database_nothing_more(dana: User) -> None:
    event = before_the_last_game(dana)
    Event.objects.update(stakes_apart=False)
    without = statements_of(lambda: draw_plan(fresh(event)))
    Event.objects.update(stakes_apart=True)
    assert statements_of(lambda: draw_plan(fresh(event))) == without


# What the event's form asks.


def test_a_new_event_has_it_an_event_of_before_has_not_and_a_copy_has_what_its_event_has(dana: User) -> None:
    assert EventForm(initial=event_fields(blank_event()))["stakes_apart"].value() is True
    event = before_the_last_game(dana)
    assert copy_event(Actor(dana), event, "With it", event.date).stakes_apart
    assert not copy_event(Actor(dana), make_event("Old"), "Without it", event.date).stakes_apart


def test_it_is_asked_where_two_teams_meet_and_told_where_games_are_drawn_by_record(db: None) -> None:
    initial = event_fields(blank_event())
    assert "stakes_apart" not in EventForm(initial=initial | {"sheet": "back_alley/individual"}).fields
    told = "6 games, swiss: by record"
    for said, summary in (
        ({"movement": "swiss", "stakes_apart": "on"}, f"{told}, through or out play each other last"),
        ({"movement": "swiss"}, told),
        ({"movement": "moving", "stakes_apart": "on"}, "6 games, moving teams go up one table"),
    ):
        assert EventForm(fields(**said), initial=initial).folds()[0].summary == summary


def test_the_director_changes_it_until_the_playoffs_begin(dana: User, desk: Client) -> None:
    event = before_the_last_game(dana, stakes_apart=False)
    form = EventForm(initial=event_fields(event))
    said = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}
    said |= {"stakes_apart": "on", "confirm": "on"}
    assert desk.post("/desk/evening/setup/", said).status_code == 302
    assert fresh(event).stakes_apart is True
    assert "through or out play each other in the last game" in words_of(desk.get("/desk/evening/log/"))
    assert [("stakes_apart" in pinned_fields(Event(stage=stage))) for stage in ("playing", "playoffs", "over")] == [
        False,
        True,
        True,
    ]
