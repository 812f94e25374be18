"""A laptop continues with the rows of another one: a new epoch, a mark for the other laptop, and the checks after it.

A laptop that was taken over accepts nothing more until an official says that it goes on.
"""

from __future__ import annotations

import json
import math
import os
import socket
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from tournament.access import NOBODY, Actor
from tournament.models import Device, Event, Game, Installation, Season
from tournament.queries.backups import database_file, second_folders
from tournament.queries.devices import name_by_key
from tournament.queries.laptops import (
    MARK,
    Mark,
    OtherLaptop,
    held,
    last_dues,
    last_receipt,
    later_mark,
    other_file,
    other_laptop,
)
from tournament.services.transactions import Shown, announce, in_line, writing
from tournament.site.epochs import is_later, is_of, new_epoch

# A page that shows an old version must never see the same number again with other content.
VERSION_OFFSET = 1_000_000
# Leave room for at least this many receipts that nobody here knows of; the next one begins a new thousand.
RECEIPTS_APART, RECEIPTS_ROUND = 500, 1000
BY_FOLDER, BY_TABLET = "the folder {}", "the tablet of table {}"


def begin_epoch(
    file: str = "", *, known: bool = False, copied: datetime | None = None, after: Iterable[UUID | None] = ()
) -> int:
    """Start a new epoch for every event. Tablets notice it and send whatever is missing again. Returns how many events.

    Without a `file`, the database was restored with its own tools. The log says whether it is `known` who may sign in.
    After a restore from a copy of the moment `copied`, the desk shows for every event that is not over what may be
    missing, and no receipt number that may have been given out since is used again. The new epoch is later than the
    epochs `after`.
    """
    _new_epoch(after)
    for season in Season.objects.all():
        season.receipts_from = _far_from(last_dues(season), season.receipts_from)
        season.save(update_fields=["receipts_from"])
    _seasons_are_news()
    events = list(Event.objects.select_related("season"))
    for event in events:
        with writing(event) as locked:
            _all_is_news(locked)
            since_copy = held(event, copied) if copied is not None and event.stage != "over" else {}
            receipts_from = _far_from(last_receipt(event), event.receipts_from)
            Event.objects.filter(pk=event.pk).update(receipts_from=receipts_from, since_copy=since_copy)
            announce(NOBODY, locked, "restore", "event", locked.pk, "backup" if file else "elsewhere", {"file": file})
            announce(NOBODY, locked, "restore", "event", locked.pk, "admission" if known else "unknown")
    return len(events)


def _new_epoch(after: Iterable[UUID | None] = ()) -> None:
    """Begin an epoch for the whole site: every event has it from now on."""
    own = Installation.objects.order_by("pk").first() or Installation(name=name_by_key())
    other = other_laptop()
    own.epoch = new_epoch(own.secret, [own.epoch, other and other.epoch, *after])
    own.save()
    Event.objects.update(epoch=own.epoch)


def _seasons_are_news() -> None:
    Season.objects.update(version=F("version") + VERSION_OFFSET)


def _all_is_news(event: Event) -> None:
    """Every page that is open now is out of date."""
    versions = {name: F(name) + VERSION_OFFSET for name in Shown.PUBLIC.raises}
    Event.objects.filter(pk=event.pk).update(**versions)
    Game.objects.filter(round__event=event).update(version=F("version") + VERSION_OFFSET)


def _far_from(last: int, before: int) -> int:
    """The next receipt number: a round number far beyond the last known one, also counting earlier restores."""
    at_least = max(last, before - 1) + RECEIPTS_APART
    return math.ceil(at_least / RECEIPTS_ROUND) * RECEIPTS_ROUND + 1


def mark_checked(actor: Actor, event: Event) -> None:
    """An official has checked what the copy may lack. A second press changes nothing."""
    with writing(event) as event:
        if event.since_copy:
            copied = event.since_copy["copied"]
            event.since_copy = {}
            event.save(update_fields=["since_copy"])
            announce(actor, event, "restore", "event", event.pk, "checked", after={"copied": copied})


