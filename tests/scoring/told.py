"""What `next_hand` asks, as plain values."""

from __future__ import annotations

from typing import Any

from scoring.game import Field, NextHand


def told(due: NextHand, seats: int = 4, sides: int = 2) -> tuple[Any, ...]:
    """Number, dealer and cards; who bids, and what each may say; whose tricks are counted; the note."""
    bids, tricks = due.field("bids"), due.field("tricks")
    places = {"seat": seats, "side": sides}
    said = tuple(values(bids, at) for at in range(places[bids.of])) if bids else ()
    return due.number, due.dealer, due.cards, bids and bids.of, said, tricks and tricks.of, due.note


def values(field: Field, place: int = 0) -> tuple[str, ...]:
    return tuple(choice.value for choice in field.offered(place))
