"""Every hand is written with its dealer, so that the rules know who spoke first."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import play, revise_entry
from tests.messages import check, send
from tests.sure import sure
from tests.tournament.reports.test_boards import filled
from tests.tournament.submissions.conftest import Tablet
from tests.tournament.tablet.conftest import at
from tests.tournament.tablet.test_turns import table, turns
from tournament.access import Actor
from tournament.forms.score_workbook import keys_of, read_boards
from tournament.middleware import TABLE_COOKIE
from tournament.models import Entry, Game
from tournament.queries.sheet import sheet_now
from tournament.queries.tablet import Practice
from tournament.services.entries import enter_boards

SHEET = "back_alley/partnership"
# Seat 0 deals and speaks last: the board of seat 1 is the first one, that of seat 0 doubles it.
BOTH_BOARD = turns(13, "board board pass pass", "13 0", client_key="")
FACTS = {"entry": "hand", "cards": 13, "bids": ["board", "board", "pass", "pass"], "tricks": [13, 0]}
TO_THE_RIGHT_SIDES = (260, -130)
# “Double board” was said before “board”.
IMPOSSIBLE = FACTS | {"bids": ["board", "double-board", "pass", "pass"]}
REFUSED = "With this dealer the players bid in another order."


def scores(game: Game) -> tuple[int, ...]:
    return sheet_now(game).scores


def dealers(game: Game) -> list[int | None]:
    return [entry.facts.get("dealer") for entry in Entry.objects.filter(game=game).order_by("position", "revision")]


def test_two_boards_of_the_table_go_to_the_right_sides(dana: User) -> None:
    tablet, game = table(dana, SHEET)
    assert send(tablet, "hand", game, BOTH_BOARD)["status"] == "applied"
    assert (scores(game), dealers(game)) == (TO_THE_RIGHT_SIDES, [0])


def test_the_same_message_twice_is_one_line_though_its_dealer_was_added(dana: User) -> None:
    tablet, game = table(dana, SHEET)
    form = turns(13, "board board pass pass", "13 0")
    assert [send(tablet, "hand", game, form)["status"] for _ in range(2)] == ["applied"] * 2
    assert dealers(game) == [0]


def test_the_preview_knows_the_dealer(dana: User) -> None:
    tablet, game = table(dana, SHEET)
    page = html.unescape(tablet.get(at("tablet-preview", game), BOTH_BOARD).content.decode())
    assert "Aces +260, Books −130" in page


def test_two_boards_of_the_desk_go_to_the_right_sides(dana: User, desk: Client) -> None:
    _, game = table(dana, SHEET)
    assert desk.post(reverse("game-entry", args=["evening", game.pk]), BOTH_BOARD).status_code == 302
    assert (scores(game), dealers(game)) == (TO_THE_RIGHT_SIDES, [0])


def test_two_boards_sent_later_go_to_the_right_sides(dana: User) -> None:
    tablet, game = table(dana, SHEET)
    sent = Tablet(key_of(tablet), game)
    assert sent.results(sent.hand(1, FACTS), sent.hand(2, FACTS | {"cards": 12, "tricks": [0, 12]})) == [
        ("applied", ""),
        ("applied", ""),
    ]
    # The second hand is dealt by seat 1, so that seat 0 speaks before it: 120 for each, doubled for side 1.
    assert (scores(game), dealers(game)) == ((260 - 120, -130 + 240), [0, 1])


def test_two_boards_of_the_practice_table_go_to_the_right_sides(db: None, client: Client) -> None:
    page = client.post("/practice/entries/", {"document": Practice(SHEET, 0).document(), **BOTH_BOARD})
    carried = json.loads(html.unescape(sure(re.search(r'name="document" value="([^"]*)"', page.content.decode()))[1]))
    assert [line["dealer"] for line in carried["entries"]] == [0]
    assert page.context["sheet"].scores == TO_THE_RIGHT_SIDES


def test_two_boards_of_a_filled_paper_go_to_the_right_sides(dana: User) -> None:
    _, game = table(dana, SHEET)
    event = game.round.event
    read = read_boards(event, filled(game, [FACTS]))
    assert enter_boards(Actor(dana), event, keys_of(read.boards)) == 1
    assert (scores(game), dealers(game)) == (TO_THE_RIGHT_SIDES, [0])
    # The same file again says nothing else, though it names no dealer.
    assert enter_boards(Actor(dana), event, keys_of(read_boards(event, filled(game, [FACTS])).boards)) == 0


def test_a_correction_keeps_the_dealer_of_the_hand(dana: User) -> None:
    _, game = table(dana, SHEET)
    play(dana, game, FACTS, sign=False)
    new = FACTS | {"tricks": [12, 1]}
    revise_entry(Actor(dana), game, position=1, revision=0, facts=new, reason="Miscounted")
    assert (scores(game), dealers(game)) == ((-260, -130), [0, 0])


def test_a_line_of_before_is_scored_as_it_was(dana: User) -> None:
    _, game = table(dana, SHEET)
    Entry.objects.create(game=game, position=1, revision=0, kind="hand", facts=FACTS, source="table")
    assert scores(game) == (130, -260)


@pytest.mark.parametrize("way", ["tablet", "desk", "later", "practice"])
def test_words_in_an_impossible_order_are_refused(dana: User, client: Client, way: str) -> None:
    tablet, game = table(dana, SHEET)
    form = turns(13, "board double-board pass pass", "13 0")
    if way == "later":
        sent = Tablet(key_of(tablet), game)
        answer = sent.send(sent.hand(1, IMPOSSIBLE))
    elif way == "tablet":
        answer = check(tablet, form)
    elif way == "practice":
        answer = client.post("/practice/entries/", {"document": Practice(SHEET, 0).document(), **form})
    else:
        client.force_login(dana)
        answer = client.post(reverse("game-entry", args=["evening", game.pk]), form)
    assert REFUSED in html.unescape(answer.content.decode())
    assert not Entry.objects.exists()


def test_words_in_an_impossible_order_are_refused_on_a_filled_paper(dana: User) -> None:
    _, game = table(dana, SHEET)
    read = read_boards(game.round.event, filled(game, [IMPOSSIBLE]))
    assert [fault.text.partition(" A double")[0].endswith(REFUSED) for fault in read.faults] == [True]


def key_of(tablet: Client) -> str:
    return tablet.cookies[TABLE_COOKIE].value
