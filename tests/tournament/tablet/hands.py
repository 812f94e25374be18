"""A hand as a table fills it into the entry form: found among the form's own choices, whatever the rule sheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from tournament.forms.entry import read_hand
from tournament.queries.asking import Asked, asked
from tournament.queries.lines import carry_of, first_fault, with_dealer
from tournament.queries.rules import ruleset_at
from tournament.queries.sheet import game_sheet


def legal_hand(game: Any) -> dict[str, str]:
    """The fields of the next hand: the first that the rules take, in the order in which they are asked."""
    sheet, rules = game_sheet(game), ruleset_at(game)
    carry = carry_of(rules, game.entries.all())
    for said in _tries(asked(sheet)):
        posted = read_hand(sheet, said)
        if posted.faults:
            continue
        if first_fault(rules, carry, [with_dealer(rules, carry, game.first_dealer, posted.facts)]) is None:
            return said
    raise AssertionError(f"No hand found for {rules.sheet.key}")


def from_the_left(dealer: int, places: int, seats: int = 4) -> list[int]:
    """The seats, or the sides, in the order in which they are asked."""
    return list(dict.fromkeys((dealer + turn) % seats % places for turn in range(1, seats + 1)))


def _tries(ask: Asked) -> Iterator[dict[str, str]]:
    if ask.by == "bidder":
        bids = [bid for row in ask.rows for bid in row.choices if bid]
        yield from ({"seat": "0", "bid": bid.value, "books": str(bid.need)} for bid in bids)
        return
    bids = [[bid.value for bid in turn.choices if bid.value not in ("pass", "first-six")][:6] for turn in ask.turns]
    fields = [f"bid-{turn.place.index}" for turn in ask.turns]
    for chosen in product(*bids):
        for first in range(ask.cards, -1, -1):
            tricks = [first, ask.cards - first] + [0] * (len(ask.takers) - 2)
            taken = {f"tricks-{place.index}": str(count) for place, count in zip(ask.takers, tricks, strict=True)}
            yield dict(zip(fields, chosen, strict=True)) | taken
