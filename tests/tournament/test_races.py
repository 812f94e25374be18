"""Two people at the same moment. Threads with connections of their own, on a database in a file or on PostgreSQL.

Every race has a control: with the event's lock taken away (and nothing else) the same race must go wrong, or the test
would prove nothing.
"""

from __future__ import annotations

import itertools
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, make_user, play
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Journal, Round, Signature
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.refusals import Changed, Invalid
from tournament.services.corrections import correct_sheet
from tournament.services.devices import issue_card, pair_device
from tournament.services.entries import record_entry, undo_entry
from tournament.services.rounds import close_round, start_round
from tournament.services.signatures import sign_sheet

THREE = {"entry": "hand", "seat": 0, "bid": "3", "books": 9}
FOUR = {"entry": "hand", "seat": 1, "bid": "4", "books": 10}
# A control has this many tries to go wrong once.
TRIES = 60
numbers = itertools.count(1)


@pytest.fixture
def dana(own_file: None) -> User:
    return make_user("dana")


@pytest.fixture
def own_file(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """SQLite's test database lives in memory, which threads cannot share honestly: a copy in a file, as in a hall."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    memory, name = connection.connection, connection.settings_dict["NAME"]
    with sqlite3.connect(tmp_path / "hall.sqlite3") as file:
        memory.backup(file)
    connection.connection, connection.settings_dict["NAME"] = None, tmp_path / "hall.sqlite3"
    yield
    connection.close()
    connection.connection, connection.settings_dict["NAME"] = memory, name


def together(*acts: Callable[[], Any]) -> list[Any]:
    """Do all of it at the same moment, each on a connection of its own; what came back, or what was raised."""
    start = threading.Barrier(len(acts))
    came: list[Any] = [None] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        try:
            connection.ensure_connection()
            start.wait(timeout=20)
            came[place] = act()
        except Exception as raised:
            came[place] = raised
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return came


def new_event(dana: User, pairs: int = 1, **round_: Any) -> tuple[Event, Round]:
    event = make_event(f"Race {next(numbers)}", dana, rounds_planned=1)
    teams = make_teams(event, 2 * pairs)
    return event, make_round(event, pairs_of(teams), **round_)


def pairs_of(teams: list[Any]) -> list[tuple[Any, ...]]:
    return [tuple(teams[first : first + 2]) for first in range(0, len(teams), 2)]


def new_game(dana: User, *hands: dict[str, Any]) -> Game:
    _, round_ = new_event(dana)
    return play(dana, round_.games.get(), *hands, sign=False)


def tablets(dana: User, game: Game, count: int) -> list[Actor]:
    """The same tablet in several windows."""
    pair_device(Actor(), issue_card(Actor(dana), game.round.event, game.table))
    device = game.round.event.devices.get()
    return [Actor(device=device) for _ in range(count)]


def code_of(game: Game) -> str:
    return game_sheet(sheet_games().get(pk=game.pk)).code


def sentences(came: list[Any]) -> list[str]:
    """What the refused ones were told; anything else that was raised shows as it is."""
    return [one.faults[0].text if isinstance(one, Changed | Invalid) else repr(one) for one in came if failed(one)]


def failed(one: Any) -> bool:
    return isinstance(one, Exception)


def notes(game_or_round: str, key: object, action: str) -> int:
    return Journal.objects.filter(noun=game_or_round, key=str(key), action=action).count()


def two_tablets_write_the_same_hand(dana: User) -> object:
    game = new_game(dana)
    one, other = tablets(dana, game, 2)
    came = together(
        lambda: record_entry(one, game, THREE, position=1), lambda: record_entry(other, game, FOUR, position=1)
    )
    return sentences(came), Entry.objects.filter(game=game).count(), notes("game", game.pk, "record")


ONE_HAND = (["Another hand was written meanwhile. Look at the sheet, then write again if it is still right."], 1, 1)


def one_hand_is_sent_eight_times(dana: User) -> object:
    game, key = new_game(dana), uuid.uuid4()
    acts = [
        lambda actor=actor: record_entry(actor, game, THREE, position=1, client_key=key)
        for actor in tablets(dana, game, 8)
    ]
    came = together(*acts)
    kept = list(Entry.objects.filter(game=game).values_list("client_key", flat=True))
    return sentences(came), kept == [key], [one for one in came if one != came[0]], notes("game", game.pk, "record")


def a_signature_meets_an_undo(dana: User) -> object:
    """The other side has signed. Whoever comes first wins: a final sheet has its hand, an undone one no signature."""
    game = new_game(dana, MADE_FIVE)
    (tablet, other), code = tablets(dana, game, 2), code_of(game)
    sign_sheet(tablet, game, side=0, name="Ann 1", code=code)
    came = together(
        lambda: sign_sheet(tablet, game, side=1, name="Ann 2", code=code), lambda: undo_entry(other, game, position=1)
    )
    game.refresh_from_db()
    signed = Signature.objects.filter(game=game).count()
    return len(sentences(came)), (game.state, signed, code_of(game) == code) in (
        ("final", 2, True),
        ("playing", 1, False),
    )


def both_sides_sign(dana: User) -> object:
    game = new_game(dana, MADE_FIVE)
    (tablet, other), code = tablets(dana, game, 2), code_of(game)
    came = together(
        lambda: sign_sheet(tablet, game, side=0, name="Ann 1", code=code),
        lambda: sign_sheet(other, game, side=1, name="Ann 2", code=code),
    )
    before = game.version
    game.refresh_from_db()
    return sentences(came), game.state, game.version - before, Signature.objects.filter(game=game).count()


def the_last_two_tables_sign_while_the_round_is_closed(dana: User) -> object:
    """However it falls out: both sign, the round is closed at most once, and a closed round has only final games."""
    event, round_ = new_event(dana, pairs=2)
    games = [play(dana, game, MADE_FIVE, sign=False) for game in round_.games.all()]
    for game in games:
        sign_sheet(Actor(dana), game, side=0, name="Dana", code=code_of(game), reason="race")
    codes = [code_of(game) for game in games]
    acts = [
        lambda game=game, code=code: sign_sheet(Actor(dana), game, side=1, name="Dana", code=code, reason="race")
        for game, code in zip(games, codes, strict=True)
    ]
    came = together(*acts, *[lambda: _close_when_it_can_be(dana, event)] * 2)
    round_.refresh_from_db()
    return (
        [one for one in came[:2] if failed(one)],
        sum(isinstance(one, Round) for one in came[2:]),
        sentences(came[2:]),
        round_.state,
        set(round_.games.values_list("state", flat=True)),
        Journal.objects.filter(event=event, action="close").count(),
    )


def _close_when_it_can_be(dana: User, event: Event) -> Round:
    """Press “Close” until the last table has signed."""
    while True:
        try:
            return close_round(Actor(dana), event, 1)
        except Invalid:
            time.sleep(0.02)


def a_round_is_closed_while_its_last_game_is_opened_again(dana: User) -> object:
    """Either the correction comes too late, or the round cannot be closed: never a closed round with a game open."""
    event, round_ = new_event(dana)
    game = play(dana, round_.games.get(), MADE_FIVE)
    less = {**MADE_FIVE, "books": 10}

    def close_a_little_later() -> Round:
        # A correction takes longer than closing: each try begins at another moment of it.
        time.sleep(next(numbers) % 30 / 1000)
        return close_round(Actor(dana), event, 1)

    came = together(
        close_a_little_later,
        lambda: correct_sheet(Actor(dana), game, position=1, revision=0, facts=less, reason="ten"),
    )
    round_.refresh_from_db()
    game.refresh_from_db()
    return len(sentences(came)), (round_.state, game.state) in (("closed", "final"), ("running", "playing"))


def two_desks_start_the_round(dana: User) -> object:
    event, _ = new_event(dana, pairs=3, state="planned")
    came = together(lambda: start_round(Actor(dana), event, 1), lambda: start_round(Actor(dana), event, 1))
    started = Journal.objects.filter(event=event, action="start").count()
    return sentences(came), started, Journal.objects.filter(event=event, action="freeze").count()


def two_officials_correct_the_hand(dana: User) -> object:
    game = new_game(dana, {**THREE, "books": 8})
    acts = [
        lambda books=books: correct_sheet(
            Actor(dana), game, position=1, revision=0, facts={**THREE, "books": books}, reason=f"{books} books"
        )
        for books in (9, 10)
    ]
    came = together(*acts)
    revisions = list(Entry.objects.filter(game=game).values_list("revision", flat=True))
    return sentences(came), revisions, notes("game", game.pk, "correct")


RACES = [
    (two_tablets_write_the_same_hand, ONE_HAND),
    (one_hand_is_sent_eight_times, ([], True, [], 1)),
    (a_signature_meets_an_undo, (1, True)),
    (both_sides_sign, ([], "final", 2, 2)),
    (
        the_last_two_tables_sign_while_the_round_is_closed,
        ([], 1, ["Game 1 is closed already."], "closed", {"final"}, 1),
    ),
    (a_round_is_closed_while_its_last_game_is_opened_again, (1, True)),
    (two_desks_start_the_round, (["Game 1 was started already."], 1, 1)),
    (
        two_officials_correct_the_hand,
        (["This hand was changed since you opened it. Look at it again before you correct it."], [0, 1], 1),
    ),
]
named = pytest.mark.parametrize(("race", "right"), RACES, ids=[race.__name__ for race, _ in RACES])


@named
def test_race_ends_as_if_one_had_come_after_the_other(
    dana: User, race: Callable[[User], object], right: object
) -> None:
    assert [race(dana) for _ in range(5)] == [right] * 5


@named
def test_race_goes_wrong_without_the_lock(
    dana: User, settings: Any, race: Callable[[User], object], right: object
) -> None:
    settings.UPTOWN_WITHOUT_LOCK = True
    assert any(race(dana) != right for _ in range(TRIES)), "The race never went wrong: this test proves nothing"
