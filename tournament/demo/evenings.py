"""The demo's evenings: who works there, which one is in play, how far it is, and whether tables play by themselves.

They play as long as the player's thread lives; nothing about that is stored. After a crash nobody plays, and the
evening itself continues where it was.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db import OperationalError, connection, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from scoring.ledger import listed
from tournament.access import Actor
from tournament.archive.reading import told_of_event
from tournament.archive.store import export_event, import_event
from tournament.demo.player import Evening, Inside, Pace, Step, pace
from tournament.demo.tablet import Lost
from tournament.errors import Conflict
from tournament.models import Call, Event, Game, Journal, Season, Side
from tournament.queries.dues import members_of
from tournament.queries.roster import RosterRow
from tournament.queries.scored import sides_with_teams
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row
from tournament.queries.todo_next import may_rehearse
from tournament.services.accounts import ensure_user
from tournament.services.dues import take_dues
from tournament.services.events import appoint_official, discard_events, set_up_event
from tournament.services.members import add_who_played
from tournament.services.rounds import call_director
from tournament.services.transactions import in_line
from tournament.site.data_folder import FIXTURES
from tournament.words.journal import place_and_text
from tournament.words.phrases import CALLS, result, signed

DIRECTOR, VERIFIER = "dana", "vic"
FOLDER: Path = FIXTURES / "demo"
# A table in the middle of its game, for a visitor to sit down at.
TABLE = 6
# While the evening is in play, this table calls the director about a renege.
CALLS_AT = 10
LATEST = 12
# Office acts that nobody in the hall notices, and the ruling whose line shows its points.
QUIET = ("rule", "import", "appoint", "dismiss", "pair", "card", "revoke", "take-over", "freeze", "board")
# A visitor's own list: how it is played, how many visitors' events exist at once, and how long each is kept.
VISITORS, VISITORS_SHEET = Pace(0.35, 0, 0, 0), "bid_whist/no-kitty-2021"
VISITORS_NAME, VISITORS_SLUG = "Your Event", "your-event"
FEWEST_TEAMS, MOST_TEAMS = 4, 16
MOST_VISITORS, KEPT_SECONDS = 3, 3600
# A player that waits for people looks again after this time, and leaves a busy site alone for as long.
LOOK_AGAIN = 0.2
BUSY = 2
# If an error comes back this many times in a row, the play ends.
MOST_FAULTS = 5
log = logging.getLogger(__name__)


class OpenDoors(ModelBackend):
    """Signs in the user that a door names, whatever the password is; never an owner, and only these two."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **said: Any
    ) -> User | None:
        if not settings.DEMO or username not in (DIRECTOR, VERIFIER):
            return None
        return User.objects.filter(username=username, is_staff=False, is_superuser=False, is_active=True).first()


def director() -> User:
    """Dana, who directs the samples and nothing else."""
    return ensure_user(DIRECTOR)[0]


def in_the_demo(request: HttpRequest) -> dict[str, Any]:
    """Tells every page of the demo that it is one."""
    return {"demo": settings.DEMO}


class Sample(NamedTuple):
    """A sample evening: its file, and how many days before its first day it is dated (after it, if below 0)."""

    file: str
    days_ago: int = 0


FINISHED = Sample("autumn-open", days_ago=1)
EVENING = Sample("autumn-evening")
SPADES = Sample("spades-night")
CUP = Sample("winter-cup", days_ago=-7)
# All sample evenings count in one season; the players of the first of them are its members.
SEASON = "season"
FIRST, SECOND = Sample("september-open", days_ago=62), Sample("october-open", days_ago=34)
SAMPLES = (FIRST, SECOND, FINISHED, CUP, SPADES, EVENING)
# The first of 24 teams gets 12 points; teams that share a place split its points; guests are not ranked.
SCHEME = {"places": [], "field": 2, "split": True, "attendance": 1, "members": True}
DUES_CENTS = 3000


def evening_in_play(sample: Sample = EVENING) -> Event | None:
    """The evening that doors and hall lead to, or another sample's: the latest one."""
    return Event.objects.filter(slug__startswith=sample.file).order_by("-pk").first()


def is_over(event: Event) -> bool:
    """Whether an evening is finished, is from another day, or no longer takes entries: then it can be started again."""
    today = _today(event.time_zone)
    if event.entries_from is not None:
        return not event.takes_entries or event.date < today
    return event.stage == "over" or event.date != today


def load_samples() -> None:
    """Create every sample evening that does not exist yet. Nobody plays what visitors left at an earlier start."""
    discard_events(Event.objects.filter(slug__startswith=VISITORS_SLUG))
    for sample in SAMPLES:
        if not Event.objects.filter(slug__startswith=sample.file).exists():
            begin(sample)
        if sample == FIRST:
            _take_members(Season.objects.get(slug=SEASON))


