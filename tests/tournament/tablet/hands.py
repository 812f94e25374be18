"""A hand as a table fills it into the entry form: found among the form's own choices, whatever the rule sheet."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from scoring.document import all_sheets
from tests.sure import sure
from tournament.forms.hand import read_hand
from tournament.queries.rulings import HandQuestions, asked
from tournament.queries.scored import NotPossible
from tournament.queries.sheet import game_sheet

PLAYED = ("cards", "bids", "tricks")
# One sheet of every game is measured; the others reach nothing new.
MEASURED = {sheet.key.partition("/")[0]: sheet.key for _, sheet in all_sheets()}.values()
EVERY_SHEET = [
    pytest.param(sheet.key, marks=() if sheet.key in MEASURED else pytest.mark.long) for _, sheet in all_sheets()
]


def legal_hand(game: Any) -> dict[str, str]:
    """The fields of the next hand: the first that the rules take, in the order in which they are asked."""
    sheet = game_sheet(game)
    for answers in _tries(sure(asked(sheet))):
        posted = read_hand(sheet, answers)
        if posted.faults:
            continue
        with contextlib.suppress(NotPossible):
            sheet.scored.with_entry(posted.facts)
            return answers
    raise AssertionError(f"No hand found for {sheet.sheet_key}")


def from_the_left(dealer: int, places: int, seats: int = 4) -> list[int]:
    """The seats, or the sides, in the order in which they are asked."""
    return list(dict.fromkeys((dealer + turn) % seats % places for turn in range(1, seats + 1)))


def _tries(ask: HandQuestions) -> Iterator[dict[str, str]]:
    for question in ask.of("bid"):
        bids = [bid for _, choices in question.rows for bid in choices]
        yield from ({"seat": "0", "bid": bid.value, "books": str(bid.made_from)} for bid in bids)
        return
    turns, takers = ask.of("bids"), ask.of("tricks")
    calls = [[bid.value for bid in turn.choices if bid.value not in ("pass", "first-six")][:6] for turn in turns]
    fields = [turn.name for turn in turns]
    # What a game asks beside bids and tricks: the first answers that it offers, then every other choice of them.
    beside = [question for field, questions in ask.by_field for question in questions if field.key not in PLAYED]
    needed = [question for question in beside if question.field.needed]
    names = [question.name for question in needed]
    for answers in product(*([choice.value for choice in question.choices] for question in needed)):
        others = dict(zip(names, answers, strict=True))
        for chosen in product(*calls):
            for first in range(ask.cards, -1, -1):
                tricks = [first, ask.cards - first] + [0] * (len(takers) - 2)
                taken = {taker.name: str(count) for taker, count in zip(takers, tricks, strict=True)}
                yield dict(zip(fields, chosen, strict=True)) | taken | others
