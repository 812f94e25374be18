"""Events of an earlier program that have options by other names than the sheets document: read, and rewritten."""

from __future__ import annotations

from datetime import date
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from scoring.document import find_sheet
from scoring.options import choose
from tournament.archive.reading import read_event_file
from tournament.migrations._option_names import documented
from tournament.models import Event


@pytest.mark.parametrize(
    ("sheet", "options", "own"),
    [
        (
            "bid_whist/no-kitty-2021",
            {"tiebreak_order": ["Games Won", "drawing of lots"]},
            {"tiebreak_order": ["Games Won", "lots"]},
        ),
        ("bid_whist/standard", {"bw.var.min4": True, "bw.win_at": 5}, {"lowest_bid": 4, "win_at": 5}),
        ("bid_whist/standard", {"two_sets": "yes", "set_limit": 2}, {"set_limit": 2}),
        ("bid_whist/standard", {"low_over_high": False, "boston": "any 13 books"}, {"boston": "any-13"}),
        ("spades/standard", {"passing": True, "bags": "no"}, {"passing": "three-cards", "bag_limit": None}),
        ("back_alley/partnership", {"25deals": True, "fixed_deal": False}, {"one_card_deals": 1, "fixed_deal": None}),
        ("back_alley/high-two", {"25deals": True}, {}),
        (
            "okinawa/standard",
            {"throw_up": False, "level_at_end": "one more hand"},
            {"throw_up": "none", "level_at_end": "one-more"},
        ),
    ],
)
def test_other_names_become_those_of_the_sheet(sheet: str, options: dict[str, Any], own: dict[str, Any]) -> None:
    assert documented(sheet, options) == own
    assert documented(sheet, own) == own
    assert choose(find_sheet(sheet).rules, own)[1] == ()


def test_an_event_file_with_other_names_is_read() -> None:
    game = {"options": {"pot_entry": "opt-in per team"}, "entries": []}
    data = {
        "event": "Fall Classic",
        "sheet": "bid_whist/no-kitty-2021",
        "options": {"pot_entry": "opt-in per team"},
        "teams": [{"number": 1, "name": "Aces"}, {"number": 2, "name": "Books"}],
        "rounds": [{"round": 1, "tables": [{"table": 1, "teams": [1, 2], "game": game}]}],
    }
    assert read_event_file(data, date(2026, 11, 25)).options == {"pot_entry": "opt-in"}


@pytest.mark.django_db
def test_stored_options_get_the_names_of_the_sheet() -> None:
    day = date(2026, 11, 25)
    options = {"boston": "any 13 books", "win_at": 7}
    event = Event.objects.create(slug="fall", name="Fall", date=day, sheet="bid_whist/standard", options=options)
    migration = import_module("tournament.migrations.0024_option_names")
    migration.use_documented_names(apps, None)
    event.refresh_from_db()
    assert event.options == {"boston": "any-13", "win_at": 7}
