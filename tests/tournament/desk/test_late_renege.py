"""A renege called after the winning hand is ruled on at once, from the call itself, in the place of that hand."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import play
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.sheet import sheet_now
from tournament.services.rounds import call_director, open_call

THREE = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9}
TWO = {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}


@pytest.fixture
def won(dana: User, game: Game) -> Game:
    """Aces lead 5 to 0, to be signed, when the table calls the director for a renege."""
    play(dana, game, THREE, TWO, sign=False)
    call_director(Actor(), game, "renege")
    game.refresh_from_db()
    return game


def read(desk: Client, address: str) -> str:
    return html.unescape(desk.get(address, follow=True).content.decode())


def address_of(game: Game, name: str = "game-ruling") -> str:
    return reverse(name, args=[game.round.event.slug, game.pk])


def said_with(desk: Client, game: Game, **said: str) -> tuple[Any, str]:
    """The page with these answers, and the address that it has."""
    answer = desk.get(address_of(game), said, follow=True)
    return answer, answer.redirect_chain[-1][0].partition("?")[0]


def test_to_do_card_and_sheet_lead_to_the_ruling(desk: Client, event: Event, won: Game) -> None:
    page = read(desk, reverse("desk", args=[event.slug]))
    assert page.count(f'href="{address_of(won)}?rule=41"') == 2
    sheet = read(desk, address_of(won, "desk-game"))
    assert sheet.count(f'href="{address_of(won)}"') == 2


# The rule, what is said of it, the score and the way the game ended then.
RULED = [
    ({"rule": "41", "choice": "game", "side": "0"}, (3, 5), "renege"),
    ({"rule": "32", "choice": "set", "side": "0", "bidder": "0", "bid": "2"}, (1, 0), ""),
    ({"rule": "34", "choice": "set", "side": "0", "bid": "2"}, (1, 0), ""),
    ({"rule": "35", "choice": "take-points", "side": "1", "bid": "2"}, (5, 0), "points"),
    ({"rule": "17"}, (3, 0), ""),
]


@pytest.mark.parametrize(("said", "scores", "how"), RULED)
def test_a_ruling_takes_the_place_of_the_winning_hand(
    desk: Client, won: Game, said: dict[str, str], scores: tuple[int, int], how: str
) -> None:
    answer, address = said_with(desk, won, **said)
    page = html.unescape(answer.content.decode())
    assert "The game is over, not signed. The ruling replaces the last hand" in page
    assert "Withdraw the ruling that ended it" not in page
    effect = answer.context["form"].effect
    assert (effect.before, effect.after, effect.how) == ((3, 0), scores, how)
    assert desk.post(address, {**said, "revision": "0"}).status_code == 302
    sheet = sheet_now(won)
    assert (sheet.scores, sheet.how, sheet.over) == (scores, how, bool(how))
    assert [row.kind for row in sheet.rows] == ["hand", "ruling"]
    assert open_call(won) is None


def test_play_on_is_not_offered_in_the_place_of_a_hand(desk: Client, won: Game) -> None:
    for rule, offered in (("41", ["game", "void"]), ("32", ["set"]), ("35", ["take-points"])):
        form = said_with(desk, won, rule=rule)[0].context["form"]
        assert [one.key for one in form.rule.choices] == offered
    # What only warns leaves the hand where it is: the call is answered without a ruling.
    assert "Answered, no ruling" in read(desk, address_of(won, "desk-game"))


def test_what_is_missing_is_asked_and_nothing_is_written(desk: Client, won: Game) -> None:
    _, address = said_with(desk, won, rule="41")
    answer = desk.post(address, {"rule": "41", "revision": "0"})
    assert answer.status_code == 422
    assert [row.kind for row in sheet_now(won).rows] == ["hand", "hand"]


def test_a_game_that_a_ruling_ended_says_what_can_be_done(desk: Client, dana: User, game: Game) -> None:
    play(dana, game, THREE, {"entry": "ruling", "rule": "41", "choice": "game", "side": 1}, sign=False)
    assert "Withdraw the ruling that ended it" in read(desk, address_of(game))


def test_a_signed_game_is_not_ruled_on_in_passing(desk: Client, dana: User, game: Game) -> None:
    play(dana, game, THREE, TWO)
    assert desk.get(address_of(game)).status_code == 200
    assert f'href="{address_of(game)}"' not in read(desk, address_of(game, "desk-game"))