def _take_members(season: Season) -> None:
    """Make everybody who has played so far a member, and let every other one have paid."""
    if season.memberships.exists():
        return
    dana = Actor(director())
    add_who_played(dana, season)
    for member in members_of(season)[::2]:
        take_dues(dana, season, member.person.pk, None)


def begin_again(sample: Sample = EVENING) -> Event:
    """Start the evening in play, or another sample, over; everybody who asks at the same time gets the same one."""
    with transaction.atomic():
        event = evening_in_play(sample)
        return event if event is not None and not is_over(event) else begin(sample)


def begin(sample: Sample) -> Event:
    """Start a sample evening today, next to what was played; Dana directs it and Vic verifies."""
    data = json.loads((FOLDER / f"{sample.file}.json").read_text(encoding="utf-8"))
    told = told_of_event(data)
    day = _today(told["time_zone"]) - timedelta(days=sample.days_ago)
    dana = Actor(director())
    ensure_user(VERIFIER)
    # A sealed file is never edited: what is new about the evening is passed separately.
    ends_at = timezone.now() - timedelta(days=max(sample.days_ago, 0))
    event = import_event(dana, data, name=_free_name(told["name"]), day=day, ends_at=ends_at)
    appoint_official(dana, event, VERIFIER, "verifier")
    counted = {"name": f"Season {_today(told['time_zone']).year}", "scheme": SCHEME, "dues_cents": DUES_CENTS}
    season, _ = Season.objects.get_or_create(slug=SEASON, defaults=counted)
    Event.objects.filter(pk=event.pk).update(season=season)
    for game in Game.objects.filter(round__event=event, round__state="running", table=CALLS_AT):
        call_director(Actor(), game, "renege")
    return event


def _free_name(name: str) -> str:
    """“Autumn Evening”, then “Autumn Evening 2”."""
    taken = set(Event.objects.filter(name__startswith=name).values_list("name", flat=True))
    names = (name, *(f"{name} {count}" for count in range(2, len(taken) + 2)))
    return next(one for one in names if one not in taken)


def _today(zone: str) -> date:
    return timezone.localdate(timezone=ZoneInfo(zone))


class Doors(NamedTuple):
    """The evening behind the doors, and its season; `over` means that it can be started again."""

    event: Event
    season: Season | None
    over: bool
    desk: str
    table: int
    tablet: str


def doors_of(event: Event) -> Doors:
    """The doors as they are at this moment: a constant number of queries."""
    return Doors(event, event.season, is_over(event), _at_the_desk(event), TABLE, _at_the_table(event))


def phone_of(event: Event) -> int:
    """The team whose page a player looks at: one of the table's, or else the first of the list."""
    sides = Side.objects.filter(game__round__event=event, game__table=TABLE, game__round__state="running")
    found = sides.order_by("index").values_list("team__number", flat=True).first()
    return found or event.teams.order_by("number").values_list("number", flat=True)[0]


def _at_the_desk(event: Event) -> str:
    running = event.rounds.filter(state="running").first()
    state = f"in {_small(str(running))}" if running else event.get_stage_display().lower()
    call = Call.objects.filter(game__round__event=event, answered_at=None).select_related("game").first()
    calling = f" Table {call.game.table} is calling you: {call.get_kind_display().lower()}." if call else ""
    return f"{event.teams.count()} teams, {state}.{calling}"


def _at_the_table(event: Event) -> str:
    games = Game.objects.filter(round__event=event, round__state="running", table=TABLE).select_related("result")
    game = games.prefetch_related(sides_with_teams()).first()
    if game is None or game.state == "final":
        if event.stage == "over":
            return "The evening is over: the tablet has no more games."
        return "The next game begins here as soon as it is started at the desk."
    names = " against ".join(side.team.name for side in sorted(game.sides.all(), key=lambda side: side.index))
    if game.state == "to-sign":
        return f"{names}: the game is over, both sides sign."
    return f"{names}, hand {game.result.hands + 1}. Four taps a hand."


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]


class Happening(NamedTuple):
    """One act. `table` is None if it concerns the whole hall; `gain` is the points of a hand."""

    at: datetime
    table: int | None
    text: str
    gain: str = ""
    boston: str = ""


def happenings(event: Event) -> tuple[Happening, ...]:
    """The latest acts of an event: a constant number of queries."""
    acts = list(Journal.objects.filter(event=event).exclude(action__in=QUIET)[:LATEST])
    keys = {int(act.key) for act in acts if act.noun == "game" and act.action in ("record", "sign")}
    sheets = {game.pk: game_sheet(game) for game in sheet_games().filter(pk__in=keys)}
    told, done = [], set()
    for act in acts:
        sheet = sheets.get(int(act.key)) if act.noun == "game" and act.key else None
        if sheet is not None and act.action == "sign":
            told.append(_signature(act, sheet, newest=sheet.game.pk not in done))
            done.add(sheet.game.pk)
        elif sheet is not None and (row := _row(sheet.rows, act.after)) is not None:
            told.append(_hand(act, sheet, row))
        else:
            told.append(_said(act))
    return tuple(told)


