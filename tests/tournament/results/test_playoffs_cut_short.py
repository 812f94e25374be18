"""Playoffs that do not go as they were drawn: a team leaves, nobody wins a match."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import User

from tests.tournament.results.evenings import finish_game, win
from tests.tournament.results.test_playoffs import play_round, seeded
from tests.tournament.setup.test_events import signed_in
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Team
from tournament.queries.bracket import bracket
from tournament.queries.playoffs import playoffs
from tournament.queries.standings import standings
from tournament.refusals import Invalid
from tournament.services.playoffs import start_playoff_round
from tournament.services.rounds import close_round
from tournament.services.rulings import apply_ruling
from tournament.services.teams import withdraw_team

LEAVES = {"entry": "ruling", "rule": "46", "choice": "forfeit", "side": 1}
NOBODY_CAME = {"entry": "ruling", "rule": "13", "choice": "both-late"}


def playoff_game(event: Event, match: str) -> Game:
    return Game.objects.select_related("round__event").get(round__event=event, match=match)


def test_team_that_leaves_in_a_semi_final_loses_it_and_keeps_its_place_in_the_cut(dana: User) -> None:
    event = seeded(dana, 4)
    round_ = start_playoff_round(Actor(dana), event)
    game = playoff_game(event, "M1")
    apply_ruling(Actor(dana), game, LEAVES, leaves=True)
    finish_game(event, playoff_game(event, "M2"), win(0))
    close_round(Actor(dana), event, round_.number)
    event.refresh_from_db()
    gone = game.sides.get(index=1).team
    assert Team.objects.filter(status="left").values_list("number", "left_after").get() == (gone.number, 2)
    assert standings(event).cut.advance == (1, 3, 2, 4)
    drawn = bracket(event)
    assert (drawn.seeds, drawn.stale, drawn.questions) == ((1, 3, 2, 4), (), ())
    play_round(dana, event)
    assert bracket(event).champion_number == 1


def test_team_that_leaves_after_a_semi_final_that_it_won_loses_the_final(dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    one, other = bracket(event).matches[-1].teams
    address = f"/desk/{event.slug}/teams/{one}/"
    assert signed_in(dana).get(address).context["leaving"]["after_round"].value() == 2
    assert signed_in(dana).post(f"{address}withdrawal/", {"after_round": "2"}).status_code == 302
    start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    assert Entry.objects.get(game__match="M3").facts == {"entry": "award", "rule": "46", "to": 1}
    assert bracket(event).champion_number == other


@pytest.mark.parametrize(
    ("after", "sentence"),
    [
        (3, "Rounds go from 0 (never played) to 2."),
        (1, "Aces has played in Semi-final, round 2: no earlier round can be its last."),
    ],
)
def test_team_does_not_leave_before_a_playoff_game_that_it_has_played(after: int, sentence: str, dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    with pytest.raises(Invalid) as refusal:
        withdraw_team(Actor(dana), event, 1, after)
    assert [(fault.field, fault.text) for fault in refusal.value.faults] == [("after_round", sentence)]


def test_event_ends_with_a_champion_where_nobody_wins_the_third_place(dana: User) -> None:
    event = seeded(dana, 4, third_place=True)
    play_round(dana, event)
    round_ = start_playoff_round(Actor(dana), event)
    apply_ruling(Actor(dana), playoff_game(event, "M3P"), NOBODY_CAME)
    finish_game(event, playoff_game(event, "M3"), win(0))
    close_round(Actor(dana), event, round_.number)
    event.refresh_from_db()
    facts = playoffs(event)
    assert (facts.step, [match.key for match in facts.ready], facts.champion) == ("start", ["M3P"], "Aces")
    client = signed_in(dana)
    page = html.unescape(client.get(f"/desk/{event.slug}/playoffs/").content.decode())
    assert ("Start Third place" in page, "Finish the event" in page) == (True, True)
    assert client.post(f"/desk/{event.slug}/playoffs/end/").status_code == 302
    event.refresh_from_db()
    assert (event.stage, playoffs(event).step) == ("over", "over")
