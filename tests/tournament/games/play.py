"""Whole games of every sheet, played at random: the next entry comes from the game's own random generator."""

from __future__ import annotations

import contextlib
from random import Random
from typing import Any

from django.contrib.auth.models import User

from tests.scoring.drawn import Turn, games_of
from tests.sure import fresh
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.roster import RosterRow
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.scored import NotPossible, ScoredGame, scored_game
from tournament.services.entries import record_entry
from tournament.services.events import create_event
from tournament.services.signatures import sign_for_all
from tournament.services.teams import enter_roster

NAMES = (
    "Ada",
    "Bo",
    "Cleo",
    "Dov",
    "Eva",
    "Finn",
    "Gus",
    "Hal",
    "Ida",
    "Jo",
    "Kai",
    "Lou",
    *(f"Mo {count}" for count in range(1, 21)),
)
# A game to a number of points that nobody reaches is stopped by the clock.
LONGEST = 30


def set_up(actor: Actor, sheet: str, sides: int, *, options: dict[str, Any] | None = None, rounds: int = 2) -> Event:
    """An event of a sheet as the secretary sets it up: teams of two, or single players if nobody has a partner."""
    fields = {"name": f"Evening of {sheet.replace('/', ' ')}", "date": "2026-11-21", "sheet": sheet}
    event = create_event(actor, {**fields, "rounds_planned": rounds, "movement": "moving"})
    event.refresh_from_db()
    event.options = {**event.options, **(options or {})}
    event.save(update_fields=["options"])
    rules = ruleset_of(event)
    places = rules.seating.seats // rules.seating.sides
    rows = [
        RosterRow(row=row, number=row, name=name, players=_players(name, places))
        for row, name in enumerate(NAMES[:sides], start=1)
    ]
    enter_roster(actor, event, rows)
    return event


def play_out(user: User, game: Game, chance: Random, *, sign: bool = True) -> Game:
    """Play a game to its end through the desk's service, hand by hand."""
    actor, scored = Actor(user), scored_game(game)
    for count in range(200):
        if scored.verdict is not None:
            break
        facts = random_entry(scored, chance, stop=count >= LONGEST)
        record_entry(actor, game, facts, source="desk")
        scored = scored.with_entry(facts)
    assert fresh(game).state == "to-sign"
    if sign:
        sign_for_all(actor, game, "test")
        game.refresh_from_db()
    return game


def random_entry(scored: ScoredGame, chance: Random, *, stop: bool = False) -> dict[str, Any]:
    if stop and not scored.carry.deciding:
        return {"entry": "time"}
    while True:
        facts = _hand(scored.rules, scored.carry, chance)
        with contextlib.suppress(NotPossible):
            scored.with_entry(facts)
            return facts


def _hand(rules: Ruleset, carry: Any, chance: Random) -> dict[str, Any]:
    key, due = rules.sheet.key, rules.game.next_hand(rules.rules, carry)
    options = {option.key: option.value for option in rules.chosen}
    return games_of(key).hand_of(chance, Turn(key, options, rules.seating.sides, carry, due))


def _players(name: str, places: int) -> tuple[str, ...]:
    return () if places == 1 else tuple(f"{name} {seat}" for seat in "NESW"[:places])
