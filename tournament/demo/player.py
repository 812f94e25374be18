"""One player for the whole project: it sends what tablets and the desk send.

The demo lets it play the other tables, a club rehearses with it; the journeys of the tests and the benchmarks play the
same hands. It knows the rules of the game as players do. What comes next depends only on the state of the site, so that
a player that was killed continues where it was, and two of them send the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.messages.storage.cookie import CookieStorage
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import resolve, reverse
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from tournament.access import Actor
from tournament.demo.hands import Facts, after, choose_hand
from tournament.demo.tablet import JSON, Answer, Line, Lost, Messages, Tablet, read_message
from tournament.errors import DomainError
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Call, Device, Event, Game, Round
from tournament.queries.devices import device_of, fingerprint
from tournament.queries.playoffs import PlayoffsFacts, playoffs
from tournament.queries.rules import ruleset_of
from tournament.queries.rulings import likely_rulings
from tournament.queries.scored import active_entries
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.todo_next import next_act
from tournament.services.devices import bind_further
from tournament.site import sessions

Fields = Mapping[str, Any]
RENEGE, SCORE = "renege", "score"
# Acts that take no time compared with the hands of a hall: several of them happen between two hands.
HAND = "hand"
FILE = "player-tablets.json"
OK, DONE = 200, 302
WITNESS = "The players at the cut"
# A ruling with more questions than expected gets more answers than it needs.
CONTRACT = {"bid": "2", "books": "7", "reason": "Both sides saw it"}
APPLIED = "applied"
# Somebody sits down or signs while a hand is played elsewhere.
BETWEEN_HANDS = 2


class Incidents(NamedTuple):
    """Each a table, or 0 for none."""

    late: int = 0
    call: int = 0
    renege: int = 0
    boston: int = 0


def incidents(seed: str, tables: Collection[int]) -> Incidents:
    """One of each at different tables, where there are enough of them."""
    drawn = Random(seed).sample(sorted(tables), min(len(tables), len(Incidents._fields)))
    return Incidents(*drawn) if len(drawn) == len(Incidents._fields) else Incidents()


class Table(NamedTuple):
    """A table in play, with what the round has in store for it. `game` comes from `sheet_games()`."""

    game: Game
    sheet: GameSheet
    seed: str
    incidents: Incidents
    is_time_for_late: bool

    @property
    def number(self) -> int:
        return self.sheet.game.table

    @property
    def waits_for_director(self) -> bool:
        """Whether the table must wait for the director."""
        return self.sheet.call is not None and self.sheet.call.kind == RENEGE and not self.sheet.over


def next_messages(table: Table, tries: int = 0) -> Messages:
    """The next message of the table's tablet; none if it waits. `tries` counts earlier refusals."""
    sheet = table.sheet
    said = Messages(sheet.game.pk, f"{table.seed}/{sheet.game.version}/{tries}")
    chance = Random(f"{table.seed}/{len(sheet.rows)}")
    if table.waits_for_director:
        return said
    if sheet.over:
        _sign(table, said, chance)
    elif sheet.unbegun and not sheet.begun:
        _sit_down(table, said, chance)
    elif about := _call_due(table):
        said.add("call", about=about)
    else:
        _write_hand(table, said, chance)
    return said


def _sit_down(table: Table, said: Messages, chance: Random) -> None:
    """Seat everybody but the late team; once all sit, the first dealer is named."""
    missing = [side.index for side in table.sheet.sides if side.seated_at is None]
    last = len(table.sheet.sides) - 1
    late = [last] if table.incidents.late == table.number and not table.is_time_for_late else []
    for side in missing:
        if side not in late:
            said.add("seat", side=side)
    if not set(missing) & set(late):
        said.add("dealer", seat=chance.randrange(len(table.sheet.seats)))


def _call_due(table: Table) -> str:
    """After the first hand, once a game: a renege holds the table until the director has come, a question does not."""
    if len(table.sheet.rows) != 1 or table.game.calls.all():
        return ""
    return {table.incidents.renege: RENEGE, table.incidents.call: SCORE}.get(table.number, "")


