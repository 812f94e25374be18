"""When an event will be done, as desk, projector and phones are told: the facts of its forecast, and the words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from scoring.options import EventRules
from tournament.models import Event, Game, Round
from tournament.pairing.bracket import Form, build_bracket
from tournament.pairing.progress import MatchState, Progress, follow
from tournament.queries.clocks import minutes_of
from tournament.queries.decisions import shown_bracket
from tournament.queries.desk import DeskRound
from tournament.queries.events import once_a_version, pinned_fields
from tournament.queries.forecast import (
    LONGEST_ROUND,
    NO_TIME,
    USUAL_HAND,
    Forecast,
    ForecastFacts,
    RoundFacts,
    ToCome,
    forecast,
    hand_time,
    slowest,
)
from tournament.queries.rules import EVERYTHING, FINAL, PLAYOFF, has_final_alone, of_stage, ruleset_of
from tournament.queries.schedule import Table, current_round
from tournament.words.phrases import clock_range, clock_time

# The options that say to how many points a game goes; a game has one of them.
TARGETS = ("win_at", "game_at")
# A page that nobody renews says so many times one after another, each five minutes later; then it says nothing.
MOST_SPANS = 7
MINUTE = timedelta(minutes=1)
# A phone's clock may be behind.
LONG_AGO = datetime(2000, 1, 1, tzinfo=ZoneInfo("UTC"))


class Field(NamedTuple):
    """What a page knows of the event already: its rounds, and how many teams still play.

    `tables` are those of the round in play; a page that does not show them leaves them out.
    """

    rounds: Sequence[Round]
    playing: int
    tables: Sequence[Table] | None = None


@dataclass(frozen=True, slots=True)
class Outlook:
    """The forecast of an event. While nobody has said how many reach the playoffs it is that of the game `ends`."""

    facts: ForecastFacts
    told: Forecast
    ends: str
    zone: str

    @property
    def words(self) -> str:
        """“We will be done about 11:35 p.m.”, for the hall."""
        return ended(f"{self.ends} will be over {self.when}" if self.ends else f"We will be done {self.when}")

    @property
    def when(self) -> str:
        """“about 11:35 p.m.”; “between 12:45 and 1:25 a.m.” while the number of rounds is open."""
        told = self.told
        if told.told == told.told_latest:
            return f"about {clock_time(told.told, self.zone)}"
        return f"between {clock_range(told.told, told.told_latest, self.zone, ' and ')}"


@dataclass(frozen=True, slots=True)
class Span:
    """Words that are true from one moment to another."""

    start: datetime
    end: datetime
    words: str


def ended(words: str) -> str:
    """A sentence with its full stop: “p.m.” has one already."""
    return words if words.endswith(".") else f"{words}."


# What the desk is told.


def desk_outlook(event: Event, shown: DeskRound, playing: int, now: datetime) -> str:
    """The end with its range; if the room closes before it, also what could be left out.

    Nothing beside an earlier round: the desk looks at something else there.
    """
    current = current_round(list(shown.rounds))
    if current is None or current.number != shown.number:
        return ""
    field = Field(shown.rounds, playing)
    hand = slowest([card.hand for card in shown.tables])
    drawn = shown_bracket(event)
    progress = drawn.progress if drawn else None
    outlook = outlook_of(event, field, hand, progress, now)
    if outlook is None:
        return ""
    told = outlook.told
    whole = clock_range(told.early, told.late, outlook.zone)
    what = f"{outlook.ends} ends" if outlook.ends else "Done"
    first = f"{what} {outlook.when} ({whole})."
    if outlook.ends:
        first += " How many advance to the playoffs is not set yet."
    return first + room_words(event, field, outlook)


def room_words(event: Event, field: Field, outlook: Outlook) -> str:
    """When the room closes, if that is too early, and by how much each way to end earlier helps."""
    closes = room_closes(event, outlook.facts.rounds)
    if closes is None or outlook.told.late <= closes:
        return ""
    verb = "closes" if closes > outlook.facts.now else "closed"
    said = f" The room {verb} at {clock_time(closes, outlook.zone)}"
    if outlook.told.told_latest <= closes:
        return ended(f"{said}, so it will be close")
    ways = "; ".join(
        f"with {words}: about {clock_time(at, outlook.zone)}" for words, at in _ways(event, field, outlook)
    )
    return ended(said) + (f" {ended(ways[:1].upper() + ways[1:])}" if ways else "")


def _ways(event: Event, field: Field, outlook: Outlook) -> Iterator[tuple[str, datetime]]:
    """What can still be left out before the cut, and when it would then be over."""
    if event.stage != "playing" or "cut" in pinned_fields(event):
        return
    games, *playoffs = outlook.facts.to_come
    if games.least:
        fewer = games._replace(least=games.least - 1, most=games.most - 1)
        if sooner := forecast(replace(outlook.facts, to_come=(fewer, *playoffs))):
            yield "one game less", sooner.told_latest
    size = min(event.cut or 0, field.playing)
    if size > 2:
        half = 2 ** ((size - 1).bit_length() - 1)
        left = rounds_left(event, half, field.playing)
        others = tuple(
            part._replace(least=fewer.least, most=fewer.most) for part, fewer in zip(playoffs, left, strict=True)
        )
        if sooner := forecast(replace(outlook.facts, to_come=(games, *others))):
            yield f"the top {half} instead of the top {event.cut}", sooner.told_latest


def room_closes(event: Event, rounds: Sequence[RoundFacts]) -> datetime | None:
    """The first time after the evening's first round at which the clock of the hall shows when the room closes.

    An event of several days has several evenings: a night is longer than any round.
    """
    if event.room_until is None or not rounds:
        return None
    began = rounds[0].started
    for before, after in pairwise(rounds):
        if after.started - (before.closed or before.started) > LONGEST_ROUND:
            began = after.started
    zone = ZoneInfo(event.time_zone)
    here = began.astimezone(zone)
    closes = datetime.combine(here.date(), event.room_until, zone)
    return closes if closes > began else datetime.combine(here.date() + timedelta(days=1), event.room_until, zone)


def end_with(event: Event, form: Form, size: int, field: Field, now: datetime) -> str:
    """When the event would be over with this form of playoffs after a cut of this size; nothing while nobody knows."""
    planned = copy(event)
    planned.cut, planned.no_playoffs = size, False
    planned.losers, planned.places_to = form.losers, form.places_to
    outlook = outlook_of(planned, field, None, None, now)
    return outlook.when if outlook else ""


# What the hall is told: pages that stay as they are until something happens.


def hall_outlook(event: Event, field: Field, now: datetime) -> tuple[Span, ...]:
    """What projector and phones say, one after another: a public page is made once, and then time goes on.

    Nothing while the clock is stopped: nobody knows for how long.
    """
    running = _in_play(field.rounds)
    if event.stage not in ("playing", "playoffs") or (running and running.paused_at):
        return ()
    drawn = shown_bracket(event)
    hand = _slowest(event, running, field.tables) if running else None
    outlook = outlook_of(event, field, hand, drawn.progress if drawn else None, now)
    return tuple(_one_after_another(outlook)) if outlook else ()


def _slowest(event: Event, running: Round, tables: Sequence[Table] | None) -> timedelta | None:
    """The hand of the slowest table of the round in play, from these tables if they are its own."""
    if tables and tables[0].round == running.number:
        return slowest([table.hand for table in tables])
    return once_a_version(event, "slowest", EVERYTHING, lambda: slowest(_hands(running)))


def _hands(round_: Round) -> list[timedelta | None]:
    """How long a hand takes at each table of the round in play."""
    games = Game.objects.filter(round=round_).values_list("state", "begun_at", "last_entry_at", "result__hands")
    return [hand_time(state, begun, last, hands) for state, begun, last, hands in games]


def _one_after_another(outlook: Outlook) -> Iterator[Span]:
    """The same facts as time goes on. Moments are whole minutes: an open page is not renewed for a few seconds."""
    moment, start = outlook.facts.now.replace(second=0, microsecond=0), LONG_AGO
    for _ in range(MOST_SPANS):
        told = _told_at(outlook, moment)
        if told is None:
            return
        end = _next_change(outlook, moment, told)
        yield Span(start, end, told)
        moment = start = end


def _next_change(outlook: Outlook, moment: datetime, told: str) -> datetime:
    """The minute at which something else will be true: what is told only ever becomes later, so it is halved in."""
    same, other = 0, int(LONGEST_ROUND / MINUTE) + 1
    while other - same > 1:
        middle = (same + other) // 2
        if _told_at(outlook, moment + middle * MINUTE) == told:
            same = middle
        else:
            other = middle
    return moment + other * MINUTE


def _told_at(outlook: Outlook, moment: datetime) -> str | None:
    later = forecast(replace(outlook.facts, now=moment))
    return replace(outlook, told=later).words if later else None


# The facts.


def outlook_of(
    event: Event, field: Field, hand: timedelta | None, progress: Progress | None, now: datetime
) -> Outlook | None:
    """The forecast of an event; `hand` is that of its slowest table, None if every table of the round is done."""
    if event.stage not in ("playing", "playoffs"):
        return None
    open_end = event.stage == "playing" and event.cut is None and not event.no_playoffs
    facts = facts_of(event, field, hand, progress, now)
    told = forecast(facts)
    if told is None:
        return None
    return Outlook(facts, told, f"Game {_games_in_all(event, field)}" if open_end else "", event.time_zone)


def facts_of(
    event: Event, field: Field, hand: timedelta | None, progress: Progress | None, now: datetime
) -> ForecastFacts:
    base = ruleset_of(event).rules
    started = [round_ for round_ in field.rounds if round_.started_at is not None and round_.state != "planned"]
    started.sort(key=lambda round_: round_.started_at or now)
    running = _in_play(started)
    length = None if base.round_minutes is None else timedelta(minutes=base.round_minutes) + USUAL_HAND
    return ForecastFacts(
        now=now,
        rounds=tuple(_round_facts(event, base, round_, now) for round_ in started),
        to_come=_to_come(event, field, base, running, progress),
        hand=hand,
        sheet_length=length,
        added=_added(event, running),
        up_at=_up_at(event, running, now),
    )


def _in_play(rounds: Iterable[Round]) -> Round | None:
    """The round in play: tie-breaks beside it do not matter."""
    running = [round_ for round_ in rounds if round_.state == "running" and round_.started_at]
    return min(running, key=lambda round_: round_.stage == "tiebreak", default=None)


def _round_facts(event: Event, base: EventRules, round_: Round, now: datetime) -> RoundFacts:
    assert round_.started_at is not None
    closed = None
    if round_.state == "closed":
        closed = round_.closed_at or round_.started_at
    return RoundFacts(
        started=round_.started_at,
        closed=closed,
        paused=_paused(round_, now),
        pace=pace_of(ruleset_of(event, round_).rules, base),
        counts=round_.stage != "tiebreak",
    )


def _paused(round_: Round, now: datetime) -> timedelta:
    stopped = now - round_.paused_at if round_.paused_at and round_.state == "running" else NO_TIME
    return timedelta(seconds=round_.paused_seconds) + max(stopped, NO_TIME)


def pace_of(rules: EventRules, base: EventRules) -> float:
    """How long a game by these rules is beside one by the event's own: by minutes where both have them, else points."""
    if rules.round_minutes and base.round_minutes:
        hand = USUAL_HAND / MINUTE
        return (rules.round_minutes + hand) / (base.round_minutes + hand)
    if rules.round_minutes or base.round_minutes:
        return 1
    for key in TARGETS:
        points, usual = getattr(rules, key, None), getattr(base, key, None)
        if points and usual:
            return float(points / usual)
    return 1