def _hand(act: Journal, sheet: GameSheet, row: Row) -> Happening:
    """“Full Deck: 4-No made with 11 books, +10”."""
    gained = [
        f"{side.name} {signed(points)}" for side, points in zip(sheet.sides, row.deltas, strict=True) if points != 0
    ]
    boston = sheet.sides[row.boston].name if row.boston is not None else ""
    return Happening(act.at, sheet.game.table, _words(sheet, row), listed(gained) if gained else "", boston)


def _words(sheet: GameSheet, row: Row) -> str:
    told = row.written
    if told.outcome == "void":
        return f"Void: {told.text}"
    if told.took is None:
        return told.text
    return f"{told.who_name}: {told.text} {sheet.word}"


def _signature(act: Journal, sheet: GameSheet, *, newest: bool) -> Happening:
    """The signature that ends a game, with the result."""
    if not newest or sheet.unsigned or not sheet.over:
        return _said(act)
    winner = sheet.winner_side
    sides = sorted(sheet.sides, key=lambda side: side != winner)
    score = result(sheet.scores[side.index] for side in sides)
    how = f"{winner.name if winner else 'nobody'} won, {score}"
    return Happening(
        act.at, sheet.game.table, f"Signed by both: {how}" if len(sheet.sides) == 2 else f"Signed by all: {how}"
    )


def _said(act: Journal) -> Happening:
    table, text = place_and_text(act.action, act.code, act.facts)
    if act.action == "call" and "about" in act.facts:
        return Happening(act.at, None, f"Table {table} called the director: {CALLS[act.facts['about']].lower()}")
    return Happening(act.at, table, text[:1].upper() + text[1:] if table else text)


def _row(rows: Iterable[Row], facts: object) -> Row | None:
    """The line that an act wrote; None if it was undone or corrected since."""
    return next((row for row in reversed(tuple(rows)) if row.facts == facts), None)


class PlayState(NamedTuple):
    """The page's content: whether the other tables play, whether Dana does too, how fast, and what is going on."""

    event: Event | None
    plays: bool = False
    directs: bool = False
    rate: str = ""
    said: str = ""
    waits: str = ""

    @property
    def version(self) -> str:
        return f"{self.plays:d}{self.directs:d}/{self.waits or self.said}"

    @property
    def ended(self) -> str:
        """Why nobody can play, in words."""
        if self.event is None or self.plays or self.may_start:
            return ""
        return "The evening is over." if self.event.stage == "over" else "This evening was on another day."

    @property
    def may_start(self) -> bool:
        return self.event is not None and not self.plays and not is_over(self.event)


class Run:
    def __init__(self, event: Event, person: User, speed: Pace, directs: bool, left: int = TABLE) -> None:
        self.slug, self.said, self.waits = event.slug, "", ""
        self.evening = Evening(event, Inside(person), speed, ("", ""), Actor(person), left)
        self.evening.directs = directs
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._play, name="player", daemon=True)

    @property
    def plays(self) -> bool:
        return self.thread.is_alive() and not self.stopping.is_set()

    def direct(self, directs: bool) -> None:
        """Also direct from now on, or leave that to people."""
        self.evening.direct(pace(directs), directs=directs)

    def _play(self) -> None:
        seconds, faults = 0.0, 0
        while not self.stopping.wait(seconds):
            began = time.monotonic()
            try:
                step = self._step()
                faults = 0
            except (Lost, OperationalError):
                step = Step(waits="The site is busy.", seconds=BUSY)
            except Exception:
                log.exception("The player stumbled")
                faults += 1
                step = Step(waits="Something went wrong; it is tried again.", seconds=BUSY, over=faults == MOST_FAULTS)
            finally:
                connection.close()
            self.said, self.waits = step.said or self.said, step.waits
            if step.over:
                return
            # The time that the step itself took is part of it.
            seconds = max(step.seconds - (time.monotonic() - began), 0 if step.said else LOOK_AGAIN)

    def _step(self) -> Step:
        current = evening_in_play(SPADES if self.slug.startswith(SPADES.file) else EVENING)
        if current is None or current.slug != self.slug:
            return Step(waits="Another evening was started.", over=True)
        return self.evening.step()


