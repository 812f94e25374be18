"""The other tables play: what they send, whom they wait for, and that Dana brings the evening to its champion."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from scoring.document import all_sheets
from tests.factories import play_out
from tests.tournament.demo.evenings import AT_ONCE, play_until, player_of, small_evening
from tournament.access import Actor
from tournament.demo.evenings import TABLE
from tournament.demo.player import Incidents, choose_hand, incidents
from tournament.models import Call, Device, Entry, Event, Game, Result, Round, Side, Submission
from tournament.queries.bracket import champion_of
from tournament.queries.rules import ruleset
from tournament.services.devices import bind_further, take_over
from tournament.services.entries import undo_entry
from tournament.services.rounds import answer_call, close_round

# Nothing that takes its time happens by itself.
PATIENT = AT_ONCE._replace(alone=3600, call=3600)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any) -> None:
    """The keys of the player's tablets are kept in the data folder."""
    settings.DATA = tmp_path


def sheets(event: Event) -> list[Any]:
    found = Result.objects.filter(game__round__event=event).order_by("game__round__number", "game__table")
    return list(found.values_list("game__round__number", "game__table", "code", "scores", "game__state"))


def statuses(event: Event) -> set[str]:
    return set(Submission.objects.filter(event=event).values_list("status", flat=True))


def final_tables(event: Event) -> list[int]:
    return sorted(Game.objects.filter(round__event=event, state="final").values_list("table", flat=True))


def test_a_round_is_played_with_a_call_a_renege_and_a_boston_and_table_6_is_left_to_people(dana: User) -> None:
    event = small_evening(dana)
    evening = player_of(event, dana, PATIENT)
    steps = play_until(evening, "waits for you")
    renege = Call.objects.get(kind="renege")
    assert steps[-1].waits == f"Table {renege.game.table} waits for you: look at the desk."
    answer_call(Actor(dana), renege)
    assert play_until(evening, "last one")[-1].waits == "Table 6 is the last one in play."
    assert final_tables(event) == [1, 2, 3, 4, 5]
    assert Call.objects.filter(kind="score", answered_at=None).count() == 1
    bostons = Result.objects.filter(game__round__event=event).values_list("bostons", flat=True)
    assert sum(map(sum, bostons)) == 1
    assert not Entry.objects.filter(game__table=TABLE).exists() and statuses(event) == {"applied"}


def test_a_team_comes_late_and_its_table_plays_when_it_is_there(dana: User) -> None:
    event = small_evening(dana)
    evening = player_of(event, dana, PATIENT._replace(late=90))
    evening.left = 0
    play_until(evening, "waits for you")
    answer_call(Actor(dana), Call.objects.get(kind="renege"))
    play_until(evening, "A late team is on its way.")
    late = Side.objects.get(game__round__event=event, seated_at=None)
    assert late.index == 1 and final_tables(event) == sorted({1, 2, 3, 4, 5, 6} - {late.game.table})
    Round.objects.update(started_at=timezone.now() - timedelta(seconds=91))
    play_until(evening, "has called you: look at the desk.")
    answer_call(Actor(dana), Call.objects.get(answered_at=None))
    assert evening.step().waits == "The round is over: close it at the desk."
    late.refresh_from_db()
    assert late.seated_at is not None and final_tables(event) == [1, 2, 3, 4, 5, 6]


def test_a_table_that_holds_the_round_alone_is_played_too_until_somebody_takes_it_back(dana: User) -> None:
    event = small_evening(dana)
    bind_further(Actor(), event, TABLE)
    evening = player_of(event, dana, AT_ONCE)
    evening.directs = True
    said: list[str] = []
    while final_tables(event) != [1, 2, 3, 4, 5, 6]:
        said.append(evening.step().said)
    assert "Table 6 was waiting, so the demo plays it, too" in said
    visitor = Device.objects.get(table=TABLE, letter="A")
    assert not visitor.writes
    take_over(Actor(), visitor)
    assert evening.tablets.writing()[TABLE] is None
    assert statuses(event) == {"applied"}


