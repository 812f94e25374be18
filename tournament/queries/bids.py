"""The locked bids of the hand in play: visible at the table and at the desk, nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from scoring.game import Field, NextHand
from scoring.ledger import bid_words, hyphenated
from tournament.models import Entry, Game, Submission
from tournament.models.game import APPLIED, REMOVED, RULED
from tournament.queries.rules import Ruleset
from tournament.queries.scored import ScoredGame
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.sitting import others_sit
from tournament.words.messages import BIDS

# The mark if the partner's bid is for both.
WITH_PARTNER, PASS = "with-partner", "pass"
NUMBER = re.compile(r"(?:blind-|come-out-)?(\d+)|pass|nil|blind-nil|with-partner")


class Locked(NamedTuple):
    """Bids that both sides have heard: by seat or by side, in words, and since when."""

    position: int
    bids: tuple[str, ...]
    words: str
    since: datetime


def bids_field(due: NextHand | None) -> Field | None:
    """The field in which every side or every seat makes a bid; None if one side wins an auction."""
    field = due.field(BIDS) if due else None
    return field if field is not None and field.everybody else None


def locked_bids(game: Game, scored: ScoredGame, entries: Iterable[Entry], names: Sequence[str]) -> Locked | None:
    """The locked bids of the hand that is due: the newest message that no line at its position has replaced.

    A ruling leaves the hand in play, unless it voids the deal. Bids made by people who no longer sit there are asked
    for again.
    """
    due = scored.next_hand
    if due is None or bids_field(due) is None:
        return None
    row = Submission.objects.filter(game=game, kind=BIDS, status=APPLIED).order_by("-pk").first()
    here = scored.next_position
    if row is None or row.body["position"] > here:
        return None
    since = (e for e in entries if e.position >= row.body["position"] and e.entered_at >= row.received_at)
    if any(map(_ends_a_deal, since)) or others_sit(game, row.body) is not None:
        return None
    bids = tuple(map(hyphenated, row.body["bids"]))
    return Locked(here, bids, contract_words(scored.rules, bids, due.cards, names), row.received_at)


def locked_on(sheet: GameSheet) -> Locked | None:
    """The locked bids of the hand that is due, for a sheet as it is shown."""
    return locked_bids(sheet.game, sheet.scored, sheet.game.entries.all(), [side.name for side in sheet.sides])


def _ends_a_deal(entry: Entry) -> bool:
    return entry.kind not in {*RULED, REMOVED} or entry.facts.get("choice") == "void"


def contract_words(rules: Ruleset, bids: Sequence[str], cards: int, names: Sequence[str]) -> str:
    """“Aces 6 · Books 6 · 12 of 13 bid”; a bid that is not a number of tricks is shown in its own words."""
    sides = rules.seating.sides
    promised = [
        f"{name} {_together(bids[side::sides] if len(bids) > sides else bids[side : side + 1])}"
        for side, name in enumerate(names)
    ]
    read = [NUMBER.fullmatch(bid) for bid in bids]
    total = sum(int(match[1] or 0) for match in read if match)
    return " · ".join([*promised, f"{total} of {cards} bid"] if all(read) else promised)


def _together(bids: Sequence[str]) -> str:
    """The partners' bids as one: a partner who passed adds nothing."""
    own = [bid for bid in bids if bid not in (WITH_PARTNER, PASS)] or [PASS]
    return str(sum(map(int, own))) if all(bid.isdigit() for bid in own) else " + ".join(map(bid_words, own))
