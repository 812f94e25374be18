"""Uptown and downtown: named at the table where the bid leaves them open, shown on the sheet and on the rules page."""

from __future__ import annotations

import html
import io
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import play
from tests.messages import check, send
from tests.tournament.tablet.test_turns import table
from tournament.models import Entry
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rulings import asked
from tournament.queries.sheet import sheet_now
from tournament.reports.excel.workbook import event_workbook

THREE_WAYS = ["Uptown", "Downtown, aces good", "Downtown, aces bad"]


@pytest.mark.parametrize(
    ("sheet", "offered"),
    [
        ("bid_whist/52-card", THREE_WAYS),
        ("bid_whist/standard", ["Uptown", "Downtown"]),
        ("bid_whist/no-kitty-2021", ["Uptown", "Downtown"]),
        ("bid_whist/boston-parr", []),
        ("spades/standard", []),
    ],
)
def test_the_directions_of_the_game_are_offered(dana: User, sheet: str, offered: list[str]) -> None:
    tablet, game = table(dana, sheet)
    asks = asked(sheet_now(game))
    assert asks is not None and [one.words for asks in asks.of("direction") for one in asks.choices] == offered
    page = html.unescape(tablet.get(reverse("tablet")).content.decode())
    assert all(words in page for words in offered) and ('name="direction"' in page) == bool(offered)


def hand(**said: Any) -> dict[str, Any]:
    return {"position": "1", "seat": "0", "bid": "4", "books": "10", **said}


@pytest.mark.parametrize(
    ("sheet", "said", "shown"),
    [
        ("bid_whist/52-card", {"direction": "downtown-aces-bad"}, "downtown, aces bad"),
        ("bid_whist/52-card", {"direction": "downtown", "trump": "hearts"}, "hearts, downtown, aces good"),
        ("bid_whist/standard", {"bid": "4-no", "direction": "downtown"}, "downtown"),
    ],
)
def test_the_direction_of_a_hand_is_written_and_shown(
    dana: User, sheet: str, said: dict[str, str], shown: str, desk: Client
) -> None:
    tablet, game = table(dana, sheet)
    assert send(tablet, "hand", game, hand(**said))["status"] == "applied"
    assert Entry.objects.get().facts["direction"] == said["direction"]
    assert sheet_now(game).rows[0].written.trump == shown
    corrected = desk.get(reverse("game-revision", args=["evening", game.pk, 1]))
    assert corrected.context["values"]["direction"] == said["direction"]
    for browser, page in ((tablet, reverse("tablet")), (desk, reverse("desk-game", args=["evening", game.pk]))):
        assert shown in html.unescape(browser.get(page).content.decode())


def test_a_direction_that_the_bid_excludes_is_refused_where_it_stands(dana: User) -> None:
    tablet, _ = table(dana, "bid_whist/standard")
    answer = check(tablet, hand(direction="downtown"))
    assert (answer.status_code, answer.context["faults"][0].field) == (422, "direction")
    assert "A bid of 4 is not played downtown." in answer.content.decode()


def test_a_number_with_no_trump_named_is_a_no_on_the_sheet_and_in_the_workbook(dana: User) -> None:
    _, game = table(dana, "bid_whist/52-card")
    play(dana, game, {"entry": "hand", "seat": 0, "bid": "5", "books": 11, "trump": "no-trump"}, sign=False)
    row = sheet_now(game).rows[0]
    assert (row.written.bid, row.written.text) == ("5-No", "5-No made with 11")
    event = game.round.event
    page = openpyxl.load_workbook(io.BytesIO(event_workbook(whole_book(event), event_sheets(event))))["Hands"]
    heads, line = page.iter_rows(min_row=4, max_row=5, values_only=True)
    assert [line[heads.index(head)] for head in ("Bid by", "Bid", "Took")] == ["Ann 1", "5-No", 11]


def test_the_rules_page_names_directions_and_hands_dealt_again(dana: User, client: Client) -> None:
    table(dana, "bid_whist/52-card")
    page = html.unescape(client.get(reverse("rules", args=["evening"])).content.decode())
    assert " · ".join(THREE_WAYS) in page
    assert "All passed: the same player deals again" in page
    assert "A player without a face card called for a redeal: the same player deals again" in page
    assert "misdeal" in page and "Misdeal A" not in page and "Bw.renege" not in page
