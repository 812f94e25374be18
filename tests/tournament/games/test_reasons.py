"""Reasons on every screen: their points, their clause in words, and nothing that only the program reads."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import play
from tests.pages import signed_in
from tests.tournament.tablet.conftest import at
from tests.tournament.tablet.test_turns import table, turns
from tournament.access import Actor
from tournament.models import Game
from tournament.queries.rules import ruleset_at
from tournament.queries.sheet import sheet_now
from tournament.services.signatures import sign_for_all

NIL = {"entry": "hand", "cards": 13, "bids": ["nil", "4", "4", "3"], "tricks": [0, 4, 4, 5]}
PASSED = {"entry": "hand", "cards": 13, "bids": ["pass"] * 4, "tricks": [0, 0]}
KEY = re.compile(r"\b(?:tw|bw|bw52|sp|ba|ok)\.[a-z_]")


def read(browser: Client, address: str) -> str:
    """What stands on a page, without its markup."""
    page = html.unescape(browser.get(address).content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def screens(dana: User, tablet: Client, game: Game) -> list[str]:
    """The tablet, the desk, and the public page once the sheet is signed."""
    desk = signed_in(dana)
    shown = [read(tablet, reverse("tablet")), read(desk, reverse("desk-game", args=["evening", game.pk]))]
    play(dana, game, {"entry": "agreed_stop"}, sign=False)
    sign_for_all(Actor(dana), game, "test")
    return [*shown, read(Client(), reverse("public-game", args=["evening", game.pk]))]


def test_points_and_clause_stand_beside_each_reason(dana: User) -> None:
    tablet, game = table(dana, "spades/standard")
    play(dana, game, NIL, sign=False)
    lines = sheet_now(game).rows[0].lines
    assert [(line.side, line.points, line.rule) for line in lines] == [
        (0, 40, "sp.contract"),
        (0, 100, "sp.nil"),
        (1, 72, "sp.contract"),
    ]
    for page in screens(dana, tablet, game):
        assert re.search(r"\+100 .{0,60}nil", page) and "· nil" in page
        assert re.search(r"\+40 ", page) and "· contract" in page
        assert not KEY.search(page)


def test_points_and_clause_stand_beside_each_reason_before_the_hand_is_written(dana: User) -> None:
    tablet, game = table(dana, "spades/standard")
    said = read(tablet, at("tablet-preview", game) + "?" + "&".join(f"{k}={v}" for k, v in NIL_FORM.items()))
    assert ", +100 (nil)" in said and ", +40 (contract)" in said and ", +72 (contract)" in said


NIL_FORM = turns(13, "nil 4 4 3", "0 4 4 5")


def test_one_reason_alone_needs_no_points_beside_the_score(dana: User) -> None:
    tablet, game = table(dana, "bid_whist/no-kitty-2021")
    play(dana, game, {"entry": "hand", "seat": 0, "bid": "3", "books": 9}, sign=False)
    assert "+3 3 over six" not in read(tablet, reverse("tablet"))


@pytest.mark.parametrize(("sheet", "cards"), [("back_alley/partnership", 13), ("okinawa/standard", 5)])
def test_a_hand_that_all_passed_says_so_with_its_clause(dana: User, sheet: str, cards: int) -> None:
    tablet, game = table(dana, sheet)
    play(dana, game, PASSED | {"cards": cards}, sign=False)
    sentence = sheet_now(game).rows[0].written.text
    assert sentence.startswith("all passed") and str(cards) in sentence
    for page in screens(dana, tablet, game):
        assert f"{sentence} · all pass" in page


def test_the_preview_of_a_hand_that_all_passed_says_so(dana: User) -> None:
    tablet, game = table(dana, "back_alley/partnership")
    page = read(tablet, at("tablet-preview", game) + "?bid-0=pass&bid-1=pass&bid-2=pass&bid-3=pass&cards=13")
    assert "This hand: nobody scores All passed: thrown in, the next player deals 13 cards (all pass)." in page


def test_no_rule_of_another_game_is_cited(dana: User) -> None:
    _, game = table(dana, "spades/standard")
    page = read(Client(), reverse("public-game", args=["evening", game.pk]))
    assert "The sheet is shown when every side has signed it." in page and "rule" not in page.lower().replace(
        "rules", ""
    )
    assert ruleset_at(game).cited("45") == ""


def test_the_tournament_sheet_cites_its_own_rules(dana: User) -> None:
    _, game = table(dana, "bid_whist/no-kitty-2021")
    page = read(Client(), reverse("public-game", args=["evening", game.pk]))
    assert "The sheet is shown when every side has signed it (rules 42, 45)." in page


@pytest.mark.parametrize(
    ("rule", "said"), [("late", "Books late: game to Aces."), ("forfeit", "Forfeit by Books: game to Aces.")]
)
def test_a_given_game_is_said_in_words(dana: User, rule: str, said: str) -> None:
    tablet, game = table(dana, "spades/standard")
    play(dana, game, {"entry": "award", "rule": rule, "to": 0}, sign=False)
    assert said in read(tablet, reverse("tablet"))


def test_the_forms_of_a_void_hand_name_no_key(dana: User) -> None:
    tablet, game = table(dana, "spades/standard")
    desk = signed_in(dana)
    for page in (read(tablet, reverse("tablet")), read(desk, reverse("desk-game", args=["evening", game.pk]))):
        assert "A misdeal" in page and "(misdeal)" not in page
        assert "Void this hand" in page and "Why is this hand void?" in page


def test_the_rules_page_says_who_chooses(dana: User) -> None:
    table(dana, "bid_whist/no-kitty-2021")
    page = read(Client(), reverse("rules", args=["evening"]))
    assert "The other side chooses: Set for the bid · Play on, no penalty" in page
    assert "The bidding side chooses: Take the points of the bid · Play on, no penalty" in page
