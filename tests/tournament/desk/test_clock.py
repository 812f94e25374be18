"""The clocks of a round: what they come from, what the director does to them, and what happens when time is called."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_event, make_round, make_teams, page_of, pairs_of, play
from tests.sure import fresh, sure
from tournament.access import Actor
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Device, Entry, Event, Game, Round, Side
from tournament.queries.clocks import round_clock, round_times
from tournament.queries.desk import desk_round
from tournament.queries.projector import board
from tournament.queries.rules import EVERYTHING
from tournament.queries.sheet import sheet_now
from tournament.queries.standings import standings
from tournament.services.corrections import apply_ruling
from tournament.services.entries import record_entry, undo_entry
from tournament.services.rounds import (
    call_time,
    end_without_hand,
    extend_round,
    pause_round,
    resume_round,
    seat_everybody,
    seat_side,
    start_round,
    take_start_back,
    unseat_everybody,
    unseat_side,
)

TWO = {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}
THEIR_TWO = {"entry": "hand", "bidder": 1, "bid": "2", "books": 8}


@pytest.fixture
def timed(dana: User) -> Event:
    """Two tables in a round of 40 minutes that began 30 minutes ago."""
    event = make_event("Clocks", dana, options={"round_minutes": 40})
    make_round(event, pairs_of(make_teams(event, 4)))
    began(event, 30)
    return fresh(event)


def began(event: Event, minutes: int) -> datetime:
    now = timezone.now()
    Round.objects.filter(event=event).update(started_at=now - timedelta(minutes=minutes))
    return now


def game_at(event: Event, table: int) -> Game:
    return Game.objects.select_related("round__event").get(round__event=event, table=table)


def kinds(game: Game) -> list[str]:
    return [row.kind for row in sheet_now(game).rows]


def after_time(timed: Event, dana: User, *hands: dict[str, Any]) -> Game:
    """Table 1 with these hands when time was called."""
    game = play(dana, game_at(timed, 1), *hands)
    began(timed, 41)
    call_time(Actor(dana), timed, 1)
    return game


@pytest.mark.parametrize(
    ("minutes", "left", "notice"),
    [
        (5, 2100, ""),
        (20, 1200, "Half the time is gone."),
        (36, 240, "The hand in play may be the last."),
        (40, 0, "Time for this game is up. Play on until the director calls time."),
    ],
)
def test_clock_says_half_time_and_last_hand(timed: Event, minutes: int, left: int, notice: str) -> None:
    now = began(timed, minutes)
    clock = sure(round_clock(timed.rounds.get(), 40, now))
    assert (clock.left, clock.notice) == (left, notice)


def test_clock_comes_from_what_is_stored(timed: Event) -> None:
    now = began(timed, 3)
    Game.objects.get(table=1).sides.filter(index=0).update(seated_at=now)
    card = next(table for table in sure(desk_round(timed, 1, now)).tables if table.table == 1)
    assert ([side.name for side in card.missing], card.waited, card.left) == (["Books"], 180, 120)


def test_pause_stops_both_clocks_and_resume_goes_on_from_there(timed: Event, dana: User) -> None:
    now = began(timed, 4)
    pause_round(Actor(dana), timed, 1, "fire alarm")
    later = now + timedelta(minutes=60)
    assert sure(round_clock(timed.rounds.get(), 40, later)).left == pytest.approx(36 * 60, abs=2)
    assert not any(card.overdue for card in sure(desk_round(timed, 1, later)).tables)
    with pytest.raises(Conflict):
        pause_round(Actor(dana), timed, 1, "again")
    Round.objects.update(paused_at=timezone.now() - timedelta(minutes=10))
    resume_round(Actor(dana), timed, 1)
    assert timed.rounds.get().paused_seconds == pytest.approx(600, abs=1)
    assert timed.journal.filter(action__in=["pause", "resume"]).count() == 2


def test_extension_needs_no_reason_and_moves_the_end(timed: Event, dana: User) -> None:
    extend_round(Actor(dana), timed, 1, 5, " ")
    assert sure(timed.journal.first()).text == "Game 1: 5 minutes more"
    extend_round(Actor(dana), timed, 1, -5, "")
    with pytest.raises(ValidationFailed):
        extend_round(Actor(dana), timed, 1, 500, "x")
    before = sure(round_times(timed.rounds.get(), 40).end)
    extend_round(Actor(dana), timed, 1, 5, "late start")
    assert round_times(timed.rounds.get(), 40).end == before + timedelta(minutes=5)
    assert sure(timed.journal.first()).text == "Game 1: 5 minutes more: late start"


def test_a_game_without_a_clock_is_given_one_from_now(dana: User, desk: Client) -> None:
    """The sheet sets no time: the director gives this game twenty minutes, ten minutes after its start."""
    event = make_event("No clock", dana)
    make_round(event, pairs_of(make_teams(event, 4)))
    began(event, 10)
    with pytest.raises(Conflict, match="set a time limit first"):
        call_time(Actor(dana), event, 1)
    with pytest.raises(ValidationFailed, match="How many minutes are left"):
        extend_round(Actor(dana), event, 1, -5, "")
    address = reverse("round-clock", args=[event.slug, 1])
    assert "Set a time limit" in page_of(desk.get(reverse("desk", args=[event.slug])))
    assert desk.post(address, {"what": "extend", "added": "0", "minutes": "20"}).status_code == 302
    assert sure(sure(desk_round(event, 1)).clock).left == pytest.approx(1200, abs=2)
    ends_in = sure(board(event, standings(event), EVERYTHING).ends_at) - timezone.now()
    assert ends_in.total_seconds() == pytest.approx(1200, abs=2)
    assert sure(event.journal.first()).text == "Game 1: 20 minutes from now"
    extend_round(Actor(dana), event, 1, -19, "Food")
    began(event, 12)
    assert call_time(Actor(dana), event, 1) == 2


def test_a_clock_that_is_set_back_loses_nothing(
    timed: Event, dana: User, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty minutes into the round the machine's clock is put back by an hour, and later put right."""
    game, now = play(dana, game_at(timed, 1), TWO), timezone.now()
    with monkeypatch.context() as back:
        back.setattr(timezone, "now", lambda: now - timedelta(hours=1))
        play(dana, game, THEIR_TWO)
        pause_round(Actor(dana), timed, 1, "the clock is wrong")
        assert (sure(sure(desk_round(timed, 1)).clock).left, kinds(game)) == (2400, ["hand", "hand"])
        assert desk.get(reverse("desk", args=[timed.slug])).status_code == 200
    resume_round(Actor(dana), timed, 1)
    assert 0 <= sure(sure(sure(desk_round(timed, 1)).clock).left) <= 2400
    acts = [(act.action, act.facts.get("line")) for act in timed.journal.all()]
    assert acts == [("resume", None), ("pause", None), ("record", 2), ("record", 1)]
    assert desk.get(reverse("desk", args=[timed.slug])).status_code == 200


