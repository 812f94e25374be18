"""A table with its tablet, and items as a tablet's script makes them."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import seat_all
from tests.sure import sure
from tournament.access import Actor
from tournament.models import Device, Event, Game, Round
from tournament.queries.devices import device_of
from tournament.services.devices import issue_card, issue_second_card, pair_device

THREE = {"entry": "hand", "seat": 0, "bid": "3", "books": 9}
TWO_SET = {"entry": "hand", "seat": 1, "bid": "2", "books": 7}
FOUR = {"entry": "hand", "seat": 2, "bid": "4", "books": 10}


@dataclass
class Tablet:
    """A tablet's script: makes items one after another, and posts them with its key."""

    token: str
    game: Game
    last: str | None = None
    count: int = 0
    client: Client = field(default_factory=Client)

    @property
    def device(self) -> Device:
        return sure(device_of(self.token))

    def item(self, kind: str, **fields: Any) -> dict[str, Any]:
        self.count += 1
        item: dict[str, Any] = {"uid": str(uuid.uuid4()), "kind": kind, "after": self.last, "n": self.count}
        item |= {"game": self.game.pk, "at": 1_795_000_000_000 + self.count, **fields}
        if kind != "call":
            self.last = item["uid"]
        return item

    def hand(self, position: int, facts: dict[str, Any] = THREE, **fields: Any) -> dict[str, Any]:
        return self.item("hand", position=position, facts=facts, **fields)

    def send(self, *items: Any, **fields: Any) -> Any:
        return self.post("submissions", {"items": list(items), **fields})

    def results(self, *items: Any) -> list[tuple[str, str]]:
        answer = self.send(*items)
        assert answer.status_code == 200, answer.content
        return [(result["status"], result["code"]) for result in answer.json()["results"]]

    def post(self, name: str, data: Any) -> Any:
        content = data if isinstance(data, bytes) else json.dumps(data).encode()
        headers = {"Authorization": f"Table {self.token}"}
        return self.client.post(f"/t/api/{name}/", content, content_type="application/json", headers=headers)


@pytest.fixture
def game(tables: list[Game]) -> Game:
    """Aces against Books at table 1, seated, Ann 1 deals."""
    game = tables[0]
    seat_all(game)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def tablet(dana: User, event: Event, game: Game) -> Tablet:
    return Tablet(pair_device(Actor(), issue_card(Actor(dana), event, 1)), game)


@pytest.fixture
def second(dana: User, event: Event, tablet: Tablet) -> Tablet:
    """A further tablet at the same table, which looks on."""
    return Tablet(pair_device(Actor(), issue_second_card(Actor(dana), event, 1)), tablet.game)


def close_round() -> None:
    Round.objects.update(state="closed")
