"""The worked examples of the games in fixtures/examples, read for the tests that check and count them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from scoring.document import GAMES
from scoring.game import Field, NextHand


def told(due: NextHand, seats: int = 4, sides: int = 2) -> tuple[Any, ...]:
    """Number, dealer and cards; who bids, and what each may bid; whose tricks are counted; the note."""
    bids, tricks = due.field("bids"), due.field("tricks")
    places = {"seat": seats, "side": sides}
    said = tuple(values(bids, seat) for seat in range(places[bids.of])) if bids else ()
    return due.number, due.dealer, due.cards, bids and bids.of, said, tricks and tricks.of, due.note


def values(field: Field, place: int = 0) -> tuple[str, ...]:
    return tuple(choice.value for choice in field.offered(place))


ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "fixtures" / "examples"
# The beginnings of clause ids that no sheet numbers: “tw”, “bw52”.
PREFIXES = {heading.partition(".")[0] for game in GAMES for heading in game.headings if "." in heading}
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


def faults(printed: dict[str, Any]) -> list[tuple[str, str]]:
    return [(problem["field"], problem["rule"]) for problem in printed["problems"]]


def ended(printed: dict[str, Any]) -> tuple[Any, ...]:
    return printed["over"], printed["winner"], printed["how"], printed["rule"], printed["points"]
