"""The signatures of a sheet: which of them are valid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import F

from tournament.models import (
    Round,
    Signature,
)


def standing_signatures(signatures: Iterable[Signature], code: str) -> list[Signature]:
    """The valid signatures under the sheet with this code: the last of each side, unless it was withdrawn."""
    last: dict[int, Signature] = {}
    for signature in sorted(signatures, key=lambda signature: signature.revision):
        if signature.code == code:
            last[signature.side] = signature
    return [signature for signature in last.values() if signature.how != "back"]


def signed_sides(round_: Round) -> dict[int, set[int]]:
    """The sides of each game of a round with a valid signature under its current sheet, in one query."""
    rows = Signature.objects.filter(game__round=round_, code=F("game__result__code")).order_by("revision", "pk")
    last = {(game, side): how for game, side, how in rows.values_list("game_id", "side", "how")}
    sides: dict[int, set[int]] = defaultdict(set)
    for (game, side), how in last.items():
        if how != "back":
            sides[game].add(side)
    return sides
