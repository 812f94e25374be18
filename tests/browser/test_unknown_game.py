"""A field of a new kind is typed on the tablet like any other, with the pad of its game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.conftest import registered

pytestmark = pytest.mark.nightly

__all__ = ["registered"]


def test_a_meld_is_typed_then_tricks_are_tapped(page: Any) -> None:
    page.goto("/practice/?sheet=melds/standard")
    page.locator(".chair").first.click()
    for side, meld in ((1, "20"), (0, "40")):
        page.locator(f"#meld-{side}").fill(meld)
        page.locator(f"#meld-{side}").press("Tab")
    page.locator("label:has(#tricks-1-0)").click()
    assert [one.inner_text().split() for one in page.locator(".line").all()] == [
        ["Night", "Owls", "melded", "20"],
        ["Eagles", "melded", "40"],
        ["Night", "Owls", "took", "0"],
        ["Eagles", "took", "12"],
    ]
    page.get_by_text("This hand: Eagles +160").wait_for()
    page.locator("#record").click()
    page.locator(".sheet tbody tr:has(td.num)").first.wait_for()
    entries = page.evaluate("JSON.parse(document.querySelector('[name=document]').value).entries")
    assert entries == [{"entry": "hand", "melds": [40, 20], "tricks": [12, 0], "dealer": 0}]