class VisitorRun(Run):
    """Plays an event from its first deal to its champion, to be thrown away; nobody sits at any of its tables."""

    def __init__(self, event: Event, person: User) -> None:
        super().__init__(event, person, VISITORS, True, left=0)
        # Nobody continues it after a crash.
        self.evening.tablets.file = Path(os.devnull)

    def _step(self) -> Step:
        with suppress(Event.DoesNotExist):
            return self.evening.step()
        return Step(over=True)


_lock = threading.Lock()
_run: Run | None = None
_beside: Run | None = None
_visitors: dict[str, VisitorRun] = {}


def play_list(rows: Sequence[RosterRow]) -> Event:
    """Play an event of a visitor's teams, and throw it away later. Raises Conflict while enough of them are in play."""
    dana = director()
    fields = visitors_fields(len(rows))
    return _play_away(dana, lambda: set_up_event(Actor(dana), fields, rows, draw=True))


def rehearse(person: User, event: Event) -> Event:
    """Play a copy of an event in setup, which only its director sees; while it plays, the same copy is returned.

    Raises Conflict if the event cannot start, and while enough is played.
    """
    address = f"{Event.REHEARSAL}{event.slug}"
    if not may_rehearse(event):
        raise Conflict("Only an event that has its teams, and has not started, can be rehearsed.")

    def copy() -> Event:
        discard_events(Event.objects.filter(slug=address))
        with in_line(), transaction.atomic():
            made = import_event(Actor(person), export_event(event))
            made.slug = address
            made.save(update_fields=["slug"])
        return made

    if (run := _visitors.get(address)) and run.plays:
        return Event.objects.get(slug=address)
    return _play_away(person, copy)


def _play_away(person: User, make: Callable[[], Event]) -> Event:
    with _lock:
        throw_away()
        if sum(run.plays for run in _visitors.values()) >= MOST_VISITORS:
            raise Conflict("Enough is being played for others. Try again in a minute: what you typed stays here.")
        event = make()
        _visitors[event.slug] = VisitorRun(event, person)
        _visitors[event.slug].thread.start()
    timer = threading.Timer(KEPT_SECONDS, _throw_away_later)
    timer.daemon = True
    timer.start()
    return event


def visitors_fields(teams: int) -> dict[str, Any]:
    """Two games for everybody, then the best four, or two of a few, for the cup."""
    zone = "America/New_York"
    fields = {"name": VISITORS_NAME, "date": _today(zone), "time_zone": zone, "sheet": VISITORS_SHEET}
    return fields | {"rounds_planned": 2, "movement": "moving", "cut": 4 if teams > 5 else 2, "best_of": 1}


def throw_away() -> None:
    """Delete rehearsals and visitors' events that are old or too many; one in play only if it is old."""
    events = Event.objects.filter(Q(slug__startswith=VISITORS_SLUG) | Q(slug__startswith=Event.REHEARSAL))
    oldest = timezone.now() - timedelta(seconds=KEPT_SECONDS)
    for index, event in enumerate(events.order_by("-pk")):
        run = _visitors.get(event.slug)
        if event.created_at < oldest or (index >= MOST_VISITORS - 1 and not (run and run.plays)):
            discard_events([event])
            _visitors.pop(event.slug, None)


def _throw_away_later() -> None:
    try:
        with _lock:
            throw_away()
    finally:
        connection.close()


def start_playing(*, directs: bool) -> None:
    """Let the other tables play, if nobody does yet.

    Raises Conflict if there is nothing to play, or it already plays.
    """
    global _run, _beside
    with _lock:
        event = evening_in_play()
        if event is None or is_over(event):
            raise Conflict("This evening is over, or was on another day. Start it over first.")
        if _run is not None and _run.plays:
            raise Conflict("The other tables are playing already.")
        if _run is not None:
            # A player that was told to stop finishes what it began.
            _run.thread.join(BUSY)
        if _beside is not None:
            _beside.thread.join(BUSY)
        _run = Run(event, director(), pace(directs), directs)
        _run.thread.start()
        beside = evening_in_play(SPADES)
        if beside is not None and not is_over(beside):
            _beside = Run(beside, director(), pace(True), True, left=0)
            _beside.thread.start()


def set_directing(directs: bool) -> None:
    """Also direct, or stop directing. Raises Conflict if nobody plays."""
    if _run is None or not _run.plays:
        raise Conflict("Nobody is playing. Let the other tables play first.")
    _run.direct(directs)


def stop_playing() -> None:
    """Stop after the hand that is being written; a second press changes nothing."""
    for run in (_run, _beside):
        if run is not None:
            run.stopping.set()
            run.waits = ""


def play_state() -> PlayState:
    event = evening_in_play()
    if event is None or _run is None or _run.slug != event.slug:
        return PlayState(event, rate=pace(False).words)
    plays = _run.plays
    directs = plays and _run.evening.directs
    return PlayState(event, plays, directs, pace(directs).words, _run.said, _run.waits)
