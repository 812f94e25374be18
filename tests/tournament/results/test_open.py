"""What is open is in one list; what was drawn from changed results waits for the officials, also in the hall."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from tests.factories import confirmed_in, draw_by_hand, make_event, page_of, signed_in, words_of
from tests.sure import fresh, refusal_of, sure
from tests.tournament.results.evenings import bracket_of, cut_of, finish_game, played_round, win
from tests.tournament.results.test_bracket_repair import bracket_of_four
from tests.tournament.results.test_decisions import one_act
from tests.tournament.results.test_playoffs import FOR_THIRD, level_at_the_cut, play_round, seeded
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import DomainError
from tournament.models import Event, Game, Journal
from tournament.queries.decisions import draw_question, held_games
from tournament.queries.desk import desk_round
from tournament.queries.playoffs import playoffs
from tournament.queries.rules import ruleset_of
from tournament.queries.todo import needs_of, open_needs
from tournament.queries.todo_next import next_act
from tournament.services.corrections import correct_sheet
from tournament.services.draws import draw_rounds, take_back_draw
from tournament.services.playoffs import decide_placing, finish_event, make_cut, start_playoff_round, start_tiebreak
from tournament.services.rounds import close_round, start_round
from tournament.services.substitutions import change_and_reseat, swap_teams
from tournament.services.teams import withdraw_team
from tournament.services.verifying import findings
from tournament.words.phrases import ON_HOLD

GAMES = [(1, 2, win(0, 6)), (3, 4, win(0, 5, 1)), (5, 6, win(0, 5, 2))]


def to_do(event: Event) -> list[str]:
    event = fresh(event)
    return [need.text for need in needs_of(event, sure(desk_round(event)), ruleset_of(event))]


def mistaken(dana: User, event: Event, table: int = 1, stage: str = "qualifying", **facts: Any) -> Game:
    """Correct the last hand of a game: the other side made it."""
    game = Game.objects.filter(round__event=event, round__stage=stage, table=table).order_by("round__number")[0]
    entry = sure(game.entries.filter(replaced_by=None).order_by("position").last())
    facts = facts or entry.facts | {"bidder": 1 - entry.facts["bidder"]}
    line: dict[str, Any] = {"position": entry.position, "revision": entry.revision, "facts": facts}
    correct_sheet(Actor(dana), game, **line, reason="sides mixed up")
    event.refresh_from_db()
    return game


def drawn_from_results(dana: User, movement: str = "swiss", **fields: Any) -> Event:
    """Six teams after game 1, and game 2 drawn from its results."""
    event = make_event("Evening", dana, rounds_planned=3, teams=6, movement=movement, **fields)
    played_round(event, GAMES)
    draw_rounds(Actor(dana), event, seed=1)
    return fresh(event)


def pairs(event: Event, number: int = 2) -> list[set[int]]:
    games = Game.objects.filter(round__event=event, round__number=number).order_by("table")
    return [{side.team.number for side in game.sides.all()} for game in games]


# One list of what is open.


def test_after_the_last_pot_game_the_list_has_all_that_finishing_would_have(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=4)
    Event.objects.filter(pk=event.pk).update(fee_cents=3500, pot_cents=1000)
    event.refresh_from_db()
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0))], state="running")
    assert to_do(event) == ["$180 owed by 4 teams."]
    close_round(Actor(dana), event, 1)
    assert to_do(event) == ["Pay $40 to Aces.", "$180 owed by 4 teams."]
    assert [need.tone for need in open_needs(fresh(event))] == ["gold", "plain"]
    make_cut(Actor(dana), event, 2)
    play_round(dana, event)
    assert (
        to_do(event)
        == [need.text for need in open_needs(fresh(event))]
        == ["Pay $40 to Aces.", "$180 owed by 4 teams."]
    )
    finish_event(Actor(dana), event)
    assert to_do(event) == ["Pay $40 to Aces.", "$180 owed by 4 teams."]


def test_a_tie_at_the_cut_and_what_the_checklist_misses_stand_in_the_list(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 1)
    assert any("tied for the last place" in text for text in to_do(event))
    early = make_event("Early", dana, teams=2)
    played_round(early, [(1, 2, [])], state="planned")
    Event.objects.filter(pk=early.pk).update(stage="setup", frozen_at=None, printed="")
    early.officials.all().delete()
    assert to_do(early) == ["Nobody directs this event yet."]


@pytest.mark.parametrize("seed", range(6))
def test_whatever_finishing_would_list_the_list_has_on_any_evening(dana: User, seed: int) -> None:
    chance = random.Random(seed)
    event = seeded(dana, chance.choice([3, 4, 5]), **chance.choice([{}, FOR_THIRD]))
    Event.objects.filter(pk=event.pk).update(
        fee_cents=1000, pot_cents=chance.choice([0, 500]), prizes={"prizes": [500]}
    )
    for _ in range(10):
        with suppress(DomainError), transaction.atomic():
            one_act(dana, event, chance)
        event.refresh_from_db()
        listed, page = to_do(event), page_of(signed_in(dana).get(f"/desk/{event.slug}/playoffs/"))
        assert set(listed) >= {need.text for need in open_needs(event)} and " owed by " in listed[-1]
        assert all(text in listed for text in re.findall(r'<span class="wrap">(\$\d+ owed by [^<]+?)\s*<', page))
        asked = [question.text for question in bracket_of(event).asked]
        assert (playoffs(event).step == "decide", next_act(event).words == "Decide what counts") == (
            bool(asked),
        ) * 2 or (event.rounds.filter(state="running").exists())
        assert set(asked) <= set(listed)


def test_what_holds_up_the_cut_is_one_thing_for_page_button_and_cut(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=2)
    played_round(event, [(1, 2, win(0))])
    Game.objects.update(state="to-sign")
    waits = "Game 1, table 1, is not signed."
    assert (playoffs(event).step, playoffs(event).waiting) == ("wait", waits)
    assert (next_act(event).waits, str(refusal_of(lambda: make_cut(Actor(dana), event, 2)))) == (
        "game 1, table 1, is not signed",
        waits,
    )


# A round that was drawn from results.


@pytest.mark.parametrize("movement", ["swiss", "winners-up"])
def test_a_correction_after_the_draw_says_so_first_holds_the_tables_and_is_decided(
    dana: User, client: Client, movement: str
) -> None:
    event, desk = drawn_from_results(dana, movement), signed_in(dana)
    before = pairs(event)
    game = Game.objects.get(round__event=event, round__number=1, table=1)
    to = f"/desk/{event.slug}/games/{game.pk}/entries/1/revisions/"
    form = {"seat": "1", "bid": "4", "books": "12", "revision": "0", "reason": "the other side"}
    preview = page_of(desk.post(to, form))
    assert "Game 2 was drawn before the results changed:" in preview
    assert ("Save the correction, draw again" in preview, "keep the draw" in preview) == (True, True)
    assert draw_question(fresh(event)) is None, "nothing is stored by the preview"
    mistaken(dana, event)
    question = sure(draw_question(event))
    assert (to_do(event), next_act(event).words) == ([question.text], "Draw again or keep")
    for page in (f"/e/{event.slug}/schedule/?round=2", f"/e/{event.slug}/teams/1/", f"/e/{event.slug}/board/"):
        assert "on hold" in words_of(client.get(page)).lower(), page
    assert ON_HOLD in words_of(bind(dana, event, 1).get("/t/table/"))
    assert all(card.on_hold for card in sure(desk_round(event)).tables)
    refused = desk.post(f"/desk/{event.slug}/rounds/2/start/")
    assert (refused.status_code, "draw again, or keep?" in page_of(refused)) == (422, True)
    assert pairs(event) == before
    copy = import_event(Actor(dana), export_event(event))
    assert sure(draw_question(copy)).text == question.text
    desk.post(f"/desk/{event.slug}/playoffs/placings/", {"source": "R2", "kind": "replay"})
    assert (draw_question(fresh(event)), held_games(fresh(event)), pairs(event) == before) == (None, frozenset(), False)
    decide_placing(Actor(dana), copy, "R2", "keep")
    assert (draw_question(fresh(copy)), pairs(copy)) == (None, before)
    assert Journal.objects.filter(event=copy, action="decide").get().text.startswith("Game 2: Keep the draw")
    start_round(Actor(dana), copy, 2)


def test_draw_and_correction_are_saved_with_one_press(dana: User) -> None:
    for kind in ("replay", "keep"):
        event, desk = drawn_from_results(dana, slug=kind), signed_in(dana)
        before, game = pairs(event), Game.objects.get(round__event=event, round__number=1, table=1)
        to = f"/desk/{event.slug}/games/{game.pk}/entries/1/revisions/"
        form = {"seat": "1", "bid": "4", "books": "12", "revision": "0", "reason": "the other side"}
        form |= {"confirmed": confirmed_in(page_of(desk.post(to, form))), "drawn": kind}
        assert desk.post(to, form).status_code == 302
        assert (draw_question(fresh(event)), pairs(event) == before) == (None, kind == "keep")


def test_a_swap_asks_and_a_change_that_draws_the_same_tables_does_not(dana: User) -> None:
    event = drawn_from_results(dana)
    mistaken(dana, event, 1, entry="hand", bidder=0, bid="4", books=13)
    assert draw_question(event) is None, "one point more draws the same tables"
    swap_teams(Actor(dana), event, 2, 1, 2, "they like it so")
    assert draw_question(event) is None, "who is seated otherwise by hand is asked nothing"
    swap_teams(Actor(dana), event, 1, 3, 4, "wrong sides")
    assert draw_question(fresh(event)) is not None
    swap_teams(Actor(dana), event, 1, 3, 4, "they were right")
    assert draw_question(fresh(event)) is None


def test_a_team_that_leaves_with_the_draw_kept_is_asked_about_no_more(dana: User) -> None:
    event = drawn_from_results(dana)
    withdraw_team(Actor(dana), event, 6, 1)
    assert draw_question(fresh(event)) is not None
    other = drawn_from_results(dana, slug="other")
    change_and_reseat(Actor(dana), other, lambda: withdraw_team(Actor(dana), other, 6, 1), redraw=False)
    assert draw_question(fresh(other)) is None


def test_a_round_by_hand_was_drawn_from_no_results(dana: User) -> None:
    event = drawn_from_results(dana)
    take_back_draw(Actor(dana), event)
    draw_by_hand(Actor(dana), event, 2, [(1, 3), (2, 5), (4, 6)])
    mistaken(dana, event)
    assert draw_question(event) is None


def test_deleting_a_draw_by_hand_says_first_what_is_lost(dana: User) -> None:
    event, desk = drawn_from_results(dana), signed_in(dana)
    draw_by_hand(Actor(dana), event, 2, [(1, 3), (2, 5), (4, 6)])
    asked = desk.post(f"/desk/{event.slug}/draw/removal/")
    assert (asked.status_code, "Delete the draw?" in page_of(asked), len(pairs(event))) == (200, True, 3)
    desk.post(f"/desk/{event.slug}/draw/removal/", {"confirmed": confirmed_in(page_of(asked))})
    assert pairs(event) == []


def test_removing_a_team_before_the_start_shows_what_it_does_to_the_draw(dana: User) -> None:
    event, desk = make_event(director=dana, teams=5, rounds_planned=2), signed_in(dana)
    draw_rounds(Actor(dana), event, seed=1)
    asked = desk.post(f"/desk/{event.slug}/teams/5/removal/")
    assert (asked.status_code, event.teams.count(), "Remove and re-seat" in words_of(asked)) == (200, 5, True)
    desk.post(f"/desk/{event.slug}/teams/5/removal/", {"confirmed": confirmed_in(page_of(asked))})
    assert (event.teams.count(), len(pairs(event))) == (4, 2)


# Cut, seeds and lots.


def test_who_would_advance_names_no_tie_with_a_team_that_left(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=6, cut=2)
    played_round(event, [(1, 2, win(0, 6)), (3, 4, win(0)), (5, 6, win(0))])
    assert [preview.tied for preview in playoffs(event).previews if preview.size == 2] == [("Night Owls", "Full Deck")]
    withdraw_team(Actor(dana), event, 5, 1)
    [two] = [preview for preview in playoffs(fresh(event)).previews if preview.size == 2]
    assert (two.last, two.first_out, two.tied) == ("Night Owls", "Books", ())


@pytest.mark.parametrize("kind", ["replay", "keep"])
def test_a_team_that_leaves_a_made_bracket_is_shown_first_with_two_ways(dana: User, client: Client, kind: str) -> None:
    event = bracket_of_four(dana)
    seeds, desk = bracket_of(fresh(event)).seeds, signed_in(dana)
    to, form = f"/desk/{event.slug}/teams/{seeds[1]}/withdrawal/", {"after_round": "1"}
    asked = desk.post(to, form)
    words = words_of(asked)
    assert (asked.status_code, "the next in moves up" in words, "the opponent has a bye" in words) == (200, True, True)
    assert fresh(event).teams.get(number=seeds[1]).status == "playing"
    choice = {"confirmed": confirmed_in(page_of(asked))} | ({"seating": "keep"} if kind == "keep" else {})
    assert desk.post(to, form | choice).status_code == 302
    drawn = bracket_of(fresh(event))
    assert (seeds[1] in drawn.seeds, drawn.asked, drawn.seeds == seeds) == (kind == "keep", (), kind == "keep")
    assert "The standings changed after the bracket was made." in words_of(client.get(f"/e/{event.slug}/bracket/"))
    chances = {line.number: line.chance for line in playoffs(fresh(event)).table.lines if line.chance == "in"}
    assert set(chances) == set(drawn.seeds) - {seeds[1]}
    play_round(dana, event) if kind == "replay" else start_playoff_round(Actor(dana), event)


@pytest.mark.parametrize("redraw", [True, False])
def test_a_team_that_leaves_a_made_bracket_is_decided_once_also_where_others_tie_for_its_place(
    dana: User, redraw: bool
) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=6)
    played_round(event, [(1, 2, win(0, 6)), (3, 4, win(0, 5)), (5, 6, win(0, 7))])
    make_cut(Actor(dana), event, 3)
    [first, gone, third] = bracket_of(fresh(event)).seeds
    change_and_reseat(Actor(dana), fresh(event), lambda: withdraw_team(Actor(dana), event, gone, 1), redraw=redraw)
    event = fresh(event)
    assert bracket_of(event).seeds == ((first, third, -1) if redraw else (first, gone, third))
    if redraw:
        start_tiebreak(Actor(dana), event, "lots", witness="Vic")
    event = fresh(event)
    assert (
        cut_of(event).level,
        bracket_of(event).asked,
        [line for line in findings() if "no longer refuses" not in line],
    ) == ((), (), [])
    assert set(bracket_of(event).seeds) >= {first, third}


def test_seeds_that_change_before_the_first_match_wait_for_the_officials(dana: User, client: Client) -> None:
    event = seeded(dana, 4)
    before = bracket_of(event).seeds
    mistaken(dana, event, 1)
    drawn = bracket_of(event)
    assert (drawn.seeds, [question.source for question in drawn.asked]) == (before, ["seeds"])
    assert "on hold: the officials decide" in words_of(client.get(f"/e/{event.slug}/bracket/"))
    with pytest.raises(DomainError):
        start_playoff_round(Actor(dana), event)
    decide_placing(Actor(dana), event, "seeds", "replay")
    assert (bracket_of(fresh(event)).asked, bracket_of(fresh(event)).seeds != before) == ((), True)
    make_cut(Actor(dana), event, 4)
    assert bracket_of(fresh(event)).questions == (), "a new cut takes the seeds as they are"


def test_a_corrected_match_with_nothing_played_since_is_paired_again_and_can_be_undone(dana: User) -> None:
    event, desk = seeded(dana, 4), signed_in(dana)
    play_round(dana, event)
    final = start_playoff_round(Actor(dana), event)
    old = pairs(event, final.number)
    mistaken(dana, event, 1, "playoff")
    assert (bracket_of(event).asked, [game.state for game in final.games.order_by("leg")]) == ((), ["void", "playing"])
    [need] = [need for need in open_needs(event) if need.words == "Undo"]
    assert (need.text in to_do(event), "is paired again" in need.text) == (True, True)
    shown = sure(desk_round(event))
    assert (shown.done, shown.count) == (0, 1), "a void game is not final"
    assert desk.post(need.to, dict(need.fields)).status_code == 302
    assert ([game.state for game in final.games.order_by("leg")], pairs(event, final.number)[:1]) == (
        ["playing", "void"],
        old,
    )
    decide_placing(Actor(dana), event, "M1", "replay")
    finish_game(event, final.games.get(state="playing"), win(0))
    assert not any(need.words == "Undo" for need in open_needs(fresh(event)))


def test_a_corrected_match_shows_the_old_pair_until_it_is_decided(dana: User, client: Client) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    final = start_playoff_round(Actor(dana), event)
    game = final.games.get()
    finish_game(event, game, [{"entry": "hand", "bidder": 0, "bid": "1", "books": 7}])
    Game.objects.filter(pk=game.pk).update(last_entry_at=final.started_at)
    old = {side.team.name for side in game.sides.all()}
    mistaken(dana, event, 1, "playoff")
    shown = bracket_of(event).matches[-1]
    assert (shown.on_hold, {side.name for side in shown.sides}, game.pk in held_games(event)) == (True, old, True)
    assert not any(side.won for side in bracket_of(event).matches[0].sides), "nobody is shown as the winner"
    for page in ("bracket", "schedule", "board"):
        assert "on hold" in words_of(client.get(f"/e/{event.slug}/{page}/")).lower(), page
    assert ON_HOLD in words_of(bind(dana, event, 1).get("/t/table/"))
    assert "On hold" in words_of(signed_in(dana).get(f"/desk/{event.slug}/"))


@pytest.mark.parametrize("size", [1, 2])
def test_old_lots_that_decide_between_fewer_are_named_and_can_be_played_off(dana: User, size: int) -> None:
    event = level_at_the_cut(dana, 3, size)
    start_tiebreak(Actor(dana), event, "lots", witness="Vic", seed=7)
    lots = sure(playoffs(fresh(event)).table.breaks[0].order)
    # With two places two stay level when the third gets ahead, with one when it leaves.
    if size == 2:
        mistaken(dana, event, 3, entry="hand", bidder=0, bid="4", books=12)
    else:
        withdraw_team(Actor(dana), event, 3, 1)
    question = playoffs(fresh(event)).asked[0]
    assert (question.source, question.before, question.after) == ("T1", lots, (1, 2))
    assert (question.text in to_do(event), playoffs(fresh(event)).step) == (True, "decide")
    decide_placing(Actor(dana), event, "T1", "keep")
    assert [asked.about for asked in playoffs(fresh(event)).asked if asked.about != "seeds"] == []
    decide_placing(Actor(dana), event, "T1", "replay")
    assert (cut_of(fresh(event)).level, playoffs(fresh(event)).step) == ((1, 2), "tie")
    start_tiebreak(Actor(dana), fresh(event), "game")
    copy = import_event(Actor(dana), export_event(fresh(event)))
    assert [attempt.set_aside for attempt in playoffs(copy).table.breaks] == [True, False]
