"""A correction while the bracket is played: void games end as void, the true pairings open, nothing is invented."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, page_of, signed_in
from tests.sure import fresh, sure
from tests.tournament.results.evenings import after_the_cut, bracket_of, finish_game, played_round, win
from tests.tournament.results.test_playoffs import play_round, seeded
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Entry, Event, Game, Notice, Round
from tournament.queries.desk import desk_round
from tournament.queries.playoffs import playoffs
from tournament.queries.todo import open_needs
from tournament.queries.todo_next import next_act
from tournament.services.corrections import correct_sheet
from tournament.services.entries import record_entry
from tournament.services.playoffs import decide_placing, play_match_again, put_both_out, start_playoff_round
from tournament.services.rounds import close_round
from tournament.services.teams import withdraw_team

PLAYED = {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}


def bracket_of_four(dana: User) -> Event:
    """Six teams, of which 1, 2, 3 and 5 go on; a correction of table 3 puts team 6 in the place of team 5."""
    return after_the_cut(dana, 4, (1, 2, win(0, 7, 4)), (3, 4, win(0, 6, 2)), (5, 6, win(0, 5, 1)))


def mistaken(dana: User, event: Event, table: int = 3, line: int = 2) -> Game:
    """Correct the last hand of a qualifying table: the other side made it."""
    game = Game.objects.get(round__event=event, round__number=1, table=table)
    entry = game.entries.get(position=line, replaced_by=None)
    facts = entry.facts | {"bidder": 1 - entry.facts["bidder"]}
    correct_sheet(Actor(dana), game, position=line, revision=entry.revision, facts=facts, reason="sides mixed up")
    event.refresh_from_db()
    return game


def tables(round_: Round) -> list[tuple[int, int, str, str, tuple[int, ...]]]:
    games = round_.games.prefetch_related("sides__team").order_by("table", "leg")
    return [
        (game.table, game.leg, game.match, game.state, tuple(side.team.number for side in game.sides.all()))
        for game in games
    ]


def repaired(dana: User) -> tuple[Event, Round]:
    """The first round of the bracket in play, a correction of the standings under it, and "replay" decided."""
    event = bracket_of_four(dana)
    round_ = start_playoff_round(Actor(dana), event)
    mistaken(dana, event)
    decide_placing(Actor(dana), event, "seeds", "replay", "The right teams play")
    return fresh(event), round_


def test_nothing_ends_before_the_director_has_decided(dana: User) -> None:
    event = bracket_of_four(dana)
    round_ = start_playoff_round(Actor(dana), event)
    mistaken(dana, event)
    assert {state for _, _, _, state, _ in tables(round_)} == {"playing"}
    assert playoffs(event).step == "decide"


def test_a_replay_voids_the_wrong_games_and_opens_the_true_pairings_in_the_same_round(dana: User) -> None:
    event, round_ = repaired(dana)
    true = {match.key: match.teams for match in bracket_of(event).matches[:2]}
    games_found = tables(round_)
    assert [row[3] for row in games_found if row[4] == true[row[2]]] == ["playing"] * 2
    assert [row[3] for row in games_found if row[4] != true[row[2]]] == ["void"] * (len(games_found) - 2)
    assert len(games_found) > 2
    assert event.rounds.filter(stage="playoff").count() == 1
    assert Entry.objects.filter(game__round=round_).count() == 0
    assert [card.words for card in sure(desk_round(event)).tables if card.state == "void"] == ["Does not count"] * (
        len(games_found) - 2
    )


def test_nothing_is_written_on_a_game_that_does_not_count(dana: User) -> None:
    _event, round_ = repaired(dana)
    void = sure(round_.games.filter(state="void").first())
    with pytest.raises(Conflict, match="no longer counts"):
        record_entry(Actor(dana), void, PLAYED, source="desk")


def test_a_round_closes_without_its_void_games_which_travel_with_the_event_file(dana: User) -> None:
    event, round_ = repaired(dana)
    for game in round_.games.filter(state="playing"):
        finish_game(event, game, win(0))
    assert next_act(event).words == "Close semifinal"
    close_round(Actor(dana), event, round_.number)
    assert (playoffs(fresh(event)).step, playoffs(event).ready_title) == ("start", "Final")
    copy = import_event(Actor(dana), export_event(event))
    assert tables(copy.rounds.get(number=round_.number)) == tables(round_)
    assert playoffs(copy).step == "start"
    play_round(dana, event)
    assert playoffs(event).step == "finish"


def test_a_correction_that_is_corrected_lets_the_first_games_go_on(dana: User) -> None:
    event = bracket_of_four(dana)
    round_ = start_playoff_round(Actor(dana), event)
    before = tables(round_)
    mistaken(dana, event)
    decide_placing(Actor(dana), event, "seeds", "replay", "The right teams play")
    mistaken(dana, event)
    assert [table for table in tables(round_) if table[3] != "void"] == before
    assert bracket_of(event).asked == ()


def test_a_result_corrected_under_the_next_round_opens_the_true_pairing_there(dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    semi = Game.objects.get(round__stage="playoff", match="M1")
    final = start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    [(_, _, _, _, old)] = tables(final)
    correct_sheet(Actor(dana), semi, position=1, revision=0, facts=win(1)[0], reason="sides mixed up")
    decide_placing(Actor(dana), event, "M1", "replay", "The right team plays")
    new = bracket_of(fresh(event)).matches[-1].teams
    assert tables(final) == [(1, 1, "M3", "void", old), (1, 2, "M3", "playing", new)]
    assert set(old) != set(new)


def test_a_match_is_played_again_without_an_invented_result(dana: User) -> None:
    event = seeded(dana, 4)
    round_ = start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    with pytest.raises(ValidationFailed):
        play_match_again(Actor(dana), event, "M1", " ")
    play_match_again(Actor(dana), event, "M1", "A card was missing")
    assert tables(round_) == [
        (1, 1, "M1", "void", (1, 4)),
        (1, 2, "M1", "playing", (1, 4)),
        (2, 1, "M2", "playing", (3, 2)),
    ]
    assert Notice.objects.filter(game__match="M1").count() == 2


def test_a_final_match_of_a_closed_round_is_played_again_in_a_round_named_as_in_the_bracket(dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    play_match_again(Actor(dana), event, "M2", "The wrong deck")
    assert (playoffs(fresh(event)).step, playoffs(event).ready_title) == ("start", "Semifinal, M2")
    play_round(dana, event)
    play_round(dana, event)
    assert playoffs(event).step == "finish"
    with pytest.raises(Conflict, match="has played on"):
        play_match_again(Actor(dana), event, "M2", "Too late")


BOTH_LATE = {"entry": "award", "rule": "13", "to": None}


def both_late(dana: User) -> Event:
    """A bracket of four in which nobody came to the first match."""
    event = seeded(dana, 4)
    round_ = start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    first, other = round_.games.order_by("table")
    finish_game(event, first, [BOTH_LATE])
    finish_game(event, other, win(0))
    close_round(Actor(dana), event, round_.number)
    return fresh(event)


def test_two_teams_that_were_both_late_are_put_out_and_the_other_half_goes_on(dana: User) -> None:
    event = both_late(dana)
    assert (bracket_of(event).matches[0].can_both_go_out, playoffs(event).ready_title) == (True, "Semifinal, M1")
    put_both_out(Actor(dana), event, "M1")
    drawn = bracket_of(fresh(event))
    assert (drawn.champion_number, drawn.matches[0].both_out, playoffs(event).step) == (3, True, "finish")
    copy = import_event(Actor(dana), export_event(event))
    assert bracket_of(copy).champion_number == 3


def test_both_out_is_taken_back_and_only_where_nobody_won(dana: User) -> None:
    event = both_late(dana)
    with pytest.raises(Conflict, match="its winner advances"):
        put_both_out(Actor(dana), event, "M2")
    put_both_out(Actor(dana), event, "M1")
    put_both_out(Actor(dana), event, "M1", back=True)
    assert (bracket_of(fresh(event)).champion_number, playoffs(event).ready_title) == (None, "Semifinal, M1")
    with pytest.raises(Conflict):
        put_both_out(Actor(dana), event, "M1", back=True)


def desk(client: Client, event: Event) -> str:
    return page_of(client.get(f"/desk/{event.slug}/playoffs/"))


def test_the_match_itself_offers_what_can_be_done_about_it(dana: User) -> None:
    event = seeded(dana, 4)
    start_playoff_round(Actor(dana), event)
    client, to = signed_in(dana), f"/desk/{event.slug}/playoffs/matches/M1/"
    game = Game.objects.get(match="M1")
    assert f"/games/{game.pk}/rulings/?rule=13" in desk(client, event)
    assert client.post(f"{to}again/", {"reason": ""}).status_code == 422
    assert client.post(f"{to}again/", {"reason": "A card was missing"}).status_code == 302
    assert Game.objects.filter(match="M1").values_list("state", flat=True)[0] == "void"
    assert client.post(f"{to}out/").status_code == 409


def test_games_that_do_not_count_are_named_once_it_is_decided(dana: User) -> None:
    event = bracket_of_four(dana)
    start_playoff_round(Actor(dana), event)
    mistaken(dana, event)
    client = signed_in(dana)
    assert bracket_of(event).stale == ()
    assert "Decide what counts" in client.get(f"/desk/{event.slug}/").content.decode()
    decide_placing(Actor(dana), event, "seeds", "replay", "The right teams play")
    page = desk(client, event)
    assert "Games that do not count" in page
    assert "Decide what counts" not in client.get(f"/desk/{event.slug}/").content.decode()


def test_before_the_cut_is_made_the_desk_says_whom_it_would_take(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=10)
    games = [(1, 2, win(0, 7)), (3, 4, win(0, 6)), (5, 6, win(0, 5)), (7, 8, win(0, 5, 1)), (9, 10, win(0, 5, 2))]
    played_round(event, games)
    previews = [
        (preview.size, preview.last, preview.first_out, preview.tied, preview.seats)
        for preview in playoffs(event).previews
    ]
    names = {team.number: team.name for team in event.teams.all()}
    assert previews == [
        (4, "", "", (names[5], names[7], names[9]), 2),
        (8, "", "", (names[2], names[4], names[6]), 1),
    ]
    assert "Who would advance" in desk(signed_in(dana), event)


def test_a_team_that_left_is_named_at_the_cut_with_its_reason(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, cut=2, teams=4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    withdraw_team(Actor(dana), event, 4, 1)
    played_round(event, [(1, 3, win(0))], byes=[2])
    assert [(line.number, why) for line, why in playoffs(event).gone] == [(4, "left after game 1")]
    assert "left after game 1" in desk(signed_in(dana), event)


def test_finishing_says_what_is_open_and_is_checked_before_the_password(dana: User) -> None:
    event = seeded(dana, 2)
    Event.objects.filter(pk=event.pk).update(fee_cents=1000)
    client = signed_in(dana)
    answer = client.post(f"/desk/{event.slug}/playoffs/end/")
    assert (answer.status_code, "There is no champion yet." in answer.content.decode()) == (422, True)
    play_round(dana, event)
    assert [end.text for end in open_needs(fresh(event))] == ["$20 owed by 2 teams."]
    assert "$20 owed by 2 teams." in desk(client, event)


def test_a_void_table_asks_for_nobody_and_its_tablet_waits_for_the_true_game(dana: User) -> None:
    event, round_ = repaired(dana)
    void = round_.games.get(state="void")
    [card] = [card for card in sure(desk_round(event)).tables if card.state == "void"]
    assert (card.seats, card.to_sign, card.plays) == (False, False, False)
    tablet = bind(dana, event, void.table)
    true = round_.games.get(table=void.table, state="playing")
    assert tablet.get("/t/table/").context["sheet"].game.pk == true.pk
    page = signed_in(dana).get(f"/desk/{event.slug}/games/{void.pk}/").content.decode()
    assert ("This game doesn’t count" in page, "Record hand" in page) == (True, False)
