"""The player's own tablets: one a table, bound as every tablet, and known again after the server was started again."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from tournament.access import Actor
from tournament.demo.player.line import Connection
from tournament.demo.player.tablet import Tablet
from tournament.middleware import TABLE_COOKIE
from tournament.models import Device, Event
from tournament.queries.devices import fingerprint
from tournament.services.devices import bind_further

FILE = "player-tablets.json"


class Tablets:
    """Which tables are the player's: those at which its tablet writes. At all others somebody else sits."""

    def __init__(self, line: Connection, event: Event) -> None:
        self.line, self.event = line, event
        self.file: Path = settings.DATA / FILE
        self.known = {table: Tablet(token, line) for table, token in self._read().get(event.slug, {}).items()}

    def writing(self) -> dict[int, Tablet | None]:
        """The tablet that writes, table by table; None where it is somebody else's."""
        bound = Device.objects.filter(event=self.event, revoked_at=None, writes=True).exclude(token_hash="")
        ours = {fingerprint(tablet.token): tablet for tablet in self.known.values()}
        return {table: ours.get(key) for table, key in bound.values_list("table", "token_hash")}

    def sit_down(self, actor: Actor, table: int) -> Tablet:
        """Bring a tablet to a table; where another one writes there, take over from it."""
        tablet = self.known.get(str(table))
        if tablet is None or not self._is_bound(tablet):
            tablet = self.known[str(table)] = Tablet(bind_further(actor, self.event, table), self.line)
            self._keep()
        if self.writing().get(table) is not tablet:
            self.line.send(reverse("tablet-writer"), {}, {TABLE_COOKIE: tablet.token})
        return tablet

    def _is_bound(self, tablet: Tablet) -> bool:
        return Device.objects.filter(token_hash=fingerprint(tablet.token), revoked_at=None).exists()

    def _read(self) -> dict[str, dict[str, str]]:
        with contextlib.suppress(OSError, ValueError):
            found: dict[str, dict[str, str]] = json.loads(self.file.read_text(encoding="utf-8"))
            return found
        return {}

    def _keep(self) -> None:
        kept = self._read() | {self.event.slug: {table: tablet.token for table, tablet in self.known.items()}}
        with open(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(kept, file)
