"""When the event will be done: evenings worked out by hand, and what holds for every evening."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sure import sure
from tournament.queries.forecast import Forecast, ForecastFacts, RoundFacts, ToCome, forecast

DAY = datetime(2026, 11, 20, tzinfo=UTC)


def at(time: str) -> datetime:
    """“20:40” of the evening; “25:10” is after midnight."""
    hour, _, minute = time.partition(":")
    return DAY + timedelta(hours=int(hour), minutes=int(minute))


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def rounds(*times: str) -> tuple[RoundFacts, ...]:
    """Rounds as “18:53-19:24”; one without an end is in play."""
    made = []
    for time in times:
        start, _, end = time.partition("-")
        made.append(RoundFacts(at(start), at(end) if end else None))
    return tuple(made)


def told(made: Forecast | None) -> str:
    """“23:10 · 23:35 · 00:00”: early, told, told at the latest where that is another time, late."""
    made = sure(made)
    latest = [made.told_latest] if made.told_latest != made.told else []
    return " · ".join(f"{moment:%H:%M}" for moment in (made.early, made.told, *latest, made.late))


# Games 1 to 3 took 31, 27 and 35 minutes, the breaks 6, 4 and 5. Game 4 of 6 began at 8:40 p.m.; it is 8:50. After the
# games four teams play two rounds. Usual are 31 and 5 minutes.
CLOSED = rounds("18:52-19:23", "19:29-19:56", "20:00-20:35")
EVENING = ForecastFacts(at("20:50"), (*CLOSED, RoundFacts(at("20:40"))), (ToCome(2, 2), ToCome(2, 2)))


def test_six_games_and_two_rounds_of_playoffs() -> None:
    """8:40 + 31 + 4 × 36; at the earliest + 27 + 4 × 31 = 11:11, at the latest + 35 + 4 × 41 = 11:59."""
    assert told(forecast(EVENING)) == "23:10 · 23:35 · 00:00"


def test_without_playoffs_it_ends_with_the_last_game() -> None:
    """9:11 + 2 × 36 = 10:23; 9:07 + 2 × 31 = 10:09; 9:15 + 2 × 41 = 10:37."""
    assert told(forecast(replace(EVENING, to_come=(ToCome(2, 2),)))) == "22:05 · 22:25 · 22:40"


def test_a_sheet_that_sets_a_time_is_enough_before_a_round_is_closed() -> None:
    """Six games of 25 minutes and a hand, with breaks of 5: 6 × 28 + 5 × 5 = 193 minutes from 7:00."""
    first = ForecastFacts(at("19:10"), rounds("19:00"), (ToCome(5, 5),))
    assert forecast(first) is None
    assert told(forecast(replace(first, sheet_length=minutes(28)))) == "22:10 · 22:15 · 22:15"


def test_a_pause_is_not_pace_but_the_round_in_play_ends_that_much_later() -> None:
    """12 minutes in game 2 change nothing, 12 in game 4 everything: 11:47, between 11:23 and 12:11."""
    second = RoundFacts(at("19:29"), at("20:08"), minutes(12))
    later = [replace(round_, started=round_.started + minutes(12)) for round_ in EVENING.rounds[2:]]
    third, fourth = replace(later[0], closed=at("20:47")), later[1]
    paused_before = replace(EVENING, now=at("21:02"), rounds=(EVENING.rounds[0], second, third, fourth))
    assert told(forecast(paused_before)) == "23:20 · 23:45 · 00:15"
    paused_now = replace(EVENING, rounds=(*CLOSED, RoundFacts(at("20:40"), None, minutes(12))))
    assert told(forecast(paused_now)) == "23:20 · 23:45 · 00:15"


def test_few_rounds_tell_less_and_the_range_is_wider() -> None:
    """Game 3 of 3 began at 8:40: 27 and 31 less and more by a quarter, 27 by a third."""
    two, one = CLOSED[:2], CLOSED[1:2]
    last = RoundFacts(at("20:40"))
    assert told(forecast(ForecastFacts(at("20:50"), (*two, last), ()))) == "21:00 · 21:10 · 21:20"
    assert told(forecast(ForecastFacts(at("20:50"), (*one, last), ()))) == "20:55 · 21:05 · 21:20"


def test_a_number_of_rounds_that_is_open_gives_two_times() -> None:
    """Double elimination of four, 4 or 5 rounds: 9:11 + 6 × 36 = 12:47 or + 7 × 36 = 1:23; 12:13 to 2:02."""
    assert told(forecast(replace(EVENING, to_come=(ToCome(2, 2), ToCome(4, 5))))) == "00:10 · 00:45 · 01:25 · 02:05"


def test_the_round_in_play_ends_a_hand_after_now_at_the_earliest() -> None:
    """At 9:30 game 4 takes longer than any before: 9:30 + 4 + 4 × 31, 36, 41."""
    late = replace(EVENING, now=at("21:30"), hand=minutes(4))
    assert told(forecast(late)) == "23:35 · 00:00 · 00:20"
    assert told(forecast(replace(late, hand=None))) == "23:30 · 23:55 · 00:15", "every table is done"


def test_between_two_rounds_the_next_one_does_not_start_before_now() -> None:
    """Closed at 8:35, the usual break is 5 minutes: 8:40 + 31 + 36; ten minutes later it still has not started."""
    between = ForecastFacts(at("20:37"), CLOSED, (ToCome(2, 2),))
    assert told(forecast(between)) == "21:35 · 21:45 · 22:00"
    assert told(forecast(replace(between, now=at("20:50")))) == "21:45 · 21:55 · 22:10"


def test_games_to_more_points_take_longer() -> None:
    """To 350 instead of 300: 9:11 + 2 × 36 + 2 × (5 + 31 × 7/6) = 11:45; and the final played so is no other pace."""
    longer = replace(EVENING, to_come=(ToCome(2, 2), ToCome(2, 2, 350 / 300)))
    assert told(forecast(longer)) == "23:20 · 23:45 · 00:15"
    final = RoundFacts(at("20:40"), at("20:40") + minutes(31 * 7 / 6), pace=7 / 6)
    usual = ForecastFacts(at("21:20"), (*CLOSED, final), (ToCome(1, 1),))
    assert told(forecast(usual)) == "21:45 · 21:50 · 22:00"


def test_time_that_the_director_adds_moves_the_end() -> None:
    assert told(forecast(replace(EVENING, added=minutes(10)))) == "23:20 · 23:45 · 00:10"


def test_a_round_with_a_time_of_its_own_ends_by_it() -> None:
    """The sheet sets no time; the director ends game 4 at 9:00, and a hand later it is over: 9:03 + 4 × 36."""
    assert told(forecast(replace(EVENING, up_at=at("21:00")))) == "23:05 · 23:25 · 23:50"


@pytest.mark.parametrize(
    ("why", "facts"),
    [
        ("nothing has started", replace(EVENING, rounds=())),
        ("no round is closed", replace(EVENING, rounds=rounds("20:40"))),
        ("the only one was typed in afterwards", replace(EVENING, rounds=rounds("20:30-20:32", "20:40"))),
        ("the only one was left open", replace(EVENING, rounds=rounds("14:30-20:32", "20:40"))),
        ("a round was left open yesterday", replace(EVENING, now=at("33:00"))),
        ("it was paused and is closed soon", replace(EVENING, now=at("24:30"))),
        ("the next game starts on another day", ForecastFacts(at("34:00"), CLOSED, (ToCome(2, 2),))),
        ("everything is played", ForecastFacts(at("20:40"), CLOSED, ())),
        ("there is a night in between", replace(EVENING, to_come=(ToCome(30, 30),))),
    ],
)
def test_nothing_is_told_where_nothing_is_known(why: str, facts: ForecastFacts) -> None:
    assert forecast(facts) is None, why


def test_a_round_paused_over_midnight_goes_on_as_if_nothing_had_been() -> None:
    """Stopped from 8:50 to 10:10 of the next morning: 8:40 + 13:20 + 31 + 2 × 36."""
    resumed = RoundFacts(at("20:40"), None, minutes(800))
    morning = ForecastFacts(at("34:12"), (*CLOSED, resumed), (ToCome(2, 2),))
    assert told(forecast(morning)) == "11:25 · 11:45 · 12:00"


def test_a_meal_is_no_break_that_comes_again() -> None:
    meal = rounds("16:00-16:31", "16:37-17:04", "18:34-19:09", "19:14")
    assert told(forecast(ForecastFacts(at("19:20"), meal, (ToCome(1, 1),)))) == "20:10 · 20:20 · 20:30"


def test_a_tie_break_of_one_table_is_no_measure() -> None:
    tie = RoundFacts(at("20:37"), at("20:43"), counts=False)
    facts = ForecastFacts(at("20:44"), (*CLOSED, tie), (ToCome(2, 2),))
    assert told(forecast(facts)) == "21:40 · 21:55 · 22:05"


# What holds for every evening.


@st.composite
def evenings(draw: st.DrawFn) -> ForecastFacts:
    """Some closed rounds, perhaps one in play, and some to come."""
    moment, made = at("18:00"), []
    for _ in range(draw(st.integers(0, 8))):
        length, pause, gap = (draw(st.integers(0, most)) for most in (90, 30, 90))
        closed = moment + minutes(length + pause)
        made.append(RoundFacts(moment, closed, minutes(pause), draw(st.sampled_from([1, 7 / 6, 0.8]))))
        moment = closed + minutes(gap)
    if draw(st.booleans()):
        made.append(RoundFacts(moment, None, minutes(draw(st.integers(0, 30)))))
    games, least = draw(st.integers(0, 4)), draw(st.integers(0, 5))
    return ForecastFacts(
        now=moment + timedelta(seconds=draw(st.integers(0, 7200))),
        rounds=tuple(made),
        to_come=(ToCome(games, games), ToCome(least, least + draw(st.integers(0, 4)), 7 / 6)),
        hand=draw(st.sampled_from([None, minutes(2), minutes(6)])),
        sheet_length=draw(st.sampled_from([None, minutes(28)])),
    )


def times(made: Forecast) -> list[datetime]:
    return [made.early, made.told, made.told_latest, made.late]


@given(evenings())
def test_early_before_told_before_late_in_steps_of_five_minutes_and_none_has_passed(facts: ForecastFacts) -> None:
    if (made := forecast(facts)) is None:
        return
    assert times(made) == sorted(times(made))
    assert {(moment.minute % 5, moment.second) for moment in times(made)} == {(0, 0)}
    assert made.early >= facts.now


@given(evenings(), st.integers(1, 3))
def test_more_games_never_end_earlier(facts: ForecastFacts, more: int) -> None:
    games, playoffs = facts.to_come
    longer = forecast(replace(facts, to_come=(ToCome(games.least + more, games.most + more), playoffs)))
    if (made := forecast(facts)) and longer:
        assert all(before <= after for before, after in zip(times(made), times(longer), strict=True))


@given(evenings())
def test_nothing_is_told_before_a_round_is_closed(facts: ForecastFacts) -> None:
    opened = [round_ for round_ in facts.rounds if round_.closed is None]
    assert forecast(replace(facts, rounds=tuple(opened), sheet_length=None)) is None
