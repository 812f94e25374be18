"""The prices in a game’s tables are those that its fold pays, for every hand of random games of every sheet."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from scoring.document import all_sheets, read_document, score_document
from scoring.game import NOTHING, Call, CardGame, Key, Tariff, Worth
from scoring.ledger import bid_words
from scoring.spades.rules import SHEETS as SPADES
from scoring.spades.score import tariff as spades_tariff
from tests.scoring.drawn import random_game
from tests.sure import sure

GAMES = 40
# A score workbook calculates no points for a game without a tariff.
ALL_SHEETS = [sheet.key for game, sheet in all_sheets() if game.tariff(sheet.rules)]


def documents(sheet: str) -> Iterable[dict[str, Any]]:
    chance = random.Random(sheet)
    for _ in range(GAMES):
        yield random_game(chance, sheet)


@pytest.mark.parametrize("sheet", ALL_SHEETS)
def test_the_tables_pay_what_the_fold_pays(sheet: str) -> None:
    priced = asked = 0
    for document in documents(sheet):
        found = hands_of(document)
        asked += len(found)
        for expected, paid in found:
            if paid is not None:
                priced += 1
                assert paid == expected, document
    # Without a price: boards that can be raised, and the first six.
    assert priced > 0.9 * asked


def hands_of(data: dict[str, Any]) -> list[tuple[list[Worth], list[Worth] | None]]:
    """Return what each side scored in every hand of a game, and what the tables say."""
    card = score_document(read_document(data))
    game, rules, sides = card.document.game, card.document.rules, len(card.document.sides)
    tariff, before, found = sure(game.tariff(rules)), card.document.carry, []
    for step, facts in zip(card.steps, data["entries"], strict=True):
        if facts["entry"] == "hand" and not before.deciding and step.lines:
            found.append((_fold(game, rules, before, step, sides), _tables(tariff, game, rules, before, facts, sides)))
        before = step.carry
    return found


def _fold(game: CardGame[Any], rules: Any, before: Any, step: Any, sides: int) -> list[Worth]:
    words = sure(game.scored(rules, before, step.entry).result).words
    # Lines that come from more than the hand itself: the end of a game, full bags, a decision.
    hand = [line for line in step.lines if line.kind not in ("bonus", "bags", "rubber", "boston")]
    return [
        Worth(sum(line.points for line in hand if line.side == side), was_set=words[side] == "set")
        for side in range(sides)
    ]


def _tables(
    tariff: Tariff, game: CardGame[Any], rules: Any, before: Any, facts: dict[str, Any], sides: int
) -> list[Worth] | None:
    if "books" in facts:
        side = facts["bidder"] if facts.get("bidder") is not None else facts["seat"] % 2
        level, said = facts["bid"][0], facts["bid"]
        bid = f"{level}-no" if "no" in facts.get("trump", "") else said
        words = {answer.value: answer.words for answer in game.answers(rules, "bid")}
        paid = tariff.worth(0, [words[bid]], [facts["books"]], facts["books"])
        other = Worth(paid.other) if paid else NOTHING
        return None if paid is None else [_plain(paid) if at == side else other for at in range(2)]
    cards = facts.get("cards") or game.next_hand(rules, before).cards
    found = []
    for side in range(sides):
        bids = [bid_words(str(bid)) for bid in facts.get("bids") or [""] * sides]
        said = bids[side::sides]
        tricks = facts["tricks"][side::sides]
        own = tricks if len(tricks) == len(said) else [0] * len(said)
        paid = tariff.worth(cards, said, own, sum(tricks))
        if paid is None or _depends(tariff, cards, said, bids):
            return None
        found.append(_plain(paid))
    return found


def _depends(tariff: Tariff, cards: int, said: list[str], bids: list[str]) -> bool:
    """Bids whose prices hold only if nobody else bids the same: a second board is a double board."""
    dealt = cards if tariff.by_cards else 0
    own, table = ([tariff.calls.get((dealt, word), Call()).once for word in words] for words in (said, bids))
    return any(own) and sum(table) > 1


def _plain(paid: Worth) -> Worth:
    return Worth(paid.own, was_set=paid.was_set)


def test_bags_are_what_the_sheet_counts() -> None:
    for data in documents("spades/standard"):
        card = score_document(read_document(data))
        rules, before = card.document.rules, card.document.carry
        tariff = spades_tariff(rules)
        assert tariff.bags == (rules.bag_limit, rules.bag_penalty)
        for step, facts in zip(card.steps, data["entries"], strict=True):
            if facts["entry"] == "hand" and not before.deciding:
                for side in range(2):
                    said = [bid_words(str(bid)) for bid in facts["bids"][side::2]]
                    tricks = facts["tricks"][side::2]
                    own = tricks if len(tricks) == 2 else [0, 0]
                    paid = tariff.worth(13, said, own, sum(tricks))
                    assert paid is not None
                    assert (before.bags[side] + paid.bags) % tariff.bags[0] == step.carry.bags[side]
            before = step.carry


def test_a_sheet_without_nil_bags_or_bostons_has_no_prices_for_them() -> None:
    rules = {sheet.key: sheet.rules for sheet in SPADES}
    plain = spades_tariff(rules["spades/four-hand-tournament"])
    assert (plain.bags, plain.all_tricks, plain.by_cards) == (None, 13, False)
    assert (0, "Nil") not in plain.calls and not any(call.alone_counts for call in plain.calls.values())
    assert spades_tariff(rules["spades/standard"]).calls[0, "Nil"].alone_counts
    assert [words for _, words in plain.calls] == [str(number) for number in range(4, 14)]


def test_words_without_a_price_have_none_and_what_nobody_can_take_is_worth_nothing() -> None:
    tariff = Tariff({(0, "3"): Call(3)}, {Key(0, 0, 3): (Worth(-3), Worth(1))})
    assert tariff.worth(5, ["4"], [1], 1) is None
    assert tariff.worth(5, [], [], 1) is None
    assert tariff.worth(5, ["3"], [1], 1) == Worth(1)
    assert tariff.worth(5, ["3"], [9], 9) == NOTHING