def test_after_the_round_is_in_the_desk_is_waited_for(dana: User) -> None:
    event = small_evening(dana, teams=4)
    evening = player_of(event, dana, PATIENT)
    play_until(evening, "The round is over: close it at the desk.")
    close_round(Actor(dana), event, 1)
    assert evening.step().waits == "Draw round 2 at the desk."
    assert Round.objects.count() == 1


def test_dana_brings_the_evening_to_its_champion_and_the_same_evening_ends_the_same(dana: User) -> None:
    event = small_evening(dana, teams=8, cut=4)
    evening = player_of(event, dana, directs=True)
    steps = play_until(evening, "won")
    event.refresh_from_db()
    champion = champion_of(event)
    assert champion and event.stage == "over" and steps[-1].over
    assert steps[-1].waits == f"The evening is over: {champion[1]} won."
    titles = list(event.rounds.order_by("number").values_list("state", "stage"))
    assert titles[:2] == [("closed", "qualifying")] * 2 and {state for state, _ in titles} == {"closed"}
    assert statuses(event) == {"applied"} and not Call.objects.filter(answered_at=None).exists()
    played = sheets(event)
    event.delete()
    again = small_evening(dana, teams=8, cut=4)
    play_until(player_of(again, dana, directs=True), "won")
    assert sheets(again) == played


def test_a_player_that_comes_back_says_the_same_and_goes_on(dana: User) -> None:
    event = small_evening(dana)
    before = player_of(event, dana, PATIENT)
    for _ in range(8):
        before.step()
    after = player_of(event, dana, PATIENT)
    assert after.tablets.known.keys() == before.tablets.known.keys()
    play_until(after, "waits for you")
    assert Device.objects.filter(event=event).count() == 5 and statuses(event) == {"applied"}


def test_a_hand_that_somebody_undoes_is_played_again(dana: User) -> None:
    event = small_evening(dana, teams=4)
    evening = player_of(event, dana, PATIENT)
    while not Entry.objects.exists():
        evening.step()
    entry = Entry.objects.get()
    undo_entry(Actor(dana), entry.game, position=1, client_key=uuid4())
    play_until(evening, "The round is over")
    assert final_tables(event) == [1, 2] and statuses(event) == {"applied"}


def test_an_evening_of_spades_is_played_to_its_champion(dana: User) -> None:
    event = small_evening(dana, teams=6, rounds=1, cut=2, sheet="spades/four-hand-tournament")
    play_until(player_of(event, dana, directs=True), "won")
    event.refresh_from_db()
    assert event.stage == "over" and statuses(event) == {"applied"}


# The player's hands: every rule sheet of every game is played by what it declares.
# The game of the marathon goes on until time is called.
HANDS = 40
TABLES = [(sheet.key, size) for _, sheet in all_sheets() for size in ruleset(sheet.key).table_sizes]


@pytest.mark.parametrize(("sheet", "sides"), TABLES)
def test_a_game_of_any_sheet_is_played_by_chance_and_again_the_same(sheet: str, sides: int) -> None:
    rules = ruleset(sheet).at_table(sides)
    hands = list(islice(play_out(rules, Random(sheet)), HANDS))
    assert hands == list(islice(play_out(rules, Random(sheet)), HANDS))
    assert len(hands) < HANDS or sheet == "bid_whist/marathon"


def test_a_boston_takes_all_the_books() -> None:
    rules = ruleset("bid_whist/no-kitty-2021")
    carry = rules.game.begin(rules.rules)
    taken = {choose_hand(rules, carry, Random(seed), boston=True)["books"] for seed in range(20)}
    others = {choose_hand(rules, carry, Random(seed))["books"] for seed in range(20)}
    assert taken == {13} and 13 not in others


def test_what_happens_in_a_round_happens_at_different_tables_and_always_there() -> None:
    drawn = incidents("autumn-evening/5", range(1, 13))
    assert drawn == incidents("autumn-evening/5", range(1, 13))
    assert len(set(drawn)) == 4 and set(drawn) <= set(range(1, 13))
    assert incidents("autumn-evening/5", (1, 2, 3)) == Incidents()
