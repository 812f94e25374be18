"""What desk, projector and phones are told about the end: the facts from the rows of an event, the words, when none."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import make_event, make_round, make_teams, page_of, pairs_of, signed_in
from tests.sure import fresh, sure
from tests.tournament.results.evenings import finish_game, win
from tournament.access import Actor
from tournament.models import Event, Game, Result, Round
from tournament.pairing.bracket import Form, build_bracket
from tournament.pairing.progress import MatchGame, follow
from tournament.queries.desk import desk_round
from tournament.queries.forecast import ToCome
from tournament.queries.outlook import Field, desk_outlook, end_with, hall_outlook, outlook_of, room_words, rounds_left
from tournament.services.events import change_event, copy_event
from tournament.services.playoffs import make_cut, start_playoff_round

HALL = ZoneInfo("America/New_York")
CLOSED = ("18:52-19:23", "19:29-19:56", "20:00-20:35")


def at(clock: str) -> datetime:
    """“20:40” by the clock of the hall; “25:10” is after midnight."""
    hour, _, minute = clock.partition(":")
    return datetime(2026, 11, 20, tzinfo=HALL) + timedelta(hours=int(hour), minutes=int(minute))


def set_times(event: Event, *times: str) -> None:
    """The rounds as “18:52-19:23”, in their order; one without an end is in play, and what is left is planned."""
    for round_, clocks in zip(event.rounds.order_by("number"), times, strict=False):
        start, _, end = clocks.partition("-")
        state = "closed" if end else "running"
        Round.objects.filter(pk=round_.pk).update(state=state, started_at=at(start), closed_at=at(end) if end else None)
        Game.objects.filter(round=round_).update(state="final" if end else "playing")
    news(event)


def news(event: Event, **facts: Any) -> None:
    """Change the event as a write does: what was computed of it is not used any more."""
    Event.objects.filter(pk=event.pk).update(public_version=event.public_version + 1, **facts)
    event.refresh_from_db()


@pytest.fixture
def evening(dana: User) -> Event:
    """Game 4 of 6 began at 8:40 p.m., and the top 4 of 8 play on: it ends about 11:35, between 11:11 and 11:59."""
    event = make_event("Evening", dana, cut=4, rounds_planned=6)
    pairs = pairs_of(make_teams(event, 8))
    for number in range(1, 5):
        make_round(event, pairs, number, state="running" if number == 4 else "closed")
    set_times(event, *CLOSED, "20:40")
    return fresh(event)


def at_desk(event: Event, clock: str = "20:50", number: int | None = None) -> str:
    now = at(clock)
    playing = event.teams.filter(status="playing").count()
    return desk_outlook(event, sure(desk_round(event, number, now)), playing, now)


def in_hall(event: Event, clock: str = "20:50") -> list[str]:
    """What the hall reads from this moment on, each with the time by which it is something else."""
    field = Field(list(event.rounds.all()), event.teams.filter(status="playing").count())
    return [f"{span.words} –{span.end.astimezone(HALL):%H:%M}" for span in hall_outlook(event, field, at(clock))]


def test_desk_and_hall_are_told_when_the_event_will_be_done(evening: Event) -> None:
    assert at_desk(evening) == "Done about 11:35 p.m. (11:10 p.m.–12:00 a.m.)."
    assert in_hall(evening)[0] == "We will be done about 11:35 p.m. –21:11"


@pytest.mark.parametrize(
    ("answer", "ends"),
    [
        ("out", "about 9:45 p.m."),
        ("places-4", "about 9:45 p.m."),
        ("double", "between 11:00 and 11:35 p.m."),
        ("one-final", "about 11:00 p.m."),
    ],
)
def test_each_form_of_playoffs_says_when_it_would_be_over(dana: User, answer: str, ends: str) -> None:
    """Three games of 31 minutes and 5 between: two more rounds end at 9:47, four at 10:59, five at 11:35."""
    event = make_event("Evening", dana, cut=4, rounds_planned=3)
    pairs = pairs_of(make_teams(event, 8))
    for number in range(1, 4):
        make_round(event, pairs, number, state="closed")
    set_times(event, *CLOSED)
    news(event, stage="playing")
    field = Field(list(event.rounds.all()), 8)
    assert end_with(event, Form.from_answer(answer), 4, field, at("20:38")) == ends
    assert end_with(event, Form.from_answer(answer), 4, Field([], 8), at("20:38")) == ""
    assert (event.losers, event.cut) == ("out", 4), "nothing is changed by asking"


def test_a_room_that_closes_too_early_brings_the_ways_to_end_in_time(evening: Event) -> None:
    news(evening, room_until=time(23))
    assert at_desk(evening) == (
        "Done about 11:35 p.m. (11:10 p.m.–12:00 a.m.). The room closes at 11:00 p.m."
        " With one game less: about 11:00 p.m.; with the top 2 instead of the top 4: about 11:00 p.m."
    )
    assert "11:00" not in " ".join(in_hall(evening)), "the hall has no choice to make"


@pytest.mark.parametrize(
    ("closes", "said"),
    [
        (time(0, 30), ""),
        (time(0, 0), ""),
        (time(23, 45), " The room closes at 11:45 p.m., so it will be close."),
        (time(20, 45), " The room closed at 8:45 p.m. With one game less"),
        (time(18, 30), ""),
        (time(23, 15), " The room closes at 11:15 p.m. With one game less"),
    ],
)
def test_the_room_closes_that_evening_or_in_the_night_that_follows(evening: Event, closes: time, said: str) -> None:
    """A time before the first game is that of the next day: nobody enters a hall that is closed."""
    news(evening, room_until=closes)
    first = "Done about 11:35 p.m. (11:10 p.m.–12:00 a.m.)."
    assert at_desk(evening).startswith(first + said)
    assert said or at_desk(evening) == first


def test_a_room_of_the_second_day_closes_on_the_second_day(evening: Event) -> None:
    news(evening, room_until=time(22))
    Round.objects.filter(event=evening, number__in=(3, 4)).update(started_at=at("43:00"))
    Round.objects.filter(event=evening, number=3).update(closed_at=at("43:35"))
    Round.objects.filter(event=evening, number=4).update(started_at=at("43:40"))
    news(evening)
    assert at_desk(evening, "43:50").startswith(
        "Done about 10:35 p.m. (10:15–11:00 p.m.). The room closes at 10:00 p.m."
    )


def test_without_playoffs_it_ends_with_the_last_game(evening: Event) -> None:
    news(evening, cut=None, no_playoffs=True, room_until=time(22))
    assert at_desk(evening) == (
        "Done about 10:25 p.m. (10:05–10:40 p.m.). The room closes at 10:00 p.m. With one game less: about 9:45 p.m."
    )
    assert in_hall(evening)[0] == "We will be done about 10:25 p.m. –21:13"


def test_while_nobody_said_how_many_play_on_the_end_is_that_of_the_games(evening: Event) -> None:
    news(evening, cut=None)
    words = "Game 6 ends about 10:25 p.m. (10:05–10:40 p.m.). How many advance to the playoffs is not set yet."
    assert at_desk(evening) == words
    assert in_hall(evening)[0] == "Game 6 will be over about 10:25 p.m. –21:13"
    news(evening, room_until=time(22))
    assert at_desk(evening) == f"{words} The room closes at 10:00 p.m. With one game less: about 9:45 p.m."


def test_a_match_of_several_games_gives_two_times(evening: Event) -> None:
    """2 or 3 games in the semifinals and in the final: 9:11 + 6 × 36 = 12:47, + 8 × 36 = 1:59; at most 8 × 41 more."""
    news(evening, best_of=3)
    assert at_desk(evening) == "Done between 12:45 and 2:00 a.m. (12:10–2:45 a.m.)."
    assert in_hall(evening)[0] == "We will be done between 12:45 and 2:00 a.m. –21:09"


def test_more_teams_advance_than_still_play(evening: Event) -> None:
    """Five are left of eight: three rounds, as for the top 8."""
    evening.teams.filter(number__gt=5).update(status="withdrawn", left_after=3)
    news(evening, cut=8, room_until=time(23))
    assert "(11:40 p.m.–12:40 a.m.)" in at_desk(evening)
    assert "with the top 4 instead of the top 8: about 11:35 p.m." in at_desk(evening)


def test_the_slowest_table_is_waited_for(evening: Event) -> None:
    """At 9:20 table 1 has played 10 hands in 38 minutes, table 2 is done: 3.8 minutes from now, and 4 × 36."""
    games = {game.table: game for game in Game.objects.filter(round__number=4)}
    Game.objects.filter(pk=games[1].pk).update(begun_at=at("20:41"), last_entry_at=at("21:19"))
    Result.objects.filter(game=games[1]).update(hands=10)
    Game.objects.exclude(pk=games[1].pk).filter(round__number=4).update(state="final")
    news(evening)
    assert at_desk(evening, "21:20") == "Done about 11:50 p.m. (11:25 p.m.–12:10 a.m.)."
    Game.objects.filter(pk=games[1].pk).update(state="final")
    news(evening)
    assert at_desk(evening, "21:20") == "Done about 11:45 p.m. (11:20 p.m.–12:05 a.m.)."


def test_the_hall_reads_five_minutes_more_every_five_minutes_and_then_nothing(evening: Event) -> None:
    told = in_hall(evening)
    assert told[:3] == [
        "We will be done about 11:35 p.m. –21:11",
        "We will be done about 11:40 p.m. –21:16",
        "We will be done about 11:45 p.m. –21:21",
    ]
    assert len(told) == 7 and told[-1].endswith("12:05 a.m. –21:41")


def test_the_same_minute_gives_the_same_page(evening: Event) -> None:
    """An open page is not drawn again if nothing else happened."""
    assert in_hall(evening, "20:50") == in_hall(evening, "21:05")


def test_while_the_clock_is_stopped_the_desk_sees_the_end_move_and_the_hall_reads_nothing(evening: Event) -> None:
    Round.objects.filter(event=evening, number=4).update(paused_at=at("20:50"))
    news(evening)
    assert at_desk(evening, "20:50").startswith("Done about 11:35 p.m.")
    assert at_desk(evening, "21:02").startswith("Done about 11:45 p.m. (11:20 p.m.–12:15 a.m.)")
    assert in_hall(evening, "21:02") == []
    Round.objects.filter(event=evening, number=4).update(paused_at=None, paused_seconds=720)
    news(evening)
    assert in_hall(evening, "21:02")[0] == "We will be done about 11:45 p.m. –21:21"


def test_an_earlier_round_at_the_desk_says_nothing(evening: Event) -> None:
    assert at_desk(evening, number=2) == ""


@pytest.mark.parametrize("stage", ["setup", "over"])
def test_nothing_is_told_before_and_after_the_event(evening: Event, stage: str) -> None:
    news(evening, stage=stage)
    assert (at_desk(evening), in_hall(evening)) == ("", [])


def test_an_event_that_was_left_open_yesterday_says_nothing(evening: Event) -> None:
    assert (at_desk(evening, "33:00"), in_hall(evening, "33:00")) == ("", [])


def test_a_closed_round_without_a_time_is_no_measure(evening: Event) -> None:
    """As old event files have them."""
    Round.objects.filter(event=evening, state="closed").update(closed_at=None)
    news(evening)
    assert at_desk(evening) == ""


def test_a_sheet_that_sets_a_time_is_enough_before_a_round_is_closed(dana: User) -> None:
    """25 minutes and a hand, breaks of 5 minutes: six games are over 193 minutes after 7:00."""
    event = make_event("Timed", dana, no_playoffs=True, rounds_planned=6, options={"round_minutes": 25})
    make_round(event, pairs_of(make_teams(event, 8)))
    set_times(event, "19:00")
    assert at_desk(event, "19:10") == "Done about 10:15 p.m. (10:10–10:15 p.m.)."
    Round.objects.filter(event=event).update(extra_seconds=600)
    news(event)
    assert at_desk(event, "19:10") == "Done about 10:25 p.m. (10:20–10:25 p.m.)."


def test_a_time_that_the_director_sets_or_calls_ends_the_round(evening: Event) -> None:
    """A game has 20 minutes in all: over at 9:03 instead of 9:11; time is called at 8:55: over at 8:58."""
    Round.objects.filter(event=evening, number=4).update(extra_seconds=1200)
    news(evening)
    assert at_desk(evening).startswith("Done about 11:25 p.m.")
    Round.objects.filter(event=evening, number=4).update(time_called_at=at("20:55"))
    news(evening)
    assert at_desk(evening, "20:55").startswith("Done about 11:20 p.m.")


def test_playoffs_to_more_points_take_longer(dana: User) -> None:
    """The final to 350 instead of 300: 10:59 + 5 + 31 × 7/6 = 11:40."""
    options = {"final": {"game_at": 350}}
    event = make_event("Spades", dana, cut=4, rounds_planned=6, sheet="spades/standard", stage_options=options)
    Event.objects.filter(pk=event.pk).update(options={"game_at": 300})
    pairs = pairs_of(make_teams(event, 8))
    for number in range(1, 5):
        make_round(event, pairs, number, state="running" if number == 4 else "closed")
    set_times(event, *CLOSED, "20:40")
    assert at_desk(event) == "Done about 11:40 p.m. (11:15 p.m.–12:05 a.m.)."
    news(event, stage_options={"playoff": {"round_minutes": 40}})
    assert at_desk(event).startswith("Done about 11:35 p.m."), "points are no measure for minutes"


def test_in_the_playoffs_the_bracket_says_what_is_left(dana: User) -> None:
    """Game 1 took 27 minutes, the semifinals 26; the final began at 9:44: 9:44 + 26.5 = 10:10."""
    event = make_event("Bracket", dana, rounds_planned=1, teams=4)
    make_round(event, pairs_of(list(event.teams.order_by("number"))))
    finish_all(event)
    set_times(event, "20:40-21:07")
    assert at_desk(event, "21:10") == "", "nobody knows yet that there will be playoffs"
    make_cut(Actor(dana), event, 4)
    assert at_desk(fresh(event), "21:10").startswith("Done about 10:10 p.m.")
    start_playoff_round(Actor(dana), fresh(event))
    set_times(fresh(event), "20:40-21:07", "21:12")
    assert at_desk(fresh(event), "21:20").startswith("Done about 10:10 p.m.")
    finish_all(fresh(event))
    set_times(fresh(event), "20:40-21:07", "21:12-21:38")
    start_playoff_round(Actor(dana), fresh(event))
    set_times(fresh(event), "20:40-21:07", "21:12-21:38", "21:44")
    assert at_desk(fresh(event), "21:50") == "Done about 10:10 p.m. (10:00–10:20 p.m.)."
    finish_all(fresh(event))
    set_times(fresh(event), "20:40-21:07", "21:12-21:38", "21:44-22:09")
    assert (at_desk(fresh(event), "22:10"), in_hall(fresh(event), "22:10")) == ("", [])


def finish_all(event: Event) -> None:
    """Side 0 wins every game in play."""
    for game in Game.objects.filter(round__event=event, state="playing").select_related("round"):
        finish_game(event, game, win(0))


OWN_FINAL = {"stage_options": {"final": {"win_at": 9}}}
THIRD: dict[str, Any] = {"losers": "places", "places_to": 4}


@pytest.mark.parametrize(
    ("size", "fields", "left"),
    [
        (2, THIRD, ((1, 1), (0, 0))),
        (4, THIRD, ((2, 2), (0, 0))),
        (4, THIRD | OWN_FINAL, ((2, 2), (1, 1))),
        (4, OWN_FINAL, ((1, 1), (1, 1))),
        (5, THIRD, ((3, 3), (0, 0))),
        (8, {"best_of": 3}, ((6, 9), (0, 0))),
        (4, {"losers": "double"}, ((4, 5), (0, 0))),
        (4, {"losers": "one-final"}, ((4, 4), (0, 0))),
        (12, {"losers": "consolation"}, ((5, 5), (0, 0))),
        (4, {"second": 12}, ((4, 4), (0, 0))),
        (1, {}, ((0, 0), (0, 0))),
        (0, {}, ((0, 0), (0, 0))),
    ],
)
def test_rounds_of_a_bracket(size: int, fields: dict[str, Any], left: tuple[tuple[int, int], ...]) -> None:
    """All that the hall plays; a final with options of its own is told apart."""
    assert rounds_left(Event(**fields), size, 16) == tuple(ToCome(*part) for part in left)


def test_the_longest_match_of_a_round_counts() -> None:
    """Semifinals are best of three: one stands 1–1, the other 2–0; then the final."""
    event = Event(best_of=3)
    games = {
        "M1": [MatchGame((1, 4), 1), MatchGame((1, 4), 4)],
        "M2": [MatchGame((2, 3), 2), MatchGame((2, 3), 2)],
    }
    progress = follow(build_bracket((1, 2, 3, 4), best_of=3), games)
    assert rounds_left(event, 4, 4, progress) == (ToCome(3, 4), ToCome(0, 0))


@st.composite
def odd_events(draw: st.DrawFn) -> tuple[Event, Field, datetime]:
    """Rows as no evening leaves them, but files and restores may: times missing, out of order, or years apart."""
    moments = st.integers(-3000, 3000).map(lambda count: at("20:00") + timedelta(minutes=count))
    times = st.one_of(st.none(), moments)
    rounds = [
        Round(
            number=number,
            stage=draw(st.sampled_from(["qualifying", "qualifying", "tiebreak", "playoff"])),
            state=draw(st.sampled_from(["planned", "running", "closed"])),
            started_at=draw(times),
            closed_at=draw(times),
            paused_at=draw(times),
            paused_seconds=draw(st.sampled_from([0, 600, 100_000])),
            extra_seconds=draw(st.sampled_from([0, 600, -600])),
            time_called_at=draw(times),
        )
        for number in range(1, draw(st.integers(1, 6)))
    ]
    event = Event(
        stage=draw(st.sampled_from(["setup", "playing", "playoffs", "over"])),
        cut=draw(st.sampled_from([None, 2, 4, 1024])),
        best_of=draw(st.sampled_from([1, 3])),
        rounds_planned=draw(st.integers(1, 60)),
        room_until=draw(st.sampled_from([None, time(0), time(2, 30), time(23)])),
        options=draw(st.sampled_from([{}, {"round_minutes": 25}])),
        time_zone=draw(st.sampled_from(["America/New_York", "Asia/Kathmandu"])),
    )
    return event, Field(rounds, draw(st.integers(0, 30))), draw(moments)


@given(odd_events())
def test_odd_rows_give_whole_five_minutes_or_nothing(odd: tuple[Event, Field, datetime]) -> None:
    event, field, now = odd
    if (outlook := outlook_of(event, field, timedelta(minutes=3), None, now)) is None:
        return
    words = outlook.words + room_words(event, field, outlook).partition(" With")[2]
    assert all(minute[-1] in "05" for minute in re.findall(r":(\d\d) [ap]\.m\.", words)), words
    assert event.stage in ("playing", "playoffs")


def test_every_page_of_the_hall_says_it(client: Client, dana: User, evening: Event) -> None:
    began = timezone.now() - timedelta(minutes=10)
    for round_ in evening.rounds.all():
        shift = began - at("20:40")
        closed = round_.closed_at and round_.closed_at + shift
        Round.objects.filter(pk=round_.pk).update(started_at=sure(round_.started_at) + shift, closed_at=closed)
    news(evening)
    for page in ("", "schedule/", "board/"):
        assert "We will be done about" in page_of(client.get(f"/e/{evening.slug}/{page}")), page
    desk = page_of(signed_in(dana).get(f"/desk/{evening.slug}/"))
    assert 'class="outlook' in desk and "Done about" in desk
    news(evening, stage="over")
    for page in ("", "schedule/", "board/"):
        assert "be done" not in page_of(client.get(f"/e/{evening.slug}/{page}")), page


def test_the_room_is_asked_logged_and_copied(dana: User, evening: Event) -> None:
    change_event(Actor(dana), evening, {"room_until": time(23)}, confirmed=True)
    assert fresh(evening).room_until == time(23)
    page = page_of(signed_in(dana).get(f"/desk/{evening.slug}/log/"))
    assert "room closes at 11:00 p.m." in page
    copy = copy_event(Actor(dana), fresh(evening), "Next", at("20:00").date())
    assert copy.room_until == time(23)
