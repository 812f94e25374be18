"""The game of this folder, registered for a test: its folder and the pad of its one new field are all that it needs."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured

from scoring import document
from tests.games import melds
from tournament.queries import rules as queried

TEMPLATES = Path(melds.__file__).parent / "templates"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    if any(game.key == melds.GAME.key for game in document.GAMES):
        # In the copy of the house that `trial.py` makes it is a game like any other.
        yield
        return
    monkeypatch.setattr(document, "GAMES", (*document.GAMES, melds.GAME))
    templates = copy.deepcopy(configured.TEMPLATES)
    templates[0]["DIRS"] += [TEMPLATES]
    settings.TEMPLATES = templates
    queried.ruleset.cache_clear()
    yield
    queried.ruleset.cache_clear()
