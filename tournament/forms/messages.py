"""What a tablet sends as JSON: read strictly and within limits, faults at fields."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from scoring.fields import parse_json
from scoring.ledger import CannotScore
from tournament.errors import Fault, Malformed, TooLarge
from tournament.words.messages import BIDS, CALL, DEALER, HAND, SEAT, SIGN, UNCALL, UNDO, UNSIGN, VOID, Item

MOST_BYTES, MOST_OF_ITEM, MOST_ITEMS, MOST_UIDS = 64 * 1024, 4 * 1024, 50, 500
# A signature names every line of its sheet; nobody plays this many on one.
MOST_LINES, MOST_OF_SIGNATURE = 500, 24 * 1024
LARGEST = 2**63 - 1
# No table has more players.
MOST_BIDS = 6
LONGEST = 200
# Sent with a signature by earlier versions' scripts. It is accepted forever, because a tablet may have been off for a
# while.
FORGOTTEN = ("pin", "proof")
# A hand has a list within an object within an object.
DEEPEST = 10
MILLISECONDS = 1000
# The years 2000 to 2100.
EARLIEST, LATEST = 946_684_800_000, 4_102_444_800_000


@dataclass(frozen=True, slots=True)
class Report:
    """What a tablet reports about itself: how many of its lines are unsent, and its battery in percent."""

    unsent: int | None = None
    battery: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Items in the order in which they were sent. A Fault replaces one without even a uid.

    `page` means that the tablet wants its page with the answer; `ahead` is the key of the forms it already has.
    """

    items: tuple[Item | Fault, ...]
    report: Report
    page: bool = False
    ahead: str = ""

    def unsent_after(self, answered: int) -> int | None:
        """How many lines the tablet still has to send once this many were answered."""
        return None if self.report.unsent is None else max(self.report.unsent - answered, 0)


def read_batch(content: bytes) -> Batch:
    """The items of a message. Raises Malformed if it is not one, TooLarge if it is longer than a message may be."""
    data = _object(content)
    items = data.get("items")
    if not isinstance(items, list):
        raise Malformed([Fault("items", "“items” is a list.")])
    if len(items) > MOST_ITEMS:
        raise TooLarge([Fault("items", f"A tablet can send at most {MOST_ITEMS} messages at once.")])
    items_read = tuple(_item(item) for item in items)
    faults = [item for item in items_read if isinstance(item, Fault)]
    if faults and len(faults) == len(items_read):
        raise Malformed(faults)
    page, ahead = data.get("page"), data.get("ahead")
    return Batch(items_read, _report(data), page is True, ahead if isinstance(ahead, str) else "")


def read_report(content: bytes) -> Report:
    """What a tablet reports about itself."""
    return _report(_object(content))


def read_uids(content: bytes) -> list[uuid.UUID]:
    """The uids that a tablet asks about."""
    uids = _object(content).get("uids")
    if not isinstance(uids, list) or len(uids) > MOST_UIDS:
        raise Malformed([Fault("uids", f"“uids” is a list of at most {MOST_UIDS}.")])
    parsed = [_uuid(uid) for uid in uids]
    if None in parsed:
        raise Malformed([Fault("uids", "A uid is a UUID in its usual form.")])
    return [uid for uid in parsed if uid is not None]


def _object(content: bytes) -> Mapping[str, Any]:
    if len(content) > MOST_BYTES:
        raise TooLarge(f"At most {MOST_BYTES // 1024} KB are taken at once.")
    try:
        data = parse_json(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise Malformed([Fault("document", "This is not UTF-8.")]) from None
    except CannotScore as fault:
        raise Malformed([Fault(problem.field, problem.text) for problem in fault.problems]) from None
    if not isinstance(data, dict):
        raise Malformed([Fault("document", "A message is an object.")])
    return data


def _report(data: Mapping[str, Any]) -> Report:
    unsent, battery = data.get("unsent"), data.get("battery")
    return Report(
        min(unsent, 9999) if type(unsent) is int and unsent >= 0 else None,
        battery if type(battery) is int and 0 <= battery <= 100 else None,
    )


def _item(data: Any) -> Item | Fault:
    """Read one item. If only its uid can be read, the item carries its faults; without a uid it is a Fault."""
    uid = _uuid(data.get("uid")) if isinstance(data, dict) else None
    if uid is None:
        return Fault("uid", "An item is an object with a uid.")
    data = {key: value for key, value in data.items() if key not in FORGOTTEN}
    text = json.dumps(data)
    most = MOST_OF_SIGNATURE if data.get("kind") == SIGN else MOST_OF_ITEM
    if len(text) > most:
        return _unreadable(uid, text, Fault("", f"An item has at most {most // 1024} KB."))
    if not _storable(data):
        return _unreadable(uid, text, Fault("", "It has something in it that cannot be stored."))
    body = {key: value for key, value in data.items() if key != "uid"}
    kind = body.get("kind")
    if not isinstance(kind, str) or kind not in FIELDS:
        return _unreadable(uid, text, Fault("kind", "No tablet sends this kind of thing."))
    fields = {**COMMON, **FIELDS[kind]}
    faults = [Fault(key, f"“{key}” does not belong to it.") for key in sorted(set(body) - set(fields))]
    faults += [Fault(key, f"“{key}” {words}.") for key, (may, words) in fields.items() if not may(body.get(key))]
    if faults:
        return _unreadable(uid, text, *faults)
    return Item(uid, kind, body["game"], _uuid(body.get("after")), body, _moment(body.get("at")))


def _unreadable(uid: uuid.UUID, text: str, *faults: Fault) -> Item:
    """Kept as plain ASCII text: nothing that a known tablet sent is thrown away."""
    return Item(uid, "other", None, None, {"unreadable": text[:MOST_OF_ITEM]}, None, faults)


def _storable(value: Any, deep: int = 0) -> bool:
    """PostgreSQL stores no NUL, and neither database stores half a character or an infinite number (1e400 is one)."""
    if deep > DEEPEST:
        return False
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, dict):
        return all(_storable(key) and _storable(part, deep + 1) for key, part in value.items())
    if isinstance(value, list):
        return all(_storable(part, deep + 1) for part in value)
    if isinstance(value, float):
        return math.isfinite(value)
    return type(value) is not int or abs(value) <= LARGEST


