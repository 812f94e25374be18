"""An event in which there is something to pay."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import make_event
from tests.quick import remembered
from tournament.models import Event, Team


@remembered
def priced(director: User, **fields: Any) -> Event:
    """Four teams at 20 for the fee and 5 for the pot, which the third is not in; nobody has paid yet."""
    event = make_event("Priced Open", director=director, fee_cents=2000, pot_cents=500, **fields)
    for number, name in enumerate(("Aces", "Books", "Clubs", "Deuces"), start=1):
        Team.objects.create(event=event, number=number, name=name, key=name.lower(), in_pot=number != 3)
    return event


@pytest.fixture
def event(dana: User) -> Event:
    return priced(dana)
