"""Facts of an event file that have a form of their own: names, time zones, notes of a draw, officials, prizes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from zoneinfo import available_timezones

from scoring.standings.pot import percentage
from tournament.archive.declared import Fact, Record, Text
from tournament.pairing.plan import TEXT, Note
from tournament.texts import Refused, clean_name

MOST_CENTS = 1_000_000_00
MOST_PRIZES = 500
MOST_OFFICIALS = 200
ROLES = ("director", "verifier")


class Name(Text):
    """A name as people type it, made clean."""

    def read(self, record: Record, key: str) -> Any:
        text = record.text(key)
        try:
            return clean_name(text, longest=self.longest) if text.strip() else None
        except Refused as refusal:
            record.refuse(key, str(refusal))
            return None


class Zone(Text):
    def read(self, record: Record, key: str) -> Any:
        zone = record.text(key)
        if zone and zone not in available_timezones() | {"America/New_York"}:
            record.refuse(key, f"“{zone}” is not known.")
            return None
        return zone or None


class Notes(Fact):
    """What the draw could not avoid; until version 2 a file had sentences."""

    def read(self, record: Record, key: str) -> Any:
        notes = record.facts.get(key)
        if notes is None:
            return None
        try:
            return [self._row(note) for note in (notes if isinstance(notes, list) else [None])]
        except (AttributeError, LookupError, TypeError, ValueError):
            record.refuse(key, "each is a note of the draw.")
            return None

    def _row(self, note: Any) -> dict[str, Any]:
        read = Note(TEXT, teams=(note[:300],)) if isinstance(note, str) else Note.from_row(note)
        # What cannot be said is no note.
        str(read)
        return read.row

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": ["string", "object"]}}


class Officials(Fact):
    """Who ran the event, as [name, role]."""

    def read(self, record: Record, key: str) -> Any:
        rows = record.facts.get(key)
        if rows is None:
            return None
        if isinstance(rows, list) and len(rows) <= MOST_OFFICIALS and all(map(_is_official, rows)):
            return [[name[:150], role] for name, role in rows]
        record.refuse(key, "each is a name and a role (director or verifier).")
        return None

    def schema(self) -> dict[str, Any]:
        name = {"type": "string", "minLength": 1}
        pair = {"type": "array", "prefixItems": [name, {"enum": list(ROLES)}], "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": pair, "maxItems": MOST_OFFICIALS}


class Prizes(Fact):
    """The payout table: cents by place, or percentages of a sum."""

    def read(self, record: Record, key: str) -> Any:
        prizes = record.facts.get(key)
        if prizes is None or prizes == {}:
            return None
        try:
            if prizes["by"] == "percent":
                percent, purse = [str(one) for one in _listed(prizes["percent"])], prizes.get("purse", 0)
                if percent and sum(map(percentage, percent), Fraction(0)) <= 100 and _is_money(purse):
                    return {"by": "percent", "percent": percent, "purse": purse}
            elif all(map(_is_money, _listed(prizes["prizes"]))):
                return {"by": "place", "prizes": prizes["prizes"]}
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
        record.refuse(key, f"at most {MOST_PRIZES}, in cents by place, or percentages that are 100 at most together.")
        return None

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


def _is_official(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) and row[0] != "" and row[1] in ROLES


def _listed(prizes: Any) -> list[Any]:
    if not isinstance(prizes, list) or len(prizes) > MOST_PRIZES:
        raise ValueError(prizes)
    return prizes


def _is_money(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_CENTS
