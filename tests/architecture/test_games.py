"""A game is described in its own folder: no other code knows its name, or how it bids."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import grimp
import pytest

from scoring.document import GAMES, all_sheets

ROOT = Path(__file__).parents[2]
# Layouts that no pad draws: a list for each call, and what is known and not asked.
WITHOUT_PAD = {"calls", "given"}
# The rule sheet that a new event, and the practice table, begin with.
DEFAULT = "bid_whist/no-kitty-2021"
BEGINS_WITH_IT = {"tournament/models/event.py", "tournament/queries/tablet.py"}
# Who bids is asked of the fields of a hand alone: these would be forks on how a game bids. A script or a template that
# knows a field by its key, where the field's own attributes tell, is one in disguise.
FORKS = re.compile(
    r"""\bby\w* ?[=!]= ?["'](bidder|seat|side)["']|\bgame\.key ?[=!]=|\bsheet(_key)?\.startswith"""
    r"""|\b(everybody|one)_bids\b|\bquerySelector\(["'`]\.(bids|books|tricks)\b|if \(facts\.(bids|tricks)\b"""
    r"""|{% (if|elif) [^%]*\bwritten\.(bids|tricks|took|need)\b|["']bidder["'] in facts or\b"""
)


def sources() -> list[tuple[str, str]]:
    """Everything that is read or run but the demo, which plays evenings of its own, and migrations."""
    folders = (ROOT / "tournament", ROOT / "templates")
    sources = [path for folder in folders for kind in ("py", "html", "js", "css") for path in folder.rglob(f"*.{kind}")]
    named = {path.relative_to(ROOT).as_posix(): path for path in sources}
    return [
        (name, path.read_text(encoding="utf-8"))
        for name, path in sorted(named.items())
        if not name.startswith(("tournament/demo/", "tournament/migrations/", "tournament/static/tournament/vendor/"))
    ]


def test_no_key_of_a_game_stands_outside_its_folder() -> None:
    # “spades” alone is a suit.
    alone = [rf"""["']{game.key}["']""" for game in GAMES if game.key != "spades"]
    keys = re.compile("|".join([*(rf"\b{game.key}/" for game in GAMES), *alone]))
    named = [(name, parameters) for name, text in sources() if (parameters := keys.findall(_plain(name, text)))]
    assert not named, f"Ask the game or its sheet instead of its key: {named}"


def test_a_game_never_imports_another_game() -> None:
    """Not by way of a module that games share, either; nor does a game import the standings, or they a game."""
    graph = grimp.build_graph("scoring", cache_dir=None)
    # Every rule sheet names its order of tie-breaks: an option reads what they are called from their entries.
    graph.remove_import(importer="scoring.options", imported="scoring.standings.tiebreaks")
    folders = [f"scoring.{game.key}" for game in GAMES] + ["scoring.standings"]
    assert [folder for folder in folders if folder not in graph.modules] == [], "the folder of a game bears its key"
    for importer, imported in permutations(folders, 2):
        chain = graph.find_shortest_chain(importer, imported, as_packages=True)
        assert not chain, f"What both need stands in a module that games share: {' -> '.join(chain)}"


def test_every_layout_of_a_field_has_its_pad() -> None:
    pads = {path.stem for path in (ROOT / "templates/components/pads").glob("*.html")} | WITHOUT_PAD
    for game, sheet in all_sheets():
        for field in game.columns(sheet.rules):
            assert field.layout in pads, f"{sheet.key}: add templates/components/pads/{field.layout}.html"


def test_nothing_forks_on_how_a_game_bids() -> None:
    forks = [(name, match.group()) for name, text in sources() for match in FORKS.finditer(text)]
    assert not forks, f"Ask the fields of the hand instead: {forks}"


@pytest.mark.parametrize(
    "fork",
    [
        "{% if sheet.everybody_bids %}",
        'form().querySelector(".bids") ? padKey(key) : turnKey(form(), key)',
        "if (facts.bids) return turnWords(facts, state);",
        "{% if row.written.took is not None %}",
        'if "bidder" in facts or "seat" in facts:',
    ],
)
def test_a_fork_is_known(fork: str) -> None:
    assert FORKS.search(fork)


def _plain(name: str, text: str) -> str:
    return text.replace(DEFAULT, "") if name in BEGINS_WITH_IT else text
