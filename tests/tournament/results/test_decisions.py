"""Lots for a bye, the director's decision after a correction at the desk, and the board steered from there."""

from __future__ import annotations

import html
import random
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from tests.factories import announced_by, make_user, revise_entry
from tests.pages import signed_in
from tests.sure import sure
from tests.tournament.results.evenings import bracket_of, cut_of, finish_game, five_teams_meet, sign_all, win
from tests.tournament.results.test_playoffs import (
    corrected_semi_final,
    level_at_the_cut,
    open_tie_games,
    play_round,
    seeded,
)
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.models import Decision, Event, Game, Placing
from tournament.queries.bracket import SEEDS, bracket, champion_of, seeds_decision
from tournament.queries.deskgame import impact, picture
from tournament.queries.playoffs import playoffs
from tournament.queries.projector import board
from tournament.queries.rules import EVERYTHING
from tournament.queries.standings import standings, tie_breaks
from tournament.refusals import Changed, Invalid, Refusal
from tournament.services.corrections import correct_sheet
from tournament.services.events import show_on_board
from tournament.services.playoffs import (
    decide_placing,
    end_tiebreak,
    start_playoff_round,
    start_tie_round,
    start_tiebreak,
)


def play_tie_games(event: Event, better: int = 0) -> None:
    for game in open_tie_games(event):
        finish_game(event, game, win(better))
    event.refresh_from_db()


def test_three_level_teams_draw_lots_for_a_bye_and_play_two_games(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 1)
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=7)
    lots = Decision.objects.get().teams
    (game,) = open_tie_games(event)
    assert sorted(side.team.number for side in game.sides.all()) == sorted(lots[1:])
    with pytest.raises(Changed):
        start_tie_round(Actor(dana), event)
    play_tie_games(event)
    winner = game.sides.get(index=0).team.number
    (attempt,) = tie_breaks(event)
    assert (attempt.is_open, set(attempt.due[0])) == (True, {lots[0], winner})
    start_tie_round(Actor(dana), event)
    play_tie_games(event, 1)
    (attempt,) = tie_breaks(event)
    loser = next(team for team in lots[1:] if team != winner)
    order = sure(attempt.order)
    assert (order[0], order[-1], attempt.due) == (attempt.games[-1].winner, loser, ())
    assert cut_of(event).advance == (order[0],)
    copy = import_event(Actor(dana), export_event(event))
    assert (tie_breaks(copy)[0].order, cut_of(copy).advance) == (order, cut_of(event).advance)


def test_a_tie_break_that_decides_only_seeds_ends_with_enough(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 2)
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=7)
    with pytest.raises(Changed, match="still decide"):
        end_tiebreak(Actor(dana), event, "Vic")
    [game] = open_tie_games(event)
    play_tie_games(event)
    loser = game.sides.get(index=1).team.number
    assert (playoffs(event).step, playoffs(event).enough) == ("tie-games", True)
    client, to = signed_in(dana), f"/desk/{event.slug}/playoffs/tiebreak/end/"
    assert (client.post(to).status_code, client.post(to, {"witness": "Vic"}).status_code) == (422, 302)
    event.refresh_from_db()
    made = cut_of(event)
    assert (made.level, len(made.advance), loser in made.advance) == ((), 2, False)
    assert (playoffs(event).step, Game.objects.filter(round__stage="tiebreak").count()) == ("start", 1)
    copy = import_event(Actor(dana), export_event(event))
    assert cut_of(copy).advance == made.advance


def test_a_corrected_game_of_a_tie_break_with_a_bye_asks_for_the_game_that_is_missing(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 1)
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=7)
    (game,) = open_tie_games(event)
    play_tie_games(event)
    start_tie_round(Actor(dana), event)
    play_tie_games(event)
    revise_entry(Actor(dana), game, position=1, revision=0, facts=win(1)[0], reason="sides mixed up")
    sign_all(event, game.round)
    (attempt,) = tie_breaks(event)
    assert (attempt.is_open, len(attempt.due), len(attempt.games)) == (True, 1, 2)
    assert game.sides.get(index=1).team.number in attempt.due[0]


