"""A correction as it is typed: the line anew or nothing in its place, the reason, and the version that was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament.forms.hand import FORM_FIELDS, read_hand, values_of
from tournament.queries.asking import asked_last
from tournament.queries.deskgame import SheetLine
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Fault, Invalid

LONGEST_REASON = 200
# Before the number of a side, where only the side is known that won the bid.
SIDE = "side-"


@dataclass(frozen=True, slots=True)
class Revision:
    """A correction. `facts` is None where the line is taken off; `announced` names the impact that was confirmed."""

    facts: dict[str, Any] | None
    reason: str
    revision: int
    announced: str


def read_revision(sheet: GameSheet, line: SheetLine, data: Mapping[str, str]) -> Revision:
    """Read a correction of a line; `sheet` stands before it. Raises Invalid with every fault of the form."""
    faults: list[Fault] = []
    facts = None
    if data.get("what") != "remove":
        if line.ruled or line.row.kind != "hand":
            raise Invalid([Fault("what", "This line can be removed, or entered again as the same kind of line.")])
        seat, by_side = data.get("seat", ""), False
        if line.by_side and seat.startswith(SIDE):
            # Nobody wrote down which player bid: the correction does not invent one.
            data, by_side = {name: data[name] for name in data} | {"seat": seat.removeprefix(SIDE)}, True
        posted = read_hand(sheet, data)
        facts, faults = posted.facts, list(posted.faults)
        if by_side and facts is not None and "seat" in facts:
            facts = {("bidder" if name == "seat" else name): value for name, value in facts.items()}
    reason, revision = _reason(data, faults), _revision(data, faults)
    if faults:
        raise Invalid(faults)
    return Revision(facts, reason, revision, data.get("announced", "")[:40])


def read_place(line: SheetLine, data: Mapping[str, str], reason: str = "") -> dict[str, Any]:
    """Which version of a line is replaced, and why; `reason` where nothing else was typed."""
    faults: list[Fault] = []
    typed = data.get("reason", "").strip() or reason
    place = {
        "position": line.row.position,
        "revision": _revision(data, faults),
        "reason": _reason({"reason": typed}, faults),
    }
    if faults:
        raise Invalid(faults)
    return place


def line_values(facts: dict[str, Any], sheet: GameSheet) -> dict[str, str]:
    """What the entry form shows at first: the line as it stands; `sheet` stands before it."""
    values = values_of(asked_last(sheet), facts)
    if "bidder" in facts and "seat" not in values:
        values["seat"] = f"{SIDE}{facts['bidder']}"
    return values


def typed_line(data: Mapping[str, str]) -> dict[str, str]:
    """What was typed, the reason in full, to be shown or sent again."""
    return {name: value[:LONGEST_REASON] for name, value in data.items() if name not in FORM_FIELDS}


def _reason(data: Mapping[str, str], faults: list[Fault]) -> str:
    reason = " ".join(data.get("reason", "").split())
    if not reason:
        faults.append(Fault("reason", "A correction needs a reason: it is shown to both sides."))
    elif len(reason) > LONGEST_REASON:
        faults.append(Fault("reason", f"At most {LONGEST_REASON} characters: this has {len(reason)}."))
    return reason


def _revision(data: Mapping[str, str], faults: list[Fault]) -> int:
    revision = data.get("revision", "")
    if revision.isascii() and revision.isdigit() and len(revision) < 5:
        return int(revision)
    faults.append(Fault("revision", "This page is too old. Load it again."))
    return -1
