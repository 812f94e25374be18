"""Random evenings with everything a desk does to a sheet: what is announced happens, and entries alone decide.

UPTOWN_EVENINGS=5000 plays so many.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import F

from tests.factories import announced_by, play
from tests.nightly.faults import rows
from tests.tournament.desk.test_impact import random_evening, random_hand, results_of
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Side, Signature
from tournament.queries.deskgame import impact, picture
from tournament.queries.records import pot
from tournament.queries.scored import active_entries
from tournament.queries.sheet import game_sheet, sheet_games, sheet_now
from tournament.queries.standings import standings
from tournament.refusals import Refusal
from tournament.services.corrections import bring_back, correct_sheet
from tournament.services.entries import record_entry
from tournament.services.signatures import rebuild_results, verify_sheet
from tournament.services.substitutions import announce_swap, swap_teams

EVENINGS = int(os.environ.get("UPTOWN_EVENINGS", "8"))
Act = Callable[[random.Random, Event, User], int]


def some_game(chance: random.Random, event: Event) -> Game:
    return chance.choice(list(Game.objects.filter(round__event=event).select_related("round__event")))


def some_line(chance: random.Random, game: Game) -> dict[str, Any]:
    entry = chance.choice(active_entries(Entry.objects.filter(game=game)))
    return {"position": entry.position, "revision": entry.revision, "reason": "as on the film"}


def correct(chance: random.Random, event: Event, dana: User) -> int:
    game = some_game(chance, event)
    if not active_entries(Entry.objects.filter(game=game)):
        return 0
    ruling = {"entry": "ruling", "rule": "41", "choice": "game", "side": chance.randint(0, 1)}
    facts = chance.choice([random_hand(chance), random_hand(chance), ruling, None])
    line = some_line(chance, game) | {"facts": facts}
    before, stored = picture(event, game.pk), rows()
    announced = announced_by(Actor(dana), game, **line)
    assert rows() == stored
    correct_sheet(Actor(dana), game, **line)
    assert impact(before, picture(event, game.pk)).changes == announced.changes
    return 1


def swap(chance: random.Random, event: Event, dana: User) -> int:
    game = some_game(chance, event)
    one, other = numbers = chance.sample([1, 2, 3, 4], 2)
    said = (event, game.round.number, one, other, "wrong tables")
    sides = Side.objects.filter(round=game.round, team__number__in=numbers).order_by("game__table")
    games = list(dict.fromkeys(sides.values_list("game_id", flat=True)))
    before, stored = picture(event, *games), rows()
    announced = announce_swap(Actor(dana), *said)
    assert rows() == stored
    swap_teams(Actor(dana), *said)
    assert impact(before, picture(event, *games)).changes == announced.changes
    return 1


def write(chance: random.Random, event: Event, dana: User) -> int:
    game = some_game(chance, event)
    record_entry(Actor(dana), game, random_hand(chance), source=chance.choice(["paper", "table"]))
    play(dana, game)
    return 1


def back(chance: random.Random, event: Event, dana: User) -> int:
    return bring_back(Actor(dana), some_game(chance, event), "they were played")


def verify(chance: random.Random, event: Event, dana: User) -> int:
    game = some_game(chance, event)
    code = sheet_now(game).code
    verify_sheet(Actor(dana), game, code=code, accepted=chance.random() < 0.5, reason="not as on paper")
    return 1


ACTS: tuple[Act, ...] = (correct, correct, correct, swap, write, back, verify)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(EVENINGS))
def test_random_evening_keeps_its_books(seed: int, dana: User) -> None:
    chance = random.Random(1000 + seed)
    event = random_evening(chance, dana)
    Event.objects.filter(pk=event.pk).update(verify_own=True)
    entries = Entry.objects.count()
    done = 0
    for _ in range(14):
        before = rows()
        try:
            done += chance.choice(ACTS)(chance, event, dana)
        except Refusal:
            assert rows() == before
        else:
            check_pot(event)
    check_signatures(event)
    stored, ranked = results_of(event), standings(event).lines
    rebuild_results(event)
    # The version says that nothing has changed: what is kept under it must be what a new count says.
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)
    recounted = standings(Event.objects.get(pk=event.pk)).lines
    assert (results_of(event), recounted) == (stored, ranked)
    assert (done > 0, Entry.objects.count() >= entries) == (True, True)


def check_signatures(event: Event) -> None:
    """A game is final when, and only when, every side has signed the sheet as it stands; a closed round stays final."""
    for game in sheet_games().filter(round__event=event):
        code = game_sheet(game).code
        signed = Signature.objects.filter(game=game, code=code).count()
        assert (game.state == "final") == (signed == 2 and game.result.over), game
        assert game.result.code == code
        assert game.round.state != "closed" or game.state == "final"


def check_pot(event: Event) -> None:
    """What the pot would pay is the pot, to the cent, at any moment; nobody is paid while nobody can have it."""
    shown = pot(Event.objects.get(pk=event.pk))
    shares = sum(team.cents for team in shown.teams)
    assert (shares, [team.team for team in shown.teams if team.cents < 0]) == (shown.cents if shares else 0, [])