def test_four_level_teams_for_two_places_play_both_first_games_at_once(dana: User) -> None:
    event = level_at_the_cut(dana, 4, 2)
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=3)
    assert len(open_tie_games(event)) == 2
    play_tie_games(event)
    start_tie_round(Actor(dana), event)
    play_tie_games(event)
    made = cut_of(event)
    assert (len(made.advance), made.level) == (2, ())
    assert str(start_playoff_round(Actor(dana), event)) == "Final"


def test_the_desk_asks_keep_or_replay_and_records_why(dana: User) -> None:
    event, old, _new = corrected_semi_final(dana)
    client, to = signed_in(dana), f"/desk/{event.slug}/playoffs/"
    page = html.unescape(client.get(to).content.decode())
    assert ["The director decides" in page, "already played on" in page, "Start " in page] == [True, True, False]
    refused = client.post(f"{to}placings/", {"source": "M1"})
    assert (refused.status_code, "Keep what was played, or replay it?" in refused.content.decode()) == (422, True)
    assert client.post(f"{to}placings/", {"source": "M2", "kind": "keep"}).status_code == 409
    assert client.post(f"{to}placings/", {"source": "M1", "kind": "keep", "reason": "Agreed"}).status_code == 302
    page = html.unescape(client.get(to).content.decode())
    assert ["Change the decision" in page, f"Champions: {bracket_of(event).champion}" in page] == [True, True]
    assert (sure(champion_of(event))[0], sure(event.placings.last()).reason) == (old, "Agreed")


def test_a_tie_break_with_a_bye_is_run_from_the_desk(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 1)
    client, to = signed_in(dana), f"/desk/{event.slug}/playoffs/"
    assert client.post(f"{to}tiebreak/", {"method": "bye", "witness": "Vic"}).status_code == 302
    assert client.post(f"{to}tiebreak/rounds/").status_code == 409
    play_tie_games(event)
    page = html.unescape(client.get(to).content.decode())
    assert ["Lots for a bye" in page, "/tiebreak/rounds/" in page] == [True, True]
    assert client.post(f"{to}tiebreak/rounds/").status_code == 302
    assert len(open_tie_games(event)) == 1


@pytest.mark.parametrize(
    ("section", "kinds"),
    [
        ("turns", {"main", "bracket"}),
        ("standings", {"main"}),
        ("bracket", {"bracket"}),
        ("champion", {"main", "bracket"}),
    ],
)
def test_the_board_shows_what_the_desk_puts_on_it(dana: User, section: str, kinds: set[str]) -> None:
    event = seeded(dana, 4)
    start_playoff_round(Actor(dana), event)
    before = Event.objects.get(pk=event.pk).version
    answer = signed_in(dana).post(f"/desk/{event.slug}/board/", {"shows": section})
    assert answer.status_code == 302
    event.refresh_from_db()
    slides = board(event, standings(event), EVERYTHING).slides
    assert ({slide.kind for slide in slides}, event.version > before) == (kinds, True)
    assert section != "standings" or all(slide.lines and not slide.tables for slide in slides)


def test_seating_on_the_board_leaves_the_standings_out(dana: User) -> None:
    event = seeded(dana, 4)
    start_playoff_round(Actor(dana), event)
    event = show_on_board(Actor(dana), event, "seating")
    slides = board(event, standings(event), EVERYTHING).slides
    assert [(slide.kind, bool(slide.tables), slide.lines) for slide in slides] == [("main", True, ())]
    assert signed_in(dana).post(f"/desk/{event.slug}/board/", {"shows": "cartoons"}).status_code == 422


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(12))
def test_no_slot_disagrees_with_its_games_after_corrections_keeps_and_replays(seed: int) -> None:
    director, chance = make_user("dora"), random.Random(seed)
    event = seeded(director, chance.choice([3, 4, 5]), third_place=chance.random() < 0.5)
    done = Counter[str]()
    for _ in range(12):
        with suppress(Refusal), transaction.atomic():
            done[one_act(director, event, chance)] += 1
        event.refresh_from_db()
        check_bracket(event)
    assert done["played"] >= 1 and sum(done.values()) >= 4, done


