"""Desk, list of teams, the draw of the next round and a correction at 500 teams; a bare view in the same run.

Run from the project folder: python -m tests.benchmarks desk [--teams N] [--queries]. Goals: the desk after a hand at
most 6 times a bare view of 500 rows, the list of teams after a change 4.5 times, the draw (POST) 11 times; a correction
with its new standings at most 40 statements. A page of the list has 200 rows: the ratio to a bare view of so many is
printed, too. Processor time is compared: it says the same on a busy machine.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from tests.benchmarks.hall import machine, measured, teams_asked
from tests.evenings import evening_text, in_play, write_evening
from tournament.access import Actor
from tournament.demo.hands import choose_hand
from tournament.models import Game
from tournament.queries.scored import scored_game
from tournament.services.draws import take_back_draw
from tournament.services.entries import record_entry
from tournament.site import sessions

TEAMS, ROUNDS, RUNS = teams_asked(), 6, 5


def main() -> int:
    desk = Desk()
    text = evening_text(TEAMS, ROUNDS + 1)
    running = write_evening(in_play(text))
    over = write_evening(text | {"event": "Over", "movement": "swiss", "rounds": text["rounds"][:ROUNDS]})
    poll = {"HX-Request": "true"}
    tables, chance = iter(Game.objects.filter(round__event=running, state="playing")), random.Random(1)
    acts: dict[str, tuple[Callable[[], object], float]] = {
        "desk after a hand": (lambda: desk.get(f"/desk/{running.slug}/", **poll), 6),
        "list of teams after a change": (lambda: desk.get(f"/e/{over.slug}/teams/"), 4.5),
        "draw of the next round (POST)": (lambda: desk.post(f"/desk/{over.slug}/draw/", {"seats": "lot"}), 11),
        "bare view of 500 rows": (lambda: desk.get("/rows/500/"), 1),
        "bare view of 200 rows": (lambda: desk.get("/rows/200/"), 1),
    }
    taken: dict[str, list[float]] = {name: [] for name in acts}
    asked: dict[str, list[str]] = {}
    for _ in range(RUNS + 1):
        _play(desk, next(tables), chance)
        for name, (act, _goal) in acts.items():
            seconds, asked[name] = measured(act)
            taken[name].append(seconds)
        # That changes what everybody may see, too.
        take_back_draw(Actor(desk.director), over)
    medians = {name: statistics.median(times[1:]) for name, times in taken.items()}
    bare, page = medians["bare view of 500 rows"], medians["bare view of 200 rows"]
    print(f"{machine()}; median of {RUNS}; {TEAMS} teams, {ROUNDS} games, at the desk one more in play")
    for name, (_, goal) in acts.items():
        ratios = f"{medians[name] / bare:.1f} times 500 rows (goal {goal:g}), {medians[name] / page:.1f} times 200 rows"
        print(f"{name}: {medians[name] * 1000:.1f} ms, {ratios}, {len(asked[name])} statements")
        if "--queries" in sys.argv:
            print("\n".join(f"    {sql[:220]}" for sql in asked[name]))
    _corrections(desk, over)
    return 0


def _corrections(desk: Desk, event: Any) -> None:
    """The last hand of games of a closed round: the correction is announced, then done, then a visitor looks."""
    visitor = Client()
    taken: list[list[float]] = []
    asked: list[list[str]] = []
    for game in Game.objects.filter(round__event=event, round__number=1).prefetch_related("entries"):
        last = max(game.entries.all(), key=lambda entry: entry.position)
        path = f"/desk/{event.slug}/games/{game.pk}/entries/{last.position}/revisions/"
        said = {name: str(value) for name, value in last.facts.items()} | {"revision": "0", "reason": "as on paper"}
        said["books"] = str(last.facts["books"] + 1)
        first = measured(partial(desk.post, path, said, None))
        key = re.search(r'name="confirmed" value="([\w-]+)"', desk.answer)
        if key is None:
            # The rules refuse it: no side takes 14 books, and no closed round may be left without a result.
            continue
        then = measured(partial(desk.post, path, said | {"confirmed": key[1]}))
        page = measured(partial(visitor.get, f"/e/{event.slug}/"))
        taken.append([seconds for seconds, _ in (first, then, page)])
        asked = [sql for _, sql in (first, then, page)]
        if len(taken) == RUNS:
            break
    names = "announced", "done", "new standings"
    medians = [statistics.median(times) for times in zip(*taken, strict=True)]
    figures = zip(names, medians, asked, strict=True)
    told = ", ".join(f"{name} {seconds * 1000:.1f} ms and {len(sql)} statements" for name, seconds, sql in figures)
    print(f"correction: {told}; done with new standings {len(asked[1]) + len(asked[2])} statements (goal 40)")
    if "--queries" in sys.argv:
        print("\n\n".join("\n".join(f"    {sql[:220]}" for sql in each) for each in asked))


class Desk:
    """A director at the desk, who typed the password just now."""

    def __init__(self) -> None:
        self.client, self.answer = Client(), ""
        self.director = User.objects.create_superuser("dana", password="a long enough password")
        self.client.force_login(self.director)
        session = self.client.session
        sessions.begin(session)
        session.save()

    def get(self, path: str, **headers: str) -> None:
        answer = self.client.get(path, headers=headers)
        assert answer.status_code == 200, (path, answer.status_code)

    def post(self, path: str, said: dict[str, str], expected: int | None = 302) -> None:
        answer = self.client.post(path, said)
        assert expected in (answer.status_code, None), (path, answer.status_code)
        self.answer = answer.content.decode()


def _play(desk: Desk, game: Game, chance: random.Random) -> None:
    scored = scored_game(game)
    record_entry(Actor(desk.director), game, choose_hand(scored.rules, scored.carry, chance), source="desk")
