"""A game is its folder and its name in GAMES: it is added to a copy of the house by these alone, and played there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.games.trial import add_game

# What takes each game from its rules to the standings: its clauses and examples, two scorers, its options, a table that
# types it, the demo's player, every list; and that no other place knows its name.
ASKED_OF_A_GAME = (
    "tests/scoring",
    "tests/architecture/test_games.py",
    "tests/games/test_melds.py",
    "tests/tournament/lists/test_renderings.py",
    "tests/tournament/games/test_sheets.py",
    "tests/tournament/demo/test_evening.py",
)
GAMES_OF_ITS_OWN = ("test_a_game_never_imports_another_game", "test_every_layout_of_a_field_has_its_pad")


def run(house: Path, *command: str) -> str:
    done = subprocess.run([sys.executable, "-m", *command], cwd=house, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-6000:]}{done.stderr[-2000:]}"
    return done.stdout


def test_a_game_is_added_by_its_folder_and_its_name_alone(tmp_path: Path) -> None:
    """Where it fails, another place needs the name: let that read GAMES, or say the step in scoring/README.md."""
    house = tmp_path / "house"
    add_game(house)
    run(house, "tests.scoring.test_sheets")
    chosen = " or ".join(("melds", *GAMES_OF_ITS_OWN))
    said = run(house, "pytest", "-q", "-p", "no:cacheprovider", *ASKED_OF_A_GAME, "-k", chosen)
    assert " passed" in said