def _write_hand(table: Table, said: Messages, chance: Random) -> None:
    rules, carry = table.sheet.rules, table.sheet.scored.carry
    first = not table.sheet.rows
    facts = choose_hand(rules, carry, chance, boston=table.incidents.boston == table.number and not first)
    while first and table.number in table.incidents and after(rules, carry, facts).verdict is not None:
        # Something is meant to happen at this table after its first hand.
        facts = choose_hand(rules, carry, chance)
    said.add(HAND, position=table.sheet.next_position, facts=facts)


def _sign(table: Table, said: Messages, chance: Random) -> None:
    """One side after the other, as people do."""
    side = table.sheet.unsigned[0]
    lines = [str(entry.client_key) for entry in active_entries(table.game.entries.all())]
    said.add("sign", side=side.index, name=chance.choice(side.players or (side.name,)), lines=lines)


class Inside:
    """The site's own pages as a connection within this process: without a certificate or a typed password."""

    def __init__(self, person: User) -> None:
        self.person = person

    def post(self, path: str, token: str, body: Fields) -> Facts:
        """A tablet's message and its answer."""
        message: Facts = {"content_type": JSON, "headers": {"Authorization": f"Table {token}"}}
        answer = self._ask(f"/t/api/{path}/", body, **message)
        if answer.status_code != OK:
            raise Lost(f"status {answer.status_code}")
        return read_message(answer.content)

    def send(self, path: str, fields: Fields, cookies: Mapping[str, str]) -> Answer:
        """A form and its answer."""
        if path == reverse("sign-in"):
            return Answer(DONE, "/", {"inside": "yes"}, "")
        try:
            answer = self._ask(path, dict(fields), token=cookies.get(TABLE_COOKIE, ""))
        except DomainError as refused:
            return Answer(refused.status, "", {}, str(refused))
        return Answer(answer.status_code, answer.headers.get("Location", ""), {}, answer.content.decode())

    def _ask(self, path: str, data: Fields, token: str = "", **more: Any) -> HttpResponse:
        request: Any = RequestFactory().post(path, data, **more)
        request.user, request.session = self.person, {}
        sessions.note_password(request.session)
        request.actor = Actor(self.person, device_of(token) if token else None)
        request.htmx = HtmxDetails(request)
        request._messages = CookieStorage(request)
        view = request.resolver_match = resolve(path)
        answer: HttpResponse = view.func(request, *view.args, **view.kwargs)
        return answer


