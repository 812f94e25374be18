"""What a hand would do, in words, before it is recorded."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import play
from tests.tournament.tablet.conftest import at
from tournament.models import Entry, Game
from tournament.queries.sheet import Effect, effect_of_hand, sheet_games

HTMX = {"HX-Request": "true"}


def effect(game: Game, **facts: object) -> Effect | None:
    return effect_of_hand(sheet_games().get(pk=game.pk), {"entry": "hand", **facts})


def test_effect_of_hand_that_is_made_and_doubled(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "3", "books": 9})
    assert effect(game, seat=1, bid="2-no", books=8) == Effect(
        "2-No made with 8 books: Books +4",
        (
            "2-No bid, 8 books: 2 over six, +2 (rule 4); No bid, doubled, +2 (rule 5).",
            "Score after this hand: Aces 3, Books 4.",
        ),
        "made",
    )


def test_effect_of_hand_that_ends_the_game(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    shown = effect(game, seat=3, bid="3-no", books=9)
    assert shown is not None
    assert (shown.headline, shown.outcome) == ("3-No made with 9 books: Books +6", "over")
    assert shown.lines[-1] == "Game over: Books won, by points (rule 6). Aces 0, Books 8."


def test_effect_of_hand_that_is_set(game: Game) -> None:
    shown = effect(game, seat=0, bid="3", books=8)
    assert shown is not None and (shown.headline, shown.outcome) == ("3 set with 8 books: Aces −3", "set")


def test_effect_of_hand_that_cannot_be(game: Game) -> None:
    shown = effect(game, seat=0, bid="3", books=14)
    assert shown is not None and shown.outcome == "refused"
    assert shown.headline == "There are 13 books; 14 is not possible."


def test_the_preview_answers_words_and_stores_nothing(ready: Client, game: Game) -> None:
    answer = ready.get(at("tablet-preview", game), {"seat": "1", "bid": "3-no", "books": "9"}, headers=HTMX)
    assert "3-No made with 9 books: Books +6" in answer.content.decode()
    assert Entry.objects.count() == 0


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({}, "show here before you record it"),
        ({"seat": "1", "bid": "3-no"}, "Books bid 3-No: how many books did they take?"),
        ({"seat": "77", "bid": "3-no"}, "show here before"),
        ({"bid": "3-no"}, "show here before"),
    ],
)
def test_the_preview_of_half_a_hand_asks_for_the_rest(
    ready: Client, game: Game, typed: dict[str, str], said: str
) -> None:
    assert said in ready.get(at("tablet-preview", game), typed, headers=HTMX).content.decode()
