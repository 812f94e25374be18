"""What bids are worth, as tables: for a spreadsheet, which looks prices up and knows no rules.

A game makes its tables with its own clauses, so that no price is written down twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Worth(NamedTuple):
    """What a bid and the tricks taken on it bring: points, `other` to the other of two sides, a set, and bags."""

    own: int = 0
    other: int = 0
    was_set: bool = False
    bags: int = 0


NOTHING = Worth()


class Call(NamedTuple):
    """An answer to what was bid.

    It promises a `number` of tricks, which partners add up; with a `rank`, the highest of a side counts alone. `beside`
    is a price of its own by the player's own tricks where the partner promised a number, `alone` where nobody did.
    With `aside`, those tricks do not help the partner. With `once`, the prices hold where nobody else at the table says
    such a bid: said again it is raised.
    """

    number: int = 0
    rank: int = 0
    beside: tuple[Worth, ...] = ()
    alone: tuple[Worth, ...] = ()
    aside: bool = False
    once: bool = False

    @property
    def alone_counts(self) -> bool:
        """Return whether the tricks of the player who said it have a price of their own."""
        return len(set(self.beside)) > 1


class Key(NamedTuple):
    """What is paid together: the cards of the deal (0 where they do not matter), then the rank, or else the number."""

    cards: int
    rank: int
    number: int


class Tariff(NamedTuple):
    """The prices of a rule sheet.

    `calls` go by cards and words, `rows` list a worth for each number of tricks taken from 0 on. With `adds`, what
    partners bid and took is added up; without, players are paid one by one. `bags` are how many are charged and what
    they cost. A side that takes `all_tricks` has a Boston (0 where none are counted), in `any_hand` or only in one that
    ends the game. With `needs_bid`, a hand that all pass has no price.
    """

    calls: Mapping[tuple[int, str], Call]
    rows: Mapping[Key, tuple[Worth, ...]]
    adds: bool = False
    bags: tuple[int, int] | None = None
    all_tricks: int = 0
    any_hand: bool = False
    needs_bid: bool = False

    @property
    def by_cards(self) -> bool:
        """Return whether prices differ from deal to deal."""
        return any(key.cards for key in self.rows)

    def worth(self, cards: int, said: Sequence[str], own: Sequence[int], took: int) -> Worth | None:
        """Price what the players of a side said and took, each by himself and together; None for words without a price.

        The tables are read as a spreadsheet reads them.
        """
        dealt = cards if self.by_cards else 0
        found = [self.calls.get((dealt, words)) for words in said]
        calls = [call for call in found if call is not None]
        if len(calls) < len(found) or not calls:
            return None
        if self.adds:
            paid = [self._stake(dealt, calls, own, took)]
        else:
            paid = [self._stake(dealt, (call,), (tricks,), tricks) for call, tricks in zip(calls, own, strict=True)]
        return _added([one for stake in paid for one in stake])

    def _stake(self, dealt: int, calls: Sequence[Call], own: Sequence[int], took: int) -> list[Worth]:
        number, rank = sum(call.number for call in calls), max(call.rank for call in calls)
        pairs = list(zip(calls, own, strict=True))
        counted = took - sum(tricks for call, tricks in pairs if call.aside and number)
        paid = [_at(self.rows.get(Key(dealt, rank, 0 if rank else number), ()), counted)]
        return paid + [_at(call.beside if number else call.alone, tricks) for call, tricks in pairs]


def _at(worths: tuple[Worth, ...], tricks: int) -> Worth:
    return worths[tricks] if 0 <= tricks < len(worths) else NOTHING


def _added(paid: Sequence[Worth]) -> Worth:
    return Worth(
        sum(one.own for one in paid),
        sum(one.other for one in paid),
        any(one.was_set for one in paid),
        sum(one.bags for one in paid),
    )
