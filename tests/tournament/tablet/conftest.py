"""A table of Aces and Books with its tablet bound, seated and ready; and a second table of the same event."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import seat_all
from tournament.access import Actor
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Event, Game
from tournament.services.devices import issue_card, pair_device


@pytest.fixture
def game(tables: list[Game]) -> Game:
    return tables[0]


def bind(user: User, event: Event, table: int) -> Client:
    """A browser that holds the key of a table's tablet, htmx off."""
    client = Client()
    client.cookies[TABLE_COOKIE] = pair_device(Actor(), issue_card(Actor(user), event, table))
    return client


@pytest.fixture
def tablet(dana: User, event: Event, game: Game) -> Client:
    return bind(dana, event, 1)


@pytest.fixture
def ready(tablet: Client, game: Game) -> Client:
    """The tablet of table 1 with both sides seated and Ann 1 dealing first."""
    seat_all(game)
    return tablet


def at(name: str, game: Game) -> str:
    """The address of something that a tablet does to a game."""
    return reverse(name, args=[game.pk])