def _added(event: Event, running: Round | None) -> timedelta:
    """What the director added to the time that the sheet sets."""
    if running is None or ruleset_of(event, running).rules.round_minutes is None:
        return NO_TIME
    return timedelta(seconds=running.extra_seconds)


def _up_at(event: Event, running: Round | None, now: datetime) -> datetime | None:
    """When the time is up that the director set or called, by a sheet that sets none."""
    if running is None or running.started_at is None:
        return None
    if running.time_called_at is not None:
        return running.time_called_at
    rules = ruleset_of(event, running).rules
    if rules.round_minutes is not None or minutes_of(running, rules) is None:
        return None
    return running.started_at + timedelta(seconds=running.extra_seconds) + _paused(running, now)


def _to_come(
    event: Event, field: Field, base: EventRules, running: Round | None, progress: Progress | None
) -> tuple[ToCome, ToCome, ToCome]:
    """The qualifying games and tie-breaks that have not started; the playoffs before the final; the final's games."""
    ties = sum(round_.stage == "tiebreak" and round_.state == "planned" for round_ in field.rounds)
    begun = sum(round_.stage == "qualifying" and round_.state != "planned" for round_ in field.rounds)
    games = ties + (max(0, _games_in_all(event, field) - begun) if event.stage == "playing" else 0)
    before, final = rounds_left(event, min(event.cut or 0, field.playing), field.playing, progress)
    if running is not None and running.stage == "playoff":
        # It is counted among those that are left until its results are there.
        before, final = (_one_less(before), final) if before.most else (before, _one_less(final))
    return ToCome(games, games), _paced(event, base, PLAYOFF, before), _paced(event, base, FINAL, final)


