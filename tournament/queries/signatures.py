"""The signatures of a sheet: which of them stand, who gave them, and how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from tournament.models import Game, Round, Signature
from tournament.phrases import BY_IMPORT, SIGNED_HOW
from tournament.queries.authors import shown_author


@dataclass(frozen=True, slots=True)
class SignatureFacts:
    """A signature that stands under the sheet as it is now."""

    side: int
    name: str
    at: datetime
    witness: str
    reason: str
    paper: bool

    @property
    def words(self) -> str:
        """How it was given where no player did it on a tablet: “signed on paper, seen by dana”, or why."""
        if self.paper:
            return f"{SIGNED_HOW['paper']}, seen by {self.witness}"
        return f"{self.official}: {self.reason}" if self.witness else self.reason

    @property
    def at_the_desk(self) -> str:
        return self.in_public + (f" · {self.reason}" if self.reason and not self.paper else "")

    @property
    def in_public(self) -> str:
        """Who signed and how, without why."""
        return self.words if self.paper else f"{self.name}, official" if self.witness else self.name

    @property
    def official(self) -> str:
        """Who signed instead of a side."""
        return f"{self.witness}, official"


def signature_facts(game: Game, code: str) -> tuple[SignatureFacts, ...]:
    """The signatures under the sheet of a game that has this code."""
    return tuple(
        SignatureFacts(one.side, one.name, one.signed_at, _witness(one), one.reason, one.how == "paper")
        for one in standing_signatures(game.signatures.all(), code)
    )


def _witness(one: Signature) -> str:
    """Who signed for the side; nobody where an event file says that the game was signed."""
    return "" if one.name == BY_IMPORT else shown_author(one.by, one.witness)


def standing_signatures(signatures: Iterable[Signature], code: str) -> list[Signature]:
    """The signatures that stand under the sheet with this code: the last of each side, unless it was taken back."""
    last: dict[int, Signature] = {}
    for one in sorted(signatures, key=lambda one: one.revision):
        if one.code == code:
            last[one.side] = one
    return [one for one in last.values() if one.how != "back"]


def signed_sides(round_: Round) -> dict[int, set[int]]:
    """The sides of each game of a round whose signature stands under its sheet as it is now, in one query."""
    rows = Signature.objects.filter(game__round=round_, code=F("game__result__code")).order_by("revision")
    last = {(game, side): how for game, side, how in rows.values_list("game_id", "side", "how")}
    found: dict[int, set[int]] = defaultdict(set)
    for (game, side), how in last.items():
        if how != "back":
            found[game].add(side)
    return found
