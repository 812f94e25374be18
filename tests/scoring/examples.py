"""The worked examples of the games in fixtures/examples, read for the tests that check and count them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from scoring.document import GAMES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "fixtures" / "examples"
PARTS = ("sheet", "options", "sides", "opening", "entries")


@cache
def load_examples() -> dict[str, dict[str, Any]]:
    """Every example by its name, “bid_whist/tournament/odd”."""
    return {
        path.relative_to(FOLDER).with_suffix("").as_posix(): tomllib.loads(path.read_text(encoding="utf-8"))
        for game in GAMES
        for path in sorted((FOLDER / game.key).rglob("*.toml"))
    }


def document_of(example: dict[str, Any]) -> dict[str, Any]:
    return {"entries": []} | {key: example[key] for key in PARTS if key in example}