def test_time_is_called_only_when_it_is_up_and_never_by_itself(timed: Event, dana: User) -> None:
    with pytest.raises(Conflict):
        call_time(Actor(dana), timed, 1)
    began(timed, 41)
    desk_round(timed, 1)
    assert not Entry.objects.exists()
    assert call_time(Actor(dana), timed, 1) == 2
    with pytest.raises(Conflict):
        call_time(Actor(dana), timed, 1)


@pytest.mark.parametrize(
    ("hands", "lines", "how", "winner", "scores"),
    [
        ([{"entry": "hand", "bidder": 1, "bid": "1", "books": 7}], ["hand", "hand", "time"], "time", 0, (2, 1)),
        ([THEIR_TWO, THEIR_TWO], ["hand", "hand", "time", "hand"], "deciding-hand", 1, (2, 2)),
    ],
    ids=["the leader wins", "who is level plays one more hand that scores nothing"],
)
def test_after_time_the_hand_in_play_is_finished(
    timed: Event, dana: User, hands: list[Any], lines: list[str], how: str, winner: int, scores: Any
) -> None:
    game = after_time(timed, dana, TWO)
    for facts in hands:
        assert sheet_now(game).over is False
        record_entry(Actor(), game, facts)
    sheet = sheet_now(game)
    assert (kinds(game), sheet.how, sheet.winner, sheet.scores) == (lines, how, winner, scores)