def one_act(director: User, event: Event, chance: random.Random) -> str:
    """Do something, and say what was done."""
    drawn = bracket_of(event)
    if drawn.asked and chance.random() < 0.8:
        decide_placing(Actor(director), event, chance.choice(drawn.asked).source, chance.choice(["keep", "replay"]))
        return "decided"
    if chance.random() < 0.5:
        play_round(director, event, chance.randrange(2))
        return "played"
    games = Game.objects.filter(round__event=event, state="final", result__winner__isnull=False)
    game = chance.choice(list(games.select_related("round__event", "result")))
    entry = game.entries.filter(replaced_by=None).get()
    other = win(1 - sure(game.result.winner))[0]
    said: dict[str, Any] = {"position": 1, "revision": entry.revision, "facts": other, "reason": "mixed up"}
    before = picture(event, game.pk)
    announced = announced_by(Actor(director), game, **said)
    assert impact(before, picture(event, game.pk)).changes == ()
    correct_sheet(Actor(director), game, **said)
    assert impact(before, picture(event, game.pk)).changes == announced.changes
    return "corrected"


def check_bracket(event: Event) -> None:
    drawn = bracket(event)
    if drawn is None:
        return
    by_key = {match.key: match for match in drawn.matches}
    named = event.placings.filter(kind="keep").exists()
    for match in drawn.matches:
        teams = {side.number for side in match.sides}
        for game in match.games:
            assert not game.counts or set(game.teams) == teams
        winners = [game.winner for game in match.games if game.counts and game.winner]
        question = next((one for one in drawn.questions if one.source == match.key), None)
        if match.state == "decided":
            assert len(winners) == 1
            first = next(side.number for side in match.sides if side.won)
            kept = question is not None and question.decided == "keep"
            assert (first == winners[0]) != kept
            assert not kept or named
    if drawn.champion_number:
        final = by_key[drawn.matches[-1].key]
        assert not drawn.asked
        assert drawn.champion_number in {side.number for side in final.sides}
        assert playoffs(event).step != "decide"


def test_a_decision_about_a_match_leaves_the_one_about_the_seeds() -> None:
    seeds = Placing(number=1, source=SEEDS, kind="keep", before=[1, 2], after=[1, 3])
    match = Placing(number=2, source="M1", kind="replay", before=[1], after=[2])
    assert seeds_decision((seeds, match), (1, 2), (1, 3)) == "keep"
    assert seeds_decision((seeds, match), (1, 2), (1, 4)) == ""
    assert seeds_decision((match,), (1,), (2,)) == ""


def test_head_to_head_is_refused_where_it_leaves_a_circle_of_three(dana: User) -> None:
    # Everybody wins three: 1 beat 2, 2 beat 3, 3 beat 1.
    event = five_teams_meet(
        dana,
        (1, (5, 2, 6), (3, 4, 5)),
        (2, (3, 1, 5), (4, 5, 6)),
        (3, (1, 5, 5), (2, 4, 5)),
        (4, (1, 2, 5), (5, 3, 6)),
        (5, (4, 1, 6), (2, 3, 5)),
    )
    assert (cut_of(event).level, playoffs(event).has_met) == ((1, 2, 3), True)
    with pytest.raises(Invalid) as refusal:
        start_tiebreak(Actor(dana), event, "head-to-head")
    assert [fault.field for fault in refusal.value.faults] == ["method"]
    assert (Decision.objects.count(), cut_of(event).level) == (0, (1, 2, 3))
