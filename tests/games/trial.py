"""A copy of the house in which a game is added by the steps of `scoring/README.md` alone.

`python -m tests.games.trial FOLDER` makes one, to look at by hand.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from tests.games import melds

ROOT = Path(__file__).parents[2]
GAME = Path(melds.__file__).parent
# What programs read and tests run; nothing that was made by either.
PARTS = ("scoring", "tournament", "templates", "fixtures", "tests", "pyproject.toml", "manage.py")
MADE = shutil.ignore_patterns("__pycache__", "node_modules", ".*_cache", "*.sqlite3")


def add_game(house: Path) -> None:
    """Copy the house, and write the game into the copy: its folder, its tests and examples, its pad, its name."""
    house.mkdir()
    for name in PARTS:
        part = ROOT / name
        if part.is_dir():
            shutil.copytree(part, house / name, ignore=MADE)
        else:
            shutil.copy(part, house / name)
    folder = house / "scoring" / "melds"
    folder.mkdir()
    for name in ("__init__.py", "game.py", "rules.py", "RULES.md"):
        text = (GAME / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace("tests.games.melds", "scoring.melds"), encoding="utf-8")
    shutil.copytree(GAME / "tests", house / "tests/scoring/melds", ignore=MADE)
    shutil.copytree(GAME / "examples", house / "fixtures/examples/melds")
    shutil.copytree(GAME / "templates", house / "templates", dirs_exist_ok=True)
    _name_it(house / "scoring/document.py")


def _name_it(registry: Path) -> None:
    text = registry.read_text(encoding="utf-8")
    imported = "from scoring.melds.game import GAME as MELDS\n"
    named = re.sub(r"^GAMES: (.*)\)$", rf"{imported}\nGAMES: \1, MELDS)", text, flags=re.MULTILINE)
    assert named.count("MELDS") == 2
    registry.write_text(named, encoding="utf-8")


if __name__ == "__main__":
    add_game(Path(sys.argv[1]))