def test_undo_after_time_takes_the_hand_off_and_its_end_by_time(timed: Event, dana: User) -> None:
    game = after_time(timed, dana)
    record_entry(Actor(), game, TWO)
    undo_entry(Actor(), game, position=2)
    assert (kinds(game), sheet_now(game).next_position) == ([], 1)
    record_entry(Actor(), game, THEIR_TWO)
    assert (kinds(game), sheet_now(game).winner) == (["hand", "time"], 1)


def test_table_without_a_hand_in_play_ends_as_it_stands(timed: Event, dana: User) -> None:
    game = game_at(timed, 1)
    play(dana, game, TWO)
    with pytest.raises(Conflict):
        end_without_hand(Actor(), game, 2)
    began(timed, 41)
    call_time(Actor(dana), timed, 1)
    end_without_hand(Actor(), game, 2)
    assert (kinds(game), sheet_now(game).winner) == (["hand", "time"], 0)


def test_ruling_that_scores_the_hand_finishes_it_and_a_waived_one_does_not(timed: Event, dana: User) -> None:
    game = after_time(timed, dana, TWO)
    apply_ruling(Actor(dana), game, {"entry": "ruling", "rule": "27", "choice": "progressive", "side": 1})
    assert kinds(game) == ["hand", "ruling"]
    facts = {"entry": "ruling", "rule": "32", "choice": "set", "side": 1, "bidder": 1, "bid": "3"}
    apply_ruling(Actor(dana), game, facts)
    assert kinds(game) == ["hand", "ruling", "ruling", "time"]


def test_a_table_cannot_undo_the_ruling_that_time_came_with(timed: Event, dana: User) -> None:
    game = after_time(timed, dana)
    apply_ruling(Actor(dana), game, {"entry": "ruling", "rule": "31", "choice": "set", "side": 0, "bid": "2-no"})
    assert kinds(game) == ["ruling", "time"]
    with pytest.raises(Conflict, match="The last line is a ruling"):
        undo_entry(Actor(), game, position=2)
    assert kinds(game) == ["ruling", "time"]


def test_hands_typed_from_paper_after_time_go_on(timed: Event, dana: User) -> None:
    game = after_time(timed, dana)
    record_entry(Actor(dana), game, TWO, source="paper")
    record_entry(Actor(dana), game, THEIR_TWO, source="paper")
    assert kinds(game) == ["hand", "hand"]


def test_more_time_lets_open_games_play_on(timed: Event, dana: User) -> None:
    record_entry(Actor(), after_time(timed, dana), TWO)
    extend_round(Actor(dana), timed, 1, 10, "called too early")
    record_entry(Actor(), game_at(timed, 2), TWO)
    assert (kinds(game_at(timed, 1)), kinds(game_at(timed, 2))) == (["hand", "time"], ["hand"])


def test_less_time_after_it_was_called_leaves_it_called(timed: Event, dana: User) -> None:
    began(timed, 50)
    call_time(Actor(dana), timed, 1)
    extend_round(Actor(dana), timed, 1, -1, "mistyped")
    assert timed.rounds.get().time_called_at is not None


def test_a_button_that_is_pressed_twice_extends_once(timed: Event, desk: Client) -> None:
    more = {"what": "extend", "minutes": "5", "reason": "late start", "added": "0"}
    assert 'name="added" value="0"' in desk.get("/desk/clocks/").content.decode()
    answers = [desk.post("/desk/clocks/rounds/1/clock/", more).status_code for _ in range(2)]
    assert (answers, timed.rounds.get().extra_seconds) == ([302, 409], 300)
    assert 'name="added" value="5"' in desk.get("/desk/clocks/").content.decode()


