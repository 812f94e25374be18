"""Games worked out by hand from the printed words, written before the program was asked."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import print_score, read_document, score_document
from tests.scoring import by_hand, by_hand_prices
from tests.scoring.by_hand import Deals, Game, Refused, both

PLAYED = (
    *by_hand.OPENINGS,
    *by_hand_prices.PARTS,
    *by_hand_prices.UNPRICED,
    *by_hand_prices.YEARS,
    *by_hand_prices.COSTS,
)
REFUSED = (
    *by_hand.CONTRADICTIONS,
    *by_hand.NOT_OFFERED,
    *by_hand.IDLE_OPTIONS,
    *by_hand_prices.NO_SUCH_RENEGE,
    *by_hand_prices.OF_ANOTHER_YEAR,
)


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.says)
def test_a_game_comes_out_as_worked_out_by_hand(game: Game) -> None:
    printed = print_score(document(game, tuple(step.entry for step in game.steps)))
    assert printed["problems"] == []
    for step, shown in zip(game.steps, printed["entries"], strict=True):
        bags = shown["bags"] if step.bags is None else both(step.bags)
        assert (shown["scores"], shown["sets"], shown["bags"]) == (both(step.scores), both(step.sets), bags)
    if game.bostons:
        assert printed["bostons"] == both(game.bostons)
    assert printed["over"] == (game.end is not None)
    if game.end:
        rule = game.end.rule or printed["rule"]
        assert (printed["winner"], printed["how"], printed["rule"]) == (game.end.winner, game.end.how, rule)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.says)
def test_what_cannot_be_is_refused_at_its_field(case: Refused) -> None:
    problems = print_score(document(case, case.entries))["problems"]
    assert [(problem["field"].rpartition(".")[2], problem["entry"]) for problem in problems] == [
        (case.field, case.entry)
    ]
    assert problems[0]["text"].endswith(".")


@pytest.mark.parametrize("case", by_hand.MISDEAL, ids=lambda case: case.says)
def test_the_right_player_deals(case: Deals) -> None:
    for count, dealer in enumerate(case.dealers, 1):
        due = next_hand(case, case.entries[:count])
        assert due.dealer == dealer
    assert case.cards in (None, due.cards)


def next_hand(case: Any, entries: tuple[Any, ...]) -> Any:
    read = read_document(document(case, entries))
    return read.game.next_hand(read.rules, score_document(read).carry)


def document(case: Any, entries: tuple[Any, ...]) -> dict[str, Any]:
    given = {"options": case.options, "opening": getattr(case, "opening", None)}
    return {"sheet": case.sheet, "sides": ["Aces", "Books"], "entries": list(entries)} | {
        name: value for name, value in given.items() if value is not None
    }
