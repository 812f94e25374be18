"""Hands that are dealt again: written at table and desk by their own rule, refused where the rule refuses them."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import play
from tests.messages import send
from tests.sure import sure
from tests.tournament.games.test_entry import EVERY_WAY, posted
from tests.tournament.tablet.test_practice import table
from tournament.models import Entry, Game
from tournament.queries.sheet import sheet_now

FIVE = {"entry": "hand", "cards": 5, "bids": ["1", "1", "1", "1"], "tricks": [3, 2]}
PASSED = "All passed: the next player deals"
THROWN_UP = "Thrown up: no ace, no face card, two tens at most, and the partner agrees"
DEMANDED = "A player without ace, face card and trump demanded a new deal: the same player deals again"
NO_TRUMPS = "A player had no trumps: the same player deals again"
NO_FACES = "A player without a face card called for a redeal: the same player deals again"

# Sheet, options, and what the sheet knows beside misdeals.
KNOWN = [
    ("okinawa/standard", {}, {"ok.throw_up": THROWN_UP, "all-pass": PASSED}),
    ("okinawa/standard", {"throw_up": "none"}, {"all-pass": PASSED}),
    (
        "okinawa/standard",
        {"throw_up": "one-ten", "nobody_bids": "played"},
        {"ok.var.one_ten": THROWN_UP.replace("two tens", "one ten")},
    ),
    ("back_alley/partnership", {}, {"ba.partnership.allpass": PASSED}),
    (
        "back_alley/partnership",
        {"redeal_demand": True},
        {"ba.partnership.allpass": PASSED, "ba.var.redeal_demand": DEMANDED},
    ),
    ("back_alley/high-two", {}, {"ba.partnership.allpass": PASSED, "ba.high_two.redeal": NO_TRUMPS}),
    ("back_alley/individual", {}, {"ba.individual": "All passed: the same player deals again"}),
    ("bid_whist/52-card", {}, {"all-pass": "All passed: the same player deals again", "bw52.auction": NO_FACES}),
    ("bid_whist/standard", {}, {}),
    ("spades/standard", {}, {}),
]


def by_desk(dana: User, game: Game, rule: str) -> Any:
    form = {"kind": "void", "rule": rule, "position": str(sheet_now(game).next_position)}
    return posted("desk", dana, Client(), game, form)


@pytest.mark.parametrize(("sheet", "options", "known"), KNOWN)
def test_every_void_of_the_sheet_is_offered_with_its_rule(
    dana: User, sheet: str, options: dict[str, Any], known: dict[str, str]
) -> None:
    _, game = table(dana, sheet, sides=4 if "individual" in sheet else 2, **options)
    assert {void.choice.rule: void.choice.words for void in sheet_now(game).voids} == {"misdeal": "A misdeal"} | known


# Sheet, options, rule, and who deals after it.
WRITTEN = [
    ("back_alley/partnership", {}, "ba.partnership.allpass", 1),
    ("back_alley/partnership", {"redeal_demand": True}, "ba.var.redeal_demand", 0),
    ("back_alley/high-two", {}, "ba.partnership.allpass", 1),
    ("bid_whist/52-card", {}, "all-pass", 0),
    ("bid_whist/52-card", {}, "bw52.auction", 0),
    ("okinawa/standard", {}, "all-pass", 1),
]
# The practice table plays the sheets as they are printed.
WAYS = [(way, *one) for one in WRITTEN for way in EVERY_WAY if way != "practice" or not one[1]]


@pytest.mark.parametrize(("way", "sheet", "options", "rule", "dealer"), WAYS)
def test_a_void_is_written_by_its_rule_and_the_right_player_deals(
    dana: User, way: str, sheet: str, options: dict[str, Any], rule: str, dealer: int
) -> None:
    tablet, game = table(dana, sheet, **options)
    if way == "tablet":
        assert send(tablet, "void", game, {"rule": rule, "position": "1"})["status"] == "applied"
    else:
        form = {"kind": "void", "entry": "void", "rule": rule, "position": "1"}
        answer = posted(way, dana, tablet, game, form, position=1, rule=rule)
        assert answer.status_code == (302 if way == "desk" else 200)
    after = answer.context["sheet"] if way == "practice" else sheet_now(game)
    assert after.rows[0].written.rule == rule
    assert (after.hands, sure(after.next).dealer, after.rows[0].number) == (0, dealer, None)


def test_a_hand_may_be_thrown_up_from_the_sixth_on(dana: User) -> None:
    tablet, game = table(dana, "okinawa/standard")
    play(dana, game, *[FIVE] * 4, sign=False)
    early = "A hand may be thrown up from hand 6 on; this is hand 5."
    assert [(void.choice.rule, void.choice.refused) for void in sheet_now(game).voids] == [
        ("misdeal", ""),
        ("ok.throw_up", early),
        ("all-pass", ""),
    ]
    page = html.unescape(tablet.get(reverse("tablet")).content.decode())
    assert 'value="ok.throw_up" disabled' in page and early in page
    answer = send(tablet, "void", game, {"rule": "ok.throw_up", "position": "5"})
    assert (answer["code"], answer["text"]) == ("refused", early)
    assert early in html.unescape(by_desk(dana, game, "ok.throw_up").content.decode())
    play(dana, game, FIVE, sign=False)
    assert 'value="ok.throw_up" disabled' not in tablet.get(reverse("tablet")).content.decode()
    assert send(tablet, "void", game, {"rule": "ok.throw_up", "position": "6"})["status"] == "applied"
    assert (sheet_now(game).rows[-1].written.text, sure(sheet_now(game).next).dealer) == (THROWN_UP, 1)


@pytest.mark.parametrize(
    ("sheet", "options", "rule", "sentence"),
    [
        ("okinawa/standard", {"throw_up": "none"}, "ok.throw_up", "No hand may be thrown up on this sheet."),
        ("back_alley/partnership", {}, "ba.var.redeal_demand", "No player may demand a new deal on this sheet."),
        ("back_alley/partnership", {}, "ba.high_two.redeal", "A hand without trumps is played on this sheet."),
        (
            "back_alley/partnership",
            {"redeal_demand": True, "fixed_deal": 5},
            "ba.var.redeal_demand",
            "This redeal needs 6 cards or more; this deal has 5.",
        ),
        (
            "back_alley/high-two",
            {},
            "ba.high_two.redeal",
            "This redeal needs 7 cards or more; this deal has 1.",
        ),
        ("bid_whist/standard", {}, "bw52.auction", "A hand without a face card is played on this sheet."),
        (
            "bid_whist/standard",
            {},
            "all-pass",
            "Not everyone can pass on this sheet: the dealer must bid at least 3.",
        ),
        (
            "bid_whist/no-kitty-2021",
            {},
            "all-pass",
            "Not everyone can pass on this sheet: the dealer must bid at least 2.",
        ),
        ("spades/standard", {}, "all-pass", "Say why the hand is void."),
        ("spades/standard", {}, "", "Say why the hand is void."),
    ],
)
def test_a_void_that_the_rules_refuse_is_refused_with_their_sentence(
    dana: User, sheet: str, options: dict[str, Any], rule: str, sentence: str
) -> None:
    tablet, game = table(dana, sheet, **options)
    answer = send(tablet, "void", game, {"rule": rule, "position": "1"})
    assert (answer["code"], answer["text"]) == ("refused", sentence)
    desk = by_desk(dana, game, rule)
    assert desk.status_code == 422 and sentence in html.unescape(desk.content.decode())
    assert not Entry.objects.exists()