def test_desk_runs_the_clock(timed: Event, desk: Client) -> None:
    page = desk.get("/desk/clocks/").content.decode()
    assert "Half the time is gone." in page
    assert desk.post("/desk/clocks/rounds/1/clock/", {"what": "pause", "reason": ""}).status_code == 422
    assert desk.post("/desk/clocks/rounds/1/clock/", {"what": "pause", "reason": "x"}).status_code == 302
    assert "The clock is stopped." in desk.get("/desk/clocks/").content.decode()
    assert desk.post("/desk/clocks/rounds/1/clock/", {"what": "resume"}).status_code == 302
    more = {"what": "extend", "minutes": "−3", "reason": "the hall closes"}
    assert desk.post("/desk/clocks/rounds/1/clock/", more).status_code == 302
    assert desk.post("/desk/clocks/rounds/1/time/").status_code == 409
    began(timed, 41)
    assert "2 tables still playing: call time." in desk.get("/desk/clocks/").content.decode()
    assert desk.post("/desk/clocks/rounds/1/time/").status_code == 302
    page = desk.get("/desk/clocks/").content.decode()
    assert "Time is up. Finish the hand in play" in page
    # One line of the list for both tables.
    assert (page.count("Time was called."), "Still playing: tables 1 and 2." in page) == (1, True)


@pytest.mark.parametrize("number", [1, 7])
def test_clock_of_a_closed_or_unknown_round_stays_as_it_is(timed: Event, dana: User, number: int) -> None:
    Round.objects.filter(event=timed).update(state="closed")
    for act in (pause_round, resume_round):
        with pytest.raises(Conflict, match="This game is not being played"):
            act(Actor(dana), timed, number, *(["fire alarm"] if act is pause_round else []))
    with pytest.raises(Conflict, match="This game is not being played"):
        extend_round(Actor(dana), timed, number, 5, "late start")
    assert timed.rounds.get().extra_seconds == 0