# Two laptops: the mark that one leaves, and what the other does when it finds out.


def leave_mark(folder: Path) -> None:
    """Record in a folder of copies that this laptop went on. Raises OSError."""
    own = Installation.objects.order_by("pk").first()
    if own is not None and own.epoch is not None:
        mark = Mark(own.name, own.epoch, timezone.now(), socket.gethostname())
        said = {"installation": mark.installation, "epoch": str(mark.epoch), "at": mark.at.isoformat()}
        _write(folder / MARK, said | {"laptop": mark.laptop})


def look_at_mark(folder: Path) -> bool:
    """Return whether this laptop may still copy to a folder.

    If another one has gone on since, this one stops accepting.
    """
    mark = later_mark(folder)
    if mark is not None:
        stand_aside(OtherLaptop(mark.epoch, BY_FOLDER.format(folder), mark.laptop))
    return mark is None


def look_at_tablet(device: Device, told: str) -> None:
    """Stop accepting if a tablet has talked to a laptop that went on after this one.

    Only such a laptop can create an epoch of this installation, so nobody can stop the evening with an invented one.
    """
    if not told or told == str(device.event.epoch) or database_file() is None:
        return
    with suppress(ValueError):
        epoch, own = UUID(told), Installation.objects.order_by("pk").first()
        if own is not None and is_later(epoch, own.epoch) and is_of(own.secret, epoch):
            stand_aside(OtherLaptop(epoch, BY_TABLET.format(device.table)))


def stand_aside(other: OtherLaptop) -> None:
    """Accept nothing more: another laptop goes on. This stays so after a restart."""
    known = other_laptop()
    if known is None or is_later(other.epoch, known.epoch):
        _keep(other)


def stay_aside() -> None:
    """An official confirms that this laptop has stopped, so that it no longer asks."""
    known = other_laptop()
    if known is not None:
        _keep(known._replace(stopped=True))


def go_on(actor: Actor) -> None:
    """The laptop that had stopped goes on after all, in a later epoch. The other one finds out in the same ways."""
    if other_laptop() is None:
        return
    with in_line(), transaction.atomic():
        _new_epoch()
        for event in Event.objects.all():
            with writing(event) as locked:
                _all_is_news(locked)
                announce(actor, locked, "restore", "event", locked.pk, "goes-on")
        _seasons_are_news()
    forget_other()
    for folder in second_folders():
        # A laptop without such a folder finds out from the tablets.
        with suppress(OSError):
            leave_mark(folder)


def forget_other() -> None:
    other_file().unlink(missing_ok=True)


def _keep(other: OtherLaptop) -> None:
    _write(other_file(), other._asdict() | {"epoch": str(other.epoch)})


def look_for_other() -> OtherLaptop | None:
    """At startup: the laptop that replaced this one, as stored earlier or read from a folder."""
    other, own = other_laptop(), Installation.objects.order_by("pk").first()
    if other is not None and own is not None and not is_later(other.epoch, own.epoch):
        # The power failed just when this laptop went on.
        forget_other()
    # A takeover directly from the disk leaves the mark in its data folder.
    for place in (Path(settings.DATA), *second_folders()):
        look_at_mark(place)
    return other_laptop()


def note_address(address: str) -> None:
    """Store where the site is served for a hall, so that a laptop that takes over knows the address the tablets use."""
    own = Installation.objects.order_by("pk").first()
    if own is not None and own.address != address:
        own.address = address
        # The site starts even if the disk is full.
        with suppress(OperationalError):
            own.save(update_fields=["address"])


def _write(path: Path, said: dict[str, Any]) -> None:
    """Write a small file completely or not at all."""
    beside = path.with_name(f"{path.name}.unfinished")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(said, file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