def _games_in_all(event: Event, field: Field) -> int:
    """The number of the last qualifying game: more may be drawn than were planned."""
    return max(event.rounds_planned, *(round_.number for round_ in field.rounds if round_.stage == "qualifying"), 0)


def _paced(event: Event, base: EventRules, stage: str, part: ToCome) -> ToCome:
    """The part with the pace of its stage: the playoffs may have options of their own."""
    rules = ruleset_of(event, Round(event=event, options=of_stage(event.stage_options, stage))).rules
    return part._replace(pace=pace_of(rules, base))


def _one_less(part: ToCome) -> ToCome:
    return part._replace(least=max(0, part.least - 1), most=max(0, part.most - 1))


def rounds_left(event: Event, size: int, playing: int, progress: Progress | None = None) -> tuple[ToCome, ToCome]:
    """The rounds of the hall that a bracket of this size, or the one in `progress`, still needs: at least and at most.

    Those of a final with options of its own are told apart: nothing else is played in them. A round of the hall has the
    next game of each of its matches, so that the longest match of it counts. `playing` is how many teams there are.
    """
    if progress is None:
        if event.no_playoffs or size < 2:
            return ToCome(0, 0), ToCome(0, 0)
        second = min(event.second or 0, playing - size)
        form = replace(event.playoff_form, second=second if second > 1 else 0)
        drawn = build_bracket(range(1, size + form.second + 1), best_of=event.best_of, form=form)
        progress = follow(drawn, {})
    before, final = ToCome(0, 0), ToCome(0, 0)
    states = list(progress.states)
    if has_final_alone(event):
        last = progress.bracket.final.key
        final = ToCome(*_games_left(progress.state(last)))
        states = [state for state in states if state.match.key != last]
    for number in {state.match.round for state in states}:
        games = [_games_left(state) for state in states if state.match.round == number]
        least, most = max(least for least, _ in games), max(most for _, most in games)
        before = ToCome(before.least + least, before.most + most)
    return before, final


def _games_left(state: MatchState) -> tuple[int, int]:
    """How many games a match still needs, at least and at most."""
    if state.is_decided:
        return 0, 0
    best_of = state.match.best_of
    return best_of // 2 + 1 - max(state.wins), best_of - sum(state.wins)
