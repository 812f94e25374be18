"""The tables of an event and their tablets, for the desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import Device, Event, Game
from tournament.queries.devices import withdrawn_tablets

NONE, CARD, BOUND = "none", "card", "bound"
TABLET_STATES = {NONE: "No tablet", CARD: "Card not used yet", BOUND: "Tablet in use"}


# A bound tablet is heard of every fifteen seconds; after this long it has no network, no power or no open page.
SILENT = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class TabletRow:
    """A tablet of a table, or a table without one. `state` is none, card (issued, not used) or bound.

    `unsent` and `battery` are what the tablet said when it was last heard of; `silent` says that this is too long ago.
    `can_come_back` says that its tablet was withdrawn and nothing was issued since.
    """

    table: int
    state: str
    words: str
    issued_at: datetime | None
    paired_at: datetime | None
    last_seen_at: datetime | None
    letter: str = ""
    writes: bool = False
    first: bool = True
    unsent: int | None = None
    battery: int | None = None
    silent: bool = False
    can_come_back: bool = False

    @property
    def tone(self) -> str:
        return {CARD: "gold", NONE: "plain"}.get(self.state, "")

    @property
    def card_words(self) -> str:
        return "Issue card" if self.state == NONE else "New card"


def tablet_list(event: Event) -> tuple[TabletRow, ...]:
    """Every table that has a game or a card, with its tablets, in order: three queries.

    Before the draw it is as many tables as the teams need.
    """
    devices: dict[int, list[Device]] = {}
    for device in Device.objects.filter(event=event, revoked_at=None).order_by("table", "letter"):
        devices.setdefault(device.table, []).append(device)
    tables = set(Game.objects.filter(round__event=event).order_by().values_list("table", flat=True).distinct())
    if not tables:
        tables = set(range(1, event.teams.filter(status="playing").count() // 2 + 1))
    now, back = timezone.now(), withdrawn_tablets(event)
    return tuple(
        _row(table, device, place == 0, now, table in back)
        for table in sorted(tables | set(devices))
        for place, device in enumerate(devices.get(table) or [None])
    )


def tables_without(rows: tuple[TabletRow, ...]) -> list[int]:
    bound = {row.table for row in rows if row.state == BOUND}
    return [row.table for row in rows if row.first and row.table not in bound]


def _row(table: int, device: Device | None, first: bool, now: datetime, back: bool) -> TabletRow:
    if device is None:
        return TabletRow(table, NONE, TABLET_STATES[NONE], None, None, None, can_come_back=back)
    state = BOUND if device.token_hash else CARD
    seen = device.last_seen_at
    return TabletRow(
        table,
        state,
        TABLET_STATES[state],
        device.created_at,
        device.paired_at,
        seen,
        letter=device.letter,
        writes=device.writes and state == BOUND,
        first=first,
        unsent=device.unsent,
        battery=device.battery,
        silent=state == BOUND and (seen is None or now - seen > SILENT),
    )
