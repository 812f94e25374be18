"""Playoffs that do not go as they were drawn: a team leaves, nobody wins a match, two cannot play it."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import User

from tests.factories import make_event, make_round, make_teams
from tests.pages import signed_in
from tests.remembered import remembered
from tests.tournament.results.evenings import bracket_of, cut_of, finish_game, win
from tests.tournament.results.test_playoffs import play_round, seeded
from tournament.access import Actor
from tournament.models import Decision, Entry, Event, Game, Result, Team
from tournament.queries.bracket import champion_of
from tournament.queries.checklist import checklist
from tournament.queries.playoffs import playoffs
from tournament.refusals import Invalid
from tournament.services.corrections import apply_ruling
from tournament.services.entries import record_entry
from tournament.services.playoffs import start_playoff_round
from tournament.services.rounds import close_round
from tournament.services.signatures import sign_for_all
from tournament.services.teams import withdraw_team

LEAVES = {"entry": "ruling", "rule": "46", "choice": "forfeit", "side": 1}
WON_BY_RULING = {"entry": "award", "rule": "other", "to": 0, "reason": "not played"}
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
    assert cut_of(event).advance == (1, 3, 2, 4)
    drawn = bracket_of(event)
    assert (drawn.seeds, drawn.stale, drawn.questions) == ((1, 3, 2, 4), (), ())
    play_round(dana, event)
    assert bracket_of(event).champion_number == 1


def test_team_that_leaves_after_a_semi_final_that_it_won_loses_the_final(dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    one, other = bracket_of(event).matches[-1].teams
    address = f"/desk/{event.slug}/teams/{one}/"
    assert signed_in(dana).get(address).context["leaving"]["after_round"].value() == 2
    assert signed_in(dana).post(f"{address}withdrawal/", {"after_round": "2"}).status_code == 302
    start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    assert Entry.objects.get(game__match="M3").facts == {"entry": "award", "rule": "46", "to": 1}
    assert bracket_of(event).champion_number == other


@pytest.mark.parametrize(
    ("after", "sentence"),
    [
        (3, "Rounds go from 0 (never played) to 2."),
        (1, "Aces played in Semifinal, round 2, so the last round cannot be earlier."),
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
    assert ("Start third place" in page, "Finish the event" in page) == (True, True)
    assert client.post(f"/desk/{event.slug}/playoffs/end/").status_code == 302
    event.refresh_from_db()
    assert (event.stage, playoffs(event).step) == ("over", "over")


@pytest.fixture
@remembered
def threes(dana: User) -> Event:
    """One round of a game for three partnerships of two: each table's first has won, so two are level."""
    options = {"players": 6, "sides": 3}
    event = make_event("Threes", dana, sheet="back_alley/partnership", options=options, rounds_planned=1)
    teams = make_teams(event, 6)
    round_ = make_round(event, [tuple(teams[:3]), tuple(teams[3:])])
    for game in round_.games.all():
        record_entry(Actor(dana), game, WON_BY_RULING, source="desk")
        sign_for_all(Actor(dana), game, "signed on paper")
    close_round(Actor(dana), event, 1)
    event.refresh_from_db()
    return event


def test_cut_for_a_game_that_two_cannot_play_is_refused(threes: Event, dana: User) -> None:
    answer = signed_in(dana).post(f"/desk/{threes.slug}/playoffs/cut/", {"size": "2", "best_of": "1"})
    text = "Two teams alone cannot play this game, so there are no playoffs. Enter 1: the first place is the champion."
    assert (answer.status_code, text in answer.content.decode()) == (422, True)
    threes.refresh_from_db()
    assert (threes.stage, threes.cut) == ("playing", None)
    threes.cut = 2
    threes.save()
    text = "The cut is 2, but two teams alone cannot play this game: there are no playoffs."
    assert text in [item.text for item in checklist(threes).items]


def test_two_level_teams_that_cannot_play_alone_draw_lots(threes: Event, dana: User) -> None:
    client, desk = signed_in(dana), f"/desk/{threes.slug}/playoffs/"
    assert client.post(f"{desk}cut/", {"size": "1", "best_of": "1"}).status_code == 302
    page = client.get(desk).content.decode()
    assert "Start the one-game tie-break" not in page and "Drawing of lots" in page
    text = "Two teams alone cannot play this game: draw lots, or take their qualifying games."
    for method in ("game", "all-play", "bye"):
        answer = client.post(f"{desk}tiebreak/", {"method": method, "witness": "Vic"})
        assert (answer.status_code, text in answer.content.decode()) == (422, True)
    answer = client.post(f"{desk}tiebreak/", {"method": "lots", "witness": "Vic", "seed": "7"})
    assert answer.status_code == 302
    threes.refresh_from_db()
    number = Decision.objects.get().teams[0]
    assert champion_of(threes) == (number, {1: "Aces", 4: "Eagles"}[number])


def test_bracket_with_a_winner_whom_its_match_does_not_have_can_be_read(dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    Result.objects.filter(game__match="M1").update(winner=2)
    assert [match.state for match in bracket_of(event).matches] == ["ready", "decided", "waiting"]
