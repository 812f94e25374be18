"""Bids judged together before a card is played, worked out by hand from the printed words."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from scoring.document import Document, read_document
from tests.scoring.by_hand import OKINAWA, OVERTIME, PARTNERS, Entry, hand, opened


class Bids(NamedTuple):
    """Bids before a card is played: can they be locked? `void` if nobody bid and the sheet throws the hand in."""

    says: str
    sheet: str
    bids: str
    may: bool
    void: bool = False
    opening: Entry | None = None
    options: Entry | None = None


# R8. Bids that exclude each other, before a card is played.
BEHIND = opened("0:100", hands=2)
LOCKS = (
    Bids("a blind six and the partner's empty place, 100 behind", OVERTIME, "blind-6 3 - 3", True, opening=BEHIND),
    Bids("nobody is behind at 0-0", OVERTIME, "blind-6 3 - 3", False),
    Bids("an empty place beside no blind bid", OVERTIME, "4 3 - 3", False, opening=BEHIND),
    Bids("an empty place at 0-0", OVERTIME, "- 3 4 3", False),
    Bids("both partners bid blind", OVERTIME, "blind-6 3 blind-7 3", False, opening=BEHIND),
    Bids("a number beside the partner's blind six", OVERTIME, "blind-6 3 2 3", False, opening=BEHIND),
    Bids("a double board without a board", PARTNERS, "double-board 1 1 1", False),
    Bids("the first six and a board by one side", PARTNERS, "first-six 1 board 1", False, options={"first_six": True}),
    Bids("all pass in Back Alley: thrown in", PARTNERS, "pass pass pass pass", False, void=True),
    Bids("all pass in Okinawa, and it is played", OKINAWA, "pass pass pass pass", True,
         options={"nobody_bids": "played"}),
    Bids("all pass in Okinawa, dealt again", OKINAWA, "pass pass pass pass", False, True,
         options={"nobody_bids": "next-dealer"}),
)  # fmt: skip
# What each seat may say on the sheet with a blind six: an empty place and blind bids only to partners 100 behind.
BLIND_OFFERS = (("0-0", None, (False, False, False, False)), ("100 behind", BEHIND, (True, False, True, False)))


@pytest.mark.parametrize("case", LOCKS, ids=lambda case: case.says)
def test_bids_that_exclude_each_other_are_not_locked(case: Bids) -> None:
    table = read(case.sheet, case.opening, case.options)
    problems = table.game.bid_problems(table.rules, table.carry, hand(case.bids))
    assert [problem.field for problem in problems][:1] == ([] if case.may else ["bids"])
    assert any(problem.text.startswith("All passed") for problem in problems) == case.void


@pytest.mark.parametrize(("says", "opening", "offered"), BLIND_OFFERS)
def test_a_blind_bid_is_offered_to_partners_who_are_behind(says: str, opening: Any, offered: tuple[bool, ...]) -> None:
    table = read(OVERTIME, opening, None)
    bids = table.game.next_hand(table.rules, table.carry).field("bids")
    assert bids, says
    for seat, may in enumerate(offered):
        values = {choice.value for choice in bids.offered(seat)}
        assert ("blind-6" in values, "with-partner" in values) == (may, may)


def read(sheet: str, opening: Entry | None, options: Entry | None) -> Document:
    given = {"options": options, "opening": opening}
    said = {name: value for name, value in given.items() if value is not None}
    return read_document({"sheet": sheet, "sides": ["Aces", "Books"], "entries": [], **said})
