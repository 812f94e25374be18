"""Reasons name sides and players: nobody reads “the other side” or “player 1”."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import make_event, make_round, make_teams, play
from tournament.models import Game
from tournament.queries.rulings import rulings_of
from tournament.queries.sheet import effect_of_hand, sheet_games, sheet_now


def table(director: User, sheet: str, **fields: Any) -> Game:
    event = make_event(director=director, sheet=sheet, **fields)
    return make_round(event, [tuple(make_teams(event, 2))]).games.get()


HIGH_TWO = {"entry": "hand", "cards": 1, "bids": ["pass", "1", "board", "pass"], "tricks": [0, 0, 0, 1]}


def test_reasons_of_the_high_two_name_the_players(dana: User) -> None:
    game = table(dana, "back_alley/high-two")
    shown = effect_of_hand(sheet_games().get(pk=game.pk), HIGH_TWO)
    sheet = sheet_now(play(dana, game, HIGH_TWO))
    names = [seat.name for seat in sorted(sheet.seats, key=lambda seat: seat.seat)]
    assert [line.text for line in sheet.rows[0].lines] == [
        f"{names[2]}: board with 1 card: lost",
        f"{names[1]}: 1 bid with one card: lost",
        f"{names[3]}: no bid, 1 trick",
    ]
    assert shown is not None and f"{names[1]}: 1 bid with one card: lost" in shown.lines[0]


@pytest.mark.parametrize(
    ("sheet", "entries", "reasons", "text"),
    [
        (
            "bid_whist/no-kitty-2021",
            [{"entry": "ruling", "rule": "41", "choice": "game", "side": 0, "bidder": 0, "bid": "2"}],
            [(1, 5, "Renege by Aces: game to Books")],
            "Renege by Aces: game to Books.",
        ),
        (
            "bid_whist/no-kitty-2021",
            [
                {"entry": "hand", "bidder": 1, "bid": "2", "books": 7},
                {"entry": "hand", "bidder": 1, "bid": "2", "books": 7},
            ],
            [(1, -2, "2 bid, 7 of 8 books: set"), (0, 5, "Two sets for Books")],
            "Two sets for Books.",
        ),
        (
            "bid_whist/standard",
            [{"entry": "hand", "bidder": 0, "bid": "7-no", "books": 12}],
            [(0, -7, "7-No bid, 12 of 13 books: set"), (0, -7, "No bid, doubled")],
            "Aces fell to −14.",
        ),
        (
            "bid_whist/52-card",
            [{"entry": "hand", "bidder": 0, "bid": "3", "books": 8}],
            [(1, 3, "Aces bid 3, 8 of 9 books: set")],
            "",
        ),
        (
            "spades/new-york",
            [{"entry": "hand", "bids": [], "tricks": [6, 7]}]
            + [{"entry": "hand", "bids": ["6", "5"], "tricks": [5, 8]}] * 2,
            [(0, -60, "6 bid, 5 tricks: set"), (1, -50, "5 bid, 8 tricks, set: 3 over is too many")],
            "Both sides had two sets in a row: Books won with the higher score.",
        ),
        (
            "spades/new-york",
            [{"entry": "hand", "bids": [], "tricks": [6, 7]}]
            + [{"entry": "hand", "bids": ["6", "7"], "tricks": [5, 8]}] * 2,
            [(0, -60, "6 bid, 5 tricks: set"), (1, 70, "7 bid, 8 tricks: made, 1 over")],
            "Two sets in a row for Aces (shot back to back).",
        ),
        (
            "bid_whist/no-kitty-2021",
            [{"entry": "ruling", "rule": "13", "choice": "award", "side": 0}],
            [(1, 5, "Aces late: game to Books")],
            "Aces late: game to Books.",
        ),
        (
            "bid_whist/boston-parr",
            [
                {"entry": "hand", "bidder": 0, "bid": "3", "books": 8},
                {"entry": "hand", "bidder": 0, "bid": "4", "books": 13},
                {"entry": "hand", "bidder": 0, "bid": "4", "books": 12},
                {"entry": "hand", "bidder": 0, "bid": "1", "books": 7},
            ],
            [(0, 1, "1 bid, 7 books: 1 over six"), (1, 6, "6 books against the bid")],
            "Both reached 11: the bidding side won.",
        ),
    ],
)
def test_reasons_and_endings_name_the_side(
    sheet: str, entries: list[dict[str, Any]], reasons: list[tuple[int, int, str]], text: str, dana: User
) -> None:
    shown = sheet_now(play(dana, table(dana, sheet), *entries))
    assert [(line.side, line.points, line.text) for line in shown.rows[-1].lines] == reasons
    assert shown.text == text


def test_a_tied_game_decided_by_one_more_hand_is_not_ahead_when_time_ran_out(dana: User) -> None:
    game = table(dana, "bid_whist/no-kitty-2021")
    decider = {"entry": "hand", "bidder": 0, "bid": "3", "books": 8}
    sheet = sheet_now(play(dana, game, {"entry": "time"}, decider))
    assert (sheet.winner, sheet.how, sheet.how_words) == (1, "deciding-hand", "in the deciding hand")
    assert sheet.text == "Tied when time ran out: Books won the deciding hand."
    assert [(line.side, line.points, line.text, line.rule) for line in sheet.rows[1].lines] == [
        (0, 0, "deciding hand, worth −3 but not scored: 3 bid, 8 of 9 books: set", "4")
    ]
    assert (sheet.scores, sheet.sets) == ((0, 0), (1, 0))


def test_every_game_of_a_rubber_has_its_line_and_its_hand_a_number(dana: User) -> None:
    game = table(dana, "bid_whist/boston-parr", options={"rubber_games": 2})
    hands = (
        {"entry": "hand", "bidder": 0, "bid": "7", "books": 13},
        {"entry": "hand", "bidder": 0, "bid": "4", "books": 11},
    )
    sheet = sheet_now(play(dana, game, *hands, *hands))
    assert [row.number for row in sheet.rows] == [1, 2, 1, 2]
    told = [[line.text for line in row.lines if line.kind == "rubber"] for row in sheet.rows]
    assert told == [
        [],
        [
            "game 1 of the rubber, 12 to 2: Aces reached 12",
            "the next game of the rubber begins at 0",
            "the next game of the rubber begins at 0",
        ],
        [],
        ["game 2 of the rubber, 12 to 2: Aces reached 12"],
    ]
    assert sheet.text == "Aces won the rubber, 2 to 0 in games. Aces reached 12."


def test_a_wrong_number_of_cards_names_who_holds_it_and_who_gains(dana: User) -> None:
    game = table(dana, "bid_whist/no-kitty-2021")
    play(dana, game, {"entry": "ruling", "rule": "35", "choice": "take-points", "side": 1, "bid": "2"}, sign=False)
    assert [(line.side, line.points) for line in sheet_now(game).rows[0].lines] == [(0, 2)]
    assert rulings_of(game.round.event)[0].text == "Wrong number of cards in play at Books: points of the bid to Aces"


def test_the_report_of_rulings_names_who_gains(dana: User) -> None:
    game = table(dana, "bid_whist/no-kitty-2021")
    play(dana, game, {"entry": "ruling", "rule": "41", "choice": "game", "side": 0, "bidder": 0, "bid": "2"})
    [line] = rulings_of(game.round.event)
    assert line.text == "Renege by Aces: game to Books"
    assert line.effect == ("Books +5: Renege by Aces: game to Books", "Game over: Books won (renege)")
