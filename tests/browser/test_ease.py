"""How many taps and keys a hand takes, counted in Chromium on the practice table by every rule sheet.

Where one side wins the bid: at most 4 taps and 6 keys. Where everybody bids: one tap a fact and one for “Record”; the
last number of tricks is counted by the form. The counts stand in the output (`pytest -s tests/browser/test_ease.py`).
"""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import all_sheets
from tests.sure import sure
from tests.tournament.tablet.hands import legal_hand
from tournament.forms.hand import read_hand
from tournament.queries.rulings import asked
from tournament.queries.sheet import game_sheet
from tournament.queries.tablet import Practice, practice_game

pytestmark = pytest.mark.nightly

SHEETS = [sheet.key for _, sheet in all_sheets()]
MOST_TAPS, MOST_KEYS = 4, 6


class Counted:
    """Somebody at the practice table, whose taps and keys are counted."""

    def __init__(self, page: Any, sheet: str) -> None:
        self.page, self.taps, self.keys = page, 0, 0
        page.goto(f"/practice/?sheet={sheet}")
        page.locator(".chair").first.click()
        page.locator("#entry").wait_for()

    def tap(self, what: str) -> None:
        self.page.locator(what).click()
        self.taps += 1

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def written(self) -> list[dict[str, Any]]:
        """The lines of the game that the page carries, once there is one."""
        self.page.locator(".sheet tbody tr:has(td.num)").first.wait_for()
        return self.page.evaluate("JSON.parse(document.querySelector('[name=document]').value).entries")


def facts_of(sheet: str, said: dict[str, str]) -> dict[str, Any]:
    """The hand as it is written: with who dealt it, too."""
    return read_hand(game_sheet(practice_game(Practice(sheet, 0))), said).facts | {"dealer": 0}


def hand_of(sheet: str) -> dict[str, str]:
    return legal_hand(practice_game(Practice(sheet, 0)))


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_hand_by_taps(page: Any, sheet: str) -> None:
    said = hand_of(sheet)
    by_bidder = "books" in said
    # The form counts the last number of tricks out itself.
    facts = list(said.items()) if by_bidder else list(said.items())[:-1]
    table = Counted(page, sheet)
    for field, value in facts:
        table.tap(f"label:has(#{field}-{value})")
    table.tap("#record")
    assert table.written() == [facts_of(sheet, said)]
    print(f"{sheet}: {len(said)} facts, {table.taps} taps")
    assert table.taps <= (MOST_TAPS if by_bidder else len(said) + 1)


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_hand_by_keys(page: Any, sheet: str) -> None:
    said = hand_of(sheet)
    by_bidder = "books" in said
    table = Counted(page, sheet)
    for key in keys_of(said, sheet):
        table.press(key)
    assert table.written() == [facts_of(sheet, said)]
    print(f"{sheet}: {len(said)} facts, {table.keys} keys")
    assert table.keys <= (MOST_KEYS if by_bidder else 2 * len(said) + 1)


def keys_of(said: dict[str, str], sheet: str) -> list[str]:
    """The keys for a hand, Enter at its end: a letter for the seat, S or N before a bid of that kind, then digits.
    Where everybody bids, the least that tells an answer from the others, and a blank where a number could grow."""
    if "books" in said:
        level, _, kind = said["bid"].partition("-")
        return ["abcd"[int(said["seat"])], *([kind[0]] if kind else []), level, *said["books"], "Enter"]
    ask = sure(asked(game_sheet(practice_game(Practice(sheet, 0)))))
    offered = {one.name: [choice.value for choice in one.choices] for one in ask.deal.asked}
    keys: list[str] = []
    for field, value in list(said.items())[:-1]:
        typed = next(value[:n] for n in range(1, len(value) + 1) if found(offered[field], value[:n]) == value)
        grows = sum(one.startswith(typed) for one in offered[field]) > 1
        keys += [*typed, *([" "] if grows else [])]
    return [*keys, "Enter"]


def found(values: list[str], typed: str) -> str | None:
    """What the form takes when this much is typed."""
    matching = [value for value in values if value.startswith(typed)]
    return typed if typed in matching else matching[0] if len(matching) == 1 else None


@pytest.mark.parametrize("sheet", [key for key in SHEETS if key.startswith("bid_whist/")])
def test_no_bid_of_any_kind_takes_more(page: Any, sheet: str) -> None:
    """Every kind of bid that the sheet offers, at its highest, with two digits of books."""
    ask = sure(asked(game_sheet(practice_game(Practice(sheet, 0)))))
    for _, choices in ask.of("bid")[0].rows:
        bid = choices[-1]
        table = Counted(page, sheet)
        for key in keys_of({"seat": "3", "bid": bid.value, "books": "10"}, sheet):
            table.press(key)
        assert table.written()[0]["bid"] == bid.value
        assert table.keys <= MOST_KEYS
