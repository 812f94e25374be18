"""Reading the posted entry form: the hand itself, and which sheet and form it was written on."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament.forms.entry.answers import hand_facts
from tournament.forms.entry.voids import void_facts
from tournament.queries.asking import asked_last
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Fault, Invalid

LONGEST = 40
# What belongs to the form and not to the hand.
FORM_FIELDS = frozenset({"csrfmiddlewaretoken", "position", "client_key", "version", "cards", "pin", "document"})


@dataclass(frozen=True, slots=True)
class Posted:
    """A posted hand. `facts` is the entry of the game document; `position` is where the writer saw the end."""

    facts: dict[str, Any]
    position: int | None
    client_key: uuid.UUID | None
    faults: tuple[Fault, ...]

    def checked(self) -> Posted:
        """The same, or Invalid where something is missing or no number."""
        if self.faults:
            raise Invalid(self.faults)
        return self


def read_hand(sheet: GameSheet, data: Mapping[str, str]) -> Posted:
    """Read a hand or a void.

    The same form sent twice must give the same facts, though the sheet has gone on in between: so what the form
    itself says comes first, and a game that is over reads as well as one that is not (the rules refuse it).
    """
    if data.get("entry") == "void":
        facts, faults = void_facts(sheet, data)
    else:
        facts, faults = hand_facts(asked_last(sheet), data)
    return Posted(facts, read_position(data), read_key(data), tuple(faults))


def typed_values(data: Mapping[str, str]) -> dict[str, str]:
    """What was typed, to be shown again."""
    return {field: value[:LONGEST] for field, value in data.items() if field not in FORM_FIELDS}


def read_position(data: Mapping[str, str]) -> int | None:
    """The position that the writer saw; None where the form names none."""
    text = data.get("position", "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 5:
        raise Invalid([Fault("position", "This page is too old. Load it again, then enter the hand.")])
    return int(text)


def read_key(data: Mapping[str, str]) -> uuid.UUID | None:
    """The key of the form: the same form sent twice writes one line."""
    text = data.get("client_key", "")
    if not text:
        return None
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Invalid([Fault("client_key", "This page is too old. Load it again.")]) from None


def read_index(text: str) -> int:
    """The number of a side or a seat; −1, which none has, where it is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else -1
