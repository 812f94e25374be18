"""The Boston pot from real sheets."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.factories import make_event, make_teams
from tests.tournament.results.evenings import finish_game, played_round, win
from tournament.models import Event
from tournament.queries.records import pot


@pytest.fixture
def event(dana: User) -> Event:
    """Three of four teams paid ten dollars and one cent into the pot; Bostons of two games count."""
    event = make_event(director=dana, rounds_planned=3, pot_cents=1001, options={"boston_window": 2})
    make_teams(event, 4)
    event.teams.filter(number=4).update(in_pot=False)
    return event


def shares(event: Event) -> dict[int, int]:
    return {team.number: team.cents for team in pot(event).teams if team.cents}


def test_pot_counts_the_teams_that_are_in_it(event: Event) -> None:
    facts = pot(event)
    assert (facts.cents, facts.entered, facts.outside, facts.window) == (3003, 3, ("Eagles",), "games 1–2")
    assert facts.text == "No Boston yet. The pot of $30.03 goes to the most Bostons in games 1–2 (rule 12)."


def test_pot_is_settled_when_the_last_game_of_the_window_is_final(event: Event) -> None:
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(1, 7))])
    second = played_round(event, [(1, 3, win(0)), (2, 4, [])], state="running")
    assert (pot(event).settled, pot(event).leaders) == (False, ("Aces",))
    finish_game(event, second.games.get(table=2), win(0, 7))
    facts = pot(event)
    assert (facts.settled, shares(event)) == (True, {1: 1502, 2: 1501})
    assert facts.text == (
        "Most Bostons in games 1–2 (rule 12): Aces and Books with 1 each. Not in the pot: Eagles (1). "
        "They share the pot of $30.03 equally, $15.01 each. "
        "The odd cent goes to Aces, the lowest number ($15.02)."
    )


def test_pot_without_bostons_goes_to_the_best_record_after_the_last_game(event: Event) -> None:
    for games in ([(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]):
        assert pot(event).settled is False
        played_round(event, [(one, other, win(0)) for one, other in games])
    facts = pot(event)
    assert (facts.settled, facts.basis, shares(event)) == (True, "best-record", {1: 3003})


def test_pot_without_any_team_says_so(dana: User) -> None:
    assert pot(make_event(director=dana)).text == "Nobody is in the Boston pot."


def test_pot_of_all_games_is_settled_after_the_last_one(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, pot_cents=1000, options={"boston_window": None})
    make_teams(event, 2)
    played_round(event, [(1, 2, win(0, 7))])
    assert (pot(event).settled, pot(event).leaders) == (False, ("Aces",))
    played_round(event, [(2, 1, win(0, 7))])
    assert (pot(event).settled, shares(event)) == (True, {1: 1000, 2: 1000})