@pytest.mark.parametrize("minutes", [120, -120])
def test_a_round_is_changed_by_two_hours_at_most(timed: Event, dana: User, minutes: int) -> None:
    assert extend_round(Actor(dana), timed, 1, minutes, "the hall is ours").extra_seconds == minutes * 60
    for wrong in (minutes + minutes // 120, 0):
        with pytest.raises(ValidationFailed) as refusal:
            extend_round(Actor(dana), timed, 1, wrong, "the hall is ours")
        assert [fault.field for fault in refusal.value.faults] == ["minutes"]


# Who sits where, marked at the desk: everybody but the late ones, one side from its card, and both taken back.
THREE = {"entry": "hand", "bidder": 0, "seat": 0, "bid": "3", "books": 9}
LATE_BY = timedelta(minutes=5, seconds=13)


@pytest.fixture
def hall(event: Event) -> Round:
    """Four tables, five minutes and thirteen seconds after the start."""
    round_ = make_round(event, pairs_of(make_teams(event, 8)))
    Round.objects.update(started_at=timezone.now() - LATE_BY)
    return round_


def seated(round_: Round) -> list[tuple[int, int]]:
    """Table and side of everybody who sits."""
    sides = Side.objects.filter(round=round_).exclude(seated_at=None).order_by("game__table", "index")
    return list(sides.values_list("game__table", "index"))


def test_one_press_seats_everybody_but_who_is_missing_from_a_table(dana: User, hall: Round) -> None:
    seat_side(Actor(dana), hall.games.get(table=2), 0)
    tables, waiting = seat_everybody(Actor(dana), hall.event, 1)
    assert (tables, waiting.words) == (3, "Eagles (table 2)")
    assert seated(hall) == [(1, 0), (1, 1), (2, 0), (3, 0), (3, 1), (4, 0), (4, 1)]


def test_a_table_whose_tablet_says_nothing_after_five_minutes_stays_late(dana: User, hall: Round) -> None:
    Device.objects.create(event=hall.event, table=3, token_hash="x", paired_at=timezone.now())
    tables, waiting = seat_everybody(Actor(dana), hall.event, 1)
    assert (tables, waiting.words) == (3, "Full Deck (table 3) and High Rollers (table 3)")


def test_a_table_with_a_tablet_is_seated_before_anybody_is_late(dana: User, hall: Round) -> None:
    Device.objects.create(event=hall.event, table=3, token_hash="x", paired_at=timezone.now())
    Round.objects.update(started_at=timezone.now())
    assert seat_everybody(Actor(dana), hall.event, 1)[0] == 4


def test_everybody_seated_is_taken_back_by_one_press(dana: User, hall: Round) -> None:
    seat_side(Actor(dana), hall.games.get(table=2), 0)
    seat_everybody(Actor(dana), hall.event, 1)
    assert sure(desk_round(hall.event)).seated_back == 3
    assert unseat_everybody(Actor(dana), hall.event, 1) == 3
    assert seated(hall) == [(2, 0)]
    with pytest.raises(Conflict, match=r"^Nothing to undo"):
        unseat_everybody(Actor(dana), hall.event, 1)


def test_seats_are_not_taken_back_once_a_hand_is_written(dana: User, hall: Round) -> None:
    seat_everybody(Actor(dana), hall.event, 1)
    play(dana, hall.games.get(table=1), THREE)
    assert sure(desk_round(hall.event)).seated_back == 0
    with pytest.raises(Conflict, match=r"^Nothing to undo"):
        unseat_everybody(Actor(dana), hall.event, 1)
    assert len(seated(hall)) == 8


def test_one_side_is_unseated_and_late_at_once(dana: User, game: Game) -> None:
    Round.objects.update(started_at=timezone.now() - LATE_BY)
    for side in (0, 1):
        seat_side(Actor(dana), game, side)
    unseat_side(Actor(dana), game, 1)
    [card] = sure(desk_round(game.round.event)).tables
    assert ([side.here for side in card.sides], card.words) == ([True, False], "Late")


def test_nobody_is_unseated_in_play(dana: User, game: Game) -> None:
    play(dana, game, THREE)
    with pytest.raises(Conflict, match=r"^Table 1 has begun to play, so the seat of Books cannot be undone.$"):
        unseat_side(Actor(dana), game, 1)


def test_card_seats_and_unseats_a_side_and_stays_on_the_round(game: Game, desk: Client) -> None:
    to = reverse("game-seat", args=[game.round.event.slug, game.pk])
    answer = desk.post(to, {"side": "1", "card": "yes"})
    assert (answer.status_code, answer["Location"]) == (302, "/desk/columbus-open/#table-1")
    assert seated(game.round) == [(1, 1)]
    page = page_of(desk.get(answer["Location"]))
    assert "Seated: Books." in page and 'Seated<span class="hidden-text"> Books. Undo</span>' in page
    page = page_of(desk.post(to, {"side": "1", "card": "yes", "away": "yes"}, follow=True))
    assert "Not seated: Books." in page and 'Mark as seated<span class="hidden-text"> Books</span>' in page
    assert seated(game.round) == []


def test_cards_keep_their_places(dana: User, hall: Round) -> None:
    play(dana, hall.games.get(table=1), THREE)
    seat_side(Actor(dana), hall.games.get(table=3), 0)
    assert [card.table for card in sure(desk_round(hall.event)).tables] == [1, 2, 3, 4]


def test_a_start_is_taken_back_while_nothing_is_written(dana: User, event: Event) -> None:
    round_ = make_round(event, [tuple(make_teams(event, 2))], state="planned")
    start_round(Actor(dana), event, 1)
    seat_everybody(Actor(dana), event, 1)
    assert sure(desk_round(event)).start_back
    take_start_back(Actor(dana), event, 1)
    event.refresh_from_db()
    game = fresh(round_).games.get()
    assert (event.stage, event.frozen_at, event.printed) == ("setup", None, "")
    assert (round_.state, round_.started_at) == ("planned", None)
    assert (game.state, seated(round_), hasattr(game, "result")) == ("planned", [], False)
    start_round(Actor(dana), event, 1)


def test_a_start_stays_once_a_line_was_written(dana: User, game: Game) -> None:
    play(dana, game, THREE)
    assert not sure(desk_round(game.round.event)).start_back
    with pytest.raises(Conflict, match=r"^Game 1 has begun: there is a line on the sheet of table 1.$"):
        take_start_back(Actor(dana), game.round.event, 1)
