"""An evening as the player plays it, one step at a time.

What comes next follows from what stands on the site, so that a player that was killed goes on where it was, and two of
them say the same.
"""

from __future__ import annotations

import time
from collections import Counter
from random import Random
from typing import NamedTuple

from django.utils import timezone

from tournament.access import Actor
from tournament.demo.player.director import Director, Pace, open_calls
from tournament.demo.player.line import Connection
from tournament.demo.player.table import HAND, Incidents, Table, incidents, next_messages, table_of
from tournament.demo.player.tablet import Tablet
from tournament.demo.player.tablets import Tablets
from tournament.models import Event, Game, Round
from tournament.queries.next_act import next_act
from tournament.queries.playoffs import playoffs
from tournament.queries.sheet import sheet_games

APPLIED = "applied"
# Somebody sits down or signs while a hand is played elsewhere.
BETWEEN_HANDS = 2


class Step(NamedTuple):
    """What was done, if anything, and how many seconds until the next step. `waits` says what for, to people."""

    said: str = ""
    waits: str = ""
    seconds: float = 0
    over: bool = False


class Evening:
    """`left` is the table that is left to whoever comes; `person` directs where `directs` says so."""

    def __init__(
        self, event: Event, line: Connection, pace: Pace, person: tuple[str, str], actor: Actor, left: int
    ) -> None:
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
        """A hand at one of the player's tables, and meanwhile what takes less time at others."""
        writing = self.tablets.writing()
        said, between = [], 0
        hand = ""
        ours = [table for table in tables if self._is_ours(table, writing)]
        for table in self.chance.sample(ours, len(ours)):
            messages = next_messages(table, self.tries[table.sheet.pk])
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
        """What was not taken, because somebody was quicker, is said otherwise the next time."""
        tablet.queue.clear()
        tablet.write(items)
        tablet.send()
        if any(tablet.answered.get(str(item["uid"])) != APPLIED for item in items):
            self.tries[table.sheet.pk] += 1

    def _is_ours(self, table: Table, writing: dict[int, Tablet | None]) -> bool:
        """Whether the player's tablet writes there, or none at all; the table that is left to people is not, as yet."""
        if table.number in writing:
            return writing[table.number] is not None
        return table.number != self.left

    def _wait(self, event: Event, tables: list[Table], ours: list[Table]) -> Step:
        """Nothing to play: say who is waited for. A table that holds the round alone is played after a while."""
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
        """Only tables of other people play: whatever happens there begins their minute again."""
        number, now = others[0].number, time.monotonic()
        state = [(table.sheet.pk, table.sheet.version, len(table.sheet.signatures)) for table in others]
        if self.alone[0] != state:
            self.alone = (state, now)
        if now - self.alone[1] < self.pace.alone:
            return Step(waits=f"Table {number} is the last one in play.", seconds=pause)
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
        late = self._is_time_for_late(game.round)
        return table_of(game, self.slug, self._incidents(game.round, tables), is_time_for_late=late)

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
        return "The round is over: close it at the desk."
    return f"{next_act(event).words} at the desk."
