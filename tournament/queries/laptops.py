"""Two laptops with the same rows: whether another one goes on with them, and what may be missing since the copy.

Only one of them may accept what tables and desk write. The one that went on later has the later epoch, and the other
learns of it in two ways: by a mark in the folders of copies, and through every tablet that has talked to it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Max

from scoring.ledger import listed
from tournament.models import Event, Installation, Season
from tournament.queries.backups import database_file
from tournament.site.epochs import is_later
from tournament.words.phrases import moment_words, one_stop

# The mark in a folder of copies; and what this laptop learned about another one.
MARK, OTHER = "taken-over.json", "other-laptop.json"


class Mark(NamedTuple):
    """Which laptop went on with the rows of which installation, when, and in which epoch."""

    installation: str
    epoch: UUID
    at: datetime
    laptop: str


class OtherLaptop(NamedTuple):
    """Another laptop that goes on in a later epoch. `told` says how that is known; `stopped`, that it may.

    Its name may be unknown.
    """

    epoch: UUID
    told: str
    laptop: str = ""
    stopped: bool = False


def mark_in(folder: Path) -> Mark | None:
    """The mark in a folder; None if none can be read."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        said = json.loads((folder / MARK).read_text(encoding="utf-8"))
        at = datetime.fromisoformat(said["at"])
        return Mark(str(said["installation"]), UUID(said["epoch"]), at, str(said["laptop"])[:60])
    return None


def later_mark(folder: Path) -> Mark | None:
    """The mark of another laptop that went on with these very rows after this one; None if there is none."""
    mark = mark_in(folder)
    own = Installation.objects.first() if mark is not None else None
    if mark is None or own is None or mark.installation != own.name:
        return None
    return mark if is_later(mark.epoch, own.epoch) else None


def other_laptop() -> OtherLaptop | None:
    """The laptop that replaced this one; None if this one goes on. No query, because every act asks."""
    if database_file() is None:
        return None
    with suppress(OSError, ValueError, KeyError, TypeError):
        said = json.loads(other_file().read_text(encoding="utf-8"))
        return OtherLaptop(UUID(said["epoch"]), str(said["told"]), str(said["laptop"]), bool(said["stopped"]))
    return None


def desk_state(event: Event) -> str:
    """Changes whenever the header of the desk's pages does: with every write, and when another laptop goes on."""
    return f"{event.version}{'' if other_laptop() is None else '-aside'}"


def other_file() -> Path:
    return Path(settings.DATA) / OTHER


def held(event: Event, copied: datetime) -> dict[str, Any]:
    """What the rows of an event from a copy of that moment contain, as stored in `Event.since_copy`."""
    season = event.season
    return {
        "copied": copied.isoformat(),
        "receipts": last_receipt(event),
        "entries": event.registrations.aggregate(last=Max("position"))["last"] or 0,
        "dues": {season.name: last_dues(season)} if season is not None and season.dues_cents else {},
    }


def last_receipt(event: Event) -> int:
    return event.ledger.aggregate(last=Max("number"))["last"] or 0


def last_dues(season: Season) -> int:
    """The last receipt of dues that no desk took."""
    return season.dues.filter(event=None).aggregate(last=Max("number"))["last"] or 0


def since_words(event: Event) -> list[str]:
    """What may be missing since the copy that an event continues from, in sentences; empty once that was checked."""
    said = event.since_copy
    if not said:
        return []
    numbered = [_after("receipts", said["receipts"]), _after("entries", said["entries"])]
    numbered += [_after(f"dues of {name}", last) for name, last in said["dues"].items()]
    moment = moment_words(datetime.fromisoformat(said["copied"]), event.time_zone)
    return [
        one_stop(f"The copy is from {moment}."),
        f"Whatever desk and players did later may be missing: look at {listed(numbered)}, and at check-ins, rulings, "
        "typed sheets, corrections, draws and changes of the list.",
        "Tablets send their hands again by themselves.",
        f"Receipts go on at no. {event.receipts_from}: the numbers in between may be on paper already.",
    ]


def _after(what: str, last: int) -> str:
    return f"{what} after no. {last}" if last else f"all {what}"