def _uuid(value: Any) -> uuid.UUID | None:
    try:
        return uuid.UUID(value) if isinstance(value, str) and len(value) == 36 else None
    except ValueError:
        return None


def _moment(value: Any) -> datetime | None:
    """Milliseconds since 1970 by the tablet's clock; None if no clock of our time could show it, however wrong."""
    if type(value) is not int or not EARLIEST <= value < LATEST:
        return None
    return datetime.fromtimestamp(value / MILLISECONDS, UTC)


def _is_uid(value: Any) -> bool:
    return _uuid(value) is not None


def _is_seating(value: Any) -> bool:
    return isinstance(value, list) and 0 < len(value) <= MOST_BIDS and all(map(_is_side, value))


def _is_side(value: Any) -> bool:
    """A side as `SatSide.row` describes it to the page."""
    if not isinstance(value, dict) or set(value) != {"team", "name", "players"}:
        return False
    players = value["players"]
    if not GAME[0](value["team"]) or not TEXT[0](value["name"]) or not isinstance(players, list):
        return False
    pairs = (isinstance(player, list) and len(player) == 2 and all(map(TEXT[0], player)) for player in players)
    return len(players) <= MOST_BIDS and all(pairs)


# What a field may hold, and the message for anything else.
Check = tuple[Callable[[Any], bool], str]
NUMBER: Check = (lambda value: type(value) is int and 0 <= value < 10_000, "is a whole number from 0")
GAME: Check = (lambda value: type(value) is int and 0 <= value <= LARGEST, "is the number of a game")
TEXT: Check = (lambda value: isinstance(value, str) and len(value) <= LONGEST, "is a text")
FACTS: Check = (lambda value: isinstance(value, dict) and value.get("entry") == "hand", "is a hand")
AFTER: Check = (lambda value: value is None or _is_uid(value), "is a UUID or nothing")
UIDS: Check = (
    lambda value: isinstance(value, list) and len(value) <= MOST_LINES and all(map(_is_uid, value)),
    "is a list of UUIDs",
)
BID_LIST: Check = (
    lambda value: isinstance(value, list) and len(value) <= MOST_BIDS and all(map(TEXT[0], value)),
    "is a list of bids",
)
FLAG: Check = (lambda value: isinstance(value, bool), "is true or false")
CLOCK: Check = (lambda value: value is None or type(value) is int, "is a whole number of milliseconds")
COUNT: Check = (CLOCK[0], "is a whole number")
# Who sat at the table when its page was shown; older scripts do not send it.
WHO: Check = (lambda value: value is None or _is_seating(value), "is a list of sides with their players")
COMMON: dict[str, Check] = {"kind": TEXT, "game": GAME, "after": AFTER, "at": CLOCK, "n": COUNT, "who": WHO}
FIELDS: dict[str, dict[str, Check]] = {
    HAND: {"position": NUMBER, "facts": FACTS},
    VOID: {"position": NUMBER, "rule": TEXT},
    BIDS: {"position": NUMBER, "bids": BID_LIST, "agreed": FLAG},
    UNDO: {"position": NUMBER, "of": (_is_uid, "is the UUID of a line")},
    SEAT: {"side": NUMBER},
    DEALER: {"seat": NUMBER},
    CALL: {"about": TEXT},
    UNCALL: {},
    UNSIGN: {"side": NUMBER},
    SIGN: {"side": NUMBER, "name": TEXT, "lines": UIDS},
}