class Tablets:
    """The player's tables: those at which its tablet writes. At all others somebody else sits."""

    def __init__(self, line: Line, event: Event) -> None:
        self.line, self.event = line, event
        self.file: Path = settings.DATA / FILE
        self.known = {table: Tablet(token, line) for table, token in self._read().get(event.slug, {}).items()}

    def writing(self) -> dict[int, Tablet | None]:
        """The tablet that writes, by table; None if it is somebody else's."""
        bound = Device.objects.filter(event=self.event, revoked_at=None, writes=True).exclude(token_hash="")
        ours = {fingerprint(tablet.token): tablet for tablet in self.known.values()}
        return {table: ours.get(key) for table, key in bound.values_list("table", "token_hash")}

    def sit_down(self, actor: Actor, table: int) -> Tablet:
        """Bring a tablet to a table; if another one writes there, take over from it."""
        tablet = self.known.get(str(table))
        if tablet is None or not self._is_bound(tablet):
            tablet = self.known[str(table)] = Tablet(bind_further(actor, self.event, table), self.line)
            self._keep()
        if self.writing().get(table) is not tablet:
            self.line.send(reverse("tablet-writer"), {}, {TABLE_COOKIE: tablet.token})
        return tablet

    def _is_bound(self, tablet: Tablet) -> bool:
        return Device.objects.filter(token_hash=fingerprint(tablet.token), revoked_at=None).exists()

    def _read(self) -> dict[str, dict[str, str]]:
        with contextlib.suppress(OSError, ValueError):
            found: dict[str, dict[str, str]] = json.loads(self.file.read_text(encoding="utf-8"))
            return found
        return {}

    def _keep(self) -> None:
        kept = self._read() | {self.event.slug: {table: tablet.token for table, tablet in self.known.items()}}
        with open(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(kept, file)


class Pace(NamedTuple):
    """How long the player waits, all in seconds.

    Between two hands; how long one table may hold up the round before it is played, too; how late the late team comes;
    how long a call is open before somebody answers it.
    """

    hand: float
    alone: float = 60
    late: float = 90
    call: float = 9

    @property
    def words(self) -> str:
        return f"1 hand every {self.hand:g} s"


LOOKING_ON, DIRECTING = Pace(4), Pace(3)


def pace(directs: bool) -> Pace:
    """How fast it plays."""
    return DIRECTING if directs else LOOKING_ON


def open_calls(event: Event) -> QuerySet[Call]:
    """The calls that nobody has answered, by table; a finished game may have one, too."""
    calls = Call.objects.filter(game__round__event=event, game__round__state="running", answered_at=None)
    return calls.select_related("game").order_by("game__table")


class Director:
    """Somebody who directs the event, with name and password, on the same pages and forms as every director."""

    def __init__(self, line: Line, event: Event, person: tuple[str, str], pace: Pace) -> None:
        self.line, self.slug, self.person, self.pace = line, event.slug, person, pace
        self.chance = Random(event.slug)
        self.cookies: dict[str, str] = {}

    def act(self, event: Event) -> str:
        """Do the most urgent thing; returns what it was, or nothing if nothing is to be done."""
        for call in open_calls(event):
            if said := self._answer(event, call):
                return said
        act = next_act(event)
        if act.waits:
            return ""
        if act.posts:
            return act.words if self._press(act.address, {}) else ""
        facts = playoffs(event)
        choose = CHOICES.get(facts.step)
        return act.words if choose and self._send(*choose(self, event, facts)) else ""

    def _answer(self, event: Event, call: Call) -> str:
        """Go to a table that called some time ago."""
        if (timezone.now() - call.called_at).total_seconds() < self.pace.call:
            return ""
        if call.kind == RENEGE and self._rule(event, game_sheet(sheet_games().get(pk=call.game_id))):
            return f"Table {call.game.table}: the director ruled on a renege"
        self._send("call-answer", {}, call.pk)
        return f"Table {call.game.table}: the director answered the call"

    def _rule(self, event: Event, sheet: GameSheet) -> bool:
        """Rule on the renege: the first choice of the sheet that fits what happened."""
        side = self.chance.randrange(len(sheet.sides))
        said = {"side": side, "bidder": 1 - min(side, 1), "position": sheet.next_position, **CONTRACT}
        for rule in likely_rulings(ruleset_of(event), RENEGE)[0] if not sheet.over else ():
            for choice in rule.choices:
                chosen = {"rule": rule.rule, "choice": choice.key, "client_key": uuid.uuid4()}
                if self._send("game-ruling", said | chosen, sheet.game.pk):
                    return True
        return False

    def _cut(self, event: Event, facts: PlayoffsFacts) -> tuple[str, Fields]:
        teams = sum(not line.gone for line in facts.table.lines)
        size = min(event.cut or 4, teams) if facts.has_matches and not event.no_playoffs else 1
        others = teams - size
        said = {"size": size, "best_of": event.best_of, "losers": event.playoff_form.answer}
        if event.second and others > 1:
            said |= {"second": min(event.second, others), "second_losers": event.second_losers}
        return "cut", said

    def _break_tie(self, event: Event, facts: PlayoffsFacts) -> tuple[str, Fields]:
        """Two play one game; more than two draw lots."""
        if len(facts.level) == 2 and facts.has_matches:
            return "tiebreak", {"method": "game"}
        return "tiebreak", {"method": "lots", "witness": WITNESS, "seed": self.chance.randrange(1_000_000)}

    def _finish(self, event: Event, facts: PlayoffsFacts) -> tuple[str, Fields]:
        """Acts that cannot be undone ask for the password again."""
        self.cookies = {}
        return "ending", {}

    def _keep(self, event: Event, facts: PlayoffsFacts) -> tuple[str, Fields]:
        """A correction changed who should have met: what was played is kept."""
        return "placing", {"source": facts.asked[0].source, "kind": "keep"}

    def _send(self, name: str, fields: Fields, *where: int) -> bool:
        return self._press(self._at(name, *where), fields)

    def _at(self, name: str, *where: int) -> str:
        return reverse(name, args=[self.slug, *where])

    def _press(self, path: str, fields: Fields) -> bool:
        """Sign in first if nobody is signed in (anymore)."""
        if self.cookies and self._is_taken(path, fields):
            return True
        return self._sign_in() and self._is_taken(path, fields)

    def _is_taken(self, path: str, fields: Fields) -> bool:
        answer = self.line.send(path, fields, self.cookies)
        self.cookies |= answer.cookies
        return answer.status == DONE and not answer.place.startswith(reverse("sign-in"))

    def _sign_in(self) -> bool:
        name, password = self.person
        answer = self.line.send(reverse("sign-in"), {"username": name, "password": password}, {})
        self.cookies = answer.cookies
        return answer.status == DONE


# What a director chooses on a page of its own; everything else is the desk's one green button.
CHOICES: dict[str, Callable[[Director, Event, PlayoffsFacts], tuple[str, Fields]]] = {
    "cut": Director._cut,
    "tie": Director._break_tie,
    "decide": Director._keep,
    "finish": Director._finish,
}


class Step(NamedTuple):
    """What was done, if anything, and how many seconds until the next step. `waits` is the reason in words."""

    said: str = ""
    waits: str = ""
    seconds: float = 0
    over: bool = False


class Evening:
    """`left` is the table reserved for a visitor; `person` directs if `directs` says so."""

    def __init__(self, event: Event, line: Line, pace: Pace, person: tuple[str, str], actor: Actor, left: int) -> None:
        self.slug, self.pace, self.actor, self.left = event.slug, pace, actor, left
        self.directs = False
        self.director = Director(line, event, person, pace)
        self.tablets = Tablets(line, event)
        self.chance = Random(event.slug)
        self.tries: Counter[int] = Counter()
        self.alone: tuple[object, float] = (None, 0)

    def direct(self, pace: Pace, *, directs: bool) -> None:
        """Also direct, or leave that to others from now on."""
        self.directs, self.pace, self.director.pace = directs, pace, pace

    def step(self) -> Step:
        event = Event.objects.get(slug=self.slug)
        if event.stage == "over":
            return Step(waits=f"The evening is over: {playoffs(event).champion} won.", over=True)
        if self.directs and (said := self.director.act(event)):
            return Step(said, seconds=self.pace.hand / 3)
        return self._play(event, self._tables(event))

    def _play(self, event: Event, tables: list[Table]) -> Step:
        """Play a hand at one of the player's tables, and quicker acts at others in between."""
        writing = self.tablets.writing()
        said, between = [], 0
        hand = ""
        ours = [table for table in tables if self._is_ours(table, writing)]
        for table in self.chance.sample(ours, len(ours)):
            messages = next_messages(table, self.tries[table.sheet.game.pk])
            is_hand = any(item["kind"] == HAND for item in messages.items)
            if not messages.items or (hand if is_hand else between == BETWEEN_HANDS):
                continue
            tablet = writing.get(table.number) or self.tablets.sit_down(self.actor, table.number)
            self._send(tablet, table, messages.items)
            if is_hand:
                hand = f"Table {table.number}: a hand"
            else:
                between += 1
                said.append(f"Table {table.number}: {_words(messages.items[0]['kind'])}")
        if hand or said:
            return Step(hand or said[0], seconds=self.pace.hand if hand else self.pace.hand / 4)
        return self._wait(event, tables, ours)

    def _send(self, tablet: Tablet, table: Table, items: list[dict[str, object]]) -> None:
        """Send these items. If one is refused because somebody was quicker, the next try differs."""
        tablet.queue.clear()
        tablet.write(items)
        tablet.send()
        if any(tablet.answered.get(str(item["uid"])) != APPLIED for item in items):
            self.tries[table.sheet.game.pk] += 1

    def _is_ours(self, table: Table, writing: dict[int, Tablet | None]) -> bool:
        """Whether the player's tablet writes there, or none at all; the reserved table does not count yet."""
        if table.number in writing:
            return writing[table.number] is not None
        return table.number != self.left

    def _wait(self, event: Event, tables: list[Table], ours: list[Table]) -> Step:
        """There is nothing to play: name who is being waited for.

        A table that holds up the round is played after a while.
        """
        pause = self.pace.hand / 2
        held = sorted(table.number for table in tables if table.waits_for_director)
        others = [table for table in tables if table not in ours]
        who = "the director" if self.directs else "you: look at the desk"
        if held:
            return Step(waits=f"Table {held[0]} waits for {who}.", seconds=pause)
        if others and len(others) == len(tables):
            return self._wait_alone(others, pause)
        if tables:
            return Step(waits="A late team is on its way.", seconds=pause)
        if call := open_calls(event).first():
            return Step(waits=f"Table {call.game.table} has called {who}.", seconds=pause)
        return Step(waits=_next_act(event), seconds=pause)

    def _wait_alone(self, others: list[Table], pause: float) -> Step:
        """Only tables of other people play: whatever happens there restarts their minute."""
        number, now = others[0].number, time.monotonic()
        state = [(table.sheet.game.pk, table.sheet.game.version, len(table.sheet.signatures)) for table in others]
        if self.alone[0] != state:
            self.alone = (state, now)
        if now - self.alone[1] < self.pace.alone:
            left = max(10, round((self.pace.alone - (now - self.alone[1])) / 10) * 10)
            waits = f"Table {number} is the last one in play. Record its hand, or it plays on in {left} s."
            return Step(waits=waits, seconds=pause)
        for table in others:
            self.tablets.sit_down(self.actor, table.number)
        return Step(f"Table {number} was waiting, so the demo plays it, too", seconds=pause)

    def _tables(self, event: Event) -> list[Table]:
        """Every table in play, with the first of its games that is not signed."""
        running = Game.objects.filter(round__event=event, round__state="running")
        numbers: dict[int, set[int]] = {}
        for round_, table in running.values_list("round", "table"):
            numbers.setdefault(round_, set()).add(table)
        games: dict[int, Game] = {}
        for game in sheet_games().filter(pk__in=running.exclude(state="final")).order_by("round__number", "leg"):
            games.setdefault(game.table, game)
        return [self._table(game, numbers[game.round_id] - {self.left}) for game in games.values()]

    def _table(self, game: Game, tables: set[int]) -> Table:
        seed = f"{self.slug}/{game.round.number}/{game.table}"
        late = self._is_time_for_late(game.round)
        return Table(game, game_sheet(game), seed, self._incidents(game.round, tables), late)

    def _incidents(self, round_: Round, tables: set[int]) -> Incidents:
        return incidents(f"{self.slug}/{round_.number}", tables) if round_.stage == "qualifying" else Incidents()

    def _is_time_for_late(self, round_: Round) -> bool:
        began = round_.started_at
        return began is None or (timezone.now() - began).total_seconds() >= self.pace.late


def _words(kind: str) -> str:
    return {"call": "the director is called", "sign": "signed"}.get(kind, "seated")


def _next_act(event: Event) -> str:
    """What the desk does next, when every table is in."""
    if event.rounds.filter(state="running").exclude(stage="tiebreak").exists():
        return "The game is over: close it at the desk."
    return f"{next_act(event).words} at the desk."
