"""Tablets: which table a token belongs to, and how the desk sees them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournament.models import Device, Event, Game, Installation

# Digits and capitals that nobody confuses when reading them from a card.
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def fingerprint(secret: str) -> str:
    """What is stored of a code or token: its SHA-256."""
    return hashlib.sha256(secret.encode()).hexdigest()


def device_of(token: str) -> Device | None:
    """The tablet that holds this token, unless it was revoked."""
    device = known_device(token)
    return device if device is not None and device.revoked_at is None else None


POLLED = """
SELECT tablet.id, event_id, token_hash, writes, last_seen_at, event.epoch AS event_epoch, event.version AS event_version
FROM tournament_device AS tablet JOIN tournament_event AS event ON event.id = event_id
WHERE token_hash = %s AND revoked_at IS NULL
"""


def polling_device(token: str) -> Device | None:
    """The same, with only what a poll needs: of its event the key, the epoch, and the version.

    In plain SQL: every tablet asks every few seconds, and building the query takes longer than running it.
    """
    return next(iter(Device.objects.raw(POLLED, [fingerprint(token)])), None) if token else None


def known_device(token: str) -> Device | None:
    """The tablet that holds or held this token: what a former tablet still sends is kept for the desk.

    It comes with its event and, for the answer to it, the name of the `installation`.
    """
    if not token or len(token) > 100:
        return None
    named = Device.objects.annotate(installation=Installation.objects.order_by("pk").values("name")[:1])
    return named.filter(token_hash=fingerprint(token)).select_related("event").first()


def withdrawn_tablet(token: str) -> Device | None:
    """The tablet that held this token until the desk withdrew it, as long as its event goes on."""
    device = known_device(token)
    gone = device is not None and device.revoked_at is not None and device.event.stage != "over"
    return device if gone else None


def writer_of(device: Device) -> Device | None:
    """The tablet that writes at this tablet's table; None if the table's card is unused."""
    if device.writes and device.token_hash and device.revoked_at is None:
        return device
    bound = Device.objects.filter(event_id=device.event_id, table=device.table, revoked_at=None).exclude(token_hash="")
    return bound.filter(writes=True).first()


def installation() -> str:
    """The name of this installation. A tablet uses it to tell two installations in one hall apart."""
    return Installation.objects.values_list("name", flat=True).first() or name_by_key()


def name_by_key() -> str:
    """The name that a new installation gets from its key. After a restore elsewhere it keeps that name."""
    return salted_hmac("uptown.installation", "").hexdigest()[:16]


def plain_code(text: str) -> str:
    """A code in the form in which it was issued, however it was typed: case, blanks, and hyphens do not matter."""
    return "".join(character for character in text.upper() if character in LETTERS)[:20]


def spaced_code(code: str) -> str:
    """A code as it is printed on the card: ABCD-EFGH."""
    return f"{code[:4]}-{code[4:]}"


def withdrawn_tablets(event: Event) -> dict[int, list[int]]:
    """By table, the tablets that were withdrawn last, if the table has had none since."""
    gone: dict[int, list[Device]] = {}
    for device in Device.objects.filter(event=event):
        gone.setdefault(device.table, []).append(device)
    withdrawn = {}
    for table, devices in gone.items():
        moments = [device.revoked_at for device in devices]
        last = None if None in moments else max(moment for moment in moments if moment)
        if bound := [device.pk for device in devices if last and device.revoked_at == last and device.token_hash]:
            withdrawn[table] = bound
    return withdrawn


# The tables of an event and their tablets, for the desk.

NONE, CARD, BOUND = "none", "card", "bound"
TABLET_STATES = {NONE: "No tablet", CARD: "Card not used yet", BOUND: "Tablet in use"}


# A bound tablet is heard from at least every fifteen seconds, and that is stored once a minute: after this long it has
# no network, no power, or no open page.
WRITTEN, SILENT = timedelta(seconds=60), timedelta(seconds=90)
# When this process last heard from each tablet: the stored time may be a minute older.
_heard: dict[str, datetime] = {}


def note_heard(device: Device, now: datetime) -> bool:
    """Remember that a tablet was heard from. Returns whether it must be stored, too."""
    _heard[device.token_hash] = now
    return device.last_seen_at is None or now - device.last_seen_at >= WRITTEN


def last_heard(device: Device) -> datetime | None:
    """When a tablet was last heard from, as far as this process knows; None while it is only expected."""
    seen = device.last_seen_at
    return None if seen is None else max(seen, _heard.get(device.token_hash, seen))


@dataclass(frozen=True, slots=True)
class TabletRow:
    """A tablet of a table, or a table without one. `state` is none, card (issued, not used), or bound.

    `silent` means that the tablet was last heard from too long ago, at `seen`; `awaited`, that it was allowed again and
    not heard from since. `can_come_back` means that its tablet was withdrawn and nothing was issued since.
    """

    table: int
    device: Device | None
    state: str
    first: bool
    seen: datetime | None
    silent: bool
    can_come_back: bool

    @property
    def words(self) -> str:
        return "Allowed again; waiting for it" if self.awaited else TABLET_STATES[self.state]

    @property
    def tone(self) -> str:
        return "gold" if self.awaited else {CARD: "gold", NONE: "plain"}.get(self.state, "")

    @property
    def awaited(self) -> bool:
        return self.state == BOUND and self.seen is None

    @property
    def card_words(self) -> str:
        return "Issue card" if self.state == NONE else "New card"


def tablet_list(event: Event) -> tuple[TabletRow, ...]:
    """Every table that has a game or a card, with its tablets, in order: three queries.

    Before the draw these are as many tables as the teams need, and those that a team never leaves.
    """
    devices: dict[int, list[Device]] = {}
    for device in Device.objects.filter(event=event, revoked_at=None).order_by("table", "letter", "pk"):
        devices.setdefault(device.table, []).append(device)
    tables = set(Game.objects.filter(round__event=event).order_by().values_list("table", flat=True).distinct())
    if not tables:
        homes = event.teams.filter(status="playing").values_list("home", flat=True)
        tables = {*range(1, len(homes) // 2 + 1), *filter(None, homes)}
    now, back = timezone.now(), withdrawn_tablets(event)
    return tuple(
        _row(table, device, index == 0, now, table in back)
        for table in sorted(tables | set(devices))
        for index, device in enumerate(devices.get(table) or [None])
    )


def tables_without(rows: tuple[TabletRow, ...]) -> list[int]:
    bound = {row.table for row in rows if row.state == BOUND}
    return [row.table for row in rows if row.first and row.table not in bound]


def _row(table: int, device: Device | None, first: bool, now: datetime, back: bool) -> TabletRow:
    if device is None:
        return TabletRow(table, None, NONE, first, None, silent=False, can_come_back=back)
    state, seen = BOUND if device.token_hash else CARD, last_heard(device)
    silent = state == BOUND and seen is not None and now - seen > SILENT
    return TabletRow(table, device, state, first, seen, silent, can_come_back=False)
