"""A ruling names its bidder and its offender each by itself, on paper and in files."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User

from tests.factories import make_event, make_round, make_teams, play
from tournament.lists.sheets import hands_list
from tournament.models import Game
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rulings import rulings_of
from tournament.queries.sheet import sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.pdf.sheet_table import items_of, sheet_table

# What is ruled; who had bid, the bid, and who broke the rule. Side 0 are the Aces, side 1 the Books.
RULED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"rule": "32", "choice": "set", "side": 1, "bidder": 0, "bid": "4"}, "Aces", "4", "Books"),
    ({"rule": "35", "choice": "take-points", "side": 1, "bid": "2"}, "Aces", "2", "Books"),
    ({"rule": "34", "choice": "set", "side": 1, "bid": "2"}, "Books", "2", "Books"),
    ({"rule": "41", "choice": "game", "side": 1, "bidder": 0, "bid": "2-special"}, "Aces", "2-Special", "Books"),
    ({"rule": "13", "choice": "award", "side": 1}, "", "", "Books"),
    ({"rule": "46", "choice": "forfeit", "side": 0}, "", "", "Aces"),
]


def ruled(dana: User, facts: dict[str, Any]) -> Game:
    event = make_event("Open", dana)
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    hand = {"entry": "hand", "bidder": 0, "bid": "2", "books": 9}
    return play(dana, game, hand, {"entry": "ruling", **facts}, sign=False)


def paper_text(sheet: GameSheet) -> str:
    """The words of the last line of a printed sheet."""
    return " ".join(piece.text for piece in [*items_of(sheet, sheet_table(sheet.rules))][-1].pieces)


@pytest.mark.parametrize(("facts", "bidder", "bid", "offender"), RULED)
def test_the_paper_names_bidder_and_offender(
    dana: User, facts: dict[str, Any], bidder: str, bid: str, offender: str
) -> None:
    said = paper_text(sheet_now(ruled(dana, facts)))
    assert (f"Bid: {bidder}, {bid}" if bidder else "Offender") in said
    assert ("Bid:" in said) == bool(bidder)
    assert f"Offender: {offender}" in said


@pytest.mark.parametrize(("facts", "bidder", "bid", "offender"), RULED)
def test_lists_and_workbook_name_bidder_and_offender(
    dana: User, facts: dict[str, Any], bidder: str, bid: str, offender: str
) -> None:
    game = ruled(dana, facts)
    listing = hands_list(game.round.event, [sheet_now(game)])
    lines = [{one.key: one.value(row) for one in listing.columns} for row in listing.rows]
    said = {(one["bidder"], one["bid"], one["offender"]) for one in lines if one["line"] == 2}
    assert said == {(bidder, bid, offender)}
    event = game.round.event
    content = event_workbook(whole_book(event), event_sheets(event))
    page = openpyxl.load_workbook(io.BytesIO(content))["Hands"]
    titles, _, _, line = (list(row) for row in page.iter_rows(min_row=4, max_row=7, values_only=True))
    cells = [str(line[titles.index(title)] or "") for title in ("Line", "Bid by", "Bid", "Offender")]
    assert cells == ["2", bidder, bid, offender]


def test_a_hand_names_no_offender(dana: User) -> None:
    event = make_event("Open", dana)
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "2", "books": 9}, sign=False)
    assert "Offender" not in paper_text(sheet_now(game))


def test_a_given_game_has_no_bidder(dana: User) -> None:
    event = make_event("Open", dana)
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    play(dana, game, {"entry": "award", "rule": "19", "to": 1}, sign=False)
    written = sheet_now(game).rows[0].written
    assert (written.who, written.who_name, written.offender, written.about) == (None, "", "", "Books")
    assert [one.side for one in rulings_of(event)] == ["Books"]
